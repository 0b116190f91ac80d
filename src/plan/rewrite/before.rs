//! A batch normalisation that no layer before takes in is taken into the dense layer or convolution behind it:
//! `(scale·(x − mean) + shift)·W + b = x·(scale·W) + (b + (shift − scale·mean)·W)`.
//!
//! Only where the convolution adds no border, whose noughts would have been normalised. And only where a function of small
//! reach made the numbers: those of an input may lie so far from nought that their mean has to be taken away first.

use super::{
    after::{bias_of, norm},
    draft::Draft,
};
use crate::{
    describe::{Border, Node, Op, Unary, ValueId},
    plan::derived::Derived,
};

/// Layers that are looked back through for the function that made the numbers.
const BACK: usize = 4;

/// How many normalisations went.
pub fn run(draft: &mut Draft) -> usize {
    draft.places().filter(|&at| fold(draft, at).is_some()).count()
}

fn fold(draft: &mut Draft, at: usize) -> Option<()> {
    let node = draft.node(at)?;
    let (norm, features) = norm(node)?;
    let (input, output) = (*node.inputs.first()?, node.output);
    (norm.statistics.is_some() && is_near(draft, input)).then_some(())?;
    let mut behind = draft.user(output)?;
    let mut between = None;
    if let Some(reshape) = draft.node(behind).filter(|node| matches!(node.op, Op::Reshape { .. })) {
        between = Some(behind);
        behind = draft.user(reshape.output)?;
    }
    let layer = draft.node(behind)?;
    let (ins, outs, groups) = match &layer.op {
        Op::Dense { inputs, outputs, .. } if inputs % features.max(1) == 0 => (features, *outputs, 1),
        Op::Conv(conv) if between.is_none() && conv.inputs == features && has_no_border(&conv.window.border) => {
            (conv.inputs / conv.groups.max(1), conv.outputs, conv.groups)
        }
        _ => return None,
    };
    // The channels of a reshape to other rows would not be those of the layer.
    let rows = draft.shape(*layer.inputs.first()?).last()?;
    (between.is_none() || rows % features.max(1) == 0).then_some(())?;
    let (weight, bias, mut op) = (*layer.slots.first()?, layer.slots.get(1).copied(), layer.op.clone());
    *bias_of(&mut op)? = true;
    let shape = draft.slot(weight).to_vec();
    let scaled = draft.derive(weight, shape, Derived::Rows { slot: weight, norm, inputs: ins, groups });
    let moved = draft.derive(weight, vec![outs], Derived::Through { weight, bias, norm, inputs: ins, groups });
    draft.set_op(behind, op);
    draft.set_slots(behind, vec![scaled, moved]);
    let gone = draft.take(at)?;
    draft.pass_on(output, input);
    draft.fold_in(behind, &gone.name, at);
    Some(())
}

fn has_no_border(border: &Border) -> bool {
    matches!(border, Border::Explicit(border) if border.iter().all(|border| *border == [0, 0]))
}

/// Whether a value comes from a function that keeps numbers near nought.
fn is_near(draft: &Draft, mut value: ValueId) -> bool {
    for _ in 0..BACK {
        let Some(Node { op, inputs, .. }) = draft.made_by(value) else { return false };
        match op {
            Op::Unary(function) => {
                return !matches!(
                    function,
                    Unary::Exp | Unary::Log | Unary::Sqrt | Unary::Abs | Unary::Power { .. } | Unary::Threshold { .. }
                );
            }
            Op::Prelu { .. } => return true,
            Op::Pool { .. } | Op::AdaptivePool { .. } | Op::GlobalPool { .. } | Op::Reshape { .. } => {
                let Some(&input) = inputs.first() else { return false };
                value = input;
            }
            _ => return false,
        }
    }
    false
}
