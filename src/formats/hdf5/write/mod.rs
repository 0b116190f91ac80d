//! HDF5 files written in one go: a tree is described, its plan gives every byte a place, and the bytes go out in order.
//!
//! Superblock 2, object headers of the second version without times (equal trees make equal bytes), layout 3: libhdf5 reads
//! them from 1.8 on. Order of creation is tracked where the tree says so. Attributes of 64 KiB and more, which the object
//! header can not hold, go to a heap beside it with all others of their object.
//!
//! A plan may begin with a file that is there already: `base` keeps its bytes, `onto` continues the headers of the groups that
//! get more at its end.

mod base;
mod datum;
mod dense;
mod encode;
mod heap;
mod message;
mod onto;
mod plan;
#[cfg(test)]
mod tests;
mod tree;

pub use datum::{Bools, Datum};
pub use plan::Plan;
pub use tree::{Branch, Node};
