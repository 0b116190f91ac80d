//! Pools.

use super::{
    axes::reduced,
    draft::Value,
    layer::{Layer, ints},
    window::{attributes, border},
};
use crate::{
    describe::{Divisor, PoolKind, Window},
    formats::onnx::write::Written,
};

pub(super) fn pool(layer: &mut Layer<'_, '_>, kind: PoolKind, window: &Window) -> Option<Value> {
    let mut border = border(layer, window)?;
    // Where every place of a window counts, the border reaches as far as the last one does.
    let whole = matches!(kind, PoolKind::Mean(Divisor::Window | Divisor::Fixed(_)));
    if whole && window.ceil {
        let lengths = layer.known(0)?;
        for (axis, sides) in border.iter_mut().enumerate() {
            let reach = window.dilation[axis] * (window.size[axis] - 1) + 1;
            let places = lengths[axis] + sides[0] + sides[1];
            let hangs = (places - reach).div_ceil(window.stride[axis]) * window.stride[axis] + reach - places;
            let last = places + hangs - reach;
            sides[1] += if last >= lengths[axis] + sides[0] { 0 } else { hangs };
        }
    }
    let (value, order) = layer.image()?;
    let mut attributes = attributes(window, &border);
    attributes.push(("ceil_mode", Written::Int(i64::from(window.ceil && !whole))));
    if window.dilation.iter().any(|step| *step != 1) {
        attributes.push(("dilations", ints(&window.dilation)));
    }
    let id = match kind {
        PoolKind::Max => layer.with("MaxPool", &[value.id], attributes),
        PoolKind::Mean(divisor) => {
            attributes.push(("count_include_pad", Written::Int(i64::from(divisor != Divisor::Inside))));
            let mean = layer.with("AveragePool", &[value.id], attributes);
            match divisor {
                Divisor::Fixed(number) => {
                    let places = window.size.iter().product::<usize>();
                    let factor = layer.number(places as f64 / number as f64);
                    layer.op("Mul", &[mean, factor])
                }
                _ => mean,
            }
        }
    };
    Some(Value { id, order: Some(order) })
}

/// Windows of one length as a pool; others as slices of each axis, which are reduced and joined.
pub(super) fn adaptive(layer: &mut Layer<'_, '_>, max: bool, places: &[Option<usize>]) -> Option<Value> {
    let lengths = layer.known(0)?;
    let (value, order) = layer.image()?;
    let wanted: Vec<usize> = places.iter().zip(&lengths).map(|(place, length)| place.unwrap_or(*length)).collect();
    let mut id = value.id;
    if wanted.iter().zip(&lengths).all(|(places, length)| length % places == 0) {
        let size: Vec<usize> = wanted.iter().zip(&lengths).map(|(places, length)| length / places).collect();
        let attributes = vec![("kernel_shape", ints(&size)), ("strides", ints(&size))];
        id = layer.with(if max { "MaxPool" } else { "AveragePool" }, &[id], attributes);
        return Some(Value { id, order: Some(order) });
    }
    for (axis, (places, length)) in wanted.iter().zip(&lengths).enumerate().filter(|(_, (a, b))| a != b) {
        let axis = i64::try_from(axis + 2).ok()?;
        let mut parts = Vec::new();
        for place in 0..*places {
            let [start, end] = [place * length / places, ((place + 1) * length).div_ceil(*places)];
            let [start, end] = [start, end].map(|place| i64::try_from(place).unwrap_or(i64::MAX));
            let inputs = [vec![start], vec![end], vec![axis]].map(|list| layer.wholes(list));
            let part = layer.op("Slice", &[&[id], &inputs[..]].concat());
            parts.push(reduced(layer, if max { "ReduceMax" } else { "ReduceMean" }, part, vec![axis], true));
        }
        id = layer.with("Concat", &parts, vec![("axis", Written::Int(axis))]);
    }
    Some(Value { id, order: Some(order) })
}

pub(super) fn global(layer: &mut Layer<'_, '_>, max: bool, dims: usize, keep: bool) -> Option<Value> {
    let (value, order) = layer.image()?;
    let axes = (2..dims + 2).filter_map(|axis| i64::try_from(axis).ok()).collect();
    let id = reduced(layer, if max { "ReduceMax" } else { "ReduceMean" }, value.id, axes, keep);
    Some(Value { id, order: Some(if keep { order } else { vec![0] }) })
}
