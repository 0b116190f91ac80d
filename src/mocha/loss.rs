//! The losses: a number of two blobs.

use super::Blob;
use super::classes::spread;
use super::compute::{class, softmax};
use crate::describe::mocha::{Classes, Loss, axis};
use crate::faults::Fault;

/// A probability below this counts as this.
const SMALLEST: f64 = 1e-20;

/// The loss of a prediction `p` by a label `t`, times its weight. What is no number stays none.
pub fn loss(loss: &Loss, weight: f64, p: &Blob, t: &Blob) -> Result<f64, Fault> {
    let batch = p.examples() as f64;
    let pairs = || p.numbers.iter().zip(&t.numbers);
    let weight = if matches!(loss, Loss::Hinge { unweighted: true }) { 1.0 } else { weight };
    let plain = match loss {
        Loss::Square => pairs().map(|(p, t)| (p - t) * (p - t)).sum::<f64>() / (2.0 * batch),
        Loss::Hinge { .. } => pairs().map(|(p, t)| at_least(1.0 - p * t, 0.0)).sum::<f64>() / batch,
        Loss::BinaryCrossEntropy => {
            let each = pairs().map(|(p, t)| t * p.ln() + (1.0 - t) * (-p).ln_1p());
            -each.sum::<f64>() / batch
        }
        Loss::GaussianKl => {
            let each = pairs().map(|(mu, sigma)| mu * mu + sigma * sigma - 2.0 * sigma.ln() - 1.0);
            each.sum::<f64>() / (2.0 * batch)
        }
        Loss::Softmax(classes) => {
            let axis = axis(classes.dim, p.shape.len()).unwrap_or(0);
            logistic(classes, axis, &softmax(p, axis)?, t)?
        }
        Loss::Multinomial(classes) => logistic(classes, axis(classes.dim, p.shape.len()).unwrap_or(0), p, t)?,
        Loss::Softlabel { dim } => {
            let axis = axis(*dim, p.shape.len()).unwrap_or(0);
            let rows = p.numbers.len() / p.cut(axis)[1].max(1);
            let sigma = softmax(p, axis)?;
            let each = sigma.numbers.iter().zip(&t.numbers).map(|(sigma, t)| -t * at_least(*sigma, SMALLEST).ln());
            each.sum::<f64>() / rows as f64
        }
        Loss::Wasserstein { costs, lambda, iterations } => {
            let [bins, others] = [p.features(), t.features()];
            let examples = p.numbers.chunks_exact(bins.max(1)).zip(t.numbers.chunks_exact(others.max(1)));
            examples.map(|(a, b)| transport(a, b, &costs.numbers, *lambda, *iterations)).sum::<f64>() / batch
        }
    };
    Ok(plain * weight)
}

/// A number, or `least` if it is smaller.
fn at_least(number: f64, least: f64) -> f64 {
    if number < least { least } else { number }
}

/// The mean over the labels of the weighted logarithm at each label's place.
fn logistic(classes: &Classes, axis: usize, probabilities: &Blob, labels: &Blob) -> Result<f64, Fault> {
    let [_, length, behind] = probabilities.cut(axis);
    let weights = spread(classes, axis, probabilities)?;
    let mut total = 0.0;
    for (place, label) in labels.numbers.iter().enumerate() {
        let at = (place / behind * length + class(*label, length)?) * behind + place % behind;
        let weight = weights.as_ref().map_or(1.0, |weights| weights.numbers[at]);
        total -= weight * at_least(probabilities.numbers[at], SMALLEST).ln();
    }
    Ok(total / labels.numbers.len() as f64)
}

/// What it costs to move one histogram to another, by Sinkhorn's iteration.
fn transport(a: &[f64], b: &[f64], costs: &[f64], lambda: f64, iterations: usize) -> f64 {
    let kernel: Vec<f64> = costs.iter().map(|cost| (-lambda * cost).exp()).collect();
    let rows = || kernel.chunks_exact(b.len().max(1));
    let mut u = vec![1.0 / a.len() as f64; a.len()];
    let mut v = vec![0.0; b.len()];
    let scaled = |u: &[f64], v: &mut [f64]| {
        v.fill(0.0);
        for (u, row) in u.iter().zip(rows()) {
            v.iter_mut().zip(row).for_each(|(v, k)| *v += k * u);
        }
        v.iter_mut().zip(b).for_each(|(v, b)| *v = b / *v);
    };
    for _ in 0..iterations {
        scaled(&u, &mut v);
        for ((u, a), row) in u.iter_mut().zip(a).zip(rows()) {
            *u = a / row.iter().zip(&v).map(|(k, v)| k * v).sum::<f64>();
        }
    }
    scaled(&u, &mut v);
    let costs = costs.chunks_exact(b.len().max(1));
    let moved = u
        .iter()
        .zip(rows().zip(costs))
        .map(|(u, (row, costs))| u * row.iter().zip(costs).zip(&v).map(|((k, cost), v)| k * cost * v).sum::<f64>());
    moved.sum()
}
