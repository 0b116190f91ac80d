//! Layers in words: what a network is made of, without a number.
//!
//! A [`Description`] is text made into a list of layers; [`Graph`] is what remains when every word, attribute, connection and
//! shape has been checked. `words` holds one row per layer word; `text` reads and prints JSON; `torch` lowers PyTorch's words.

mod description;
mod graph;
mod op;

pub use description::{Attribute, Description, Form, Input, Layer, Layout, Output, Position, Value};
pub use graph::{Graph, GraphValue, Node, Port, Role, Slot, SlotId, ValueId};
pub use op::{
    Binary, Border, Conv, Divisor, Op, PadMode, PoolKind, ReduceKind, Unary, UpsampleMode, UpsampleSize, Window,
};
