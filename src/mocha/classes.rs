//! Weights of classes, spread over the shape of a prediction.

use super::Blob;
use crate::describe::mocha::{Classes, Normalize};
use crate::faults::Fault;

/// A weight for each number of a prediction; none if all are 1.
pub fn spread(classes: &Classes, axis: usize, prediction: &Blob) -> Result<Option<Blob>, Fault> {
    let Some(weights) = &classes.weights else { return Ok(None) };
    let mut spread = Blob::noughts(&prediction.shape)?;
    let [_, length, behind] = spread.cut(axis);
    let features = spread.features();
    let count = weights.numbers.len();
    for (place, to) in spread.numbers.iter_mut().enumerate() {
        let at = match weights.shape.len() {
            1 => place / behind % length,
            more if more == prediction.shape.len() => place,
            _ => place % features,
        };
        *to = weights.numbers[at % count.max(1)];
    }
    match classes.normalize {
        Normalize::No => {}
        Normalize::Global => {
            for example in spread.numbers.chunks_exact_mut(features.max(1)) {
                let total: f64 = example.iter().sum();
                example.iter_mut().for_each(|weight| *weight *= features as f64 / total);
            }
        }
        Normalize::Local => {
            for whole in spread.numbers.chunks_exact_mut((length * behind).max(1)) {
                for last in 0..behind {
                    let total: f64 = (0..length).map(|at| whole[at * behind + last]).sum();
                    (0..length).for_each(|at| whole[at * behind + last] *= length as f64 / total);
                }
            }
        }
    }
    Ok(Some(spread))
}
