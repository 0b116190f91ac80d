//! ONNX files: a protobuf message of a graph, its operators and its numbers, and files of numbers beside it.
//!
//! Only what a graph is made of is decoded; unknown fields are passed over. `prost` would do it in fewer lines, but makes a
//! structure of hundreds of bytes of a message of two, so that a small file could take any memory: `formats::protobuf` walks the
//! bytes instead, names are the only thing that is copied, numbers stay where they lie, and a budget by the length of the file holds
//! what is made of it. Graphs within attributes (the bodies of `If`, `Loop`, `Scan`) are not entered at all: no file is deep.
//! `model`, `graph`, `node` and `tensor` each read a message; `data` finds the numbers of a tensor, `external` those in files
//! beside the graph. Called by `import::onnx`. `write` is the way back.

mod data;
mod external;
mod graph;
mod model;
mod node;
mod tensor;
#[cfg(test)]
mod tests;
pub mod write;

pub use data::{Data, Sound};
pub use external::Beside;
pub use graph::{Dim, Graph, Port};
pub use model::{Model, recognises};
pub use node::{Attribute, Node, Setting};
pub use tensor::{Stored, dtype};
