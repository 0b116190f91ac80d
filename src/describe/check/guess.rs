//! The shape of an input nobody stated, from the first layer that tells it.

use super::Made;
use super::connect::Wiring;
use crate::describe::Op;
use crate::describe::shapes::Lengths;
use crate::tensor::DType;

/// For each value the first layer, as written, that takes it before any other.
pub(super) fn first_readers(wiring: &Wiring) -> Vec<Option<usize>> {
    let mut readers = vec![None; wiring.inputs.len() + wiring.sources.len()];
    for (layer, sources) in wiring.sources.iter().enumerate() {
        if let Some(&Some(value)) = sources.first() {
            readers[value].get_or_insert(layer);
        }
    }
    readers
}

/// Follows an input through layers that keep a shape to the first that tells one. Also the element type it must have.
pub(super) fn guess(input: usize, ops: &[Option<Made>], readers: &[Option<usize>]) -> (Option<Lengths>, DType) {
    let channels = |dims: usize, channels: Option<usize>| [vec![None; dims], vec![channels]].concat();
    let inputs = readers.len() - ops.len();
    let (mut value, mut features) = (input, None);
    let mut steps = 0..ops.len();
    while let (Some(layer), Some(_)) = (readers[value], steps.next()) {
        let told = match &ops[layer] {
            Some((_, Op::Embedding { .. })) if value == input => return (Some(vec![None]), DType::I64),
            Some((_, Op::Dense { inputs, .. })) => vec![Some(*inputs)],
            Some((_, Op::Conv(conv) | Op::ConvTranspose { conv, .. })) => {
                channels(conv.window.size.len(), Some(conv.inputs))
            }
            Some((_, Op::Pool { window, .. })) => channels(window.size.len(), None),
            Some((_, Op::AdaptivePool { places, .. })) => channels(places.len(), None),
            Some((_, Op::GlobalPool { dims, .. } | Op::Upsample { dims, .. })) => channels(*dims, None),
            Some((_, Op::LayerNorm { shape, .. })) => {
                features.get_or_insert_with(|| shape.iter().copied().map(Some).collect());
                value = inputs + layer;
                continue;
            }
            Some((_, Op::BatchNorm { features: length, .. })) => {
                features.get_or_insert_with(|| vec![Some(*length)]);
                value = inputs + layer;
                continue;
            }
            Some((_, Op::Identity | Op::Unary(_) | Op::Prelu { .. } | Op::Softmax { .. })) => {
                value = inputs + layer;
                continue;
            }
            _ => break,
        };
        return (Some(told), DType::F32);
    }
    (features, DType::F32)
}
