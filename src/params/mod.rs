//! Parameters as an ordered tree: one type for state dicts, Keras variables, ONNX initialisers and nested sets.
//!
//! Order is part of what a tree is. A state dict is a flat tree whose keys hold dots (`0.weight` is one key). Paths are like
//! JSON pointers: `/L1/W`, with `~1` for a slash and `~0` for a tilde within a key, and a number for a place in a list.

mod kind;
mod path;
mod tree;

pub use kind::{Kind, Value};
pub use path::escaped;
pub use tree::{NodeId, Params};
