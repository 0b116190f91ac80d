//! Numbers and how they lie in memory; nothing about networks.

pub mod cast;
pub mod convert;
mod dtype;
mod shape;
mod small;
mod storage;
mod strided;
#[allow(clippy::module_inception)]
mod tensor;
mod view;

pub use cast::to_f32;
pub use dtype::DType;
pub use shape::{count, lengths_text, shape_text};
pub use storage::{Keeper, Storage};
pub use strided::{gather, packed_strides};
pub use tensor::Tensor;
pub use view::{View, ViewMut};
