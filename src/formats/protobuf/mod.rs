//! Protobuf on the wire, and what may be spent on decoding it: shared by the formats that are kept in it.

mod budget;
mod wire;

pub(super) use budget::Budget;
pub(super) use wire::{Fields, Runs, joined, varints};
