//! A network as text: a row for each layer in running order, with the shapes of what it takes, makes and has.

use super::net::Net;
use super::shapes::Shaped;
use crate::faults::quoted_str;
use crate::tensor::shape_text;
use std::fmt::Write;

impl Net {
    /// A row for each layer in running order, below it its blobs and parameters with their shapes, slowest axis first.
    pub fn listing(&self, shapes: &Shaped) -> String {
        let mut text = String::new();
        let width = self.layers.iter().map(|layer| layer.name.chars().count()).max().unwrap_or(0).min(WIDEST);
        for (place, layer) in self.layers.iter().enumerate() {
            let _ = writeln!(text, "{:<width$}  {}", quoted_str(&layer.name), layer.word);
            for (says, blobs) in [("takes", &layer.bottoms), ("makes", &layer.tops)] {
                for blob in blobs {
                    let shape = shapes.blobs.get(blob).map_or("of any shape".to_owned(), |shape| shape_text(shape));
                    let _ = writeln!(text, "{:<width$}    {says} {} {shape}", "", quoted_str(blob));
                }
            }
            for parameter in shapes.parameters.iter().filter(|parameter| parameter.layer == place) {
                let _ = writeln!(text, "{:<width$}    has   {} {}", "", parameter.name, shape_text(&parameter.shape));
            }
        }
        let _ = writeln!(text, "{} layers, {} numbers", self.layers.len(), self.numbers(shapes));
        text
    }

    /// How many numbers the parameters have, those that layers share counted once.
    pub fn numbers(&self, shapes: &Shaped) -> usize {
        let mut seen = std::collections::HashSet::new();
        let counted = shapes.parameters.iter().filter(|parameter| {
            let key = self.layers.get(parameter.layer).map(|layer| layer.key.as_str());
            seen.insert((key, parameter.name))
        });
        counted.filter_map(|parameter| crate::tensor::count(&parameter.shape)).sum()
    }
}

/// Names wider than this push their row aside.
const WIDEST: usize = 24;
