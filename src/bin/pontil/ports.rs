//! Arrays at the inputs of a network: which goes where, as what type, in which shape.

use crate::{
    answer::CALLERS,
    array::{Array, cast},
};
use pontil::{
    describe::Graph,
    faults::{Code, Fault, Faults, Refused},
    tensor::{Tensor, lengths_text, shape_text},
};

/// The arrays as the inputs of `graph` take them, packed, and how many examples there are. All faults, each by its input.
pub fn fit(arrays: &[Array], graph: &Graph, faults: &mut Faults) -> Result<(Vec<Tensor>, usize), Refused> {
    let mark = faults.mark();
    let (given, wanted) = (arrays.len(), graph.inputs.len());
    if given != wanted {
        let message =
            format!("The network takes {wanted} arrays and is given {given}: `input`, `input.1`, … name them.");
        faults.push(Fault::new(Code::Value, message));
    }
    let (mut tensors, mut batch) = (Vec::new(), None);
    for (array, port) in arrays.iter().zip(&graph.inputs) {
        let value = &graph.values[port.value];
        let fitted = cast(&array.tensor, value.dtype)
            .and_then(|tensor| shaped(tensor, value.shape.as_deref(), array.rows))
            .and_then(|tensor| counted(tensor, &mut batch));
        match fitted {
            Ok(tensor) => tensors.push(tensor),
            Err(sentence) => {
                let message = format!("{} {sentence}.", array.name);
                faults.push(Fault::new(Code::Value, message).path(&port.name));
            }
        }
    }
    faults.refused_since(mark).map_err(|_| CALLERS)?;
    Ok((tensors, batch.unwrap_or(0)))
}

/// `tensor` as examples of the shape an input takes; rows of text are laid out anew where the counts fit.
fn shaped(tensor: Tensor, wanted: Option<&[Option<usize>]>, rows: bool) -> Result<Tensor, String> {
    let Some((&batch, each)) = tensor.shape().split_first() else {
        return Err("holds a single number; the first axis must count the examples".into());
    };
    let Some(wanted) = wanted else { return Ok(tensor) };
    if fits(each, wanted) {
        return Ok(tensor);
    }
    let known: Option<Vec<usize>> = wanted.iter().copied().collect();
    let anew = known.filter(|_| rows).and_then(|known| tensor.reshaped([&[batch], &known[..]].concat()));
    anew.ok_or_else(|| {
        let hint = if rows && wanted.contains(&None) { "; say their shape by `--example`" } else { "" };
        let (found, each) = (shape_text(tensor.shape()), lengths_text(wanted));
        if fits(tensor.shape(), wanted) {
            return format!("has the shape {found}, one example without a batch: the first axis must count the examples, 1x{found} for one");
        }
        format!(
            "has the shape {found}, and the network takes examples of shape {each}, counted by the first axis{hint}"
        )
    })
}

fn fits(shape: &[usize], wanted: &[Option<usize>]) -> bool {
    shape.len() == wanted.len() && shape.iter().zip(wanted).all(|(&length, wanted)| wanted.is_none_or(|w| w == length))
}

/// Every input must have as many examples as the first.
fn counted(tensor: Tensor, batch: &mut Option<usize>) -> Result<Tensor, String> {
    let here = tensor.shape().first().copied().unwrap_or(0);
    let there = *batch.get_or_insert(here);
    if here == there { Ok(tensor) } else { Err(format!("holds {here} examples, and the first input {there}")) }
}
