//! Upsampling: `torch.nn.Upsample`, its two older names, and `interpolate`.

use super::call::Call;
use crate::describe::lowering::Value;
use crate::describe::{Op, UpsampleMode, UpsampleSize};
use crate::faults::Code;

const MODES: [&str; 7] = ["nearest", "linear", "bilinear", "trilinear", "nearest-exact", "area", "bicubic"];

/// `Upsample` and `interpolate`.
pub(super) fn upsample(call: &mut Call) -> Option<Value> {
    let mode = call.args.word("mode", &MODES);
    let corners = call.args.flag("align_corners", false);
    if call.args.flag("recompute_scale_factor", false) {
        call.args.wrong("recompute_scale_factor", "is not run; state size instead");
    }
    if call.args.flag("antialias", false) {
        call.args.wrong("antialias", "is not run");
    }
    if mode == "bicubic" {
        call.args.wrong("mode", "bicubic is not run");
    }
    if corners && !mode.ends_with("linear") {
        call.args.wrong("align_corners", "belongs to the linear modes");
    }
    let known = call.input().and_then(|value| value.axes).and_then(|axes| axes.rank().checked_sub(1));
    let dims = match mode {
        "linear" => Some(1),
        "bilinear" => Some(2),
        "trilinear" => Some(3),
        _ => known,
    };
    resized(call, dims, mode, corners)
}

pub(super) fn nearest2d(call: &mut Call) -> Option<Value> {
    resized(call, Some(2), "nearest", false)
}

pub(super) fn bilinear2d(call: &mut Call) -> Option<Value> {
    resized(call, Some(2), "bilinear", true)
}

fn resized(call: &mut Call, dims: Option<usize>, mode: &str, corners: bool) -> Option<Value> {
    // Where the number of axes is not known, the lists are read as long as they are and the layer refused afterwards.
    let lists = dims.filter(|dims| (1..=3).contains(dims)).unwrap_or(2);
    let to = call.args.each("size", lists, 1);
    let by = call.args.reals("scale_factor", lists);
    if to.is_some() == by.is_some() {
        call.args.wrong("size", "or scale_factor must be given, and not both");
    }
    if mode == "area" && to.is_none() {
        call.args.wrong("mode", "area wants size");
    }
    call.done()?;
    let value = call.input()?;
    let dims = match dims {
        Some(dims @ 1..=3) => dims,
        Some(dims) => return call.refuse(Code::LayerShape, &format!("it wants 3 to 5 axes and gets {}", dims + 2)),
        None => call.axes(&value)?.rank().checked_sub(1)?,
    };
    let value = call.windows(dims)?;
    let mode = match mode {
        "area" => {
            let places = to?.into_iter().map(Some).collect();
            return call.keep(&Op::AdaptivePool { max: false, places }, &value);
        }
        "nearest" => UpsampleMode::Nearest,
        "nearest-exact" => UpsampleMode::NearestExact,
        _ if corners => UpsampleMode::LinearCorners,
        _ => UpsampleMode::Linear,
    };
    let size = to.map(UpsampleSize::To).or(by.map(UpsampleSize::By))?;
    call.keep(&Op::Upsample { dims, size, mode }, &value)
}
