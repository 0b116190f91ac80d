//! Borders: the pad classes of `torch.nn` and `pad`.

use super::lowering::Call;
use super::value::{Axes, Value};
use crate::describe::{Op, PadMode};
use crate::faults::Code;

pub(super) fn zero_pad<const D: usize>(call: &mut Call) -> Option<Value> {
    class(call, D, PadMode::Constant(0.0))
}

pub(super) fn constant_pad<const D: usize>(call: &mut Call) -> Option<Value> {
    let number = call.args.real("value", None);
    class(call, D, PadMode::Constant(number))
}

pub(super) fn reflection_pad<const D: usize>(call: &mut Call) -> Option<Value> {
    class(call, D, PadMode::Reflect)
}

pub(super) fn replication_pad<const D: usize>(call: &mut Call) -> Option<Value> {
    class(call, D, PadMode::Edge)
}

pub(super) fn circular_pad<const D: usize>(call: &mut Call) -> Option<Value> {
    class(call, D, PadMode::Circular)
}

/// Before and after for each axis from the last one on, or one number for all.
fn class(call: &mut Call, dims: usize, mode: PadMode) -> Option<Value> {
    let sides = call.args.each("padding", 2 * dims, 0);
    if sides.is_none() {
        call.args.wrong("padding", "is missing");
    }
    call.done()?;
    let mut value = call.input()?;
    let axes = value.axes.get_or_insert_with(|| Axes::plain(vec![None; dims + 1])).clone();
    if axes.rank() != dims + 1 {
        return call.refuse(Code::LayerShape, &format!("it wants {} axes and gets {}", dims + 2, axes.rank() + 1));
    }
    padded(call, &value, &axes, &sides?, mode)
}

/// `torch.nn.functional.pad`.
pub(super) fn pad(call: &mut Call) -> Option<Value> {
    let want = "whole numbers from 0, before and after for each axis from the last one on";
    let sides = call.args.wholes("pad", want);
    let mode = call.args.word("mode", &["constant", "reflect", "replicate", "circular"]);
    let number = call.args.maybe_real("value");
    let sides: Option<Vec<usize>> =
        sides.and_then(|sides| sides.into_iter().map(|side| side.try_into().ok()).collect());
    let sides = sides.filter(|sides| sides.len() % 2 == 0);
    if sides.is_none() {
        call.args.wrong("pad", &format!("wants {want}"));
    }
    let mode = match mode {
        "reflect" => PadMode::Reflect,
        "replicate" => PadMode::Edge,
        "circular" => PadMode::Circular,
        _ => PadMode::Constant(number.unwrap_or(0.0)),
    };
    call.done()?;
    let value = call.input()?;
    let axes = call.axes(&value)?;
    let sides = sides?;
    if sides.len() / 2 > axes.rank() {
        return call.refuse(Code::LayerShape, "its border would lie around the batch");
    }
    padded(call, &value, &axes, &sides, mode)
}

fn padded(call: &mut Call, value: &Value, axes: &Axes, sides: &[usize], mode: PadMode) -> Option<Value> {
    let mut border = vec![[0, 0]; axes.rank()];
    for (back, side) in sides.chunks_exact(2).enumerate() {
        let place = axes.place(axes.rank().checked_sub(back + 1)?);
        if let (Some(both), [before, after]) = (border.get_mut(place), side) {
            *both = [*before, *after];
        }
    }
    call.keep(&Op::Pad { border, mode }, value)
}
