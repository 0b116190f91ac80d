//! Containers: what a file physically is. These modules know bytes and names, and nothing of networks.

mod budget;
// Until the formats that are kept in it are read.
#[allow(dead_code, unused_imports)]
pub mod hdf5;
pub mod onnx;
pub mod pickle;
pub mod safetensors;
pub mod zip;

pub use budget::{Budget, Loan};
