//! How PyTorch orders the numbers of a slot, told by the layer that holds it and never by a shape.
//!
//! Kernels are turned wherever they stand. A description in PyTorch's own words needs nothing more: it was lowered with
//! PyTorch's order of axes. One in Pontil's words is channels last, so a flatten gives its row in another order than
//! PyTorch's; the dense layer that reads it, and a normalisation between, keep their numbers in PyTorch's order of that row.
//! `flow` finds out which rows those are by walking the layers, `code` by what the host states where no order is known.

mod code;
mod file;
mod flow;
mod fold;
mod kernel;
mod row;

pub(super) use file::{BeforeZip, SinceZip};
pub(super) use fold::{advice, fold};
pub(super) use kernel::turns as kernels;

use crate::{
    describe::{Description, Form, Graph, Op},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    network::Turn,
};
use std::collections::HashSet;

/// What the host says about shapes.
pub(super) struct Stated<'a> {
    /// Shapes handed to flattens, by path.
    pub flattened: &'a [(String, Vec<usize>)],
    /// Shape of one example.
    pub example: Option<&'a [usize]>,
    /// Whether the host wants its ports channels first.
    pub channels_first: bool,
}

/// The turn of each slot. `written` is the description as the host gave it, `lowered` the one `graph` was made of.
pub(super) fn turns(
    graph: &Graph,
    written: &Description,
    lowered: &Description,
    stated: &Stated<'_>,
    faults: &mut Faults,
) -> Result<Vec<Turn>, Refused> {
    let mark = faults.mark();
    let mut turns = kernel::turns(graph);
    if matches!(written.form, Form::Torch | Form::Mocha) {
        for (path, _) in stated.flattened {
            let message =
                "a network in PyTorch's or Mocha's words has its flattens in their order: nothing is to be stated.";
            faults.push(misuse(path, message));
        }
    } else if graph.runs {
        flow::turn(graph, stated, &mut turns, faults);
    } else {
        code::turn(graph, lowered, stated, &mut turns, faults);
    }
    faults.refused_since(mark)?;
    Ok(turns)
}

/// The counters of batch normalisations, which are in a state dict and in no network.
pub(super) fn counters(graph: &Graph) -> HashSet<Vec<u8>> {
    let norms = graph.nodes.iter().filter(|node| matches!(node.op, Op::BatchNorm { .. }));
    let slots = norms.filter_map(|node| Some(&graph.slots[*node.slots.first()?].path));
    let counter =
        |path: &String| path.rsplit_once('.').map(|(layer, _)| format!("{layer}.num_batches_tracked").into_bytes());
    slots.filter_map(counter).collect()
}

/// Whether a path is that of something a state dict holds beside the numbers of layers: what a module keeps for itself
/// (`_extra_state`), and how many states an average was made of.
pub(super) fn is_beside(path: &[u8]) -> bool {
    path == b"n_averaged" || path.split(|&byte| byte == b'.').any(|part| part == EXTRA)
}

/// The key of what a module keeps for itself.
const EXTRA: &[u8] = b"_extra_state";

/// A mistake of the host in what it stated of a path.
fn misuse(path: &str, message: &str) -> Fault {
    Fault::new(Code::Value, format!("flattened '{}': {message}", quoted_str(path))).path(path)
}

#[cfg(test)]
mod tests;
