//! Nodes that compute with constants and shapes alone: they are computed while the graph is read, and are no layers.
//!
//! The batch has no length here: a shape holds it as a [`Item::Batch`], which products, sums of nothing and comparisons carry
//! on; what can not be told so is left to the layers. `table` has a row per operator.

mod arithmetic;
mod quantised;
mod shape;
mod table;

use super::call::Call;
use super::constant::{Constant, Item};
use crate::tensor::DType;
pub(super) use table::find;

/// Computes the values a node makes; none, with or without a fault, if it can not.
pub(super) type Fold = fn(&mut Call<'_, '_, '_>) -> Option<Vec<Constant>>;

/// How an operator is computed.
#[derive(Clone, Copy)]
pub(super) struct Folding {
    /// The function.
    pub(super) fold: Fold,
    /// Whether the lengths of what goes into the network are enough for it.
    pub(super) of_shape: bool,
}

/// What became of a node.
pub(super) enum Folded {
    /// Constants.
    To(Vec<Constant>),
    /// It was refused.
    Refused,
    /// It is not computed here.
    Not,
}

/// Computes a node if all it takes is known.
pub(super) fn run(folding: Folding, call: &mut Call<'_, '_, '_>) -> Folded {
    let constant = |given: &Option<super::build::Given>| matches!(given, Some(super::build::Given::Constant(_)) | None);
    if !folding.of_shape && !call.given.iter().all(constant) {
        return Folded::Not;
    }
    let mark = call.build.low.faults.mark();
    match (folding.fold)(call) {
        Some(made) => Folded::To(made),
        None if call.build.low.faults.refused_since(mark).is_err() => Folded::Refused,
        None => Folded::Not,
    }
}

/// One constant of computed numbers.
fn computed(dtype: DType, shape: Vec<usize>, items: Vec<Item>) -> Option<Vec<Constant>> {
    Some(vec![Constant::computed(dtype, shape, items)?])
}

/// An axis of so many, which may count from the end.
fn axis_of(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let axis = if axis < 0 { axis.checked_add(rank)? } else { axis };
    usize::try_from(axis).ok().filter(|_| axis < rank)
}
