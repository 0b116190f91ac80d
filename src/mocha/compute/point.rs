//! Number by number.

use crate::describe::Binary;
use crate::describe::mocha::Neuron;
use crate::mocha::Blob;

/// A layer's neuron, in place.
pub fn neuron(blob: &mut Blob, neuron: Neuron) {
    let each: fn(f64) -> f64 = match neuron {
        Neuron::Identity => return,
        Neuron::Relu(epsilon) => {
            blob.numbers.iter_mut().filter(|x| !x.is_nan()).for_each(|x| *x = x.max(epsilon));
            return;
        }
        Neuron::LRelu => |x| if x > 0.0 { x } else { 0.01 * x },
        Neuron::Sigmoid => |x| 1.0 / (1.0 + (-x).exp()),
        Neuron::Tanh => f64::tanh,
        Neuron::Exponential => f64::exp,
    };
    blob.numbers.iter_mut().for_each(|x| *x = each(*x));
}

/// `(scale·x + shift)^power`, or by the quotient that makes NaN of a base of 0.
pub fn power(blob: &mut Blob, [power, scale, shift]: [f64; 3], quotient: bool) {
    for x in &mut blob.numbers {
        let base = scale * *x + shift;
        *x = match quotient && power != 1.0 && power != 2.0 {
            true => base.powf(power + 1.0) / base,
            false => base.powf(power),
        };
    }
}

/// Two blobs, number by number.
pub fn elementwise(a: &mut Blob, b: &Blob, binary: Binary) {
    let each: fn(f64, f64) -> f64 = match binary {
        Binary::Subtract => |a, b| a - b,
        Binary::Multiply => |a, b| a * b,
        Binary::Divide => |a, b| a / b,
        _ => |a, b| a + b,
    };
    a.numbers.iter_mut().zip(&b.numbers).for_each(|(a, b)| *a = each(*a, *b));
}

/// Keeps the numbers whose draw is above `ratio`, times `scale`; noughts for the others.
pub fn mask(blob: &mut Blob, draws: &[f64], ratio: f64, scale: f64) {
    for (x, draw) in blob.numbers.iter_mut().zip(draws) {
        *x = if *draw > ratio { *x * scale } else { 0.0 };
    }
}
