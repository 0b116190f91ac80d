//! Functions in doubles, to some 45 binary places: rounded to a single they are the nearest one but for one in a million.
//! Polynomials as in `single`.

#![allow(clippy::approx_constant, clippy::excessive_precision, reason = "factors as the fit gave them")]

use super::{super::isa::Wide, SELU_ALPHA, SELU_SCALE};
use crate::Unary;

/// A function that `plain` does not know.
#[inline(always)]
pub fn apply<W: Wide>(function: Unary, x: W) -> W {
    let (nought, one) = (W::splat(0.0), W::splat(1.0));
    match function {
        Unary::Exp => exp(x),
        Unary::Log => log(x),
        Unary::Tanh => tanh(x),
        Unary::Sigmoid => sigmoid(x),
        Unary::Erf => erf(x),
        Unary::Gelu { tanh: false } => gelu(x),
        // ½·(1 + tanh u) is the sigmoid of 2u.
        Unary::Gelu { tanh: true } => {
            let x = W::splat(-1e3).max(x);
            let cubic = x.mul(x).mul_add(W::splat(0.044715), one).mul(x);
            x.mul(sigmoid(cubic.mul(W::splat(2.0 * GELU_SLOPE))))
        }
        Unary::Silu => {
            let x = W::splat(-1e3).max(x);
            x.mul(sigmoid(x))
        }
        Unary::Mish => mish(x),
        Unary::Softplus { beta, threshold } => {
            let scaled = x.mul(W::splat(beta));
            W::splat(threshold).less(scaled, x, softplus(scaled).div(W::splat(beta)))
        }
        Unary::LogSigmoid => nought.sub(softplus(nought.sub(x))),
        Unary::Softsign => {
            let size = W::splat(1e300).min(x.abs());
            size.div(size.add(one)).with_sign(x)
        }
        Unary::Elu { alpha, width } => nought.less(x, x, W::splat(alpha).mul(exp_less_one(x.div(W::splat(width))))),
        Unary::Selu => {
            let down = W::splat(SELU_ALPHA).mul(exp_less_one(x));
            W::splat(SELU_SCALE).mul(nought.less(x, x, down))
        }
        Unary::HardSigmoid { slope, shift } => clip(x.mul(W::splat(slope)).add(W::splat(shift)), 0.0, 1.0),
        Unary::HardSwish => W::splat(-3.0).max(x).mul(clip(x.add(W::splat(3.0)), 0.0, 6.0)).div(W::splat(6.0)),
        Unary::TanhShrink => tanh_shrink(x),
        Unary::Power { power: exponent, scale, shift } => power(x.mul(W::splat(scale)).add(W::splat(shift)), exponent),
        _ => x,
    }
}

/// `sqrt(2/π)`.
const GELU_SLOPE: f64 = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;

/// ln(2) in two parts, the first so short that a whole number times it is exact.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// NaN passes.
#[inline(always)]
fn clip<W: Wide>(x: W, min: f64, max: f64) -> W {
    W::splat(max).min(W::splat(min).max(x))
}

/// `factors[0] + factors[1]·x + …`.
#[inline(always)]
fn polynomial<W: Wide, const N: usize>(x: W, factors: [f64; N]) -> W {
    let mut sum = W::splat(factors[N - 1]);
    for factor in factors[..N - 1].iter().rev() {
        sum = sum.mul_add(x, W::splat(*factor));
    }
    sum
}

/// `e^x`, and of what lies beyond ±700 the value there.
#[inline(always)]
pub fn exp<W: Wide>(x: W) -> W {
    let (power, less_one) = reduced(x);
    power.mul_add(less_one, power)
}

/// `e^x − 1`, likewise.
#[inline(always)]
fn exp_less_one<W: Wide>(x: W) -> W {
    let (power, less_one) = reduced(x);
    power.mul_add(less_one, power.sub(W::splat(1.0)))
}

