//! Whether two trees are the same, and where they first differ.

use super::{Kind, NodeId, Params, Value};
use crate::{
    faults::{Text, quoted},
    tensor::shape_text,
};

/// Where two trees first differ, in the order of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Path of the node, from the roots that were compared.
    pub path: Text,
    /// What differs, as a sentence.
    pub message: String,
}

impl Params {
    /// The first difference to another tree; none if they are equal: kinds, names of types, keys in their order, element
    /// types, shapes, and numbers bit by bit (a NaN equals itself, 0 and -0 differ). References are equal if they lead to
    /// the same path. How numbers lie in memory does not count.
    pub fn difference(&self, other: &Params) -> Option<Difference> {
        let mut open = vec![(Params::ROOT, Params::ROOT)];
        while let Some((one, two)) = open.pop() {
            if let Some(what) = self.differs(one, other, two) {
                let path = self.path(one).unwrap_or_default();
                return Some(Difference { message: format!("'{}': {what}", quoted(&path)), path });
            }
            // The parts of a structured leaf stand in no order that counts.
            let beside = |(place, &child): (usize, &NodeId)| {
                let by_key = || other.child(two, self.key(child)?);
                let structured = self.kind(one) == Some(Kind::Structured);
                Some((child, if structured { by_key()? } else { *other.children(two).get(place)? }))
            };
            let pairs = self.children(one).iter().enumerate().filter_map(beside);
            for pair in pairs.collect::<Vec<_>>().into_iter().rev() {
                open.push(pair);
                open.extend(self.key_tree(pair.0).zip(other.key_tree(pair.1)));
            }
        }
        None
    }

    /// What differs between two nodes, their children but for the keys left out.
    fn differs(&self, one: NodeId, other: &Params, two: NodeId) -> Option<String> {
        let (Some(kind), Some(second)) = (self.kind(one), other.kind(two)) else { return Some("not there.".into()) };
        if kind != second {
            return Some(format!("{} against {}.", kind.name(), second.name()));
        }
        if self.type_name(one) != other.type_name(two) {
            let name = |name: Option<&Text>| name.map(quoted).unwrap_or_default();
            return Some(format!("type '{}' against '{}'.", name(self.type_name(one)), name(other.type_name(two))));
        }
        if self.key_tree(one).is_some() != other.key_tree(two).is_some() {
            return Some("one has a key, the other none.".into());
        }
        let parts = |params: &Params, node| {
            let mut keys: Vec<_> = params.children(node).iter().map(|&child| params.key(child)).collect();
            keys.sort_unstable();
            keys.into_iter().map(|key| key.cloned()).collect::<Vec<_>>()
        };
        let same = match kind {
            Kind::Structured => parts(self, one) == parts(other, two),
            _ => same_keys(self, one, other, two),
        };
        if !same {
            return Some(format!("{} against {}.", keys_text(self, one), keys_text(other, two)));
        }
        let (value, second) = self.value(one).zip(other.value(two))?;
        let what = match (value, second) {
            (Value::Reference(to), Value::Reference(second)) => {
                (self.path(*to) != other.path(*second)).then(|| "references to different nodes".to_owned())
            }
            _ => value.differs(second),
        };
        what.map(|what| format!("{what}."))
    }
}

/// Whether the children of two branches have the same keys in the same order; where they go by place, as many.
pub(super) fn same_keys(a: &Params, one: NodeId, b: &Params, two: NodeId) -> bool {
    let keys = |params: &Params, node: NodeId| params.children(node).len();
    keys(a, one) == keys(b, two) && a.children(one).iter().zip(b.children(two)).all(|(&x, &y)| a.key(x) == b.key(y))
}

/// The keys of a branch as a message shows them: `keys L1, L2`, or `3 children`.
pub(super) fn keys_text(params: &Params, node: NodeId) -> String {
    const SHOWN: usize = 20;
    let children = params.children(node);
    if params.kind(node).is_some_and(|kind| kind.is_positional()) {
        return format!("{} children", children.len());
    }
    let mut shown: Vec<String> = children
        .iter()
        .take(SHOWN)
        .filter_map(|&child| params.key(child))
        .map(|key| format!("'{}'", quoted(key)))
        .collect();
    if children.len() > SHOWN {
        shown.push(format!("\u{2026} ({} in all)", children.len()));
    }
    if shown.is_empty() { "no keys".into() } else { format!("keys {}", shown.join(", ")) }
}

impl Value {
    /// What differs from another value of the same kind, as a part of a sentence; none if they are equal.
    fn differs(&self, other: &Value) -> Option<String> {
        let equal = match (self, other) {
            (Value::Tensor(a), Value::Tensor(b)) | (Value::Scalar(a), Value::Scalar(b)) => {
                if a.dtype() != b.dtype() {
                    return Some(format!("{} against {}", a.dtype().name(), b.dtype().name()));
                }
                if a.shape() != b.shape() {
                    return Some(format!("shape {} against {}", shape_text(a.shape()), shape_text(b.shape())));
                }
                let packed = a.to_packed().zip(b.to_packed());
                packed.is_some_and(|(a, b)| a.packed_bytes() == b.packed_bytes())
            }
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::BigInt(a), Value::BigInt(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Complex(a, b), Value::Complex(c, d)) => (a.to_bits(), b.to_bits()) == (c.to_bits(), d.to_bits()),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Range(a), Value::Range(b)) => a == b,
            (Value::Opaque(a), Value::Opaque(b)) => {
                (&a.descr, &a.shape, a.bytes.bytes()) == (&b.descr, &b.shape, b.bytes.bytes())
            }
            _ => true,
        };
        (!equal).then(|| if self.eltype().is_some() { "other numbers".into() } else { "another value".into() })
    }
}
