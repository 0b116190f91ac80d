//! Files out: numbers to a path, to memory or to a writer of the host, all or nothing where the place allows it.

mod datasets;
mod hdf5;
mod jaxon;
mod julia;
mod mocha;
mod network;
mod onnx;
mod replace;
mod safetensors;
mod target;

pub use datasets::datasets;
pub use jaxon::jaxon;
pub use julia::{julia, julia_groups, julia_into};
pub use mocha::mocha;
pub use network::network;
pub use onnx::onnx;
pub use replace::replace;
pub use safetensors::safetensors;
pub use target::Target;

#[cfg(test)]
mod tests;