/// `2^n` and `e^r − 1`, where `x = n·ln(2) + r`; by the series.
#[inline(always)]
fn reduced<W: Wide>(x: W) -> (W, W) {
    let x = clip(x, -700.0, 700.0);
    let n = x.mul(W::splat(std::f64::consts::LOG2_E)).round();
    let r = n.mul_add(W::splat(-LN_2[0]), x);
    let r = n.mul_add(W::splat(-LN_2[1]), r);
    let p = polynomial(
        r,
        [
            0.5,
            1.0 / 6.0,
            1.0 / 24.0,
            1.0 / 120.0,
            1.0 / 720.0,
            1.0 / 5_040.0,
            1.0 / 40_320.0,
            1.0 / 362_880.0,
            1.0 / 3_628_800.0,
            1.0 / 39_916_800.0,
        ],
    );
    (n.power_of_two(), p.mul_add(r.mul(r), r))
}

/// `ln(x)`: `n·ln(2) + ln(m)` with `m` from `√½` to `√2`, by `s = (m−1)/(m+1)`. Subnormal doubles count as nought.
#[inline(always)]
pub fn log<W: Wide>(x: W) -> W {
    let (nought, one) = (W::splat(0.0), W::splat(1.0));
    let (n, m) = x.split();
    let root = W::splat(std::f64::consts::SQRT_2);
    let (n, m) = (root.less(m, n.add(one), n), root.less(m, m.mul(W::splat(0.5)), m));
    let f = m.sub(one);
    let s = f.div(f.add(W::splat(2.0)));
    let z = s.mul(s);
    let p = polynomial(
        z,
        [
            0.666_666_666_666_673_5,
            0.399_999_999_994_131_4,
            0.285_714_287_427_637_4,
            0.222_221_985_312_859_9,
            0.181_835_666_643_296,
            0.153_139_868_411_487_5,
            0.147_966_242_594_878_9,
        ],
    );
    let log = s.add(s).add(s.mul(z).mul(p));
    let sum = n.mul_add(W::splat(LN_2[0]), n.mul_add(W::splat(LN_2[1]), log));
    // Infinity and NaN are their own logarithms; nought has −∞, what is below it none.
    let sum = x.less(W::splat(f64::INFINITY), sum, x);
    let none = x.less(nought, W::splat(f64::NAN), W::splat(f64::NEG_INFINITY));
    x.less(W::splat(f64::MIN_POSITIVE), none, sum)
}

/// `x` to a power: `e^(power·ln|x|)`, with the sign of `x` if the power is an odd number, none of a negative number if it is
/// not whole.
#[inline(always)]
pub fn power<W: Wide>(x: W, power: f64) -> W {
    if power == 0.0 {
        return W::splat(1.0);
    }
    let size = exp(log(x.abs()).mul(W::splat(power)));
    if power % 2.0 == 0.0 {
        size
    } else if power % 1.0 == 0.0 {
        size.with_sign(x)
    } else {
        // Of −∞ it is that of ∞.
        let none = x.less(W::splat(-f64::MAX), size, W::splat(f64::NAN));
        x.less(W::splat(0.0), none, size)
    }
}

/// By the power that is at most 1, which does not overflow.
#[inline(always)]
fn sigmoid<W: Wide>(x: W) -> W {
    let (nought, one) = (W::splat(0.0), W::splat(1.0));
    let small = exp(nought.sub(x.abs()));
    x.less(nought, small, one).div(one.add(small))
}

/// `x·n/(n + 2)` with `n = e^x·(e^x + 2)`: the hyperbolic tangent of `ln(1 + e^x)`.
#[inline(always)]
fn mish<W: Wide>(x: W) -> W {
    let x = W::splat(-1e3).max(x);
    let power = exp(W::splat(40.0).min(x));
    let n = power.mul(power.add(W::splat(2.0)));
    x.mul(n.div(n.add(W::splat(2.0))))
}

/// `ln(1 + e^x)` without overflow: `max(x, 0) + ln(1 + t)`, `t = e^−|x|`, by `s = t/(t + 2)` up to a third.
#[inline(always)]
fn softplus<W: Wide>(x: W) -> W {
    let nought = W::splat(0.0);
    let t = exp(nought.sub(x.abs()));
    let s = t.div(t.add(W::splat(2.0)));
    let z = s.mul(s);
    let p = polynomial(
        z,
        [
            0.666_666_666_666_666_8,
            0.399_999_999_999_939_77,
            0.285_714_285_725_101_16,
            0.222_222_221_254_644,
            0.181_818_232_031_728_84,
            0.153_844_519_256_757_78,
            0.133_368_059_274_043_4,
            0.117_159_494_928_871_66,
            0.109_725_747_561_958_45,
            0.069_942_166_976_050_136,
            0.164_676_846_028_967_71,
        ],
    );
    nought.max(x).add(s.add(s).add(s.mul(z).mul(p)))
}

