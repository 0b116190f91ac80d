//! A batch normalisation, or a scale of channels, behind the dense layer or convolution that makes its value is taken into
//! the weights and the bias of that layer: `scale·(x·W + b − mean) + shift = x·(scale·W) + (scale·(b − mean) + shift)`. It moves
//! roundings, not more than the layer's own.

use super::draft::Draft;
use crate::{
    describe::{Node, Op, SlotId},
    plan::derived::{Derived, Norm},
};

/// How many normalisations went.
pub fn run(draft: &mut Draft) -> usize {
    draft.places().filter(|&at| fold(draft, at).is_some()).count()
}

/// What a layer multiplies each channel by and adds to it; how many channels there are.
pub fn norm(node: &Node) -> Option<(Norm, usize)> {
    match (&node.op, node.slots.as_slice()) {
        (Op::BatchNorm { features, epsilon, affine: true, .. }, &[weight, bias, mean, variance]) => Some((
            Norm { weight: Some(weight), bias: Some(bias), statistics: Some((mean, variance, *epsilon)) },
            *features,
        )),
        (Op::BatchNorm { features, epsilon, affine: false, .. }, &[mean, variance]) => {
            Some((Norm { weight: None, bias: None, statistics: Some((mean, variance, *epsilon)) }, *features))
        }
        (Op::Scale { shape }, &[weight]) => match **shape {
            [features] => Some((Norm { weight: Some(weight), bias: None, statistics: None }, features)),
            _ => None,
        },
        _ => None,
    }
}

/// The channels a layer makes, and the groups of them if its weight holds those of one group alone on its last axis.
fn channels(op: &Op) -> Option<(usize, usize, usize)> {
    match op {
        Op::Dense { inputs, outputs, .. } => Some((*inputs, *outputs, 1)),
        Op::Conv(conv) => Some((conv.inputs, conv.outputs, 1)),
        Op::ConvTranspose { conv, .. } => Some((conv.inputs, conv.outputs, conv.groups)),
        _ => None,
    }
}

fn fold(draft: &mut Draft, at: usize) -> Option<()> {
    let node = draft.node(at)?;
    let (norm, features) = norm(node)?;
    let value = *node.inputs.first()?;
    let before = draft.maker(value).filter(|_| draft.user(value) == Some(at))?;
    let layer = draft.node(before)?;
    let (inputs, outputs, groups) = channels(&layer.op)?;
    (outputs == features && draft.shape(node.output) == draft.shape(value)).then_some(())?;
    let mut op = layer.op.clone();
    let (&weight, bias) = (layer.slots.first()?, layer.slots.get(1).copied());
    *bias_of(&mut op)? = true;
    let slots = scaled(draft, &norm, weight, bias, features, [inputs, groups]);
    let gone = draft.take(at)?;
    let layer = draft.take(before)?;
    draft.put(before, Node { op, slots, output: gone.output, ..layer });
    draft.fold_in(before, &gone.name, at);
    Some(())
}

fn scaled(
    draft: &mut Draft,
    norm: &Norm,
    weight: SlotId,
    bias: Option<SlotId>,
    features: usize,
    [inputs, groups]: [usize; 2],
) -> Vec<SlotId> {
    let shape = draft.slot(weight).to_vec();
    let columns = Derived::Columns { slot: weight, norm: *norm, inputs, groups };
    vec![
        draft.derive(weight, shape, columns),
        draft.derive(weight, vec![features], Derived::Shifted { bias, norm: *norm }),
    ]
}

/// Whether a layer has a bias.
pub fn bias_of(op: &mut Op) -> Option<&mut bool> {
    match op {
        Op::Dense { bias, .. } => Some(bias),
        Op::Conv(conv) | Op::ConvTranspose { conv, .. } => Some(&mut conv.bias),
        _ => None,
    }
}
