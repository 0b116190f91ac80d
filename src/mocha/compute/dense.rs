//! Products of rows with a weight.

use crate::faults::Fault;
use crate::mocha::Blob;

/// `x·Wᵀ + b`, W `[outputs, features]`.
pub fn inner_product(x: &Blob, weight: &Blob, bias: &Blob) -> Result<Blob, Fault> {
    let (outputs, features) = (weight.examples(), weight.features());
    let mut made = Blob::noughts(&[x.examples(), outputs])?;
    let rows = x.numbers.chunks_exact(features.max(1));
    for (row, to) in rows.zip(made.numbers.chunks_exact_mut(outputs.max(1))) {
        let weights = weight.numbers.chunks_exact(features.max(1));
        for ((to, weights), bias) in to.iter_mut().zip(weights).zip(&bias.numbers) {
            *to = row.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() + bias;
        }
    }
    Ok(made)
}

/// `x·W + b`, W `[hidden, outputs]`.
pub fn tied_inner_product(x: &Blob, weight: &Blob, bias: &Blob) -> Result<Blob, Fault> {
    let (hidden, outputs) = (weight.examples(), weight.features());
    let mut made = Blob::noughts(&[x.examples(), outputs])?;
    let rows = x.numbers.chunks_exact(hidden.max(1));
    for (row, to) in rows.zip(made.numbers.chunks_exact_mut(outputs.max(1))) {
        for (x, weights) in row.iter().zip(weight.numbers.chunks_exact(outputs.max(1))) {
            to.iter_mut().zip(weights).for_each(|(to, w)| *to += x * w);
        }
        to.iter_mut().zip(&bias.numbers).for_each(|(to, bias)| *to += bias);
    }
    Ok(made)
}
