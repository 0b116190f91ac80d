//! Images made larger or smaller: by the word where it takes the same places, else axis by axis.

use super::super::call::{Call, LOOKED_AT};
use super::super::constant::Item;
use super::super::flow::Flow;
use super::places::taken;
use super::resample::{self, Filter};
use crate::describe::{Op, UpsampleMode, UpsampleSize};
use crate::faults::Code;

/// How an axis is resized: places before and after, and their quotient as said.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) scale: f64,
}

/// The longest axis that is made.
const LONGEST: usize = 1 << 24;

/// What a resize says beside lengths.
struct How<'a> {
    mode: &'a str,
    place: &'a str,
    nearest: &'a str,
    /// Whether lengths keep their quotient: `stretch`, `not_larger`, `not_smaller`.
    policy: &'a str,
    filter: Filter,
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
    resized(
        call,
        &scales,
        None,
        &How { mode, place: "asymmetric", nearest: "floor", policy: "stretch", filter: Filter::default() },
    )
}

pub(super) fn resize(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let mode = call.attributes.text("mode", "nearest");
    let early = call.opset() < 11;
    let place = call.attributes.text("coordinate_transformation_mode", if early { "asymmetric" } else { "half_pixel" });
    let nearest = call.attributes.text("nearest_mode", if early { "floor" } else { "round_prefer_floor" });
    call.attributes.ignore(&["extrapolation_value"]);
    let filter = Filter {
        cubic: (mode == "cubic").then(|| call.attributes.real("cubic_coeff_a", -0.75)),
        excludes: call.attributes.flag("exclude_outside", false),
        smooths: call.attributes.flag("antialias", false),
    };
    call.attributes.ignore(&["cubic_coeff_a"]);
    let policy = call.attributes.text("keep_aspect_ratio_policy", "stretch");
    if !matches!(policy, "stretch" | "not_larger" | "not_smaller") {
        call.attributes.wrong("keep_aspect_ratio_policy", "wants stretch, not_larger or not_smaller");
    }
    let axes = call.attributes.ints("axes");
    call.done()?;
    let (scales, sizes) =
        if early { (reals(call, 1, "scales")?, None) } else { (reals(call, 2, "scales")?, lengths(call)?) };
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
    let sizes = sizes.filter(|sizes| !sizes.is_empty()).map(|sizes| spread(sizes, 0.0));
    let scales = scales.filter(|scales| !scales.is_empty()).map_or_else(Vec::new, |scales| spread(scales, 1.0));
    resized(call, &scales, sizes, &How { mode, place, nearest, policy, filter })
}

/// Axes stretched alike: by the smallest of their quotients (`not_larger`) or by the largest, whatever lengths that makes. Those
/// that are as long as they were because nothing is said of them stay.
fn alike(axes: &mut [Axis], said: &[f64], policy: &str) {
    let quotients = axes.iter().zip(said).filter(|(_, said)| **said != 0.0).map(|(axis, _)| axis.scale);
    let common = match policy {
        "not_larger" => quotients.fold(f64::INFINITY, f64::min),
        _ => quotients.fold(0.0, f64::max),
    };
    for (axis, _) in axes.iter_mut().zip(said).filter(|(_, said)| **said != 0.0) {
        axis.scale = common;
        axis.to = (common * axis.from as f64 + 0.5).floor().max(1.0) as usize;
    }
}

/// Lengths that input 3 is; nought for one that stays, as the batch does. None, without a fault, where it is left out.
fn lengths(call: &mut Call<'_, '_, '_>) -> Option<Option<Vec<f64>>> {
    if !call.has(3) {
        return Some(None);
    }
    let sizes = call.constant_needed(3, "sizes")?;
    call.room(sizes.shape())?;
    let items = sizes.items().unwrap_or_default();
    let length = |item: &Item| match item {
        Item::Known(length) => Some(*length),
        Item::Batch(1.0) => Some(0.0),
        _ => None,
    };
    match items.iter().map(length).collect::<Option<Vec<f64>>>() {
        Some(lengths) => Some(Some(lengths)),
        None => call.refuse(Code::Input, "its sizes depend on lengths that are not known"),
    }
}

/// Real numbers that input `place` is; none, without a fault, where it is left out.
fn reals(call: &mut Call<'_, '_, '_>, place: usize, what: &str) -> Option<Option<Vec<f64>>> {
    if !call.has(place) {
        return Some(None);
    }
    let constant = call.constant_needed(place, what)?;
    call.room(constant.shape())?;
    match constant.reals() {
        Some(numbers) => Some(Some(numbers)),
        None => call.refuse(Code::Input, "its scales depend on lengths that are not known"),
    }
}

