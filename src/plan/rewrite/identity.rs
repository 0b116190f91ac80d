//! Layers that give on what they get are removed: identity and dropout, a permute of axes that stay in order, a reshape to
//! the same shape, a slice of the whole axis, a border of nothing, a join of one operand.
//!
//! Layers that only say the shape anew become one kind, `Reshape`, and one after another takes the value of the first.

use super::draft::Draft;
use crate::describe::{Node, Op};

/// How many layers went or became simpler.
pub fn run(draft: &mut Draft) -> usize {
    let mut changes = 0;
    for at in draft.places() {
        let Some(node) = draft.node(at) else { continue };
        let [input] = *node.inputs else { continue };
        let output = node.output;
        if gives_on(draft, node) {
            draft.take(at);
            draft.pass_on(output, input);
            changes += 1;
        } else if is_reshape(&node.op) || moves_ones(draft, node) {
            changes += usize::from(reshape(draft, at).is_some());
        }
    }
    changes
}

/// Whether an operation only says a shape anew.
fn is_reshape(op: &Op) -> bool {
    matches!(op, Op::Flatten { .. } | Op::Reshape { .. } | Op::Squeeze { .. } | Op::Unsqueeze { .. })
}

fn gives_on(draft: &Draft, node: &Node) -> bool {
    let (from, to) = (draft.shape(node.inputs[0]), draft.shape(node.output));
    match &node.op {
        Op::Identity => true,
        Op::Permute { axes } => axes.iter().zip(0..).all(|(&axis, place)| axis == place),
        Op::Slice { start: 0, step: 1, .. } | Op::Concat { .. } => from == to,
        Op::Pad { border, .. } => border.iter().all(|border| *border == [0, 0]),
        op => is_reshape(op) && from == to,
    }
}

/// Whether a permute moves axes of length one alone.
fn moves_ones(draft: &Draft, node: &Node) -> bool {
    let Op::Permute { axes } = &node.op else { return false };
    let shape = draft.shape(node.inputs[0]);
    let long = axes.iter().filter(|axis| usize::try_from(**axis).ok().and_then(|axis| shape.get(axis)) != Some(&1));
    long.is_sorted()
}

/// Makes a layer a reshape of what the reshapes before it got.
fn reshape(draft: &mut Draft, at: usize) -> Option<()> {
    let node = draft.node(at)?;
    let each = draft.shape(node.output).iter().map(|&length| i64::try_from(length).ok());
    let op = Op::Reshape { each: each.collect::<Option<_>>()? };
    let before = draft.made_by(node.inputs[0]).filter(|before| is_reshape(&before.op));
    let input = before.map_or(node.inputs[0], |before| before.inputs[0]);
    if node.op == op && node.inputs[0] == input {
        return None;
    }
    let node = draft.take(at)?;
    draft.put(at, Node { op, inputs: vec![input], ..node });
    Some(())
}
