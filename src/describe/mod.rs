//! Layers in words: what a network is made of, without a number.
//!
//! A [`Description`] is text made into a list of layers; [`Graph`] is what remains when every word, attribute, connection and
//! shape has been checked. `words` holds one row per layer word; `text` reads and prints JSON; `torch` lowers PyTorch's words, `mocha`
//! reads and lowers Mocha's.

mod args;
mod check;
mod description;
mod dot;
mod graph;
mod lower;
pub(crate) mod lowering;
pub mod mocha;
mod op;
mod place;
mod shapes;
mod slots;
mod spell;
#[cfg(test)]
mod tests;
mod text;
mod torch;
mod words;

pub use description::{Attribute, Description, Form, Input, Layer, Layout, Output, Position, Value};
pub use dot::dot;
pub use graph::{Graph, GraphValue, Node, Port, Role, Slot, SlotId, ValueId};
pub use lower::{Ports, lower};
pub use op::{
    Binary, Border, Conv, Divisor, Op, PadMode, PoolKind, ReduceKind, Unary, UpsampleMode, UpsampleSize, Window,
};
pub use slots::OpSlot;
pub use text::{parse, print};
pub use torch::kinds as torch_words;
pub use words::{Absent, LONGEST, Setting, Takes, Word, nearest, word, words};

pub(crate) use check::{MOST_AXES, round, running};
pub(crate) use lower::{counted, fits, unlike, unused};
pub(crate) use place::at;
pub(crate) use spell::spell as spelled;
