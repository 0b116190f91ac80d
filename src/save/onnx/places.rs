//! Places added around, and more or fewer places along the window axes.

use super::{
    draft::{Numbers, Value},
    layer::{Layer, wholes},
};
use crate::{
    describe::{PadMode, UpsampleMode, UpsampleSize},
    formats::onnx::write::Written,
};

pub(super) fn pad(layer: &mut Layer<'_, '_>, border: &[[usize; 2]], mode: PadMode) -> Option<Value> {
    layer.lengths(0)?;
    let value = layer.input(0)?;
    let order = value.order.clone().unwrap_or_else(|| (0..border.len()).collect());
    let side = |side: usize| [0].into_iter().chain(order.iter().map(move |axis| border[*axis][side]));
    let pads: Vec<usize> = side(0).chain(side(1)).collect();
    let mut inputs = vec![value.id, layer.wholes(wholes(&pads))];
    let mode = match mode {
        PadMode::Constant(number) => {
            inputs.push(layer.number(number));
            "constant"
        }
        PadMode::Reflect => "reflect",
        PadMode::Edge => "edge",
        PadMode::Circular => "wrap",
    };
    Some(Value { id: layer.with("Pad", &inputs, vec![("mode", Written::Text(mode))]), order: value.order })
}

pub(super) fn upsample(
    layer: &mut Layer<'_, '_>,
    dims: usize,
    size: &UpsampleSize,
    mode: UpsampleMode,
) -> Option<Value> {
    let lengths = layer.lengths(0)?;
    let (value, order) = layer.image()?;
    let (transform, kind, nearest) = match mode {
        UpsampleMode::Nearest => ("asymmetric", "nearest", Some("floor")),
        UpsampleMode::NearestExact => ("half_pixel", "nearest", Some("round_prefer_ceil")),
        UpsampleMode::Linear => ("half_pixel", "linear", None),
        UpsampleMode::LinearCorners => ("align_corners", "linear", None),
    };
    let mut attributes =
        vec![("mode", Written::Text(kind)), ("coordinate_transformation_mode", Written::Text(transform))];
    attributes.extend(nearest.map(|nearest| ("nearest_mode", Written::Text(nearest))));
    let empty = layer.draft.empty();
    let inputs = match size {
        UpsampleSize::By(factors) => {
            let unlike = factors.iter().zip(&lengths).any(|(factor, length)| {
                length.is_some_and(|length| {
                    (length as f32 * *factor as f32).floor() as f64 != (length as f64 * factor).floor()
                })
            });
            if unlike {
                return layer.refuse("its factor as a single makes another length");
            }
            let scales = [1.0, 1.0].into_iter().chain(factors.iter().map(|factor| *factor as f32)).collect();
            vec![value.id, empty, layer.singles(vec![dims + 2], scales)]
        }
        UpsampleSize::To(wanted) => {
            let axes = (2..dims + 2).collect::<Vec<usize>>();
            attributes.push(("axes", Written::Ints(wholes(&axes))));
            let sizes = layer.draft.tensor(
                &format!("{}/sizes", layer.node.name),
                Numbers::Wholes { shape: vec![dims], numbers: wholes(wanted) },
            );
            vec![value.id, empty, empty, sizes]
        }
    };
    Some(Value { id: layer.with("Resize", &inputs, attributes), order: Some(order) })
}
