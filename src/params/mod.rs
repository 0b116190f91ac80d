//! Parameters as an ordered tree: one type for state dicts, Keras variables, ONNX initialisers and nested sets.
//!
//! Order is part of what a tree is. A state dict is a flat tree whose keys hold dots (`0.weight` is one key). Paths are like
//! JSON pointers: `/L1/W`, with `~1` for a slash and `~0` for a tilde within a key, a number for a place in a list, and `~2`
//! for the tree that is the key of a map's child.
//!
//! ```text
//! tree  what is asked   build  what changes   equal  eltype  walk  conform
//! structured  storage and metadata of a leaf ─▶ leaf/  its dense form and gradients, by type
//! layout/  one flat vector    flat  a vector with its layout
//! ```

mod build;
mod conform;
mod eltype;
mod equal;
mod flat;
mod kind;
mod layout;
pub mod leaf;
mod path;
mod structured;
mod tree;
mod walk;

pub use conform::conform;
pub use equal::Difference;
pub use flat::Flat;
pub use kind::{Kind, Opaque, Range, Value};
pub use layout::{Layout, Segment};
pub use path::escaped;
pub use structured::{METADATA, STORAGE};
pub use tree::{NodeId, Params};
pub use walk::{At, Depth, Leaf, each, fold, map, map_into, places};

#[cfg(test)]
mod tests;
