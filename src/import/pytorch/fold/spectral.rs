//! `weight = W / (u · W v)`: a weight and the directions in which it reaches farthest, as they were when it was saved.

use super::{Unfit, no_singles};
use crate::{
    faults::Code,
    tensor::{Tensor, shape_text},
};

/// The weight over its largest stretch. `u` goes by the axis `axis` of the weight, `v` by all others, row-major. Sums are
/// those of doubles, rounded once.
pub(super) fn weight(whole: &Tensor, u: &Tensor, v: &Tensor, axis: usize) -> Result<Tensor, Unfit> {
    let shape = whole.shape();
    let rows = shape.get(axis).copied().unwrap_or_default();
    let inner: usize = shape.iter().skip(axis + 1).product();
    let columns = shape.iter().take(axis).product::<usize>() * inner;
    if u.count() != rows || v.count() != columns || whole.count() == 0 {
        let (whole, u, v) = (shape_text(shape), shape_text(u.shape()), shape_text(v.shape()));
        return Err((Code::SlotShape, format!("is a weight of {whole}, and its directions are {u} and {v}.")));
    }
    let no_singles = || no_singles(&[whole, u, v]);
    let single = |tensor: &Tensor| tensor.to_f32().ok_or_else(no_singles);
    let (whole, u, v) = (single(whole)?, single(u)?, single(v)?);
    let (Some(w), Some(u), Some(v)) = (whole.as_f32(), u.as_f32(), v.as_f32()) else { return Err(no_singles()) };
    let stretch: f64 = w
        .iter()
        .enumerate()
        .map(|(at, &number)| {
            let (outer, row, within) = (at / inner / rows, at / inner % rows, at % inner);
            f64::from(number) * f64::from(u[row]) * f64::from(v[outer * inner + within])
        })
        .sum();
    let over = |out: &mut [f32]| {
        out.iter_mut().zip(w).for_each(|(out, &number)| *out = (f64::from(number) / stretch) as f32);
    };
    Tensor::filled_f32(shape.to_vec(), over).ok_or_else(no_singles)
}
