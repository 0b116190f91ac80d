//! Kernels and dense weights.

use crate::{
    describe::{Graph, Op},
    network::Turn,
};

/// The turn of each slot as far as its own layer tells it.
pub(in crate::import) fn turns(graph: &Graph) -> Vec<Turn> {
    let mut turns: Vec<Turn> = graph.slots.iter().map(|slot| Turn::none(&slot.shape)).collect();
    for node in &graph.nodes {
        let Some(&weight) = node.slots.first() else { continue };
        let shape = &graph.slots[weight].shape;
        let axes: Vec<usize> = match &node.op {
            Op::Dense { .. } => vec![1, 0],
            // [out, in, k…]
            Op::Conv(_) => (2..shape.len()).chain([1, 0]).collect(),
            // [in, out, k…]
            Op::ConvTranspose { .. } => (2..shape.len()).chain([0, 1]).collect(),
            _ => continue,
        };
        if axes.len() == shape.len() {
            let mut written = vec![0; shape.len()];
            axes.iter().zip(shape).for_each(|(&axis, &length)| written[axis] = length);
            turns[weight] = Turn::new(&written, &written, axes, shape);
        }
    }
    turns
}
