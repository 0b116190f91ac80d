//! A scale and a shift for each feature, written as a batch normalisation: for hosts that hold no other layer of the kind.
//!
//! A host may want an epsilon above nought. The variance is what it leaves of one, so that nothing is divided. Stacks and the
//! rewrites of ONNX write it.

use crate::describe::Op;

/// The epsilon that is written.
const EPSILON: f64 = 1e-5;

/// The variance of every feature.
pub(super) const VARIANCE: f64 = 1.0 - EPSILON;

/// The layer over so many features; its means are noughts unless something is taken away first.
pub(super) fn op(features: usize) -> Op {
    Op::BatchNorm { features, epsilon: EPSILON, momentum: 0.1, affine: true }
}
