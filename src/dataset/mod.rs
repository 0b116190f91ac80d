//! Data sets: batches of examples out of HDF5 files that a list names, in Mocha's order.
//!
//! ```text
//! list ─list─▶ paths ─file─▶ datasets of each file, checked against one another
//!                             └─ sequence: which examples come next, and the epoch ─▶ reader ─▶ transform ─▶ batch
//!                                                                    ahead: the same on a thread of its own
//! ```
//!
//! There are no partial batches: they run across the borders of files and epochs, and the count of epochs goes with the
//! batch that takes the last example. Called by the tool, by C hosts and by whoever feeds a network.

mod ahead;
mod batch;
#[allow(clippy::module_inception)]
mod dataset;
mod file;
mod list;
mod reader;
mod sequence;
mod stream;
mod transform;

pub use batch::{Batch, Top};
pub use dataset::{Dataset, Options, Shuffle};
pub use stream::Stream;
pub use transform::Transform;

#[cfg(test)]
mod tests;
