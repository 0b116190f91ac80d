//! The leaf protocol: what a structured leaf is as a matrix, and how gradients over that matrix become gradients over its
//! storage.
//!
//! A [`LeafType`] knows one type; a [`Registry`] knows the types by name. The eight of Julia's GeometricOptimizers and
//! GeometricMachineLearning are built in, each a file with one row (`form::Form`) that says where an entry of the matrix
//! stands in the storage; everything else follows from that. `cotangent` walks a whole set.
//!
//! Matrices stand here as everywhere in a tree: slowest axis first, packed. A matrix of Julia with `r` rows and `c` columns
//! therefore has the shape `[c, r]`, and its bytes are Julia's own.

mod cotangent;
mod form;
mod grassmann_lift;
mod lower;
mod manifold;
mod registry;
mod skew;
mod stiefel_lift;
mod sums;
mod symmetric;
mod upper;

pub use cotangent::{map_cotangent, storage_gradient};
pub use registry::Registry;

use super::{NodeId, Params};
use crate::{
    faults::{Fault, Faults, Text},
    tensor::Tensor,
};

/// A structured leaf in its tree.
#[derive(Clone, Copy, Debug)]
pub struct StructuredLeaf<'a> {
    /// The tree.
    pub params: &'a Params,
    /// The leaf.
    pub node: NodeId,
}

impl StructuredLeaf<'_> {
    /// Its path.
    pub fn path(&self) -> Text {
        self.params.path(self.node).unwrap_or_default()
    }

    /// The name of its type.
    pub fn type_name(&self) -> Text {
        self.params.type_name(self.node).cloned().unwrap_or_default()
    }

    /// A whole number of its metadata.
    pub fn told(&self, key: &str) -> Option<i64> {
        let metadata = self.params.metadata(self.node)?;
        self.params.whole(self.params.child(metadata, &key.into())?)
    }
}

/// What is to be known of a type of structured leaves. Used from any thread.
pub trait LeafType: Send + Sync {
    /// Adds a fault for everything about storage and metadata that does not fit.
    fn check(&self, leaf: StructuredLeaf<'_>, faults: &mut Faults);

    /// The shape of its matrix, slowest axis first: `[columns, rows]` of a matrix of Julia.
    fn dense_shape(&self, leaf: StructuredLeaf<'_>) -> Result<[usize; 2], Fault>;

    /// Its matrix, in the element type of its storage.
    fn dense(&self, leaf: StructuredLeaf<'_>) -> Result<Tensor, Fault>;

    /// A leaf of the same type whose storage holds dL/dS_k = sum of G_ij dD_ij/dS_k, for the cotangent G of its matrix D, of
    /// the shape of that. Reads type, metadata, shapes and element types of the leaf, never its numbers.
    fn gradient(&self, leaf: StructuredLeaf<'_>, cotangent: &Tensor) -> Result<Params, Fault>;

    /// The leaf that is nearest to a matrix, where the type knows one: `told` is the metadata that the matrix's shape does
    /// not tell. None if it does not.
    fn project(&self, name: &Text, matrix: &Tensor, told: &[(&str, i64)]) -> Option<Result<Params, Fault>> {
        let _ = (name, matrix, told);
        None
    }
}
