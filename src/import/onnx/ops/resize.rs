//! Images made larger or smaller.

use super::super::call::Call;
use super::super::flow::Flow;
use crate::describe::{Op, UpsampleMode, UpsampleSize};
use crate::faults::Code;

/// How an axis is resized: places before and after, and their quotient as said.
#[derive(Clone, Copy)]
struct Axis {
    from: usize,
    to: usize,
    scale: f64,
}

/// `Upsample` of versions 7 to 9: scales by attribute, then by input.
pub(super) fn upsample(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let mode = call.attributes.text("mode", "nearest");
    let scales = call.attributes.reals("scales");
    call.done()?;
    let scales = match scales {
        Some(scales) => scales,
        None => reals(call, 1, "scales")?.unwrap_or_default(),
    };
    resized(call, &scales, None, mode, "asymmetric", "floor")
}

pub(super) fn resize(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let mode = call.attributes.text("mode", "nearest");
    let early = call.opset() < 11;
    let place = call.attributes.text("coordinate_transformation_mode", if early { "asymmetric" } else { "half_pixel" });
    let nearest = call.attributes.text("nearest_mode", if early { "floor" } else { "round_prefer_floor" });
    call.attributes.ignore(&["cubic_coeff_a", "exclude_outside", "extrapolation_value"]);
    if call.attributes.flag("antialias", false) {
        call.attributes.wrong("antialias", "is not read");
    }
    if call.attributes.text("keep_aspect_ratio_policy", "stretch") != "stretch" {
        call.attributes.wrong("keep_aspect_ratio_policy", "other than stretch is not read");
    }
    let axes = call.attributes.ints("axes");
    call.done()?;
    let (scales, sizes) =
        if early { (reals(call, 1, "scales")?, None) } else { (reals(call, 2, "scales")?, call.wholes(3, "sizes")?) };
    let rank = call.whole(0)?.rank();
    let spread = |list: Vec<f64>, absent: f64| -> Vec<f64> {
        let Some(axes) = &axes else { return list };
        let mut whole = vec![absent; rank];
        for (axis, number) in axes.iter().zip(list) {
            let axis = if *axis < 0 { axis.saturating_add(i64::try_from(rank).unwrap_or(0)) } else { *axis };
            if let Some(place) = usize::try_from(axis).ok().and_then(|axis| whole.get_mut(axis)) {
                *place = number;
            }
        }
        whole
    };
    let sizes = sizes
        .filter(|sizes| !sizes.is_empty())
        .map(|sizes| spread(sizes.iter().map(|size| *size as f64).collect(), 0.0));
    let scales = scales.filter(|scales| !scales.is_empty()).map_or_else(Vec::new, |scales| spread(scales, 1.0));
    resized(call, &scales, sizes, mode, place, nearest)
}

/// Real numbers that input `place` is; none, without a fault, where it is left out.
fn reals(call: &mut Call<'_, '_, '_>, place: usize, what: &str) -> Option<Option<Vec<f64>>> {
    if !call.has(place) {
        return Some(None);
    }
    let constant = call.constant_needed(place, what)?;
    match constant.reals() {
        Some(numbers) => Some(Some(numbers)),
        None => call.refuse(Code::Input, "its scales depend on lengths that are not known"),
    }
}

