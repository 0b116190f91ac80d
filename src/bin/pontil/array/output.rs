//! An array that a network made, and its way to people, programs and files.

use super::rows::{self, shortest};
use pontil::tensor::{count, shape_text};
use serde_json::{Value, json};
use std::ops::Range;

/// An array that a network made.
pub struct Output {
    /// `output`, `output.1`, …
    pub name: String,
    /// The examples first.
    pub shape: Vec<usize>,
    /// Row-major.
    pub numbers: Vec<f32>,
}

impl Output {
    /// Room for the output of number `port`; none if memory can not be had.
    pub fn empty(port: usize, shape: Vec<usize>) -> Option<Output> {
        let count = count(&shape)?;
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).ok()?;
        numbers.resize(count, 0.0);
        Some(Output { name: numbered("output", port), shape, numbers })
    }

    /// The numbers of some examples.
    pub fn examples(&mut self, range: Range<usize>) -> &mut [f32] {
        let each: usize = self.shape.iter().skip(1).product();
        &mut self.numbers[range.start * each..range.end * each]
    }

    /// Name and shape.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, shape_text(&self.shape))
    }

    /// A line an example.
    pub fn text(&self) -> String {
        rows::write(&self.shape, &self.numbers)
    }

    /// Name, shape and, if asked for, the numbers: each as the shortest text that reads back as the same single, in quotes
    /// where JSON has no such number.
    pub fn json(&self, with_values: bool) -> Value {
        let mut json = json!({ "name": self.name, "shape": self.shape });
        if with_values {
            json["values"] = self.numbers.iter().map(|&number| json_number(number)).collect();
        }
        json
    }
}

/// The double whose shortest text is that of the single.
pub fn json_number(number: f32) -> Value {
    let text = shortest(number);
    if number.is_finite() { text.parse::<f64>().map_or(Value::Null, Value::from) } else { text.into() }
}

/// `word`, `word.1`, `word.2`, …
pub fn numbered(word: &str, number: usize) -> String {
    if number == 0 { word.to_owned() } else { format!("{word}.{number}") }
}
