//! Numbers of a file to the parameters of a network, by the names of layers and Mocha's rule of similar shapes.
//!
//! A layer's numbers are the entries `<layer>.weight` (of a convolution its filter) and `<layer>.bias`. Shapes are similar
//! that are equal without their leading and trailing lengths of 1: Caffe's old files have four axes everywhere. Entries of
//! other names are left aside, as Mocha does.

use crate::describe::mocha::{Initial, Net, NetLayer, Parameter, Shaped};
use crate::faults::{Argument, Code, Fault, Faults, Refused, Text, quoted_str};
use crate::network::Entry;
use crate::tensor::{DType, Tensor, shape_text};
use std::collections::HashMap;

/// A parameter with its numbers.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Place of its layer in [`Net::layers`].
    pub layer: usize,
    /// `weight` (also of a filter) or `bias`.
    pub slot: &'static str,
    /// The numbers, in the parameter's shape.
    pub tensor: Tensor,
    /// Where the file has them.
    pub place: Text,
    /// At which byte.
    pub offset: Option<u64>,
}

/// The numbers of every parameter, in running order. A bias that the file leaves out begins as its layer says, which is a
/// warning; so is a square weight, which fits transposed as well, and numbers that a network of singles has to round.
pub fn fit(
    net: &Net,
    shaped: &Shaped,
    entries: &[Entry],
    element: DType,
    faults: &mut Faults,
) -> Result<Vec<Fitted>, Refused> {
    let mark = faults.mark();
    let mut by_path: HashMap<&[u8], &Entry> = HashMap::new();
    for entry in entries {
        if by_path.insert(entry.path.as_bytes(), entry).is_some() {
            faults.push(entry.fault(Code::SlotTwice, "is written twice here, and only one of the two would be read."));
        }
    }
    let (mut fitted, mut refused) = (Vec::new(), false);
    for parameter in &shaped.parameters {
        let Some(layer) = net.layers().get(parameter.layer) else { continue };
        let slot = parameter.slot();
        let path = format!("{}.{slot}", layer.name);
        let tensor = match by_path.get(path.as_bytes()) {
            Some(entry) => similar(entry, layer, parameter, element, faults)
                .map(|tensor| (tensor, entry.place.clone(), entry.offset)),
            // A description alone must not make us find room for numbers.
            None if refused && parameter.name == "bias" => None,
            None => begun(layer, parameter, &path, faults).map(|tensor| (tensor, Text::default(), None)),
        };
        refused |= tensor.is_none();
        fitted.extend(tensor.map(|(tensor, place, offset)| Fitted {
            layer: parameter.layer,
            slot,
            tensor,
            place,
            offset,
        }));
    }
    faults.refused_since(mark)?;
    Ok(fitted)
}

/// The numbers of an entry in the shape of a parameter, if the two are similar.
fn similar(
    entry: &Entry,
    layer: &NetLayer,
    parameter: &Parameter,
    element: DType,
    faults: &mut Faults,
) -> Option<Tensor> {
    let (wanted, given) = (&parameter.shape, entry.tensor.shape());
    let dtype = entry.tensor.dtype();
    if !dtype.is_real() {
        let sentence = format!("holds F32, F16, BF16 or F64, and is written as {}.", dtype.name());
        faults.push(entry.fault(Code::SlotDtype, &sentence));
        return None;
    }
    if stripped(wanted) != stripped(given) {
        let (wanted_text, given_text) = (shape_text(wanted), shape_text(given));
        let turned = given.iter().rev().eq(wanted) && given.len() == 2;
        let advice = if turned { " Its transpose would fit." } else { "" };
        let sentence = format!(
            "is the {} of layer {}, {wanted_text}, and is written as {given_text}.{advice}",
            parameter.name,
            quoted_str(&layer.name)
        );
        let fault = entry.fault(Code::SlotShape, &sentence).argument("slot_shape", Argument::Shape(wanted.clone()));
        faults.push(fault.argument("given", Argument::Shape(given.to_vec())));
        return None;
    }
    if let &[rows, columns] = wanted.as_slice() {
        if rows == columns && rows > 1 {
            let sentence = "is square, so that a transposed one would fit as well: outputs must be its first axis.";
            faults.push(entry.fault(Code::SlotLayout, sentence).warning());
        }
    }
    if dtype != element && dtype == DType::F64 {
        faults.push(entry.fault(Code::SlotDtype, "is written as F64, and is rounded to F32.").warning());
    }
    let shaped = entry.tensor.to_packed().and_then(|tensor| tensor.reshaped(wanted.clone()));
    if shaped.is_none() {
        faults.push(entry.fault(Code::Memory, "has no room: there is no memory for it."));
    }
    shaped
}

/// What a parameter begins with that the file leaves out.
fn begun(layer: &NetLayer, parameter: &Parameter, path: &str, faults: &mut Faults) -> Option<Tensor> {
    let bias = parameter.name == "bias";
    let path_text = quoted_str(path);
    match if bias { layer.bias } else { layer.weight } {
        Initial::Constant(number) if bias => {
            let message = format!("'{path_text}' is missing, and is {number} everywhere, as its layer says.");
            faults.push(Fault::new(Code::SlotMissing, message).path(path).warning());
            Tensor::filled_f32(parameter.shape.clone(), |numbers| numbers.fill(number as f32))
        }
        _ => {
            let name = quoted_str(&layer.name);
            let message = format!(
                "'{path_text}' is missing: the file has no {} of layer {name} ('{name}___{}').",
                parameter.name, parameter.name
            );
            faults.push(Fault::new(Code::SlotMissing, message).path(path));
            None
        }
    }
}

/// A shape without its leading and trailing lengths of 1.
fn stripped(shape: &[usize]) -> &[usize] {
    let first = shape.iter().position(|length| *length != 1).unwrap_or(shape.len());
    let end = shape.iter().rposition(|length| *length != 1).map_or(first, |last| last + 1);
    &shape[first..end]
}

#[cfg(test)]
mod tests {
    use super::stripped;

    #[test]
    fn outer_ones_do_not_count() {
        assert_eq!(stripped(&[1, 1, 5, 8]), [5, 8]);
        assert_eq!(stripped(&[1, 1, 1, 10]), [10]);
        assert_eq!(stripped(&[10, 1]), [10]);
        assert_eq!(stripped(&[2, 1, 3, 3]), [2, 1, 3, 3]);
        assert_eq!(stripped(&[1, 1]), [0usize; 0]);
    }
}
