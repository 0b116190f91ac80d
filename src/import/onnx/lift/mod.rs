//! Layers that an exporter has written out in several nodes, found again: each a small pattern and the node it stands for.
//!
//! A pattern is matched backwards from its last node; the nodes between may have other readers too, and are made for those
//! alone. What a pattern says of lengths is held against the values when they are known (`fits`); where it does not hold, the
//! nodes become layers one by one, which is as right and only slower. `form` says what a pattern is and matches it,
//! `activation`, `linear`, `norm` and `pool` hold the patterns.

mod activation;
mod form;
mod linear;
mod norm;
mod pool;
#[cfg(test)]
mod tests;

use super::build::Given;
use super::flow::Flow;
use crate::formats::onnx::{Attribute, Data, Graph, Node, Setting};
use form::{Bound, Form, Seeker};
use std::collections::HashMap;

/// A rewrite.
struct Lift {
    /// Operators its last node may be.
    last: &'static [&'static str],
    /// The patterns; the first that matches counts.
    forms: fn() -> Vec<Form>,
    /// The node they stand for: its operator, what it takes, its attributes.
    made: fn(&Bound, &Seeker<'_>) -> Option<Made>,
    /// Whether the values that reach it are as the pattern takes them to be.
    fits: fn(&Lifted, &Flow) -> bool,
}

/// What a pattern stands for.
struct Made {
    op: &'static str,
    inputs: Vec<String>,
    attributes: Vec<(&'static str, Setting)>,
    /// How many numbers its constants have, where that must fit the value.
    features: Option<usize>,
}

/// A node that stands for several.
pub(super) struct Lifted {
    /// The node.
    pub(super) node: Node,
    /// The axes that means and totals of it go over, as written.
    pub(super) axes: Option<Vec<i64>>,
    /// How many numbers its constants have, where the value must have as many along its axes.
    features: Option<usize>,
    fits: fn(&Lifted, &Flow) -> bool,
}

impl Lifted {
    /// Whether it holds for the value that reaches it.
    pub(super) fn holds(&self, given: Option<&Given>) -> bool {
        match given {
            Some(Given::Flow(flow)) => (self.fits)(self, flow),
            _ => false,
        }
    }
}

/// The domain of operators with a meaning that ONNX's own do not have; no file can name it.
pub(super) const OWN: &str = "\0pontil";

/// Every pattern of a graph, by the number of its last node.
pub(super) fn find(graph: &Graph, data: &Data<'_>) -> HashMap<usize, Lifted> {
    let seeker = Seeker::new(graph, data);
    let mut found = HashMap::new();
    for (number, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.is_own()) {
        let lifts = [activation::LIFTS, linear::LIFTS, norm::LIFTS, pool::LIFTS].into_iter().flatten();
        let lifted = lifts.filter(|lift| lift.last.contains(&node.op.as_str())).find_map(|lift| lift.of(node, &seeker));
        found.extend(lifted.map(|lifted| (number, lifted)));
    }
    found
}

impl Lift {
    fn of(&self, node: &Node, seeker: &Seeker<'_>) -> Option<Lifted> {
        let output = node.outputs.first()?;
        let bound = (self.forms)().iter().find_map(|form| seeker.matches(output, form, &Bound::default()))?;
        let made = (self.made)(&bound, seeker)?;
        let attribute = |(name, setting): (&'static str, Setting)| Attribute { name: name.to_owned(), setting };
        let node = Node {
            name: node.name.clone(),
            op: made.op.to_owned(),
            domain: OWN.to_owned(),
            inputs: made.inputs,
            outputs: vec![output.clone()],
            attributes: made.attributes.into_iter().map(attribute).collect(),
            offset: node.offset,
        };
        Some(Lifted { node, axes: bound.axes, features: made.features, fits: self.fits })
    }
}

/// A pattern that says nothing of lengths.
fn always(_: &Lifted, _: &Flow) -> bool {
    true
}
