//! Drawn numbers that are given.

use std::collections::HashMap;

/// Drawn numbers that a caller gives layers by name, for this run alone.
///
/// A dropout takes one from 0 to 1 for each number that reaches it and keeps those above its ratio; without given numbers it
/// passes everything on. A crop takes three from 0 to 1, for its place along the width and the height and for the mirror; a
/// layer of normal numbers takes these themselves, top after top. Both draw from the evaluation's stream if none are given.
/// More or fewer than a layer takes are refused.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    given: HashMap<String, Vec<f64>>,
}

impl Draws {
    /// Gives a layer its numbers; none takes back what it was given.
    pub fn give(&mut self, layer: &str, numbers: Vec<f64>) {
        if numbers.is_empty() {
            self.given.remove(layer);
        } else {
            self.given.insert(layer.to_owned(), numbers);
        }
    }

    pub(super) fn of(&self, layer: &str) -> Option<&[f64]> {
        self.given.get(layer).map(Vec::as_slice)
    }
}
