//! Normalisations. Totals are doubles in both precisions: numbers that hardly differ from their mean would lose all their
//! digits to a mean of singles. The exact precision then goes operation by operation in singles, a mean being the total
//! times the rounded reciprocal; the standard one rounds what is left after the mean is taken away.

use super::{
    Part,
    total::{Lanes, Total, sum},
};
use std::ops::Range;

/// By statistics of the training, per channel. Inputs: `x`, `running_mean`, `sqrt(running_var + epsilon)`, then weight and
/// bias if it is affine; each has the length of the last axis.
#[derive(Clone, Debug)]
pub struct BatchNorm {
    /// Length of the last axis.
    pub features: usize,
}

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn batch_norm(norm: &BatchNorm, part: Part<'_>) {
    let (x, mean, deviation) = (&part.inputs[0][part.at..], part.inputs[1], part.inputs[2]);
    for (out, x) in part.out.chunks_exact_mut(norm.features).zip(x.chunks_exact(norm.features)) {
        for (((out, x), mean), deviation) in out.iter_mut().zip(x).zip(mean).zip(deviation) {
            *out = (x - mean) / deviation;
        }
        scale(out, part.inputs.get(3).copied(), part.inputs.get(4).copied());
    }
}

/// Each row of the last axes by its own mean and variance. Inputs: `x`, weight, bias.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    /// Numbers of a row.
    pub row: usize,
    /// Added to the variance.
    pub epsilon: f32,
    /// Whether there is a weight.
    pub weight: bool,
}

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn layer_norm<T: Total>(norm: &LayerNorm, part: Part<'_>) {
    let x = &part.inputs[0][part.at..];
    let (weight, bias) = if norm.weight { (1, 2) } else { (usize::MAX, 1) };
    for (out, x) in part.out.chunks_exact_mut(norm.row).zip(x.chunks_exact(norm.row)) {
        let mean = mean::<T>(sum(x, f64::from), norm.row);
        for (out, x) in out.iter_mut().zip(x) {
            *out = centred(*x, mean);
        }
        let deviation = deviation::<T>(sum(out, square::<T>), norm.row, norm.epsilon);
        out.iter_mut().for_each(|out| *out /= deviation);
        scale(out, part.inputs.get(weight).copied(), part.inputs.get(bias).copied());
    }
}

/// Each example over its places and a group of neighbouring channels. Inputs: `x`, then weight and bias if it is affine.
#[derive(Clone, Debug)]
pub struct GroupNorm {
    /// Numbers of one example.
    pub each: usize,
    /// Length of the last axis.
    pub features: usize,
    /// How many groups.
    pub groups: usize,
    /// Added to the variance.
    pub epsilon: f32,
}

/// Runs it; the part consists of whole examples.
#[inline(always)]
pub fn group_norm<T: Total>(norm: &GroupNorm, part: Part<'_>) {
    let x = &part.inputs[0][part.at..];
    let width = norm.features / norm.groups;
    let count = norm.each / norm.groups;
    for (out, x) in part.out.chunks_exact_mut(norm.each).zip(x.chunks_exact(norm.each)) {
        for group in 0..norm.groups {
            let columns = group * width..(group + 1) * width;
            let mean = mean::<T>(grouped(x, norm.features, columns.clone(), f64::from), count);
            for (out, x) in out.chunks_exact_mut(norm.features).zip(x.chunks_exact(norm.features)) {
                for (out, x) in out[columns.clone()].iter_mut().zip(&x[columns.clone()]) {
                    *out = centred(*x, mean);
                }
            }
            let squares = grouped(out, norm.features, columns.clone(), square::<T>);
            let deviation = deviation::<T>(squares, count, norm.epsilon);
            for row in out.chunks_exact_mut(norm.features) {
                row[columns.clone()].iter_mut().for_each(|out| *out /= deviation);
            }
        }
        for row in out.chunks_exact_mut(norm.features) {
            scale(row, part.inputs.get(1).copied(), part.inputs.get(2).copied());
        }
    }
}

/// The sum over some columns of all rows: each row by itself, the rows in blocks.
#[inline(always)]
fn grouped(x: &[f32], width: usize, columns: Range<usize>, term: impl Fn(f32) -> f64 + Copy) -> f64 {
    let mut rows = Lanes::<f64, 1>::new();
    for row in x.chunks_exact(width) {
        rows.add(std::iter::once(sum(&row[columns.clone()], term)));
    }
    let [total] = rows.finish();
    total
}

#[inline(always)]
fn mean<T: Total>(total: f64, count: usize) -> f64 {
    if T::EXACT { f64::from(total as f32 * (1.0 / count as f32)) } else { total / count as f64 }
}

/// Rounded once: a difference of two singles taken in doubles is the same single.
#[inline(always)]
fn centred(x: f32, mean: f64) -> f32 {
    (f64::from(x) - mean) as f32
}

#[inline(always)]
fn square<T: Total>(x: f32) -> f64 {
    if T::EXACT { f64::from(x * x) } else { f64::from(x) * f64::from(x) }
}

#[inline(always)]
fn deviation<T: Total>(squares: f64, count: usize, epsilon: f32) -> f32 {
    if T::EXACT {
        (squares as f32 * (1.0 / count as f32) + epsilon).sqrt()
    } else {
        (squares / count as f64 + f64::from(epsilon)).sqrt() as f32
    }
}

#[inline(always)]
fn scale(row: &mut [f32], weight: Option<&[f32]>, bias: Option<&[f32]>) {
    if let Some(weight) = weight {
        row.iter_mut().zip(weight).for_each(|(x, weight)| *x *= weight);
    }
    if let Some(bias) = bias {
        row.iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_one_number_again_and_again_is_that_number() {
        for count in 1..300 {
            for number in [0.1_f32, -7.3, 1e-30, 3.4e38] {
                assert_eq!(centred(number, mean::<f32>(sum(&vec![number; count], f64::from), count)), 0.0);
            }
        }
    }
}
