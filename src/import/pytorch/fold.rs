//! Weights that PyTorch keeps as a length and a direction, put together: `weight = g · v / |v|`.
//!
//! `torch.nn.utils.weight_norm` keeps `weight_g` and `weight_v`, its successor in `torch.nn.utils.parametrizations` keeps
//! `parametrizations.weight.original0` and `original1`. The norm goes over the axes along which `g` has one number.

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    network::Entry,
    tensor::{Tensor, gather, packed_strides, shape_text},
};
use std::collections::HashMap;

/// Puts each length and direction together, in the place of the length. Sums are those of doubles, rounded once.
pub(in crate::import) fn fold(entries: Vec<Entry>, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
    let mark = faults.mark();
    let by_path: HashMap<Text, usize> = entries.iter().enumerate().map(|(i, entry)| (entry.path.clone(), i)).collect();
    let mut folded: Vec<Option<Entry>> = entries.iter().cloned().map(Some).collect();
    for (index, length) in entries.iter().enumerate() {
        let Some((direction, path)) = partner(&length.path) else { continue };
        let Some(&other) = by_path.get(&direction) else { continue };
        match weight(&length.tensor, &entries[other].tensor) {
            Ok(tensor) => {
                folded[index] = Some(Entry { path, tensor, ..length.clone() });
                folded[other] = None;
            }
            Err((code, rest)) => {
                let message = format!("'{}' {rest}", quoted(&length.path));
                faults.push(Fault::new(code, message).path(length.path.clone()).place(length.place.clone()));
            }
        }
    }
    faults.refused_since(mark)?;
    Ok(folded.into_iter().flatten().collect())
}

/// The path of the direction that goes with a length, and that of the weight they make.
fn partner(length: &Text) -> Option<(Text, Text)> {
    const PARAMETRIZED: &str = "parametrizations.";
    let path = length.as_str()?;
    if let Some(old) = path.strip_suffix("_g") {
        return Some((format!("{old}_v").into(), old.into()));
    }
    let stem = path.strip_suffix(".original0")?;
    let (layer, name) = stem.split_at(stem.rfind(PARAMETRIZED)?);
    let whole = layer.is_empty() || layer.ends_with('.');
    let name = name.strip_prefix(PARAMETRIZED)?;
    whole.then(|| (format!("{stem}.original1").into(), format!("{layer}{name}").into()))
}

/// The weight of a length and a direction.
fn weight(length: &Tensor, direction: &Tensor) -> Result<Tensor, (Code, String)> {
    let (shape, along) = (direction.shape(), length.shape());
    let fits =
        along.is_empty() || along.len() == shape.len() && along.iter().zip(shape).all(|(&g, &v)| g == v || g == 1);
    if !fits {
        let (g, v) = (shape_text(along), shape_text(shape));
        return Err((Code::SlotShape, format!("is the length of a weight and {g}, and its direction is {v}.")));
    }
    let no_singles = || {
        let (g, v) = (length.dtype().name(), direction.dtype().name());
        (
            Code::SlotDtype,
            format!("and its direction are {g} and {v}; both must become singles, in memory that is there."),
        )
    };
    let (g, v) = length.to_f32().zip(direction.to_f32()).ok_or_else(no_singles)?;
    let (g, v) = g.as_f32().zip(v.as_f32()).ok_or_else(no_singles)?;
    // Along each axis the number of `g` goes on, or stays where `g` has but one.
    let strides = packed_strides(along);
    let step = |axis: usize| if along.get(axis).is_some_and(|&length| length > 1) { strides[axis] } else { 0 };
    let strides: Vec<i64> = (0..shape.len()).map(step).collect();
    let mut squares = vec![0f64; g.len()];
    each(shape, &strides, v, |number, at| squares[at] += f64::from(number) * f64::from(number));
    let whole = Tensor::filled_f32(shape.to_vec(), |out| {
        let mut out = out.iter_mut();
        each(shape, &strides, v, |number, at| {
            if let Some(out) = out.next() {
                *out = (f64::from(number) * f64::from(g[at]) / squares[at].sqrt()) as f32;
            }
        });
    });
    whole.ok_or_else(no_singles)
}

/// Calls `visit` with each number of `v` and the place in `g` of the number that goes with it.
fn each(shape: &[usize], strides: &[i64], v: &[f32], mut visit: impl FnMut(f32, usize)) {
    let mut numbers = v.iter();
    gather(shape, strides, |offset, length, stride| {
        for (i, &number) in numbers.by_ref().take(length).enumerate() {
            visit(number, (offset + i as i64 * stride) as usize);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, shape: &[usize], numbers: &[f32]) -> Entry {
        let tensor = Tensor::filled_f32(shape.to_vec(), |to| to.copy_from_slice(numbers)).unwrap();
        Entry { path: path.into(), tensor, place: path.into(), offset: None }
    }

    fn folded(entries: Vec<Entry>) -> Vec<(String, Vec<f32>)> {
        let entries = fold(entries, &mut Faults::default()).unwrap();
        entries.iter().map(|entry| (entry.path.to_string(), entry.tensor.as_f32().unwrap().to_vec())).collect()
    }

    #[test]
    fn lengths_and_directions() {
        let v = [3., 4., 0., 2.];
        let new = vec![
            entry("a.bias", &[1], &[7.]),
            entry("a.parametrizations.weight.original0", &[2, 1], &[10., 1.]),
            entry("a.parametrizations.weight.original1", &[2, 2], &v),
        ];
        assert_eq!(folded(new), [("a.bias".into(), vec![7.]), ("a.weight".into(), vec![6., 8., 0., 1.])]);
        let second = vec![entry("weight_v", &[2, 2], &v), entry("weight_g", &[1, 2], &[6., 20f32.sqrt()])];
        assert_eq!(folded(second), [("weight".into(), vec![6., 4., 0., 2.])]);
        let whole = vec![entry("x.weight_g", &[], &[29f32.sqrt()]), entry("x.weight_v", &[2, 2], &v)];
        assert_eq!(folded(whole), [("x.weight".into(), v.to_vec())]);
    }

    #[test]
    fn what_goes_with_nothing_stays() {
        let alone = vec![entry("weight_g", &[1], &[1.]), entry("myparametrizations.w.original0", &[1], &[2.])];
        assert_eq!(folded(alone).len(), 2);
        let mut faults = Faults::default();
        let wrong = vec![entry("weight_g", &[3], &[1.; 3]), entry("weight_v", &[2, 2], &[1.; 4])];
        assert_eq!(fold(wrong, &mut faults).unwrap_err(), Refused(Code::SlotShape));
    }
}