/// `t/(t + 2)` with `t = e^2|x| − 1`.
#[inline(always)]
fn tanh<W: Wide>(x: W) -> W {
    let size = W::splat(30.0).min(x.abs());
    let t = exp_less_one(size.add(size));
    t.div(t.add(W::splat(2.0))).with_sign(x)
}

/// `x − tanh(x)`; by its series near nought, where the difference would cancel.
#[inline(always)]
fn tanh_shrink<W: Wide>(x: W) -> W {
    let z = x.mul(x);
    let series = [
        1.0 / 3.0,
        -2.0 / 15.0,
        17.0 / 315.0,
        -62.0 / 2_835.0,
        1_382.0 / 155_925.0,
        -21_844.0 / 6_081_075.0,
        929_569.0 / 638_512_875.0,
    ];
    let near = x.mul(z).mul(polynomial(z, series));
    x.abs().less(W::splat(0.1), near, x.sub(tanh(x)))
}

/// `erf(x)` by a polynomial up to 1, else `1 − 2·Φ(−√2·|x|)`.
#[inline(always)]
fn erf<W: Wide>(x: W) -> W {
    let size = W::splat(10.0).min(x.abs());
    let near = polynomial(
        size.mul(size),
        [
            1.128_379_167_095_512_6,
            -0.376_126_389_031_837_48,
            0.112_837_916_709_548_57,
            -0.026_866_170_645_072_896,
            0.005_223_977_624_780_874_6,
            -0.000_854_832_697_874_263_25,
            0.000_120_553_310_369_137_94,
            -1.492_559_350_719_066_2e-5,
            1.646_097_282_118_467_3e-6,
            -1.635_002_526_005_509_6e-7,
            1.465_788_005_199_366e-8,
            -1.136_566_662_456_770_2e-9,
            5.945_262_640_753_955e-11,
        ],
    );
    let far = W::splat(1.0).sub(W::splat(2.0).mul(below(size.mul(W::splat(std::f64::consts::SQRT_2)))));
    size.less(W::splat(1.0), size.mul(near), far).with_sign(x)
}

/// `x·Φ(x)`: with `q = Φ(−|x|)` that is `x·q` below nought, `x − x·q` above.
#[inline(always)]
fn gelu<W: Wide>(x: W) -> W {
    let q = below(x.abs());
    x.less(W::splat(0.0), W::splat(-1e3).max(x).mul(q), x.mul(W::splat(1.0).sub(q)))
}

/// `Φ(−u)` for `u` from 0 to 15, and beyond the value there: `e^(−u²/2)` times a polynomial in `t = (u − 4)/(u + 4)`.
#[inline(always)]
fn below<W: Wide>(u: W) -> W {
    let (four, u) = (W::splat(4.0), W::splat(15.0).min(u));
    let t = u.sub(four).div(u.add(four));
    let p = polynomial(
        t,
        [
            0.094_410_641_301_968_937,
            -0.170_397_721_548_457_42,
            0.124_379_255_339_266_43,
            -0.071_707_407_337_519_711,
            0.030_864_804_106_090_141,
            -0.008_492_095_489_070_858_3,
            0.000_507_562_079_116_930_51,
            0.000_638_813_954_267_016_42,
            -0.000_187_184_281_853_181_2,
            -4.555_571_545_894_557_3e-5,
            2.864_807_391_972_660_6e-5,
            4.635_322_393_585_216_1e-6,
            -4.300_667_400_094_132_9e-6,
            -8.389_112_908_463_677_1e-7,
            6.495_475_867_289_547_1e-7,
            2.164_250_965_038_990_4e-7,
            -7.101_020_300_194_004_6e-8,
            -5.024_916_440_957_829_5e-8,
            -8.037_697_293_999_858_9e-9,
        ],
    );
    exp(u.mul(u).mul(W::splat(-0.5))).mul(p)
}
