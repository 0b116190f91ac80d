//! Which function writes which operation.

use super::{
    axes, draft::Draft, draft::Numbers, draft::Value, function, layer::Layer, linear, norm, places, pool, window,
};
use crate::describe::{Node, Op};

/// Writes a layer; what can not be expressed is a fault, and its value is not there.
pub(super) fn write(draft: &mut Draft<'_>, node: &Node) {
    let before = draft.nodes.len();
    let Some(made) = made(&mut Layer { draft, node }) else {
        // So that the layers behind it are looked at, too.
        let shape = draft.graph().values[node.output].shape.as_ref();
        let order = shape.map(|lengths| (0..lengths.len()).collect());
        let id = draft.empty();
        return draft.set(node.output, Value { id, order });
    };
    // What its last node makes is called by the layer's name.
    if draft.nodes.len() > before && draft.nodes.iter().skip(before).any(|node| node.output == made.id) {
        draft.rename(made.id, &node.name);
    }
    draft.set(node.output, made);
}

fn made(layer: &mut Layer<'_, '_>) -> Option<Value> {
    match &layer.node.op {
        Op::Identity => layer.input(0),
        Op::Constant { shape, values } => {
            let shape: Vec<usize> = [&[1], &shape[..]].concat();
            let order = Some((0..shape.len() - 1).collect());
            let numbers = Numbers::Singles { shape, numbers: values.clone() };
            let name = layer.node.name.clone();
            Some(Value { id: layer.draft.tensor(&name, numbers), order })
        }
        Op::Parameter { shape } => {
            let lengths: Vec<usize> = [&[1], &shape[..]].concat();
            let (slot, rank) = (layer.node.slots[0], lengths.len());
            let id = layer.draft.slot(slot, lengths, (0..rank).collect());
            Some(Value { id, order: Some((0..rank - 1).collect()) })
        }
        Op::Dense { bias, .. } => linear::dense(layer, *bias),
        Op::MatMul => linear::matmul(layer),
        Op::Where => function::choice(layer),
        Op::Scale { .. } => linear::beside(layer, "Mul"),
        Op::PositionTable { .. } => linear::beside(layer, "Add"),
        Op::Prelu { .. } => linear::beside(layer, "PRelu"),
        Op::Embedding { .. } => linear::embedding(layer),
        Op::Conv(conv) => window::conv(layer, conv),
        Op::ConvTranspose { conv, extra } => window::transpose(layer, conv, extra),
        Op::Pool { kind, window } => pool::pool(layer, *kind, window),
        Op::AdaptivePool { max, places } => pool::adaptive(layer, *max, places),
        Op::GlobalPool { max, dims, keep } => pool::global(layer, *max, *dims, *keep),
        Op::BatchNorm { features, epsilon, affine, .. } => norm::batch(layer, *features, *epsilon, *affine),
        Op::LayerNorm { shape, epsilon, weight, bias } => norm::layer(layer, shape, *epsilon, *weight, *bias),
        Op::GroupNorm { groups, features, epsilon, affine } => {
            norm::group(layer, *groups, *features, *epsilon, *affine)
        }
        Op::Lrn { across, size, later, alpha, beta, k, mean } => {
            let [before, after] = if *later { [(size - 1) / 2, size / 2] } else { [size / 2, (size - 1) / 2] };
            norm::lrn(
                layer,
                &norm::Lrn { across: *across, before, after, alpha: *alpha, beta: *beta, k: *k, mean: *mean },
            )
        }
        Op::Softmax { axis, log } => norm::softmax(layer, *axis, *log),
        Op::L2Normalize { axis, epsilon } => norm::length(layer, *axis, *epsilon),
        Op::Unary(unary) => function::unary(layer, *unary),
        Op::Binary(binary) => function::binary(layer, *binary),
        Op::Concat { axis } => axes::concat(layer, *axis),
        Op::Permute { axes } => axes::permute(layer, axes),
        Op::Flatten { start, end } => axes::flatten(layer, *start, *end),
        Op::Reshape { each } => axes::reshape(layer, each),
        Op::Squeeze { axes } => axes::squeeze(layer, axes),
        Op::Unsqueeze { axes } => axes::unsqueeze(layer, axes),
        Op::Slice { axis, start, end, step } => axes::slice(layer, *axis, *start, *end, *step),
        Op::Reduce { kind, axes, keep } => axes::reduce(layer, *kind, axes, *keep),
        Op::Pad { border, mode } => places::pad(layer, border, *mode),
        Op::Upsample { dims, size, mode } => places::upsample(layer, *dims, size, *mode),
    }
}
