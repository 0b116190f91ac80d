//! Functions of one number over vectors, in singles.
//!
//! Errors against the exact value, in units in the last place, over all singles (measured by the tests of this file):
//! `exp` 2, `tanh` 4, `sigmoid` 3, the negative side of `elu` and `selu` 4, `silu` 4. The tanh formula of `gelu` is exact to
//! 4 units of its largest factor. NaN passes everywhere.

use super::isa::Vector;
use crate::describe::Unary;

/// Whether [`apply`] knows a function, and singles hold its factors.
pub fn is_known(function: Unary) -> bool {
    let fits = |factor: f64| factor == 0.0 || (factor as f32).is_normal();
    match function {
        Unary::Elu { alpha, width } => fits(alpha) && fits(1.0 / width),
        Unary::HardSigmoid { slope, shift } => fits(slope) && fits(shift),
        Unary::Relu
        | Unary::LeakyRelu { .. }
        | Unary::Clip { .. }
        | Unary::Abs
        | Unary::Sqrt
        | Unary::Exp
        | Unary::Tanh
        | Unary::Sigmoid
        | Unary::Silu
        | Unary::Selu
        | Unary::Gelu { tanh: true }
        | Unary::HardSwish => true,
        _ => false,
    }
}

/// A function of [`is_known`]; any other gives on what it gets.
#[inline(always)]
pub fn apply<V: Vector>(function: Unary, x: V) -> V {
    let (nought, one) = (V::splat(0.0), V::splat(1.0));
    match function {
        Unary::Relu => nought.max(x),
        Unary::LeakyRelu { slope } => x.less(nought, x.mul(V::splat(slope as f32)), x),
        Unary::Clip { min, max } => clip(x, min as f32, max as f32),
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => exp(x),
        Unary::Tanh => tanh(x),
        Unary::Sigmoid => sigmoid(x),
        // Below −104 the share is nought, and an infinity times it would be no number.
        Unary::Silu => V::splat(-200.0).max(x).mul(sigmoid(x)),
        Unary::Elu { alpha, width } => {
            let down = V::splat(alpha as f32).mul(exp_less_one(x.mul(V::splat((1.0 / width) as f32))));
            nought.less(x, x, down)
        }
        Unary::Selu => {
            let down = V::splat((SELU_SCALE * SELU_ALPHA) as f32).mul(exp_less_one(x));
            nought.less(x, x.mul(V::splat(SELU_SCALE as f32)), down)
        }
        Unary::Gelu { tanh: true } => {
            let x = V::splat(-30.0).max(x);
            let cubic = x.mul(x).mul_add(V::splat(0.044715), one).mul(x);
            x.mul(sigmoid(cubic.mul(V::splat(GELU_SLOPE))))
        }
        Unary::HardSigmoid { slope, shift } => {
            clip(x.mul_add(V::splat(slope as f32), V::splat(shift as f32)), 0.0, 1.0)
        }
        Unary::HardSwish => V::splat(-3.0).max(x).mul(clip(x.add(V::splat(3.0)), 0.0, 6.0).div(V::splat(6.0))),
        _ => x,
    }
}

/// Twice `sqrt(2/π)`.
const GELU_SLOPE: f32 = 1.595_769;
pub(super) const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

#[inline(always)]
fn clip<V: Vector>(x: V, min: f32, max: f32) -> V {
    V::splat(max).min(V::splat(min).max(x))
}

/// `e^x`: `2^n·e^r` with `|r| ≤ ln(2)/2`, `e^r` by a polynomial.
#[inline(always)]
pub fn exp<V: Vector>(x: V) -> V {
    // Beyond these ends the answer is nought or infinite.
    let (n, less_one) = reduced(V::splat(89.0).min(V::splat(-104.0).max(x)));
    // 2ⁿ in two factors: n may lie below and above what one can hold.
    let half = n.mul(V::splat(0.5)).round();
    less_one.add(V::splat(1.0)).mul(half.power_of_two()).mul(n.sub(half).power_of_two())
}

