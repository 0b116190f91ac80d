//! A network: a checked description whose slots hold numbers.
//!
//! Numbers come in through one door, [`load`], all or none. [`Turn`] says how a file keeps a slot. A [`Network`] never
//! changes: other numbers make another network. Importers and hosts build it, the plan compiles it, savers read it.

mod entry;
mod load;
#[allow(clippy::module_inception)]
mod network;
mod turn;

pub use entry::{Entry, Listed};
pub use load::load;
pub(crate) use load::named;
pub use network::Network;
pub use turn::Turn;
