//! The element type of a set: one, none, or a fault that names both.

use super::{Kind, NodeId, Params};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted},
    tensor::DType,
};

impl Params {
    /// The element type of all numbers below a node: none if there are none, a fault for each further type if there are
    /// several. Of a structured leaf the storage counts, and not the metadata; an array without numbers counts; a plain
    /// number counts with its 64-bit type; leaves that hold no numbers are passed over. Nothing is promoted.
    pub fn eltype(&self, from: NodeId, faults: &mut Faults) -> Result<Option<DType>, Refused> {
        let mark = faults.mark();
        let mut found: Vec<(DType, NodeId)> = Vec::new();
        for leaf in self.numbered(from) {
            if let Some(dtype) = self.value(leaf).and_then(|value| value.eltype()) {
                if found.iter().all(|(other, _)| *other != dtype) {
                    found.push((dtype, leaf));
                }
            }
        }
        let path = |leaf| self.path(leaf).unwrap_or_default();
        if let Some(&(one, first)) = found.first() {
            for &(other, leaf) in &found[1..] {
                faults.push(two(one, path(first), other, path(leaf)));
            }
        }
        faults.refused_since(mark)?;
        Ok(found.first().map(|(dtype, _)| *dtype))
    }

    /// The leaves below a node that a flat vector would be made of, in its order: a structured leaf gives those of its
    /// storage.
    pub fn numbered(&self, from: NodeId) -> Vec<NodeId> {
        let (mut leaves, mut open) = (Vec::new(), vec![from]);
        while let Some(node) = open.pop() {
            if self.value(node).is_some() {
                leaves.push(node);
            } else if self.kind(node) == Some(Kind::Structured) {
                open.extend(self.storage(node));
            } else {
                open.extend(self.children(node).iter().rev());
            }
        }
        leaves
    }
}

fn two(one: DType, first: Text, other: DType, path: Text) -> Fault {
    let message = format!(
        "Two element types: '{}' is {} and '{}' is {}. A set has one; convert one of them.",
        quoted(&first),
        one.name(),
        quoted(&path),
        other.name()
    );
    let fault = Fault::new(Code::Eltype, message).path(path);
    fault.argument("first", Argument::Text(one.name().into())).argument("second", Argument::Text(other.name().into()))
}
