//! The same numbers along other axes, parts of them, totals over them.

use super::{
    draft::{Id, Value},
    layer::{Layer, wholes},
};
use crate::{
    describe::ReduceKind,
    formats::onnx::write::{Elements, Written},
};

/// A reduction whose axes are those of the ONNX graph.
pub(super) fn reduced(layer: &mut Layer<'_, '_>, op: &'static str, id: Id, axes: Vec<i64>, keep: bool) -> Id {
    let axes = layer.wholes(axes);
    layer.with(op, &[id, axes], vec![("keepdims", Written::Int(i64::from(keep)))])
}

/// The order that is left when axes of one example are gone.
fn without(order: &[usize], gone: &[i64]) -> Vec<usize> {
    let gone: Vec<usize> = gone.iter().filter_map(|axis| usize::try_from(*axis).ok()).collect();
    let left = order.iter().filter(|axis| !gone.contains(axis));
    left.map(|axis| axis - gone.iter().filter(|gone| *gone < axis).count()).collect()
}

/// Where axes of one example lie.
fn places(layer: &mut Layer<'_, '_>, value: &Value, axes: &[i64]) -> Option<Vec<i64>> {
    axes.iter().map(|axis| layer.place(value, *axis)).collect()
}

pub(super) fn reduce(layer: &mut Layer<'_, '_>, kind: ReduceKind, axes: &[i64], keep: bool) -> Option<Value> {
    layer.lengths(0)?;
    let value = layer.input(0)?;
    let places = places(layer, &value, axes)?;
    let op = match kind {
        ReduceKind::Mean => "ReduceMean",
        ReduceKind::Max => "ReduceMax",
        ReduceKind::Sum => "ReduceSum",
        ReduceKind::Product => "ReduceProd",
        ReduceKind::Place => {
            let attributes =
                vec![("axis", Written::Int(*places.first()?)), ("keepdims", Written::Int(i64::from(keep)))];
            let found = layer.with("ArgMax", &[value.id], attributes);
            let order = value.order.map(|order| if keep { order } else { without(&order, axes) });
            return Some(Value { id: layer.cast(found, Elements::Singles), order });
        }
    };
    if places.is_empty() {
        return Some(value);
    }
    let id = reduced(layer, op, value.id, places, keep);
    let order = value.order.map(|order| if keep { order } else { without(&order, axes) });
    Some(Value { id, order })
}

pub(super) fn concat(layer: &mut Layer<'_, '_>, axis: i64) -> Option<Value> {
    let rank = layer.lengths(0)?.len();
    let first = layer.input(0)?;
    let order = first.order.clone().unwrap_or_else(|| (0..rank).collect());
    let (batched, mut ids) = (layer.draft.graph().values[layer.node.output].batched, Vec::new());
    for place in 0..layer.node.inputs.len() {
        if layer.draft.graph().values[layer.node.inputs[place]].batched != batched {
            return layer.refuse("it joins what is the same for every example with what is not");
        }
        let value = layer.input(place)?;
        ids.push(layer.turn(&value, &order).id);
    }
    let axis = layer.place(&first, axis)?;
    Some(Value { id: layer.with("Concat", &ids, vec![("axis", Written::Int(axis))]), order: Some(order) })
}

/// Nothing moves: the axes get other names.
pub(super) fn permute(layer: &mut Layer<'_, '_>, axes: &[i64]) -> Option<Value> {
    let value = layer.input(0)?;
    let lying = value.order.clone().unwrap_or_else(|| (0..axes.len()).collect());
    let renamed = |old: &usize| axes.iter().position(|axis| usize::try_from(*axis) == Ok(*old));
    let order = lying.iter().map(renamed).collect::<Option<Vec<usize>>>()?;
    Some(Value { id: value.id, order: Some(order) })
}

pub(super) fn flatten(layer: &mut Layer<'_, '_>, start: i64, end: i64) -> Option<Value> {
    let lengths = layer.lengths(0)?;
    let value = layer.plain(0)?;
    let [start, end] = [start, end].map(|axis| usize::try_from(axis).unwrap_or(lengths.len().saturating_sub(1)));
    if start == 0 && end + 1 == lengths.len() {
        let id = layer.with("Flatten", &[value.id], vec![("axis", Written::Int(1))]);
        return Some(Value { id, order: Some(vec![0]) });
    }
    let behind: Option<Vec<usize>> = lengths.get(end + 1..)?.iter().copied().collect();
    let Some(behind) = behind else {
        return layer.refuse("it wants lengths that are not known: state the shape of the network's input");
    };
    let each = [&vec![0; start][..], &[-1], &wholes(&behind)].concat();
    Some(Value { id: layer.reshape(value.id, &each), order: Some((0..each.len()).collect()) })
}

pub(super) fn reshape(layer: &mut Layer<'_, '_>, each: &[i64]) -> Option<Value> {
    let value = layer.plain(0)?;
    Some(Value { id: layer.reshape(value.id, each), order: Some((0..each.len()).collect()) })
}

pub(super) fn squeeze(layer: &mut Layer<'_, '_>, axes: &[i64]) -> Option<Value> {
    layer.lengths(0)?;
    let value = layer.input(0)?;
    if axes.is_empty() {
        return Some(value);
    }
    let places = places(layer, &value, axes)?;
    let places = layer.wholes(places);
    let order = value.order.map(|order| without(&order, axes));
    Some(Value { id: layer.op("Squeeze", &[value.id, places]), order })
}

pub(super) fn unsqueeze(layer: &mut Layer<'_, '_>, axes: &[i64]) -> Option<Value> {
    layer.lengths(0)?;
    let value = layer.plain(0)?;
    let places = layer.wholes(axes.iter().map(|axis| axis + 1).collect());
    let order = value.order.map(|order| (0..order.len() + axes.len()).collect());
    Some(Value { id: layer.op("Unsqueeze", &[value.id, places]), order })
}

pub(super) fn slice(layer: &mut Layer<'_, '_>, axis: i64, start: i64, end: Option<i64>, step: usize) -> Option<Value> {
    let value = layer.input(0)?;
    let axis = layer.place(&value, axis)?;
    let step = i64::try_from(step).ok()?;
    let said = [start, end.unwrap_or(i64::MAX), axis, step].map(|number| layer.wholes(vec![number]));
    Some(Value { id: layer.op("Slice", &[&[value.id], &said[..]].concat()), order: value.order })
}
