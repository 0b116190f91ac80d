//! `weight = g · v / |v|`: a length and a direction. The norm goes over the axes along which `g` has one number.

use super::{Unfit, no_singles};
use crate::{
    faults::Code,
    tensor::{Tensor, gather, packed_strides, shape_text},
};

/// The weight of a length and a direction.
pub(super) fn weight(length: &Tensor, direction: &Tensor) -> Result<Tensor, Unfit> {
    let (shape, along) = (direction.shape(), length.shape());
    let fits =
        along.is_empty() || along.len() == shape.len() && along.iter().zip(shape).all(|(&g, &v)| g == v || g == 1);
    if !fits {
        let (g, v) = (shape_text(along), shape_text(shape));
        return Err((Code::SlotShape, format!("is the length of a weight and {g}, and its direction is {v}.")));
    }
    let no_singles = || no_singles(&[length, direction]);
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
