//! A network as a drawing: text for Graphviz, a record for each layer and an edge for each blob.

use super::net::Net;
use super::shapes::Shaped;
use crate::describe::dot::{HEAD, escaped};
use crate::tensor::shape_text;
use std::collections::HashMap;
use std::fmt::Write;

impl Net {
    /// Text for Graphviz: `dot -Tsvg`. Edges carry the names and shapes of blobs, slowest axis first; layers in place hang on
    /// the blob they change by a dashed edge.
    pub fn dot(&self, shapes: &Shaped) -> String {
        let mut text = String::from(HEAD);
        let mut makers: HashMap<&str, String> = HashMap::new();
        for (place, input) in self.inputs.iter().enumerate() {
            let made = self.layers.iter().any(|layer| layer.tops.contains(&input.name));
            if !made {
                let _ = writeln!(text, "  input{place} [shape=ellipse, label=\"{}\"];", escaped(&input.name));
                makers.insert(&input.name, format!("input{place}"));
            }
        }
        for (place, layer) in self.layers.iter().enumerate() {
            let _ = writeln!(text, "  layer{place} [label=\"{{{}|{}}}\"];", escaped(&layer.name), layer.word);
            for top in &layer.tops {
                makers.insert(top, format!("layer{place}"));
            }
        }
        for (place, layer) in self.layers.iter().enumerate() {
            let style = if layer.kind.is_in_place() { ", style=dashed" } else { "" };
            for bottom in &layer.bottoms {
                let Some(from) = makers.get(bottom.as_str()) else { continue };
                let shape = shapes.blobs.get(bottom).map(|shape| shape_text(shape)).unwrap_or_default();
                let blob = escaped(bottom);
                let _ = writeln!(text, "  {from} -> layer{place} [label=\"{blob} {shape}\"{style}];");
            }
        }
        text.push_str("}\n");
        text
    }
}
