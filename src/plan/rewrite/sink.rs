//! Permutes are moved behind layers that look at every number by itself, or at the channels where these stay last: towards
//! the next permute, which cancels them, or the next dense layer, which takes them in. The layer then follows directly on
//! the one that makes its value, which does its work on the way.

use super::draft::Draft;
use crate::describe::{Node, Op, ValueId};

/// How many permutes were moved by one layer.
pub fn run(draft: &mut Draft) -> usize {
    draft.places().filter(|&at| sink(draft, at).is_some()).count()
}

/// The order of a permute's axes.
pub fn order(node: &Node) -> Option<Vec<usize>> {
    let Op::Permute { axes } = &node.op else { return None };
    axes.iter().map(|&axis| usize::try_from(axis).ok().filter(|&axis| axis < axes.len())).collect()
}

/// Moves the permutes that are the operands of the layer at `at` behind it.
fn sink(draft: &mut Draft, at: usize) -> Option<()> {
    let layer = draft.node(at)?;
    let first = draft.made_by(*layer.inputs.first()?)?;
    let order = order(first)?;
    let stays = order.last() == Some(&order.len().checked_sub(1)?);
    let op = match &layer.op {
        Op::Unary(_) | Op::Prelu { features: 1 } | Op::Binary(_) => layer.op.clone(),
        Op::BatchNorm { .. } | Op::Prelu { .. } if stays => layer.op.clone(),
        Op::Scale { shape } | Op::PositionTable { shape } if stays && shape.len() <= 1 => layer.op.clone(),
        Op::Concat { axis } => Op::Concat { axis: *order.get(usize::try_from(*axis).ok()?)? as i64 },
        _ => return None,
    };
    let permutes = layer.inputs.iter().map(|&value| permute(draft, value, at, &order)).collect::<Option<Vec<_>>>()?;
    let from: Vec<ValueId> =
        permutes.iter().map(|&permute| Some(draft.node(permute)?.inputs[0])).collect::<Option<_>>()?;
    let made = draft.shape(layer.output);
    let mut shape = vec![0; order.len()];
    (made.len() == order.len()).then_some(())?;
    order.iter().zip(made).for_each(|(&axis, &length)| shape[axis] = length);
    let place = permutes.iter().copied().max()?;
    let mut moved = None;
    for permute in permutes {
        moved = draft.take(permute).or(moved);
    }
    let (layer, moved) = (draft.take(at)?, moved?);
    let value = draft.value_like(layer.output, shape);
    draft.put(at, Node { inputs: vec![value], output: layer.output, ..moved });
    draft.put(place, Node { op, inputs: from, output: value, ..layer });
    Some(())
}

/// The place of the permute by `order` that makes an operand which the layer at `at` takes alone.
fn permute(draft: &Draft, value: ValueId, at: usize, wanted: &[usize]) -> Option<usize> {
    let permute = draft.maker(value)?;
    let same = order(draft.node(permute)?)? == wanted;
    (same && draft.user(value) == Some(at)).then_some(permute)
}
