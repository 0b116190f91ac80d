//! The weights of a convolution as Winograd's algorithm wants them: transformed in doubles, for each of the 36 places panels
//! of columns `[inputs][columns]`, the columns beyond the last filled up with noughts.

use crate::{
    kernels::{LANES, POINTS, padded, transform},
    tensor::Tensor,
};

/// Side of a window.
const SIDE: usize = 3;

/// Side of what a tile of the output looks at.
const UNDER: usize = 6;

/// The transformed `weight` `[3, 3, inputs, outputs]` (before them axes of one); none if memory can not be had, or if it has another shape.
pub(super) fn transformed(weight: &Tensor) -> Option<Tensor> {
    let &[.., inputs, outputs] = weight.shape() else { return None };
    let (from, padded, transform) = (weight.as_f32()?, padded(outputs), transform());
    (from.len() == inputs.checked_mul(outputs)?.checked_mul(SIDE * SIDE)?).then_some(())?;
    let plane = inputs.checked_mul(padded)?;
    Tensor::filled_f32(vec![POINTS, inputs, padded], |to| {
        for first in (0..outputs).step_by(LANES) {
            let (width, wanted) = (LANES.min(padded - first), LANES.min(outputs - first));
            for input in 0..inputs {
                let line = |tap: usize| &from[(tap * inputs + input) * outputs + first..][..wanted];
                let made = both(&transform, line);
                for (point, made) in made.iter().enumerate() {
                    let to = &mut to[point * plane + first * inputs + input * width..][..wanted];
                    to.iter_mut().zip(made).for_each(|(to, &made)| *to = made as f32);
                }
            }
        }
    })
}

/// Lines and columns of the 3 × 3 weights transformed, for some columns of the output side by side.
fn both<'a>(transform: &[[f64; SIDE]; UNDER], line: impl Fn(usize) -> &'a [f32]) -> [[f64; LANES]; POINTS] {
    let mut half = [[[0.0; LANES]; SIDE]; UNDER];
    for (row, half) in transform.iter().zip(&mut half) {
        for (column, half) in half.iter_mut().enumerate() {
            for (number, &factor) in row.iter().enumerate() {
                let weights = line(number * SIDE + column);
                half.iter_mut().zip(weights).for_each(|(to, &weight)| *to += factor * f64::from(weight));
            }
        }
    }
    let mut made = [[0.0; LANES]; POINTS];
    for (made, (half, row)) in
        made.iter_mut().zip(half.iter().flat_map(|half| transform.iter().map(move |row| (half, row))))
    {
        for (half, &factor) in half.iter().zip(row) {
            made.iter_mut().zip(half).for_each(|(to, &weight)| *to += factor * weight);
        }
    }
    made
}
