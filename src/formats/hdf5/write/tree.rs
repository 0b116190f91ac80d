//! The tree that is to be written.

use super::datum::Datum;

/// A group that is to be written.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Whether the order of its links and attributes is kept; without it readers see them by name.
    pub tracked: bool,
    /// Its attributes, in order.
    pub attributes: Vec<(String, Datum)>,
    /// What it holds, in order. Names are free of `/` and NUL, and none is `.`.
    pub members: Vec<(String, Node)>,
}

/// An object that is to be written.
#[derive(Clone, Debug)]
pub enum Node {
    /// A group.
    Group(Branch),
    /// A dataset, with its attributes in order (kept if `tracked`).
    Dataset {
        /// What it holds.
        datum: Datum,
        /// Its attributes.
        attributes: Vec<(String, Datum)>,
        /// Whether the order of its attributes is kept.
        tracked: bool,
    },
}

impl Branch {
    /// A group without anything in it.
    pub fn new(tracked: bool) -> Branch {
        Branch { tracked, ..Branch::default() }
    }

    /// Adds an attribute behind the others.
    pub fn attribute(&mut self, name: impl Into<String>, datum: Datum) {
        self.attributes.push((name.into(), datum));
    }

    /// Adds a group behind the other members.
    pub fn group(&mut self, name: impl Into<String>, group: Branch) {
        self.members.push((name.into(), Node::Group(group)));
    }

    /// Adds a dataset without attributes behind the other members.
    pub fn dataset(&mut self, name: impl Into<String>, datum: Datum) {
        let dataset = Node::Dataset { datum, attributes: Vec::new(), tracked: false };
        self.members.push((name.into(), dataset));
    }
}
