//! Borders: the pad classes of `torch.nn` and `pad`.

use super::call::Call;
use crate::describe::lowering::{Axes, Value};
use crate::describe::{LONGEST, Op, PadMode};
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
    let sides = match sides(call, "padding", mode).as_slice() {
        [one] => vec![*one; 2 * dims],
        sides if sides.len() == 2 * dims => sides.to_vec(),
        _ => {
            call.args.wrong("padding", &format!("wants one number or a list of {}", 2 * dims));
            Vec::new()
        }
    };
    call.done()?;
    let mut value = call.input()?;
    let axes = value.axes.get_or_insert_with(|| Axes::plain(vec![None; dims + 1])).clone();
    if axes.rank() != dims + 1 {
        return call.refuse(Code::LayerShape, &format!("it wants {} axes and gets {}", dims + 2, axes.rank() + 1));
    }
    padded(call, &value, &axes, &sides, mode)
}

/// `torch.nn.functional.pad`.
pub(super) fn pad(call: &mut Call) -> Option<Value> {
    let number = call.args.maybe_real("value");
    let mode = match call.args.word("mode", &["constant", "reflect", "replicate", "circular"]) {
        "reflect" => PadMode::Reflect,
        "replicate" => PadMode::Edge,
        "circular" => PadMode::Circular,
        _ => PadMode::Constant(number.unwrap_or(0.0)),
    };
    let sides = sides(call, "pad", mode);
    if sides.len() % 2 == 1 {
        call.args.wrong("pad", "wants two numbers for each axis");
    }
    call.done()?;
    let value = call.input()?;
    let axes = call.axes(&value)?;
    if sides.len() / 2 > axes.rank() {
        return call.refuse(Code::LayerShape, "its border would lie around the batch");
    }
    padded(call, &value, &axes, &sides, mode)
}

/// The numbers of a border; those of a constant one may be negative and take places away.
fn sides(call: &mut Call, key: &'static str, mode: PadMode) -> Vec<i64> {
    let sides = call.args.wholes(key, "whole numbers, before and after for each axis from the last one on");
    let least = if matches!(mode, PadMode::Constant(_)) { -LONGEST } else { 0 };
    match &sides {
        None => call.args.wrong(key, "is missing"),
        Some(sides) if sides.iter().all(|side| (least..=LONGEST).contains(side)) => {}
        Some(_) => call.args.wrong(key, &format!("wants numbers from {least} to {LONGEST}")),
    }
    sides.unwrap_or_default()
}

fn padded(call: &mut Call, value: &Value, axes: &Axes, sides: &[i64], mode: PadMode) -> Option<Value> {
    let mut value = value.clone();
    let mut border = vec![[0, 0]; axes.rank()];
    for (back, pair) in sides.chunks_exact(2).enumerate() {
        let place = axes.place(axes.rank().checked_sub(back + 1)?);
        let (Some(both), [before, after]) = (border.get_mut(place), pair) else { continue };
        *both = [*before, *after].map(|side| usize::try_from(side).unwrap_or(0));
        if before.min(after) < &0 {
            let end = (*after < 0).then_some(*after);
            let slice = Op::Slice { axis: place as i64 + 1, start: (-before).max(0), end, step: 1 };
            value = call.step("crop", &slice, &[&value], Some(axes.order.clone()));
        }
    }
    call.keep(&Op::Pad { border, mode }, &value)
}