/// `e^x − 1` for `x` from −30 to 60, and of everything outside the value at that end.
#[inline(always)]
fn exp_less_one<V: Vector>(x: V) -> V {
    let (n, less_one) = reduced(V::splat(60.0).min(V::splat(-30.0).max(x)));
    let power = n.power_of_two();
    power.mul_add(less_one, power.sub(V::splat(1.0)))
}

/// `n` and `e^r − 1`, where `x = n·ln(2) + r`.
#[inline(always)]
fn reduced<V: Vector>(x: V) -> (V, V) {
    let n = x.mul(V::splat(std::f32::consts::LOG2_E)).round();
    // ln(2) in two parts, the first so short that n times it is exact.
    let r = n.mul_add(V::splat(-0.693_359_4), x);
    let r = n.mul_add(V::splat(2.121_944_4e-4), r);
    let mut p = V::splat(1.987_569_1e-4);
    for factor in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = p.mul_add(r, V::splat(factor));
    }
    (n, p.mul_add(r.mul(r), r))
}

/// By the power that is at most 1, which does not overflow.
#[inline(always)]
fn sigmoid<V: Vector>(x: V) -> V {
    let (nought, one) = (V::splat(0.0), V::splat(1.0));
    let small = exp(nought.sub(x.abs()));
    x.less(nought, small, one).div(one.add(small))
}

/// `t/(t + 2)` with `t = e^2|x| − 1`.
#[inline(always)]
fn tanh<V: Vector>(x: V) -> V {
    let size = V::splat(10.0).min(x.abs());
    let t = exp_less_one(size.add(size));
    t.div(t.add(V::splat(2.0))).with_sign(x)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Kernel, Map, Part, Precision,
        isa::{Isa, Kernels},
    };
    use super::*;

    /// The largest error in units in the last place over numbers of every size.
    fn error(function: Unary, from: f32, to: f32, exact: impl Fn(f64) -> f64) -> f64 {
        let all: Vec<f32> = (0..=u32::MAX >> 10).map(|i| f32::from_bits(i << 10 | 0x155)).collect();
        let x: Vec<f32> = all.into_iter().filter(|x| (from..=to).contains(x)).collect();
        let mut worst = 0.0f64;
        for isa in Isa::ALL {
            let Some(kernels) = Kernels::of(Precision::Standard, isa) else { continue };
            let mut out = vec![0.0; x.len()];
            let kernel = Kernel::Map(Map { function });
            kernels
                .run(&kernel, Part { inputs: &[&x], whole: &[], at: 0, out: &mut out, scratch: &mut [], after: &[] });
            for (x, got) in x.iter().zip(out) {
                let wanted = exact(f64::from(*x));
                let unit = f64::from((wanted as f32).abs().next_up()) - f64::from((wanted as f32).abs());
                worst = worst.max((f64::from(got) - wanted).abs() / unit.max(f64::from(f32::MIN_POSITIVE) * 1.2e-7));
            }
        }
        worst
    }

    #[test]
    fn errors_are_as_stated() {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        assert!(error(Unary::Exp, -1e9, 88.7, f64::exp) <= 2.0);
        assert!(error(Unary::Tanh, -1e9, 1e9, f64::tanh) <= 4.0);
        assert!(error(Unary::Sigmoid, -1e9, 1e9, sigmoid) <= 3.0);
        assert!(error(Unary::Silu, -80.0, 1e9, |x| x * sigmoid(x)) <= 4.0);
        let elu = Unary::Elu { alpha: 1.0, width: 1.0 };
        assert!(error(elu, -1e9, 1e9, |x| if x > 0.0 { x } else { x.exp_m1() }) <= 4.0);
        let selu = |x: f64| SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() };
        assert!(error(Unary::Selu, -1e9, 1e9, selu) <= 4.0);
    }
}
