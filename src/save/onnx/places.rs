//! Places added around, and more or fewer places along the window axes.

use super::{
    draft::Value,
    layer::{Layer, int, wholes},
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
    let exact = |factor: &f64| f64::from(*factor as f32) == *factor;
    let corners;
    let size = match (size, mode) {
        (UpsampleSize::By(factors), UpsampleMode::LinearCorners) => {
            let lengths = layer.known(0)?;
            let made = lengths.iter().zip(factors).map(|(length, factor)| (*length as f64 * factor).floor() as usize);
            corners = UpsampleSize::To(made.collect());
            &corners
        }
        (UpsampleSize::By(factors), UpsampleMode::Nearest | UpsampleMode::NearestExact)
            if !factors.iter().all(exact) =>
        {
            return gathered(layer, factors, mode);
        }
        _ => size,
    };
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
        // Batch and channels as they are; `axes` would say so, and ONNX Runtime 1.32 loses them where it moves a Transpose.
        UpsampleSize::To(wanted) => {
            let kept = layer.with("Shape", &[value.id], vec![("start", Written::Int(0)), ("end", Written::Int(2))]);
            let wanted = layer.wholes(wholes(wanted));
            let sizes = layer.with("Concat", &[kept, wanted], vec![("axis", Written::Int(0))]);
            vec![value.id, empty, empty, sizes]
        }
    };
    Some(Value { id: layer.with("Resize", &inputs, attributes), order: Some(order) })
}

/// Places looked up one by one: a factor that no single is would find others at the ends of their stretches.
fn gathered(layer: &mut Layer<'_, '_>, factors: &[f64], mode: UpsampleMode) -> Option<Value> {
    let lengths = layer.known(0)?;
    let value = layer.plain(0)?;
    let (half, mut id) = (if mode == UpsampleMode::NearestExact { 0.5 } else { 0.0 }, value.id);
    for (axis, (factor, length)) in factors.iter().zip(&lengths).enumerate() {
        let made = (*length as f64 * factor).floor() as usize;
        let source = |place: usize| (((place as f64 + half) / factor) as usize).min(length.saturating_sub(1));
        let places = layer.wholes(wholes(&(0..made).map(source).collect::<Vec<usize>>()));
        id = layer.with("Gather", &[id, places], vec![("axis", int(axis + 1))]);
    }
    Some(Value { id, order: value.order })
}
