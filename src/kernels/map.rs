//! Functions of one number: by vectors in the standard precision where they know it. Otherwise whatever needs more than a
//! few operations is computed in doubles and rounded once.

use super::{
    After, Part,
    after::{follow, load, store},
    function::{SELU_ALPHA, SELU_SCALE},
    isa::{LANES, Vector},
};
use crate::describe::Unary;

/// A function applied to every number. Input: `x`; or none, then it is what the output holds already.
#[derive(Clone, Debug)]
pub struct Map {
    /// Which.
    pub function: Unary,
}

/// Runs a function that vectors know; any part.
#[inline(always)]
pub fn vectors<V: Vector>(map: &Map, part: Part<'_>) {
    let after = [After::Map(map.function)];
    for (strip, out) in part.out.chunks_mut(LANES).enumerate() {
        let x = part.inputs.first().map_or(&*out, |x| &x[part.at + strip * LANES..][..out.len()]);
        store(follow(load::<V>(x), &after, 0, 0, 0), out);
    }
}

/// Runs it; any part.
pub fn map(map: &Map, part: Part<'_>) {
    if let Some(x) = part.inputs.first() {
        part.out.copy_from_slice(&x[part.at..][..part.out.len()]);
    }
    let mut single = |f: &dyn Each| f.all(part.out);
    match map.function {
        Unary::Relu => single(&|x: f32| if x < 0.0 { 0.0 } else { x }),
        Unary::LeakyRelu { slope } => {
            let slope = slope as f32;
            single(&move |x: f32| if x < 0.0 { slope * x } else { x });
        }
        Unary::Clip { min, max } => {
            let (min, max) = (min as f32, max as f32);
            single(&move |x: f32| clip(x, min, max));
        }
        Unary::Sqrt => single(&f32::sqrt),
        Unary::Abs => single(&f32::abs),
        Unary::HardShrink { lambda } => {
            let lambda = lambda as f32;
            single(&move |x: f32| if x.abs() <= lambda { 0.0 } else { x });
        }
        Unary::SoftShrink { lambda } => {
            let lambda = lambda as f32;
            single(&move |x: f32| if x.abs() <= lambda { 0.0 } else { x - lambda.copysign(x) });
        }
        Unary::Threshold { threshold, value } => {
            let (threshold, value) = (threshold as f32, value as f32);
            single(&move |x: f32| if x <= threshold { value } else { x });
        }
        Unary::Tanh => single(&double(f64::tanh)),
        Unary::Sigmoid => single(&double(sigmoid)),
        Unary::Elu { alpha, width } => single(&double(move |x| if x > 0.0 { x } else { alpha * (x / width).exp_m1() })),
        Unary::Selu => single(&double(|x| SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() })),
        Unary::Gelu { tanh: false } => single(&double(|x| share(x, 0.5 * libm::erfc(-x * FRAC_1_SQRT_2)))),
        // 1/2·(1 + tanh u) is sigmoid(2u).
        Unary::Gelu { tanh: true } => {
            single(&double(|x| share(x, sigmoid(2.0 * GELU_SLOPE * (x + 0.044715 * x * x * x)))));
        }
        Unary::Silu => single(&double(|x| share(x, sigmoid(x)))),
        Unary::Mish => single(&double(|x| share(x, softplus(x).tanh()))),
        Unary::Softplus { beta, threshold } => {
            single(&double(move |x| if beta * x > threshold { x } else { softplus(beta * x) / beta }));
        }
        Unary::Softsign => single(&double(|x| if x.is_infinite() { x.signum() } else { x / (1.0 + x.abs()) })),
        Unary::HardSigmoid { slope, shift } => single(&double(move |x| clip(slope * x + shift, 0.0, 1.0))),
        Unary::HardSwish => single(&double(|x| share(x, clip(x + 3.0, 0.0, 6.0) / 6.0))),
        Unary::Exp => single(&double(f64::exp)),
        Unary::Log => single(&double(f64::ln)),
        Unary::Erf => single(&double(libm::erf)),
        Unary::Power { power, scale, shift } => single(&double(move |x| (shift + scale * x).powf(power))),
        Unary::LogSigmoid => single(&double(|x| -softplus(-x))),
        Unary::TanhShrink => single(&double(tanh_shrink)),
    }
}

const FRAC_1_SQRT_2: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// `sqrt(2/π)`.
const GELU_SLOPE: f64 = std::f64::consts::FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// A loop around a function, compiled for that function: one call for a whole slice.
trait Each {
    fn all(&self, x: &mut [f32]);
}

impl<F: Fn(f32) -> f32> Each for F {
    fn all(&self, x: &mut [f32]) {
        x.iter_mut().for_each(|x| *x = self(*x));
    }
}

fn double(function: impl Fn(f64) -> f64) -> impl Fn(f32) -> f32 {
    move |x| function(f64::from(x)) as f32
}

/// `x·part`, where a part of nought leaves nothing even of an infinity.
fn share(x: f64, part: f64) -> f64 {
    if part == 0.0 { 0.0 } else { x * part }
}

/// NaN passes.
fn clip<T: PartialOrd>(x: T, min: T, max: T) -> T {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(1 + e^x)` without overflow.
fn softplus(x: f64) -> f64 {
    (if x < 0.0 { 0.0 } else { x }) + (-x.abs()).exp().ln_1p()
}

/// `x − tanh(x)`; by its series near nought, where the difference would cancel.
fn tanh_shrink(x: f64) -> f64 {
    if x.abs() >= 0.1 {
        return x - x.tanh();
    }
    let s = x * x;
    x * s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * (17.0 / 315.0 - s * (62.0 / 2835.0 - s * (1382.0 / 155_925.0)))))
}
