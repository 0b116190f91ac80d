//! Borders added and taken away, and places repeated.

use super::{
    Row, drops,
    window::{Places, image, places},
};
use crate::{
    describe::{Op, PadMode, UpsampleMode, UpsampleSize},
    faults::quoted_str,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    drops("ZeroPadding1D", |call| pad(call, 1)).over(1),
    drops("ZeroPadding2D", |call| pad(call, 2)).over(2),
    drops("ZeroPadding3D", |call| pad(call, 3)).over(3),
    drops("Cropping1D", |call| crop(call, 1)).over(1),
    drops("Cropping2D", |call| crop(call, 2)).over(2),
    drops("Cropping3D", |call| crop(call, 3)).over(3),
    drops("UpSampling1D", |call| upsample(call, 1)).over(1),
    drops("UpSampling2D", |call| upsample(call, 2)).over(2),
    drops("UpSampling3D", |call| upsample(call, 3)).over(3),
    drops("CenterCrop", center),
    drops("Resizing", resize).beside(0),
];

fn pad(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let sides = call.settings.pairs("padding", dims);
    let Places { flow, from, .. } = places(call, dims)?;
    call.done()?;
    let mut border = vec![[0, 0]; flow.rank()];
    let order = flow.order();
    for (place, axis) in order.iter().enumerate() {
        let side = axis.checked_sub(from).and_then(|at| sides.get(at));
        if let (Some(side), Some(at)) = (side, border.get_mut(place)) {
            *at = *side;
        }
    }
    let made = call.make(&Op::Pad { border, mode: PadMode::Constant(0.0) }, &[&flow], order)?;
    Some(Flow { origin: None, ..made.like(&flow) })
}

/// Cuts places off; every `step`-th place of an axis from `start` up to `end` stays.
pub(super) fn cut(
    call: &mut Call<'_, '_, '_>,
    flow: Flow,
    axis: usize,
    (start, end, step): (i64, Option<i64>, usize),
) -> Option<Flow> {
    let op = Op::Slice { axis: flow.written(axis), start, end, step };
    let made = call.make(&op, &[&flow], flow.order())?;
    Some(Flow { origin: None, ..made.like(&flow) })
}

fn crop(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let sides = call.settings.pairs("cropping", dims);
    let Places { mut flow, from, .. } = places(call, dims)?;
    call.done()?;
    if sides.iter().all(|&sides| sides == [0, 0]) {
        return call.keep(&Op::Identity, &flow);
    }
    for (at, [before, after]) in sides.into_iter().enumerate().filter(|(_, sides)| *sides != [0, 0]) {
        flow = cut(call, flow, from + at, (before as i64, (after > 0).then(|| -(after as i64)), 1))?;
    }
    Some(flow)
}

/// The mode of an interpolation by its name.
fn mode(call: &mut Call<'_, '_, '_>, nearest: UpsampleMode) -> UpsampleMode {
    match call.settings.text("interpolation", "nearest") {
        "nearest" => nearest,
        "bilinear" => UpsampleMode::Linear,
        other => {
            let what = format!("is '{}': nearest and bilinear are read", quoted_str(other));
            call.settings.wrong("interpolation", &what);
            nearest
        }
    }
}

fn upsample(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let size = call.settings.needed_lengths("size", dims);
    let mode = if dims == 2 { mode(call, UpsampleMode::Nearest) } else { UpsampleMode::Nearest };
    let image = image(call, dims)?;
    call.done()?;
    let factors = image.all(size).into_iter().map(|factor| factor as f64).collect();
    let op = Op::Upsample { dims: dims + image.lead, size: UpsampleSize::By(factors), mode };
    let made = call.make(&op, &[&image.flow], image.order())?;
    Some(image.made(made))
}

fn center(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let wanted = [call.settings.length("height"), call.settings.length("width")];
    let Places { mut flow, from, .. } = places(call, 2)?;
    call.done()?;
    for (at, wanted) in wanted.into_iter().enumerate() {
        let length = call.length(&flow, from + at, None)?;
        if length < wanted {
            return call.unsupported("what reaches it is smaller than what it cuts out, and would be resized");
        }
        let start = ((length - wanted) / 2) as i64;
        flow = cut(call, flow, from + at, (start, Some(start + wanted as i64), 1))?;
    }
    Some(flow)
}

fn resize(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let to = vec![call.settings.length("height"), call.settings.length("width")];
    let odd = call.settings.flag("crop_to_aspect_ratio", false)
        || call.settings.flag("pad_to_aspect_ratio", false)
        || call.settings.flag("antialias", false);
    call.settings.ignore(&["fill_mode", "fill_value"]);
    let interpolation = call.settings.text("interpolation", "bilinear");
    let mode = if interpolation == "bilinear" { UpsampleMode::Linear } else { mode(call, UpsampleMode::NearestExact) };
    let image = image(call, 2)?;
    call.done()?;
    if odd {
        return call.unsupported("resizing that keeps the ratio of the sides or smooths is not read");
    }
    let op = Op::Upsample { dims: 2, size: UpsampleSize::To(to), mode };
    let made = call.make(&op, &[&image.flow], image.order())?;
    Some(image.made(made))
}
