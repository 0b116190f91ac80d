//! What a file holds, before it is a tree: items that may be reached by several ways, each read once.

use crate::{
    faults::Text,
    formats::hdf5::Dataset,
    params::{Kind, NodeId, Value},
    tensor::DType,
};

/// Number of an item.
pub(super) type ItemId = usize;

/// A value of the file.
pub(super) enum Item {
    /// A leaf whose value is known, and what it is beyond its kind.
    Leaf { value: Value, type_name: &'static str, simple: bool },
    /// A leaf whose value stands in a dataset or in the value of an attribute.
    Data(Data),
    /// A list, tuple or set.
    Branch(Kind, Vec<ItemId>),
    /// A dictionary.
    Dict(Vec<(ItemId, ItemId)>),
    /// What an unmarshaler is to make something of: its hint, and what the hint stands upon.
    Object { hint: Text, base: ItemId, added: Vec<Added> },
    /// Left out on purpose.
    Skipped,
}

/// A field that the file does not have: its name, and the node of the schema that stands in for it.
pub(super) struct Added {
    pub key: Text,
    pub default: NodeId,
}

/// Where the value of a leaf is read from, and what becomes of it.
#[derive(Clone)]
pub(super) struct Data {
    pub from: From,
    pub wanted: Wanted,
}

/// Where elements stand.
#[derive(Clone)]
pub(super) enum From {
    Dataset(Dataset),
    /// In the attribute itself, as Jaxon 1 has them.
    Attribute(crate::formats::hdf5::Value),
}

/// What becomes of elements.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// An array of NumPy.
    Numpy,
    /// An array of JAX of this element type.
    Jax(DType),
    /// Plain bytes, of the type of this name (none: Python's bytes).
    Bytes(&'static str),
    /// NumPy's text.
    Text,
    /// NumPy's void: bytes, or a record.
    Void,
}
