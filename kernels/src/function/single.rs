//! Functions in singles. Polynomials are minimax in relative error over the stated range (Remez, 60 digits, then rounded).

#![allow(clippy::approx_constant, clippy::excessive_precision, reason = "factors as the fit gave them")]

use super::{
    super::isa::{LANES, Vector},
    SELU_ALPHA, SELU_SCALE,
    plain::clip,
};
use crate::Unary;

/// A function of this file, with settings that singles hold, of all lanes of these lines; of any other nothing, and false.
/// Which it is, is asked once: else what the settings of one take would be computed for all of them.
#[inline(always)]
pub fn apply<V: Vector>(function: Unary, lines: &mut [[f32; LANES]]) -> bool {
    macro_rules! each {
        (|$x:ident| $made:expr) => {
            for line in lines {
                let $x = V::load(line);
                $made.store(line);
            }
        };
    }
    let (nought, one) = (V::splat(0.0), V::splat(1.0));
    match function {
        Unary::Exp => each!(|x| exp(x)),
        Unary::Log => each!(|x| log(x)),
        Unary::Tanh => each!(|x| tanh(x)),
        Unary::Sigmoid => each!(|x| sigmoid(x)),
        Unary::Erf => each!(|x| erf(x)),
        Unary::Gelu { tanh: false } => each!(|x| gelu(x)),
        Unary::Gelu { tanh: true } => each!(|x| {
            let x = V::splat(-30.0).max(x);
            let cubic = x.mul(x).mul_add(V::splat(0.044715), one).mul(x);
            x.mul(sigmoid(cubic.mul(V::splat(GELU_SLOPE))))
        }),
        Unary::Silu => each!(|x| silu(x)),
        Unary::Mish => each!(|x| mish(x)),
        Unary::Softplus { beta: 1.0, threshold } if fits(threshold) => {
            let threshold = V::splat(threshold as f32);
            each!(|x| threshold.less(x, x, softplus(x)))
        }
        Unary::LogSigmoid => each!(|x| nought.sub(softplus(nought.sub(x)))),
        Unary::Softsign => each!(|x| {
            let size = V::splat(3e38).min(x.abs());
            size.div(size.add(one)).with_sign(x)
        }),
        Unary::Elu { alpha, width: 1.0 } if fits(alpha) => {
            let alpha = V::splat(alpha as f32);
            each!(|x| nought.less(x, x, alpha.mul(exp_less_one(x))))
        }
        Unary::Selu => each!(|x| {
            let down = V::splat((SELU_SCALE * SELU_ALPHA) as f32).mul(exp_less_one(x));
            nought.less(x, x.mul(V::splat(SELU_SCALE as f32)), down)
        }),
        Unary::HardSigmoid { slope, shift } if fits(slope) && fits(shift) => {
            let (slope, shift) = (V::splat(slope as f32), V::splat(shift as f32));
            each!(|x| clip(x.mul_add(slope, shift), 0.0, 1.0))
        }
        Unary::HardSwish => {
            each!(|x| V::splat(-3.0).max(x).mul(clip(x.add(V::splat(3.0)), 0.0, 6.0).div(V::splat(6.0))))
        }
        _ => return false,
    }
    true
}

/// Twice `sqrt(2/π)`.
const GELU_SLOPE: f32 = 1.595_769;

/// Whether a single holds a setting about as well as a double.
#[inline(always)]
fn fits(setting: f64) -> bool {
    setting == 0.0 || (setting as f32).is_normal()
}

/// `−|x|`.
#[inline(always)]
fn below<V: Vector>(x: V) -> V {
    x.abs().with_sign(V::splat(-0.0))
}

/// What adds nothing, not even to a nought below: the compiler leaves the sum out.
#[inline(always)]
fn none<V: Vector>() -> V {
    V::splat(-0.0)
}

/// `factors[0] + factors[1]·x + …`.
#[inline(always)]
fn polynomial<V: Vector, const N: usize>(x: V, factors: [f32; N]) -> V {
    let mut sum = V::splat(factors[N - 1]);
    for factor in factors[..N - 1].iter().rev() {
        sum = sum.mul_add(x, V::splat(*factor));
    }
    sum
}

/// `e^x` as a number near one and two powers of two, to be multiplied in this order: what else the number is multiplied by
/// comes before, so that an answer below the normal numbers is rounded once.
#[derive(Clone, Copy)]
struct Power<V>(V, V, V);

