//! Running means over the runs since the last reset.

use super::Blob;
use super::compute::{argmax, class};
use crate::faults::Fault;

/// A statistic by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    /// The layer's name and what is counted: `test-accuracy`.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// Of how many.
    pub count: u64,
}

/// A running mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    pub mean: f64,
    pub count: u64,
}

impl Mean {
    /// Counts a total over `count` more.
    pub fn add(&mut self, total: f64, count: usize) {
        let all = self.count + count as u64;
        if all > 0 {
            self.mean = (self.mean * self.count as f64 + total) / all as f64;
        }
        self.count = all;
    }
}

/// How many labels name the first of the largest, and how many there are.
pub fn hits(prediction: &Blob, label: &Blob, axis: usize) -> Result<(f64, usize), Fault> {
    let classes = prediction.cut(axis)[1];
    let found = argmax(prediction, axis)?;
    let mut hits = 0;
    for (found, label) in found.numbers.iter().zip(&label.numbers) {
        hits += usize::from(*found as usize == class(*label, classes)?);
    }
    Ok((hits as f64, label.numbers.len()))
}

/// How many numbers lie on the label's side of a threshold, and how many there are.
pub fn sides(prediction: &Blob, label: &Blob, threshold: f64) -> (f64, usize) {
    let pairs = prediction.numbers.iter().zip(&label.numbers);
    let hits = pairs.filter(|(p, t)| (**p > threshold) == (**t > threshold)).count();
    (hits as f64, prediction.numbers.len())
}
