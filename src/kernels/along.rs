//! What looks at a whole axis for each number: softmax, its logarithm, and division by the length.

use super::{
    Part,
    total::{Lanes, Total},
};

/// Along an axis. Input: `x`, seen as `[…, length, inner]`.
#[derive(Clone, Debug)]
pub struct Along {
    /// Length of the axis.
    pub length: usize,
    /// Numbers from one place of the axis to the next.
    pub inner: usize,
    /// What is computed.
    pub what: Reach,
}

/// What an [`Along`] computes.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// `exp(x − max) / Σ`.
    Softmax,
    /// Its logarithm.
    LogSoftmax,
    /// `x / max(‖x‖₂, epsilon)`.
    Unit {
        /// Smallest divisor.
        epsilon: f32,
    },
}

/// Runs it; the part consists of whole stretches of `length·inner`.
#[inline(always)]
pub fn along<T: Total>(along: &Along, part: Part<'_>) {
    let stretch = along.length * along.inner;
    let x = &part.inputs[0][part.at..];
    for (out, x) in part.out.chunks_exact_mut(stretch).zip(x.chunks_exact(stretch)) {
        for first in 0..along.inner {
            let column = || x[first..].iter().step_by(along.inner).copied();
            let out = out[first..].iter_mut().step_by(along.inner).zip(column());
            match along.what {
                Reach::Unit { epsilon } => {
                    let length = total(column().map(|x| T::product(x, x))).round().sqrt();
                    let divisor = if length < epsilon { epsilon } else { length };
                    out.for_each(|(out, x)| *out = x / divisor);
                }
                Reach::Softmax | Reach::LogSoftmax => {
                    let most = column().fold(f32::NEG_INFINITY, |most, x| if x > most { x } else { most });
                    let log = total(column().map(|x| T::exp(x - most))).ln();
                    let logarithm = |x: f32| f64::from(x - most) - log;
                    if matches!(along.what, Reach::LogSoftmax) {
                        out.for_each(|(out, x)| *out = logarithm(x) as f32);
                    } else {
                        out.for_each(|(out, x)| *out = logarithm(x).exp() as f32);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn total<T: Total>(terms: impl Iterator<Item = T>) -> T {
    let mut sum = Lanes::<T, 1>::new();
    terms.for_each(|term| sum.add(std::iter::once(term)));
    let [total] = sum.finish();
    total
}
