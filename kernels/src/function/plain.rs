//! Functions that choose, or take an operation or two in singles: the same in both precisions.

use super::super::isa::{LANES, Vector};
use crate::Unary;

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
        Unary::Sign => x.less(nought, V::splat(-1.0), nought.less(x, V::splat(1.0), x)),
        Unary::Sin | Unary::Cos | Unary::Floor | Unary::Ceil | Unary::Round => each(function, x),
        // NaN is not less than anything, and passes.
        Unary::HardShrink { lambda } => x.abs().less(above(lambda), nought, x),
        Unary::SoftShrink { lambda } => {
            x.abs().less(above(lambda), nought, x.sub(V::splat(lambda as f32).abs().with_sign(x)))
        }
        Unary::Threshold { threshold, value } => x.less(above(threshold), V::splat(value as f32), x),
        _ => return None,
    })
}

/// Lane by lane, by the standard library: sine and cosine in doubles, rounded once.
#[inline(always)]
fn each<V: Vector>(function: Unary, x: V) -> V {
    let mut lanes = [0.0f32; LANES];
    x.store(&mut lanes);
    for lane in &mut lanes {
        *lane = match function {
            Unary::Sin => f64::from(*lane).sin() as f32,
            Unary::Cos => f64::from(*lane).cos() as f32,
            Unary::Floor => lane.floor(),
            Unary::Ceil => lane.ceil(),
            _ => lane.round_ties_even(),
        };
    }
    V::load(&lanes)
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
