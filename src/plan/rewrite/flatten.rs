//! A permute in front of a flatten is taken into the dense layers behind it: the rows of their weights are put in the order
//! that the numbers have without the permute, and so are the numbers of what lies between, which looks at each feature by
//! itself or at all of them. Sums then run in another order.
//!
//! ```text
//! permute ─ reshape ─ (function, normalisation, scale …)* ─ dense     becomes     reshape ─ (…)* ─ dense'
//! ```

use super::{draft::Draft, sink::order};
use crate::{
    describe::{Op, SlotId, ValueId},
    plan::derived::Derived,
};

/// How many permutes went.
pub fn run(draft: &mut Draft) -> usize {
    draft.places().filter(|&at| fold(draft, at).is_some()).count()
}

/// How the features of one reshape lie: the permuted axes that became them.
#[derive(Clone)]
struct Features {
    /// Lengths of those axes before the permute.
    lengths: Vec<usize>,
    /// The order the permute puts them in.
    order: Vec<usize>,
}

impl Features {
    fn count(&self) -> usize {
        self.lengths.iter().product()
    }
}

fn fold(draft: &mut Draft, at: usize) -> Option<()> {
    let node = draft.node(at)?;
    let (input, output, order) = (*node.inputs.first()?, node.output, order(node)?);
    if draft.is_output(output) {
        return None;
    }
    let mut turns = Vec::new();
    for reshape in draft.users(output) {
        let node = draft.node(reshape)?;
        matches!(node.op, Op::Reshape { .. }).then_some(())?;
        let features = features(draft.shape(input), &order, *draft.shape(node.output).last()?)?;
        behind(draft, node.output, &features, &mut turns)?;
    }
    let gone = draft.take(at)?;
    draft.pass_on(output, input);
    for (layer, features) in turns {
        let slots = draft.node(layer)?.slots.clone();
        let op = draft.node(layer)?.op.clone();
        let turned = slots.iter().enumerate().map(|(number, &slot)| match (&op, number) {
            (Op::Dense { .. }, 1) => slot,
            _ => turned(draft, slot, &features),
        });
        let turned = turned.collect();
        draft.set_slots(layer, turned);
        if matches!(op, Op::Dense { .. }) {
            draft.fold_in(layer, &gone.name, at);
        }
    }
    Some(())
}

/// The last permuted axes, which together are `count` numbers and stay among themselves.
fn features(shape: &[usize], order: &[usize], count: usize) -> Option<Features> {
    (0..shape.len()).rev().find_map(|first| {
        let (before, after) = (order.get(..first)?, order.get(first..)?);
        let stays = before.iter().enumerate().all(|(place, &axis)| place == axis);
        let features = Features {
            lengths: shape[first..].to_vec(),
            order: after.iter().map(|axis| axis.checked_sub(first)).collect::<Option<_>>()?,
        };
        (stays && features.count() == count).then_some(features)
    })
}

/// Gathers the layers behind a value that would turn their numbers; none if one of them can not.
fn behind(draft: &Draft, value: ValueId, features: &Features, turns: &mut Vec<(usize, Features)>) -> Option<()> {
    let (count, mut values) = (features.count(), vec![value]);
    while let Some(value) = values.pop() {
        if draft.is_output(value) {
            return None;
        }
        for at in draft.users(value) {
            let node = draft.node(at)?;
            let ends = matches!(&node.op, Op::Dense { inputs, .. } if *inputs == count);
            match &node.op {
                Op::Dense { .. } if ends => turns.push((at, features.clone())),
                Op::Unary(_) | Op::Prelu { features: 1 } => {}
                Op::BatchNorm { features: own, .. } | Op::Prelu { features: own } if *own == count => {
                    turns.push((at, features.clone()));
                }
                Op::Scale { shape } | Op::PositionTable { shape } | Op::LayerNorm { shape, .. }
                    if **shape == [count] =>
                {
                    turns.push((at, features.clone()));
                }
                _ => return None,
            }
            if !ends {
                values.push(node.output);
            }
        }
    }
    Some(())
}

/// The slot with its first axis in the order of before the permute.
fn turned(draft: &mut Draft, slot: SlotId, features: &Features) -> SlotId {
    let Features { lengths, order } = features.clone();
    let shape = draft.slot(slot).to_vec();
    draft.derive(slot, shape, Derived::Turned { slot, lengths, order })
}
