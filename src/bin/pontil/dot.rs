//! A checked network as text for Graphviz: a record for each layer, an edge for each value with its shape.

use pontil::{
    describe::{Graph, ValueId},
    faults::quoted_str,
    tensor::lengths_text,
};
use std::fmt::Write;

/// The text. Values of the network's own numbers have no edge.
pub fn of(graph: &Graph) -> String {
    let mut text = String::from("digraph network {\n  rankdir=TB;\n  node [shape=record];\n");
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

/// A name within a label.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for character in quoted_str(name).chars() {
        if "\"\\{}|<> ".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}
