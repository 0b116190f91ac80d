//! Containers: what a file physically is. These modules know bytes and names, and nothing of networks.

mod budget;
pub mod caffe;
// Sequences, committed types, the user block and references that are written are reached by its own tests alone.
#[cfg_attr(not(test), allow(dead_code))]
pub mod hdf5;
pub mod jaxon;
pub mod json;
pub mod onnx;
pub mod pickle;
mod protobuf;
pub mod safetensors;
pub mod zip;

pub use budget::{Budget, Loan};
