//! Files out: numbers to a path, to memory or to a writer of the host, all or nothing where the place allows it.

mod hdf5;
mod jaxon;
mod julia;
mod network;
mod onnx;
mod replace;
mod safetensors;
mod target;

pub use jaxon::jaxon;
pub use julia::{julia, julia_groups, julia_into};
pub use network::network;
pub use onnx::onnx;
pub use replace::replace;
pub use safetensors::safetensors;
pub use target::Target;

#[cfg(test)]
mod tests;