fn resized(call: &mut Call<'_, '_, '_>, scales: &[f64], sizes: Option<Vec<f64>>, how: &How<'_>) -> Option<Flow> {
    let How { mode, place, nearest, policy, filter } = *how;
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
        axes.push(Axis { from, to: to as usize, scale });
    }
    if sizes.is_some() && policy != "stretch" {
        alike(&mut axes, said.get(1..).unwrap_or_default(), policy);
    }
    let has_places = |axis: &Axis| axis.from > 0 && axis.scale > 0.0 && (1..=LONGEST).contains(&axis.to);
    if !axes.iter().all(has_places) {
        return call.refuse(Code::LayerShape, "it makes an axis of no places, or of more than there are");
    }
    // Which places the word would take is told by looking at each.
    let walked: usize = axes.iter().map(|axis| axis.to / LOOKED_AT).sum();
    call.room(&[walked])?;
    let batch = said.first().copied().unwrap_or(1.0);
    let kept = match sizes {
        Some(_) => batch == 0.0 || call.build.batch.is_some_and(|length| length as f64 == batch),
        None => batch == 1.0,
    };
    if !kept {
        return call.unsupported("it resizes the batch; examples are never mixed");
    }
    if axes.iter().all(|axis| axis.from == axis.to && axis.scale == 1.0) {
        return Some(flow);
    }
    let whole = |axis: &Axis| axis.scale * axis.from as f64 == axis.to as f64;
    if place == "align_corners" && sizes.is_none() && !axes.iter().all(whole) {
        return call
            .unsupported("corners are aligned at a length that is not whole, which its readers do in different ways");
    }
    let windows: Vec<Axis> = axes.iter().skip(1).copied().collect();
    let plain = (2..=4).contains(&flow.each()) && axes.first().is_some_and(|axis| axis.from == axis.to);
    let mode = match mode {
        "nearest" if plain => by_nearest(&windows, place, nearest),
        "linear" | "bilinear" if plain && !filter.smooths && !filter.excludes => by_line(&windows, place),
        _ => None,
    };
    let Some(mode) = mode else { return each_axis(call, flow, &axes, how) };
    let (flow, dims) = call.windows()?;
    let whole = windows.iter().all(whole);
    let size = match whole || mode == UpsampleMode::LinearCorners {
        true => UpsampleSize::To(windows.iter().map(|axis| axis.to).collect()),
        false => UpsampleSize::By(windows.iter().map(|axis| axis.scale).collect()),
    };
    call.keep(&Op::Upsample { dims, size, mode }, &flow)
}

/// Axis by axis: a place of the input for each, or a mean of several.
fn each_axis(call: &mut Call<'_, '_, '_>, flow: Flow, axes: &[Axis], how: &How<'_>) -> Option<Flow> {
    let nearest = how.mode == "nearest";
    if !nearest && !matches!(how.mode, "linear" | "bilinear" | "cubic") {
        return call.unsupported("its mode is not read");
    }
    let mut made = flow;
    for (number, axis) in axes.iter().enumerate().filter(|(_, axis)| axis.from != axis.to || axis.scale != 1.0) {
        call.room(&[axis.to])?;
        let sources = (0..axis.to).map(|i| at(*axis, how.place, i)).collect::<Option<Vec<f64>>>();
        let Some(sources) = sources else {
            return call.unsupported("its coordinate_transformation_mode is not read");
        };
        made = if nearest {
            let places = sources.iter().map(|at| near(*axis, *at, how.nearest)).collect::<Option<Vec<usize>>>();
            let Some(places) = places else { return call.unsupported("its nearest_mode is not read") };
            taken(call, &made, number, &places)?
        } else {
            resample::along(call, &made, number, *axis, &sources, how.filter)?
        };
    }
    Some(made)
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
    near(axis, at(axis, place, i)?, nearest)
}

/// Where ONNX looks for place `i` of the output.
fn at(axis: Axis, place: &str, i: usize) -> Option<f64> {
    let (i, from, to) = (i as f64, axis.from as f64, axis.to as f64);
    Some(match place {
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
    })
}

/// The place nearest to a coordinate.
fn near(axis: Axis, at: f64, nearest: &str) -> Option<usize> {
    let near = match nearest {
        "round_prefer_floor" => (at - 0.5).ceil(),
        "round_prefer_ceil" => (at + 0.5).floor(),
        "floor" => at.floor(),
        "ceil" => at.ceil(),
        _ => return None,
    };
    Some(near.clamp(0.0, axis.from as f64 - 1.0) as usize)
}

/// The word's mode that lies between the same neighbours.
fn by_line(axes: &[Axis], place: &str) -> Option<UpsampleMode> {
    let whole = axes.iter().all(|axis| axis.scale * axis.from as f64 == axis.to as f64);
    match place {
        "half_pixel" => Some(UpsampleMode::Linear),
        "half_pixel_symmetric" if whole => Some(UpsampleMode::Linear),
        "pytorch_half_pixel" if axes.iter().all(|axis| axis.to > 1) => Some(UpsampleMode::Linear),
        "align_corners" => Some(UpsampleMode::LinearCorners),
        _ => None,
    }
}
