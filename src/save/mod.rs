//! Files out: numbers to a path, to memory or to a writer of the host, all or nothing where the place allows it.

// Until a format that is kept in it is written.
#[allow(dead_code)]
mod hdf5;
mod network;
mod replace;
mod safetensors;
mod target;

#[allow(unused_imports)]
pub(crate) use hdf5::hdf5;
pub use network::network;
pub use replace::replace;
pub use safetensors::safetensors;
pub use target::Target;

#[cfg(test)]
mod tests;
