//! The graph as a whole: names that stand once, values that somebody makes, nodes that do not wait for one another.

use crate::describe::{round, running};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::formats::onnx::{Graph, Node};
use std::collections::{HashMap, HashSet};

/// How the nodes of a graph hang together.
pub(super) struct Wiring {
    /// The node that makes each value.
    pub(super) makers: HashMap<String, usize>,
    /// A name for each node, which no other node or input has.
    pub(super) names: Vec<String>,
    /// The values that a node or output takes.
    pub(super) uses: HashSet<String>,
}

/// A node in words: its name or the value it makes, and its operator.
fn title(node: &Node, number: usize) -> String {
    let made = node.outputs.iter().find(|name| !name.is_empty());
    let op = quoted_str(&node.op);
    match (node.name.is_empty(), made) {
        (false, _) => format!("node '{}' ({op})", quoted_str(&node.name)),
        (true, Some(made)) => format!("node {number} ({op}), which makes '{}'", quoted_str(made)),
        (true, None) => format!("node {number} ({op})"),
    }
}

/// What a fault of a node names: its name, else the value it makes.
pub(super) fn path(node: &Node) -> &str {
    let made = node.outputs.iter().find(|name| !name.is_empty()).map_or("", String::as_str);
    if node.name.is_empty() { made } else { &node.name }
}

/// A fault of a node.
pub(super) fn fault(node: &Node, number: usize, code: Code, what: &str) -> Fault {
    let message = format!("{}: {what}.", title(node, number));
    Fault::new(code, message).path(path(node)).place(node.op.as_str()).offset(node.offset)
}

/// Tells every fault of the graph's names and connections.
pub(super) fn wire(graph: &Graph, faults: &mut Faults) -> Result<Wiring, Refused> {
    let mark = faults.mark();
    let makers = makers(graph, faults);
    let mut uses: HashSet<String> = HashSet::new();
    let mut sources = Vec::with_capacity(graph.nodes.len());
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut before = Vec::new();
        for input in node.inputs.iter().filter(|name| !name.is_empty()) {
            uses.insert(input.clone());
            match makers.get(input.as_str()) {
                Some(maker) => before.extend(*maker),
                None => {
                    let what = format!("it takes '{}', which nothing makes", quoted_str(input));
                    faults.push(fault(node, number, Code::Connection, &what));
                }
            }
        }
        before.sort_unstable();
        before.dedup();
        sources.push(before);
    }
    for port in &graph.outputs {
        uses.insert(port.name.clone());
        if !makers.contains_key(port.name.as_str()) {
            let message = format!("output '{}' is a value that nothing makes.", quoted_str(&port.name));
            faults.push(Fault::new(Code::Connection, message).path(&port.name).offset(port.offset));
        }
    }
    running(&sources, |ring| {
        let (first, names) = round(ring, |number| graph.nodes.get(number).map_or("", path));
        if let Some(node) = graph.nodes.get(first) {
            faults.push(fault(node, first, Code::Cycle, &format!("nodes feed one another in a ring: {names}")));
        }
    });
    faults.refused_since(mark)?;
    let makers = makers.into_iter().filter_map(|(name, maker)| Some((name.to_owned(), maker?))).collect();
    Ok(Wiring { makers, names: names(graph), uses })
}

/// What makes each value: a node, or none for inputs and initialisers. A value made twice is a fault.
fn makers<'a>(graph: &'a Graph, faults: &mut Faults) -> HashMap<&'a str, Option<usize>> {
    let mut makers: HashMap<&str, Option<usize>> = HashMap::new();
    for stored in &graph.initialisers {
        if makers.insert(&stored.name, None).is_some() {
            let message = format!("tensor '{}' stands twice among the initialisers.", quoted_str(&stored.name));
            faults.push(Fault::new(Code::Duplicate, message).path(&stored.name).offset(stored.offset));
        }
    }
    // Before version 4 of the representation an initialiser is an input too.
    let mut once = HashSet::new();
    for port in &graph.inputs {
        makers.insert(&port.name, None);
        if !once.insert(port.name.as_str()) {
            let message = format!("input '{}' stands twice.", quoted_str(&port.name));
            faults.push(Fault::new(Code::Duplicate, message).path(&port.name).offset(port.offset));
        }
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        for output in node.outputs.iter().filter(|name| !name.is_empty()) {
            let Some(before) = makers.insert(output, Some(number)) else { continue };
            let other = before.and_then(|other| Some(title(graph.nodes.get(other)?, other)));
            let other = other.unwrap_or_else(|| "an input or initialiser".into());
            let what = format!("it makes '{}', which {other} is already", quoted_str(output));
            faults.push(fault(node, number, Code::Duplicate, &what));
        }
    }
    makers
}

/// A name for each node: its own where no other has it, else the value it makes.
fn names(graph: &Graph) -> Vec<String> {
    let mut taken: HashSet<String> = graph.inputs.iter().map(|port| port.name.clone()).collect();
    let one = |node: &Node| {
        let made = node.outputs.iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
        let tries = [node.name.clone(), made];
        let found = tries.into_iter().find(|name| !name.is_empty() && !taken.contains(name));
        let name = found.unwrap_or_else(|| crate::describe::unused(path(node), "node", &mut taken));
        taken.insert(name.clone());
        name
    };
    graph.nodes.iter().map(one).collect()
}
