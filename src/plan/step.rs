//! The steps of a plan and what they work on.

use super::{derived::Derived, weights::Number};
use crate::{
    kernels::{Kernel, Precision},
    tensor::DType,
};
use std::sync::Arc;

/// A network compiled for one precision. Holds no number of the network itself but the constants of its description.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In which precision sums are gathered.
    pub precision: Precision,
    /// The steps in running order.
    pub steps: Vec<Step>,
    /// What the steps write, and the inputs of singles.
    pub buffers: Vec<Buffer>,
    /// Numbers of one example of each input of whole numbers.
    pub whole: Vec<usize>,
    /// What the steps read of the network.
    pub(super) numbers: Vec<Number>,
    /// The plan whose outputs are the first slots after the network's own.
    pub(super) constants: Option<Box<Plan>>,
    /// The slots after those, each from ones before it.
    pub(super) derived: Vec<Derived>,
    /// Whether layers have gone: then no step has a tap.
    pub is_rewritten: bool,
    /// The inputs.
    pub inputs: Vec<PlanPort>,
    /// The outputs.
    pub outputs: Vec<PlanPort>,
    /// Working memory of one thread, in singles.
    pub scratch: usize,
}

/// An input or output.
#[derive(Clone, Debug)]
pub struct PlanPort {
    /// Its name.
    pub name: String,
    /// Shape of one example.
    pub shape: Vec<usize>,
    /// Element type.
    pub dtype: DType,
    /// Where it lies.
    pub place: Place,
}

/// Where numbers lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a buffer of the session.
    Buffer(usize),
    /// Among the network's numbers.
    Number(usize),
    /// Among the session's whole numbers.
    Whole(usize),
}

/// A run of singles that lives from one step to another.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Numbers of one example.
    pub each: usize,
    /// Whether there are as many of them as examples, or one for all.
    pub batched: bool,
    /// Whether it is an input or an output.
    pub port: bool,
    /// The step that writes it first; inputs: none.
    pub first: Option<usize>,
    /// The last step that uses it; outputs, and inputs nobody uses: none.
    pub last: Option<usize>,
    /// The layer it belongs to, for messages.
    pub layer: String,
}

impl Buffer {
    /// Its numbers for so many examples.
    pub fn count(&self, batch: usize) -> usize {
        self.each * if self.batched { batch } else { 1 }
    }
}

/// A step: a kernel with its operands.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is computed; none if the value lies in place already and is only looked at.
    pub kernel: Option<Arc<Kernel>>,
    /// The kernel's operands, without the buffer it changes if it changes one; at most
    /// [`Call::OPERANDS`](crate::kernels::Call::OPERANDS).
    pub inputs: Vec<Place>,
    /// The buffer it writes.
    pub output: usize,
    /// The layer it works for.
    pub layer: String,
    /// Shape of one example of what it makes.
    pub shape: Vec<usize>,
    /// The output may be cut at multiples of so many numbers within an example, and between examples.
    pub grain: usize,
    /// About how many multiplications go into a number.
    pub cost: usize,
    /// Later steps that change the same buffer number by number, and that this one does on the way unless layers are
    /// looked at.
    pub after: Vec<usize>,
    /// Whether it stands in an earlier step's `after`.
    pub joined: bool,
    /// Whether its rows are parts of the rows of its output, which other steps fill up.
    pub within: bool,
    /// Said when the step is done, of the last step of a layer.
    pub tap: Option<Tap>,
    /// Names of the layers whose work is done with the numbers of this one.
    pub folded: Vec<String>,
}

/// A layer's value.
#[derive(Clone, Debug)]
pub struct Tap {
    /// Number of the layer in the description.
    pub layer: usize,
    /// Where the value lies.
    pub place: Place,
    /// Shape with the batch, which stands first and is 1 here.
    pub shape: Vec<usize>,
    /// Whether there are as many values as examples.
    pub batched: bool,
}
