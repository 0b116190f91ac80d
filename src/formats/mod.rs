//! Containers: what a file physically is. These modules know bytes and names, and nothing of networks.

mod budget;
pub mod caffe;
// Part of it is reached by its own tests alone, until the formats that need it are read.
#[cfg_attr(not(test), allow(dead_code, unused_imports))]
pub mod hdf5;
pub mod jaxon;
pub mod json;
pub mod onnx;
pub mod pickle;
mod protobuf;
pub mod safetensors;
pub mod zip;

pub use budget::{Budget, Loan};
