//! Networks in Mocha's words: layers that take and make blobs by name.
//!
//! ```text
//! description ─▶ net  settings by `table` and `read`, connections and order by `topology`
//!                 ├─▶ shapes   of blobs and parameters, the batch among the axes
//!                 ├─▶ lower    in PyTorch's words, for a session
//!                 └─▶ listing, dot   for people
//! ```
//!
//! Mocha is written in Julia: its shapes are reversed here, so that the bytes are the same, and images are
//! `[batch, channels, height, width]`. Losses and statistics do not run in a session; the module `mocha` of the crate evaluates
//! whole networks. Called by [`super::lower`], by the import of Mocha's files and by that evaluation.

mod dot;
mod kind;
mod listing;
mod lower;
mod net;
mod read;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
mod topology;

pub use kind::{
    Classes, Divisor, Feed, Initial, Kind, Loss, Neuron, Normalize, Numbers, Pool, Transformer, Window, axis,
};
pub use net::{Net, NetLayer};
pub use shapes::{Parameter, Shaped, Shapes};
pub use table::kinds;

pub(super) use lower::lower;
pub(crate) use lower::with_examples;