fn resized(
    call: &mut Call<'_, '_, '_>,
    scales: &[f64],
    sizes: Option<Vec<f64>>,
    mode: &str,
    place: &str,
    nearest: &str,
) -> Option<Flow> {
    let flow = call.whole(0)?;
    let said = sizes.as_deref().unwrap_or(scales);
    if said.len() != flow.rank() {
        return call.refuse(Code::LayerShape, &format!("{} scales or sizes for {} axes", said.len(), flow.rank()));
    }
    let lengths = flow.lengths();
    let mut axes = Vec::new();
    for (axis, said) in said.iter().enumerate().skip(1) {
        let Some(from) = lengths.get(axis - 1).copied().flatten() else {
            return call.refuse(
                Code::Input,
                "it wants lengths that are not known: state the shape of one example of the input",
            );
        };
        let (to, scale) = match sizes {
            Some(_) if *said == 0.0 => (from as f64, 1.0),
            Some(_) => (*said, said / from as f64),
            None => ((from as f64 * said).floor(), *said),
        };
        if !(1.0..=f64::from(1 << 24)).contains(&to) {
            return call.refuse(Code::LayerShape, "it makes an axis of no places, or of more than there are");
        }
        axes.push(Axis { from, to: to as usize, scale });
    }
    let batch = said.first().copied().unwrap_or(1.0);
    let kept = match sizes {
        Some(_) => batch == 0.0 || call.build.batch.is_some_and(|length| length as f64 == batch),
        None => batch == 1.0,
    };
    if !kept || axes.first().is_some_and(|axis| axis.from != axis.to) {
        return call.unsupported("it resizes the batch or the channels, which is not read");
    }
    let windows: Vec<Axis> = axes.iter().skip(1).copied().collect();
    if windows.iter().all(|axis| axis.from == axis.to) {
        return Some(flow);
    }
    let mode = match mode {
        "nearest" => by_nearest(&windows, place, nearest),
        "linear" | "bilinear" => by_line(&windows, place),
        _ => None,
    };
    let Some(mode) = mode else {
        return call.unsupported("this mode, with these coordinates, is not read");
    };
    let (flow, dims) = call.windows()?;
    let whole = windows.iter().all(|axis| axis.scale * axis.from as f64 == axis.to as f64);
    let size = match whole {
        true => UpsampleSize::To(windows.iter().map(|axis| axis.to).collect()),
        false => UpsampleSize::By(windows.iter().map(|axis| axis.scale).collect()),
    };
    call.keep(&Op::Upsample { dims, size, mode }, &flow)
}

/// The word's mode that takes the same places as ONNX would.
fn by_nearest(axes: &[Axis], place: &str, nearest: &str) -> Option<UpsampleMode> {
    let same = |mode: UpsampleMode| {
        axes.iter().all(|axis| (0..axis.to).all(|i| source(*axis, place, nearest, i) == Some(own(*axis, mode, i))))
    };
    [UpsampleMode::Nearest, UpsampleMode::NearestExact].into_iter().find(|mode| same(*mode))
}

/// The place a word's mode takes.
fn own(axis: Axis, mode: UpsampleMode, i: usize) -> usize {
    let at = match mode {
        UpsampleMode::NearestExact => (i as f64 + 0.5) / axis.scale,
        _ => i as f64 / axis.scale,
    };
    (at.floor() as usize).min(axis.from - 1)
}

/// The place ONNX takes.
fn source(axis: Axis, place: &str, nearest: &str, i: usize) -> Option<usize> {
    let (i, from, to) = (i as f64, axis.from as f64, axis.to as f64);
    let at = match place {
        "half_pixel" => (i + 0.5) / axis.scale - 0.5,
        "pytorch_half_pixel" if axis.to > 1 => (i + 0.5) / axis.scale - 0.5,
        "pytorch_half_pixel" => 0.0,
        "asymmetric" => i / axis.scale,
        "align_corners" if axis.to > 1 => i * (from - 1.0) / (to - 1.0),
        "align_corners" => 0.0,
        "half_pixel_symmetric" => {
            let whole = axis.scale * from;
            from / 2.0 * (1.0 - to / whole) + (i + 0.5) / axis.scale - 0.5
        }
        _ => return None,
    };
    let near = match nearest {
        "round_prefer_floor" => (at - 0.5).ceil(),
        "round_prefer_ceil" => (at + 0.5).floor(),
        "floor" => at.floor(),
        "ceil" => at.ceil(),
        _ => return None,
    };
    Some(near.clamp(0.0, from - 1.0) as usize)
}

/// The word's mode that lies between the same neighbours.
fn by_line(axes: &[Axis], place: &str) -> Option<UpsampleMode> {
    let whole = axes.iter().all(|axis| axis.scale * axis.from as f64 == axis.to as f64);
    match place {
        "half_pixel" => Some(UpsampleMode::Linear),
        "half_pixel_symmetric" if whole => Some(UpsampleMode::Linear),
        "pytorch_half_pixel" if axes.iter().all(|axis| axis.to > 1) => Some(UpsampleMode::Linear),
        "align_corners" if whole => Some(UpsampleMode::LinearCorners),
        _ => None,
    }
}
