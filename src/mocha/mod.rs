//! Mocha's networks evaluated whole: losses, statistics and what draws numbers, in single or double precision.
//!
//! A session runs what leads to outputs, fast and in single precision, and never mixes examples. Here every layer of
//! [`describe::mocha`](crate::describe::mocha) runs as Mocha runs it forward, on blobs with their batch among the axes, slowest
//! first. Totals are kept in double precision; a network of singles has the numbers of its blobs and parameters rounded
//! to singles.
//!
//! ```text
//! net, entries ─fit─▶ parameters ─┐
//! blobs from outside, draws ──────┴─evaluation─▶ blobs, losses, statistics, outputs
//!                                     └ run ─ compute: a function for each layer   loss, statistics
//! ```
//!
//! Called by the tool (`evaluate`); `fit` by the import of Mocha's files as well.

mod blob;
mod classes;
mod compute;
mod draws;
mod evaluation;
mod fit;
mod loss;
mod output;
mod run;
mod statistics;

pub use blob::Blob;
pub use draws::Draws;
pub use evaluation::{Element, Evaluation};
pub use fit::{Fitted, fit};
pub use statistics::Statistic;
