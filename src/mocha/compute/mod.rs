//! A function for each layer that makes blobs. Shapes have been checked; blobs come out unrounded.

mod conv;
mod dense;
mod moves;
mod norm;
mod point;
mod pool;

pub(super) use conv::convolution;
pub(super) use dense::{inner_product, tied_inner_product};
pub(super) use moves::{argmax, class, concat, crop, onehot};
pub(super) use norm::{lrn, softmax};
pub(super) use point::{elementwise, mask, neuron, power};
pub(super) use pool::{along as pool_along, pool};
