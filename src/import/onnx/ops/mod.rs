//! The operators: a row for each, by the family of its function.
//!
//! A row says since which version the operator is there with a meaning that is read, and how it becomes layers. What differs
//! between versions (axes as attribute or input, defaults) is in the function. An operator without a function is read where it
//! is computed from constants alone (`super::fold`). A new operator is a row; what it computes is a layer word.

mod activation;
mod arithmetic;
mod axes;
mod conv;
mod einsum;
mod joined;
mod linear;
mod norm;
mod places;
mod pool;
mod reduce;
mod resample;
mod resize;
mod shuffle;
mod softmax;
mod table;
mod truth;
mod window;

use super::call::Call;
use super::flow::Flow;
pub(super) use table::{find, why_not};

/// Makes layers of a node and gives the value of its first output.
pub(super) type Lower = fn(&mut Call<'_, '_, '_>) -> Option<Flow>;

/// An operator.
pub(super) struct Row {
    /// Its name.
    pub(super) name: &'static str,
    /// The version of the operators it is there since.
    pub(super) since: i64,
    /// How it becomes layers; none: it is only ever computed from constants.
    pub(super) lower: Option<Lower>,
}
