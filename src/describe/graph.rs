//! A checked description: typed operations in running order over numbered values, and the slots they take.
//!
//! Made once by `Graph::of`; the network fills its slots, the plan turns its nodes into steps.

use super::Op;
use crate::tensor::DType;

/// Number of a value in [`Graph::values`].
pub type ValueId = usize;

/// Number of a slot in [`Graph::slots`].
pub type SlotId = usize;

/// A description whose words, attributes, connections and shapes have been checked.
#[derive(Clone, Debug)]
pub struct Graph {
    /// All values.
    pub values: Vec<GraphValue>,
    /// All layers, in an order in which they can run (the written order where that is one).
    pub nodes: Vec<Node>,
    /// Inputs, in the order of the description.
    pub inputs: Vec<Port>,
    /// Outputs, in the order of the description.
    pub outputs: Vec<Port>,
    /// Slots, in the order of the layers as written; a path shared by several layers stands once.
    pub slots: Vec<Slot>,
    /// Whether the order of running is known; if not, there are nodes and slots but no way to run.
    pub runs: bool,
}

/// A value between layers.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphValue {
    /// Element type: F32, or I64/I32 for an input of whole numbers.
    pub dtype: DType,
    /// Shape of one example; a free length is none; unknown as a whole if nothing says it.
    pub shape: Option<Vec<Option<usize>>>,
    /// False for a constant: it has no batch axis and is the same for every example.
    pub batched: bool,
}

impl GraphValue {
    /// The shape of one example, if every length is known.
    pub fn known(&self) -> Option<Vec<usize>> {
        self.shape.as_ref()?.iter().copied().collect()
    }
}

/// A layer that runs.
#[derive(Clone, Debug)]
pub struct Node {
    /// Name of the layer.
    pub name: String,
    /// What it computes; borders are explicit and −1 lengths replaced wherever the lengths are known.
    pub op: Op,
    /// Values it takes.
    pub inputs: Vec<ValueId>,
    /// The value it makes.
    pub output: ValueId,
    /// Its slots, in the order the operation names them.
    pub slots: Vec<SlotId>,
    /// Number of the layer in the description.
    pub layer: usize,
}

/// An input or output.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: ValueId,
}

/// A place for numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Dotted path, e.g. `0.weight`.
    pub path: String,
    /// What it is for.
    pub role: Role,
    /// Shape in the canonical layout.
    pub shape: Vec<usize>,
}

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Role {
    /// Trained.
    Parameter = 1,
    /// Moved by the forward pass in training, fixed otherwise.
    Statistic = 2,
}
