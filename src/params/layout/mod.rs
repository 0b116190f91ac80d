//! Where the numbers of a set stand in one flat vector: computed once, used many times.
//!
//! The order is the tree's own, depth first; within a leaf that of its packed numbers (slowest axis first, which for a set of
//! Julia is its column-major order, since its axes come reversed). A structured leaf counts with its storage alone. `copy`
//! moves numbers in place, `rows` splits a matrix.

mod copy;
mod rows;

use super::{Kind, NodeId, Params, equal::keys_text};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    tensor::{DType, count, shape_text},
};
use std::fmt;

/// The flat order of a set. Equal layouts have the same ranges, shapes, kinds of branches and keys; the types of structured
/// leaves, their metadata and the element types do not count.
#[derive(Clone, Debug)]
pub struct Layout {
    root: Part,
    /// The set without its root's surroundings, for what is made anew.
    prototype: Params,
}

/// The range of a node, and those below it.
#[derive(Clone, Debug)]
struct Part {
    node: NodeId,
    key: Text,
    kind: Kind,
    first: usize,
    count: usize,
    shape: Box<[usize]>,
    dtype: Option<DType>,
    parts: Vec<Part>,
}

/// A leaf's place in the flat vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The leaf in the set that the layout was made of; of a structured leaf a leaf of its storage.
    pub node: NodeId,
    /// Its path there, from the node that the layout was made at.
    pub path: Text,
    /// Place of its first number.
    pub first: usize,
    /// How many numbers.
    pub count: usize,
    /// Lengths of its axes, slowest first; none of a single number.
    pub shape: Vec<usize>,
    /// Element type in that set.
    pub dtype: DType,
}

impl Layout {
    /// The layout of a branch. Every leaf must hold numbers: a fault for each that does not.
    pub fn of(params: &Params, from: NodeId, faults: &mut Faults) -> Result<Layout, Refused> {
        let mark = faults.mark();
        let prototype = params.subtree(from).map_err(|fault| faults.refuse(fault))?;
        let mut end = 0;
        let root = part(params, from, &mut end, faults);
        faults.refused_since(mark)?;
        Ok(Layout { root, prototype })
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.root.count
    }

    /// First place and count of the numbers of a node, by its path from where the layout was made.
    pub fn range(&self, path: &[u8]) -> Option<(usize, usize)> {
        let keys = super::path::keys(path)?;
        let part = keys.iter().try_fold(&self.root, |part, key| {
            let key = key.as_ref()?;
            let place = || key.as_str()?.parse::<usize>().ok();
            if part.kind.is_positional() {
                return part.parts.get(place()?);
            }
            part.parts.iter().find(|part| part.key == *key)
        })?;
        Some((part.first, part.count))
    }

    /// The leaves in flat order.
    pub fn segments(&self) -> Vec<Segment> {
        let mut segments = Vec::new();
        self.root.leaves(&mut Vec::new(), &mut segments);
        segments
    }
}

impl Part {
    fn leaves(&self, path: &mut Vec<u8>, into: &mut Vec<Segment>) {
        if let Some(dtype) = self.dtype {
            into.push(Segment {
                node: self.node,
                path: Text::from_wtf8(path),
                first: self.first,
                count: self.count,
                shape: self.shape.to_vec(),
                dtype,
            });
        }
        for (place, part) in self.parts.iter().enumerate() {
            let length = path.len();
            path.push(b'/');
            match self.kind.is_positional() {
                true => path.extend_from_slice(place.to_string().as_bytes()),
                false => path.extend(super::escaped(part.key.as_bytes())),
            }
            part.leaves(path, into);
            path.truncate(length);
        }
    }
}

/// The part of a node; `end` is where the flat vector ends so far.
fn part(params: &Params, node: NodeId, end: &mut usize, faults: &mut Faults) -> Part {
    let first = *end;
    let kind = params.kind(node).unwrap_or(Kind::None);
    let path = || params.path(node).unwrap_or_default();
    let (mut shape, mut dtype, mut parts) = (Box::default(), None, Vec::new());
    if kind == Kind::Structured {
        match params.storage(node) {
            Some(storage) => parts.push(part(params, storage, end, faults)),
            None => faults.push(no_storage(params, node)),
        }
    } else if kind.is_branch() {
        parts = params.children(node).iter().map(|&child| part(params, child, end, faults)).collect();
    } else {
        let value = params.value(node);
        let held = value.and_then(|value| value.shape().zip(value.eltype()));
        match held.map(|(shape, dtype)| (shape, dtype, count(shape).and_then(|count| end.checked_add(count)))) {
            Some((lengths, held, Some(sum))) => {
                (shape, dtype, *end) = (lengths.into(), Some(held), sum);
            }
            Some((lengths, _, None)) => {
                let message =
                    format!("'{}' of shape {} makes the flat vector too long.", quoted(&path()), shape_text(lengths));
                faults.push(Fault::new(Code::Overflow, message).path(path()));
            }
            None => {
                let message = format!(
                    "'{}' is {} and holds no numbers, so it has no place in a flat vector. Take it out of the set.",
                    quoted(&path()),
                    kind.name()
                );
                faults.push(Fault::new(Code::Kind, message).path(path()));
            }
        }
    }
    let key = params.key(node).cloned().unwrap_or_default();
    Part { node, key, kind, first, count: *end - first, shape, dtype, parts }
}

/// The fault of a structured leaf without storage.
pub(in crate::params) fn no_storage(params: &Params, node: NodeId) -> Fault {
    let path = params.path(node).unwrap_or_default();
    let message = format!("The structured leaf '{}' has no 'storage' ({}).", quoted(&path), keys_text(params, node));
    Fault::new(Code::NoPath, message).path(path)
}

impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        same(&self.root, &other.root)
    }
}

fn same(one: &Part, two: &Part) -> bool {
    let leaf = |part: &Part| part.dtype.is_some();
    if leaf(one) && leaf(two) {
        return (one.first, one.count, &one.shape) == (two.first, two.count, &two.shape);
    }
    let keyed = !one.kind.is_positional() && one.kind != Kind::Structured;
    (one.kind, one.first, one.count, one.parts.len()) == (two.kind, two.first, two.count, two.parts.len())
        && one.parts.iter().zip(&two.parts).all(|(one, two)| (!keyed || one.key == two.key) && same(one, two))
}

impl fmt::Display for Layout {
    /// As Julia prints it: `ParametersLayout(1:11)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParametersLayout(1:{})", self.count())
    }
}
