//! Containers: what a file physically is. These modules know bytes and names, and nothing of networks.

pub mod pickle;
pub mod safetensors;
pub mod zip;
