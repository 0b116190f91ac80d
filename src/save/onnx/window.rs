//! Convolutions.

use super::{
    draft::Value,
    layer::{Layer, int, ints},
};
use crate::{
    describe::{Border, Conv, Window},
    formats::onnx::write::Written,
};

/// The attributes that a window has wherever it moves.
pub(super) fn attributes(window: &Window, border: &[[usize; 2]]) -> Vec<(&'static str, Written)> {
    vec![
        ("kernel_shape", ints(&window.size)),
        ("strides", ints(&window.stride)),
        ("pads", ints(border.iter().map(|[before, _]| before).chain(border.iter().map(|[_, after]| after)))),
    ]
}

/// The border of a window, which must be explicit.
pub(super) fn border(layer: &mut Layer<'_, '_>, window: &Window) -> Option<Vec<[usize; 2]>> {
    match &window.border {
        Border::Explicit(border) => Some(border.clone()),
        _ => layer.refuse("its border depends on lengths that are not known: state the shape of the network's input"),
    }
}

pub(super) fn conv(layer: &mut Layer<'_, '_>, conv: &Conv) -> Option<Value> {
    let dims = conv.window.size.len();
    let order = [dims + 1, dims].into_iter().chain(0..dims).collect();
    convolved(layer, "Conv", conv, order, None)
}

/// `[k…, inputs, outputs/groups]` is `[inputs, outputs/groups, k…]` there.
pub(super) fn transpose(layer: &mut Layer<'_, '_>, conv: &Conv, extra: &[usize]) -> Option<Value> {
    let dims = conv.window.size.len();
    let order = [dims, dims + 1].into_iter().chain(0..dims).collect();
    convolved(layer, "ConvTranspose", conv, order, Some(extra))
}

fn convolved(
    layer: &mut Layer<'_, '_>,
    op: &'static str,
    conv: &Conv,
    order: Vec<usize>,
    extra: Option<&[usize]>,
) -> Option<Value> {
    let border = border(layer, &conv.window)?;
    let (value, lies) = layer.image()?;
    let mut inputs = vec![value.id, layer.turned_slot(0, order)];
    if conv.bias {
        inputs.push(layer.slot(1));
    }
    let mut attributes = attributes(&conv.window, &border);
    attributes.push(("dilations", ints(&conv.window.dilation)));
    attributes.push(("group", int(conv.groups)));
    attributes.extend(extra.map(|extra| ("output_padding", ints(extra))));
    Some(Value { id: layer.with(op, &inputs, attributes), order: Some(lies) })
}
