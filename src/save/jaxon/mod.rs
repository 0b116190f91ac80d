//! Nested Python values in HDF5 as Jaxon 2.1 writes them, which it loads.
//!
//! ```text
//! tree ─graph─▶ circles, paths of what is referred to ─tree─▶ groups and attributes ─leaf─▶ values and datasets
//! ```

mod graph;
mod leaf;
mod tree;

use super::{Target, hdf5::hdf5};
use crate::{
    faults::{Faults, Refused},
    formats::hdf5::Plan,
    params::Params,
    progress::Progress,
};

/// Writes a tree as Jaxon does: every branch a group whose order is tracked, every leaf an attribute, arrays and bytes
/// datasets beside it, a reference the path of what it refers to. Equal trees make equal bytes.
///
/// Branches become `list`, `tuple`, `set`, `frozenset` or `dict`; an object becomes what its type says, which is the hint of
/// the marshaler: `dclass[module.Class]`, `jaxon[module.Class]`, or a word of the host's own. What a leaf is beyond its kind
/// ([`Params::type_name`]) is kept; an array of an element type that NumPy lacks becomes one of JAX.
///
/// Structured leaves, leaves that were not loaded, circles, keys and members of sets that Python could not hash, and element
/// types that neither has are faults. After a fault a path holds what it held before, and memory too.
pub fn jaxon(tree: &Params, target: Target<'_>, progress: &Progress, faults: &mut Faults) -> Result<(), Refused> {
    let root = tree::root(tree, faults)?;
    let plan = Plan::of(&root, faults)?;
    hdf5(&plan, target, progress, faults)
}
