//! Each function in each instruction set and both precisions, against doubles of the standard library and `libm`, over
//! numbers of every size.

use super::{
    super::{
        Kernel, Map, Part, Precision,
        isa::{Isa, Kernels},
    },
    SELU_ALPHA, SELU_SCALE,
};
use crate::Unary;

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(1 + e^x)` without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// `x·part`, where a part of nought leaves nothing even of an infinity.
fn share(x: f64, part: f64) -> f64 {
    if part == 0.0 { 0.0 } else { x * part }
}

/// `x − tanh(x)`; by its series near nought, where the difference would cancel.
fn tanh_shrink(x: f64) -> f64 {
    if x.abs() >= 0.03 {
        return x - x.tanh();
    }
    let s = x * x;
    x * s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * (17.0 / 315.0 - s * (62.0 / 2835.0 - s * (1382.0 / 155_925.0)))))
}

/// The answer in doubles.
fn wanted(function: Unary, x: f64) -> f64 {
    let single = |x: f64| f64::from(x as f32);
    match function {
        Unary::Relu => x.max(0.0),
        Unary::LeakyRelu { slope } => {
            if x < 0.0 {
                single(slope) * x
            } else {
                x
            }
        }
        Unary::Clip { min, max } => x.max(single(min)).min(single(max)),
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::HardShrink { lambda } => {
            if x.abs() <= single(lambda) {
                0.0
            } else {
                x
            }
        }
        Unary::SoftShrink { lambda } => {
            if x.abs() <= single(lambda) {
                0.0
            } else {
                x - single(lambda).copysign(x)
            }
        }
        Unary::Threshold { threshold, value } => {
            if x <= single(threshold) {
                single(value)
            } else {
                x
            }
        }
        Unary::Tanh => x.tanh(),
        Unary::Sigmoid => sigmoid(x),
        Unary::Elu { alpha, width } => {
            if x > 0.0 {
                x
            } else {
                alpha * (x / width).exp_m1()
            }
        }
        Unary::Selu => SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() },
        Unary::Gelu { tanh: false } => share(x, 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)),
        Unary::Gelu { tanh: true } => {
            let slope = (2.0 / std::f64::consts::PI).sqrt();
            share(x, sigmoid(2.0 * slope * (x + 0.044715 * x * x * x)))
        }
        Unary::Silu => share(x, sigmoid(x)),
        Unary::Mish => share(x, softplus(x).tanh()),
        Unary::Softplus { beta, threshold } => {
            if beta * x > threshold {
                x
            } else {
                softplus(beta * x) / beta
            }
        }
        Unary::Softsign => {
            if x.is_infinite() {
                x.signum()
            } else {
                x / (1.0 + x.abs())
            }
        }
        Unary::HardSigmoid { slope, shift } => (slope * x + shift).clamp(0.0, 1.0),
        Unary::HardSwish => share(x, (x + 3.0).clamp(0.0, 6.0) / 6.0),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Erf => libm::erf(x),
        Unary::Power { power, scale, shift } => (shift + scale * x).powf(power),
        Unary::LogSigmoid => -softplus(-x),
        Unary::TanhShrink => tanh_shrink(x),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        }
    }
}

/// A function, the units it may be off in singles, and what they are units of.
type Bound = (Unary, f64, Of);

/// What an error is measured in units of.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// The answer.
    Answer,
    /// The larger of answer and argument.
    Argument,
    /// The larger of answer, argument and 1.
    One,
}

const BOUNDS: &[Bound] = &[
    (Unary::Relu, 0.0, Of::Answer),
    (Unary::LeakyRelu { slope: 0.01 }, 0.5, Of::Answer),
    (Unary::Clip { min: -1.0, max: 6.0 }, 0.0, Of::Answer),
    (Unary::Abs, 0.0, Of::Answer),
    (Unary::Sqrt, 0.5, Of::Answer),
    (Unary::HardShrink { lambda: 0.1 }, 0.0, Of::Answer),
    (Unary::SoftShrink { lambda: 0.1 }, 0.5, Of::Answer),
    (Unary::Threshold { threshold: 0.1, value: -3.3 }, 0.0, Of::Answer),
    (Unary::Sin, 0.5, Of::Answer),
    (Unary::Cos, 0.5, Of::Answer),
    (Unary::Floor, 0.0, Of::Answer),
    (Unary::Ceil, 0.0, Of::Answer),
    (Unary::Round, 0.0, Of::Answer),
    (Unary::Sign, 0.0, Of::Answer),
    (Unary::Exp, 2.0, Of::Answer),
    (Unary::Log, 2.0, Of::Answer),
    (Unary::Erf, 3.0, Of::Answer),
    (Unary::Softsign, 2.0, Of::Answer),
    (Unary::TanhShrink, 2.0, Of::Answer),
    (Unary::Power { power: 3.0, scale: 1.0, shift: 0.0 }, 2.0, Of::Answer),
    (Unary::Power { power: -0.75, scale: 2.0, shift: 1.0 }, 2.0, Of::Answer),
    (Unary::Power { power: 0.5, scale: 1.0, shift: 0.0 }, 2.0, Of::Answer),
    (Unary::Power { power: -2.0, scale: 0.5, shift: 0.0 }, 2.0, Of::Answer),
    (Unary::Power { power: 0.0, scale: 1.0, shift: 0.0 }, 2.0, Of::Answer),
    (Unary::Sigmoid, 3.0, Of::Answer),
    (Unary::LogSigmoid, 3.0, Of::Answer),
    (Unary::Softplus { beta: 1.0, threshold: 20.0 }, 3.0, Of::Answer),
    (Unary::Softplus { beta: 0.3, threshold: 1e30 }, 3.0, Of::Answer),
    (Unary::Tanh, 4.0, Of::Answer),
    (Unary::Silu, 4.0, Of::Answer),
    (Unary::Mish, 4.0, Of::Answer),
    (Unary::Elu { alpha: 1.0, width: 1.0 }, 4.0, Of::Answer),
    (Unary::Elu { alpha: 1.5, width: 1.0 }, 4.0, Of::Answer),
    (Unary::Elu { alpha: 0.7, width: 0.7 }, 4.0, Of::Answer),
    (Unary::Selu, 4.0, Of::Answer),
    (Unary::Gelu { tanh: false }, 6.0, Of::Answer),
    (Unary::Gelu { tanh: true }, 4.0, Of::Argument),
    (Unary::HardSigmoid { slope: 1.0 / 6.0, shift: 0.5 }, 2.0, Of::One),
    (Unary::HardSwish, 2.0, Of::Argument),
];

/// A prime, so that all last bits come up.
const STEP: u32 = 16_411;

/// Every `STEP`th single and those at the edges.
fn singles() -> Vec<f32> {
    let edges = [0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, 0.1, 20.0, 89.0, -104.0];
    let around = edges.into_iter().flat_map(|x| [x, -x, x.next_up(), x.next_down(), -x.next_up(), -x.next_down()]);
    around.chain((0..=u32::MAX / STEP).map(|i| f32::from_bits(i * STEP))).filter(|x| !x.is_nan()).collect()
}

/// The step from a number's size to the next single.
fn unit(x: f64) -> f64 {
    let size = (x.abs() as f32).min(f32::MAX.next_down());
    f64::from(size.next_up()) - f64::from(size)
}

fn run(kernels: Kernels, function: Unary, x: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; x.len()];
    let kernel = Kernel::Map(Map { function });
    kernels.run(&kernel, Part { inputs: &[x], whole: &[], at: 0, out: &mut out, scratch: &mut [], after: &[] });
    out
}

#[test]
fn errors_are_as_stated() {
    let x = singles();
    let mut wrong = Vec::new();
    for &(function, units, of) in BOUNDS {
        let wanted: Vec<f64> = x.iter().map(|&x| wanted(function, f64::from(x))).collect();
        for (isa, precision) in
            Isa::ALL.into_iter().flat_map(|isa| [(isa, Precision::Standard), (isa, Precision::Exact)])
        {
            let Some(kernels) = Kernels::of(precision, isa) else { continue };
            let (units, of) = if precision == Precision::Exact { (0.51, Of::Answer) } else { (units, of) };
            let mut worst = (0.0, 0.0, 0.0, 0.0);
            for ((&x, &wanted), got) in x.iter().zip(&wanted).zip(run(kernels, function, &x)) {
                let of = match of {
                    Of::Answer => wanted.abs(),
                    Of::Argument => wanted.abs().max(f64::from(x.abs())),
                    Of::One => wanted.abs().max(f64::from(x.abs())).max(1.0),
                };
                // Beyond the largest single lies infinity.
                let beyond = |x: f64| if x.abs() > f64::from(f32::MAX) { f64::from(f32::MAX).copysign(x) } else { x };
                let error = if got.is_nan() != wanted.is_nan() {
                    f64::INFINITY
                } else if wanted.is_nan() {
                    0.0
                } else {
                    (beyond(f64::from(got)) - beyond(wanted)).abs() / unit(of)
                };
                if error > worst.0 {
                    worst = (error, f64::from(x), f64::from(got), wanted);
                }
            }
            let (error, x, got, wanted) = worst;
            if error > units {
                wrong.push(format!(
                    "{function:?} {isa:?} {precision:?}: {error:.3} units at {x:e}: {got:e}, not {wanted:e}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_is_no_number_passes() {
    let x: Vec<f32> = [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::from_bits(0xffff_ffff)].repeat(5);
    for &(function, ..) in BOUNDS.iter().filter(|(function, ..)| !matches!(function, Unary::Power { power: 0.0, .. })) {
        for (isa, precision) in
            Isa::ALL.into_iter().flat_map(|isa| [(isa, Precision::Standard), (isa, Precision::Exact)])
        {
            let Some(kernels) = Kernels::of(precision, isa) else { continue };
            assert!(run(kernels, function, &x).iter().all(|x| x.is_nan()), "{function:?} {isa:?} {precision:?}");
        }
    }
}