impl<V: Vector> Power<V> {
    /// `e^(high + low)`; beyond the ends of singles nought or infinite.
    #[inline(always)]
    fn of(high: V, low: V) -> Power<V> {
        let high = V::splat(89.0).min(V::splat(-110.0).max(high));
        let (n, less_one) = reduced(high, low);
        // n may lie below and above what one power holds.
        let half = n.mul(V::splat(0.5)).round();
        Power(less_one.add(V::splat(1.0)), half.power_of_two(), n.sub(half).power_of_two())
    }

    /// `factor·e^x`.
    #[inline(always)]
    fn times(self, factor: V) -> V {
        factor.mul(self.0).mul(self.1).mul(self.2)
    }
}

/// `e^x`: `2^n·e^r` with `|r| ≤ ln(2)/2`, `e^r` by a polynomial.
#[inline(always)]
pub fn exp<V: Vector>(x: V) -> V {
    let Power(near_one, first, second) = Power::of(x, none());
    near_one.mul(first).mul(second)
}

/// `e^x − 1` for `x` from −30 to 60, and of everything outside the value at that end.
#[inline(always)]
fn exp_less_one<V: Vector>(x: V) -> V {
    let (n, less_one) = reduced(V::splat(60.0).min(V::splat(-30.0).max(x)), none());
    let power = n.power_of_two();
    power.mul_add(less_one, power.sub(V::splat(1.0)))
}

/// `n` and `e^r − 1`, where `high + low = n·ln(2) + r`.
#[inline(always)]
fn reduced<V: Vector>(high: V, low: V) -> (V, V) {
    let n = high.add(low).mul(V::splat(std::f32::consts::LOG2_E)).round();
    // ln(2) in two parts, the first so short that n times it is exact.
    let r = n.mul_add(V::splat(-LN_2[0]), high).add(low);
    let r = n.mul_add(V::splat(-LN_2[1]), r);
    // The polynomial in pairs, which wait less for one another.
    let square = r.mul(r);
    let first = polynomial(r, [0.5, 1.666_666_5e-1]);
    let second = polynomial(r, [4.166_579_6e-2, 8.333_452e-3]);
    let third = polynomial(r, [1.398_2e-3, 1.987_569_1e-4]);
    let p = third.mul_add(square, second).mul_add(square, first);
    (n, p.mul_add(square, r))
}

/// ln(2) in two parts.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// `ln(x)`: `n·ln(2) + ln(m)` with `m` from `√½` to `√2`, by `s = (m−1)/(m+1)`.
#[inline(always)]
pub fn log<V: Vector>(x: V) -> V {
    let (nought, one, tiny) = (V::splat(0.0), V::splat(1.0), V::splat(f32::MIN_POSITIVE));
    // Subnormal numbers are made normal ones.
    let (normal, moved) = (x.mul(V::splat(8_388_608.0)), V::splat(-23.0));
    let (n, m) = x.less(tiny, normal, x).split();
    let n = n.add(x.less(tiny, moved, nought));
    let root = V::splat(std::f32::consts::SQRT_2);
    let (n, m) = (root.less(m, n.add(one), n), root.less(m, m.mul(V::splat(0.5)), m));
    let f = m.sub(one);
    let s = f.div(f.add(V::splat(2.0)));
    let z = s.mul(s);
    let rest = z.mul(polynomial(z, [0.666_667_77, 0.399_775_2, 0.298_723_1]));
    let half = f.mul(f).mul(V::splat(0.5));
    let small = s.mul(half.add(rest)).sub(half);
    let sum = n.mul_add(V::splat(LN_2[1]), small).add(f);
    let sum = n.mul_add(V::splat(LN_2[0]), sum);
    // Infinity and NaN are their own logarithms; nought has −∞, what is below it none.
    let sum = x.less(V::splat(f32::INFINITY), sum, x);
    let none = x.less(nought, V::splat(f32::NAN), V::splat(f32::NEG_INFINITY));
    x.less(V::splat(f32::from_bits(1)), none, sum)
}

/// By the power that is at most 1, which does not overflow.
#[inline(always)]
fn sigmoid<V: Vector>(x: V) -> V {
    let (nought, one) = (V::splat(0.0), V::splat(1.0));
    let small = exp(below(x));
    x.less(nought, small, one).div(one.add(small))
}

