//! A checked network as text for Graphviz, and what drawings of networks have in common. Called by the tool and by `mocha`.

use super::{Graph, ValueId};
use crate::{faults::quoted_str, tensor::lengths_text};
use std::fmt::Write;

/// How a drawing begins; `}` ends it.
pub(super) const HEAD: &str = "digraph network {\n  rankdir=TB;\n  node [shape=record];\n";

/// Text for Graphviz, as `dot -Tsvg` takes it: a record for each layer, an edge for each value with the shape of one example.
/// Values of the network's own numbers have no edge.
pub fn dot(graph: &Graph) -> String {
    let mut text = String::from(HEAD);
    for port in &graph.inputs {
        let _ = writeln!(text, "  value{} [shape=ellipse, label=\"{}\"];", port.value, escaped(&port.name));
    }
    for node in &graph.nodes {
        let _ = writeln!(text, "  value{} [label=\"{}\"];", node.output, escaped(&node.name));
    }
    let shape = |value: ValueId| graph.values[value].shape.as_deref().map(lengths_text).unwrap_or_default();
    for node in &graph.nodes {
        for &from in &node.inputs {
            let _ = writeln!(text, "  value{from} -> value{} [label=\"{}\"];", node.output, shape(from));
        }
    }
    for (place, port) in graph.outputs.iter().enumerate() {
        let _ = writeln!(text, "  output{place} [shape=ellipse, label=\"{}\"];", escaped(&port.name));
        let _ = writeln!(text, "  value{} -> output{place} [label=\"{}\"];", port.value, shape(port.value));
    }
    text.push_str("}\n");
    text
}

/// A name within a record's label.
pub(super) fn escaped(name: &str) -> String {
    let mut text = String::new();
    for character in quoted_str(name).chars() {
        if "\"\\{}|<> ".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}
