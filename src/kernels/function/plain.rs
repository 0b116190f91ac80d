//! Functions that choose, or take an operation or two in singles: the same in both precisions.

use super::super::isa::Vector;
use crate::describe::Unary;

/// A function of this file; of any other nothing.
#[inline(always)]
pub fn apply<V: Vector>(function: Unary, x: V) -> Option<V> {
    let nought = V::splat(0.0);
    Some(match function {
        Unary::Relu => nought.max(x),
        Unary::LeakyRelu { slope } => x.less(nought, x.mul(V::splat(slope as f32)), x),
        Unary::Clip { min, max } => clip(x, min as f32, max as f32),
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        // NaN is not less than anything, and passes.
        Unary::HardShrink { lambda } => x.abs().less(above(lambda), nought, x),
        Unary::SoftShrink { lambda } => {
            x.abs().less(above(lambda), nought, x.sub(V::splat(lambda as f32).abs().with_sign(x)))
        }
        Unary::Threshold { threshold, value } => x.less(above(threshold), V::splat(value as f32), x),
        _ => return None,
    })
}

/// The least single above: less than it is what is at most `limit`.
#[inline(always)]
fn above<V: Vector>(limit: f64) -> V {
    V::splat((limit as f32).next_up())
}

/// NaN passes.
#[inline(always)]
pub fn clip<V: Vector>(x: V, min: f32, max: f32) -> V {
    V::splat(max).min(V::splat(min).max(x))
}