/// `x/(1 + e^−|x|)`, times `e^−|x|` where `x` is negative.
#[inline(always)]
fn silu<V: Vector>(x: V) -> V {
    let nought = V::splat(0.0);
    // Far below, the share is nought, and an infinity times it would be no number.
    let x = V::splat(-200.0).max(x);
    let power = Power::of(below(x), none());
    let whole = x.div(power.times(V::splat(1.0)).add(V::splat(1.0)));
    x.less(nought, power.times(whole), whole)
}

/// `x·n/(n + 2)` with `n = e^x·(e^x + 2)`: the hyperbolic tangent of `ln(1 + e^x)`.
#[inline(always)]
fn mish<V: Vector>(x: V) -> V {
    let x = V::splat(-200.0).max(x);
    // Beyond 20 the share is one.
    let power = Power::of(V::splat(20.0).min(x), none());
    let two = V::splat(2.0);
    let above = power.times(V::splat(1.0)).add(two);
    let divisor = power.times(above).add(two);
    V::splat(20.0).less(x, x, power.times(x.mul(above.div(divisor))))
}

/// `ln(1 + e^x)` without overflow: `max(x, 0) + ln(1 + t)`, `t = e^−|x|`, by `s = t/(t + 2)` up to a third.
#[inline(always)]
fn softplus<V: Vector>(x: V) -> V {
    let nought = V::splat(0.0);
    let t = exp(below(x));
    let s = t.div(t.add(V::splat(2.0)));
    let z = s.mul(s);
    let p = polynomial(z, [0.666_666_75, 0.399_988_77, 0.286_168_84, 0.214_276_54, 0.243_009_5]);
    let log = s.add(s).add(s.mul(z).mul(p));
    nought.max(x).add(log)
}

/// `t/(t + 2)` with `t = e^2|x| − 1`.
#[inline(always)]
fn tanh<V: Vector>(x: V) -> V {
    let size = V::splat(10.0).min(x.abs());
    let t = exp_less_one(size.add(size));
    t.div(t.add(V::splat(2.0))).with_sign(x)
}

/// `erf(x)` by a polynomial up to 15/16, else `1 − 2·tail(√2·|x|)`.
#[inline(always)]
fn erf<V: Vector>(x: V) -> V {
    let size = V::splat(10.0).min(x.abs());
    let z = size.mul(size);
    let near = polynomial(
        z,
        [1.128_379_2, -0.376_126_32, 0.112_836_79, -0.026_858_497, 5.198_83e-3, -8.118_075e-4, 8.267_459e-5],
    );
    let u = size.mul(V::splat(std::f32::consts::SQRT_2));
    let far = V::splat(-2.0).mul(tail(u)).mul_add(exp(V::splat(0.0).sub(z)), V::splat(1.0));
    size.less(V::splat(0.9375), size.mul(near), far).with_sign(x)
}

/// `x·Φ(x)`: with `q = Φ(−|x|)` that is `x·q` below nought, `x − x·q` above.
#[inline(always)]
fn gelu<V: Vector>(x: V) -> V {
    let nought = V::splat(0.0);
    let size = V::splat(15.0).min(x.abs());
    // The square's error would grow by the square: it is taken of the first places, which is exact, and of the rest.
    let first = size.cut();
    let (half, rest) = (V::splat(-0.5), size.sub(first).mul(size.add(first)));
    let power = Power::of(first.mul(first).mul(half), rest.mul(half));
    let tail = tail(size);
    // Where the share is nought, an infinity times it would be no number.
    let share = power.times(V::splat(15.0).min(V::splat(-15.0).max(x)).mul(tail));
    x.less(nought, share, x.sub(share))
}

/// `Φ(−u)·e^(u²/2)` for `u` from 0 to 15: by `t = (u − 4)/(u + 4)`, divided by `u + 4`, which leaves little to cancel.
#[inline(always)]
fn tail<V: Vector>(u: V) -> V {
    let four = V::splat(4.0);
    let share = V::splat(1.0).div(u.add(four));
    share.mul(polynomial(
        u.sub(four).mul(share),
        [
            7.552_851e-1,
            -6.078_966_6e-1,
            3.871_373e-1,
            -1.865_215_7e-1,
            6.039_835_3e-2,
            -7.542_613e-3,
            -3.492_220_6e-3,
            1.635_484_9e-3,
            1.718_599_1e-4,
            -2.192_823e-4,
            -4.506_015e-5,
        ],
    ))
}
