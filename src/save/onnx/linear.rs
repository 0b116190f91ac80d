//! Products with a matrix, numbers that are multiplied or added, rows looked up.

use super::{draft::Value, layer::Layer};

/// `Gemm` of a row, `MatMul` and `Add` of more axes.
pub(super) fn dense(layer: &mut Layer<'_, '_>, bias: bool) -> Option<Value> {
    let value = layer.plain(0)?;
    let weight = layer.slot(0);
    let row = value.order.as_ref().is_some_and(|order| order.len() == 1);
    let id = match (row, bias) {
        (true, true) => {
            let bias = layer.slot(1);
            layer.op("Gemm", &[value.id, weight, bias])
        }
        (true, false) => layer.op("Gemm", &[value.id, weight]),
        (false, _) => {
            let product = layer.op("MatMul", &[value.id, weight]);
            if bias {
                let bias = layer.slot(1);
                layer.op("Add", &[product, bias])
            } else {
                product
            }
        }
    };
    Some(Value { id, order: value.order })
}

pub(super) fn matmul(layer: &mut Layer<'_, '_>) -> Option<Value> {
    let (first, second) = (layer.lengths(0)?.len(), layer.lengths(1)?.len());
    let (left, right) = (layer.plain(0)?, layer.plain(1)?);
    // A row against a matrix that is the same for every example: its axis in place of the batch goes.
    if first == 1 {
        let axis = layer.wholes(vec![0]);
        let matrix = layer.op("Squeeze", &[right.id, axis]);
        return Some(Value { id: layer.op("MatMul", &[left.id, matrix]), order: left.order });
    }
    let rank = first.max(second);
    let ids = [(left.id, first), (right.id, second)].map(|(id, own)| widened(layer, id, own, rank));
    Some(Value { id: layer.op("MatMul", &ids), order: Some((0..rank).collect()) })
}

/// A value with axes of length 1 behind the batch, so that it has `rank` beside it.
pub(super) fn widened(layer: &mut Layer<'_, '_>, id: usize, own: usize, rank: usize) -> usize {
    if own == rank {
        return id;
    }
    let axes = layer.wholes((1..=rank - own).filter_map(|axis| i64::try_from(axis).ok()).collect());
    layer.op("Unsqueeze", &[id, axes])
}

/// A value and numbers of a slot, by an operator that broadcasts.
pub(super) fn beside(layer: &mut Layer<'_, '_>, op: &'static str) -> Option<Value> {
    let rank = layer.lengths(0)?.len();
    let value = layer.input(0)?;
    let numbers = layer.spread_slot(0, &value, rank)?;
    Some(Value { id: layer.op(op, &[value.id, numbers]), order: value.order })
}

pub(super) fn embedding(layer: &mut Layer<'_, '_>) -> Option<Value> {
    let value = layer.plain(0)?;
    let table = layer.slot(0);
    let id = layer.op("Gather", &[table, value.id]);
    let order = value.order.map(|order| (0..=order.len()).collect());
    Some(Value { id, order })
}
