//! Normalisations, and softmax.

use super::{
    axes::reduced,
    draft::{Id, Value},
    layer::{Layer, float, int, ints},
};
use crate::formats::onnx::write::Written;

pub(super) fn batch(layer: &mut Layer<'_, '_>, features: usize, epsilon: f64, affine: bool) -> Option<Value> {
    let (value, order) = layer.image()?;
    let mut inputs = vec![value.id];
    if !affine {
        inputs.extend([1.0, 0.0].map(|number| layer.singles(vec![features], vec![number; features])));
    }
    inputs.extend((0..layer.node.slots.len()).map(|slot| layer.slot(slot)).collect::<Vec<Id>>());
    let id = layer.with("BatchNormalization", &inputs, vec![("epsilon", float(epsilon))]);
    Some(Value { id, order: Some(order) })
}

pub(super) fn layer(
    layer: &mut Layer<'_, '_>,
    shape: &[usize],
    epsilon: f64,
    weight: bool,
    bias: bool,
) -> Option<Value> {
    let value = layer.plain(0)?;
    let scale = match weight {
        true => layer.slot(0),
        false => layer.singles(shape.to_vec(), vec![1.0; shape.iter().product()]),
    };
    let mut inputs = vec![value.id, scale];
    if bias {
        inputs.push(layer.slot(usize::from(weight)));
    }
    let axis = Written::Int(-i64::try_from(shape.len()).ok()?);
    let id = layer.with("LayerNormalization", &inputs, vec![("axis", axis), ("epsilon", float(epsilon))]);
    Some(Value { id, order: value.order })
}

/// Each group as a channel of an instance normalisation, then scale and addend of each channel.
pub(super) fn group(
    layer: &mut Layer<'_, '_>,
    groups: usize,
    features: usize,
    epsilon: f64,
    affine: bool,
) -> Option<Value> {
    let (value, order) = layer.image()?;
    let epsilon = vec![("epsilon", float(epsilon))];
    let alone = groups == features && affine && order.len() > 1;
    if alone {
        let inputs = [value.id, layer.slot(0), layer.slot(1)];
        return Some(Value { id: layer.with("InstanceNormalization", &inputs, epsilon), order: Some(order) });
    }
    let count = i64::try_from(groups).ok()?;
    let grouped = layer.reshape(value.id, &[count, -1]);
    let [ones, noughts] = [1.0, 0.0].map(|number| layer.singles(vec![groups], vec![number; groups]));
    let normed = layer.with("InstanceNormalization", &[grouped, ones, noughts], epsilon);
    let mut id = layer.reshape_like(normed, value.id);
    if affine {
        let turned = Value { id, order: Some(order.clone()) };
        for (slot, op) in ["Mul", "Add"].into_iter().enumerate() {
            let numbers = layer.spread_slot(slot, &turned, order.len())?;
            id = layer.op(op, &[id, numbers]);
        }
    }
    Some(Value { id, order: Some(order) })
}

/// What a local response normalisation says.
pub(super) struct Lrn {
    pub(super) across: bool,
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) k: f64,
    pub(super) mean: bool,
}

/// The operator where it says the same; else a mean of squares by a pool.
pub(super) fn lrn(layer: &mut Layer<'_, '_>, lrn: &Lrn) -> Option<Value> {
    let (value, order) = layer.image()?;
    let dims = order.len() - 1;
    let (before, after, size) = (lrn.before, lrn.after, lrn.before + lrn.after + 1);
    let places = if lrn.across { size } else { size.pow(u32::try_from(dims).ok()?) };
    let alpha = if lrn.mean { lrn.alpha } else { lrn.alpha * places as f64 };
    if lrn.across && before == after && dims == 2 {
        let attributes =
            vec![("size", int(size)), ("alpha", float(alpha)), ("beta", float(lrn.beta)), ("bias", float(lrn.k))];
        return Some(Value { id: layer.with("LRN", &[value.id], attributes), order: Some(order) });
    }
    let square = layer.op("Mul", &[value.id, value.id]);
    let pool = |layer: &mut Layer<'_, '_>, id: Id, size: &[usize], pads: &[usize]| {
        let ones = vec![1; size.len()];
        let attributes = vec![
            ("kernel_shape", ints(size)),
            ("strides", ints(&ones)),
            ("pads", ints(pads)),
            ("count_include_pad", Written::Int(1)),
        ];
        layer.with("AveragePool", &[id], attributes)
    };
    let mean = if lrn.across {
        let channels = i64::try_from(layer.lengths(0)?.last().copied().flatten().unwrap_or(0)).ok()?;
        let rows = layer.reshape(square, &[1, channels, -1]);
        let mean = pool(layer, rows, &[size, 1], &[before, 0, after, 0]);
        layer.reshape_like(mean, value.id)
    } else {
        let sides = [vec![before; dims], vec![after; dims]].concat();
        pool(layer, square, &vec![size; dims], &sides)
    };
    let [alpha, k, beta] = [alpha, lrn.k, lrn.beta].map(|number| layer.number(number));
    let scaled = layer.op("Mul", &[mean, alpha]);
    let shifted = layer.op("Add", &[scaled, k]);
    let power = layer.op("Pow", &[shifted, beta]);
    Some(Value { id: layer.op("Div", &[value.id, power]), order: Some(order) })
}

pub(super) fn softmax(layer: &mut Layer<'_, '_>, axis: i64, log: bool) -> Option<Value> {
    let value = layer.input(0)?;
    let axis = layer.place(&value, axis)?;
    let op = if log { "LogSoftmax" } else { "Softmax" };
    Some(Value { id: layer.with(op, &[value.id], vec![("axis", Written::Int(axis))]), order: value.order })
}

pub(super) fn length(layer: &mut Layer<'_, '_>, axis: i64, epsilon: f64) -> Option<Value> {
    let value = layer.input(0)?;
    let axis = layer.place(&value, axis)?;
    let mut length = reduced(layer, "ReduceL2", value.id, vec![axis], true);
    if epsilon > 0.0 {
        let least = layer.number(epsilon);
        length = layer.op("Max", &[length, least]);
    }
    Some(Value { id: layer.op("Div", &[value.id, length]), order: value.order })
}
