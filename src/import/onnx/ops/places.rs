//! Values joined, cut, padded, and rows looked up.

use super::super::build::Given;
use super::super::call::Call;
use super::super::constant::Constant;
use super::super::flow::{Flow, Kind};
use super::super::held::Number;
use super::super::run::Run;
use super::axes::{shaped, squeezed};
use crate::describe::lowering::plain;
use crate::describe::{Op, PadMode};
use crate::faults::Code;
use crate::network::Turn;

/// Most pieces that places out of their order are taken in.
const PIECES: usize = 256;

pub(super) fn concat(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", 1);
    call.done()?;
    let like = call.given.iter().find_map(|given| match given {
        Some(Given::Flow(flow)) => Some(flow.clone()),
        _ => None,
    });
    let Some(like) = like else { return call.refuse(Code::Connection, "it takes constants alone") };
    let axis = call.axis(axis, &like)?;
    let order = like.axes().order;
    let mut parts = Vec::new();
    for place in 0..call.given.len() {
        let part = match call.constant(place) {
            Some(constant) if constant.count() == 0 => continue,
            Some(constant) => full(call, &constant, &like)?,
            None => call.real(place)?,
        };
        if (part.each(), part.merged) != (like.each(), like.merged) {
            let what = format!("its inputs have {} and {} axes", like.rank(), part.rank());
            return call.refuse(Code::LayerShape, &what);
        }
        parts.push(call.turn(&part, &order));
    }
    if let [part] = &parts[..] {
        return Some(part.clone());
    }
    let written = call.lying(axis, &like);
    let made = call.make(&Op::Concat { axis: written }, &parts.iter().collect::<Vec<_>>(), order)?;
    let channel = parts.iter().find_map(|part| part.channel);
    Some(Flow { channel, ..made.like(&like) })
}

/// A constant with every axis of one example, as a layer of its own.
fn full(call: &mut Call<'_, '_, '_>, constant: &Constant, like: &Flow) -> Option<Flow> {
    let alone = alone(call, constant);
    let constant = alone.as_ref().unwrap_or(constant);
    if constant.shape().len() != like.rank() || constant.shape().first() != Some(&1) || like.merged > 0 {
        return call.unsupported("a constant among its inputs is not the same for every example");
    }
    let shape = constant.shape().get(1..).unwrap_or_default().to_vec();
    let turn = Turn::new(constant.shape(), &shape, plain(shape.len()), &shape);
    let number = Number { slot: "value", constant: constant.clone(), turn };
    let order = plain(shape.len());
    let value = call.put(Some("value"), &Op::Parameter { shape }, &[], order, vec![number]);
    Some(Flow::new(value))
}

/// A constant that was written for a batch of one length, the same for every example: the first of them.
fn alone(call: &mut Call<'_, '_, '_>, constant: &Constant) -> Option<Constant> {
    let (&examples, each) = constant.shape().split_first()?;
    (examples > 1 && Some(examples) == call.build.batch).then_some(())?;
    call.look(constant.shape())?;
    let items = constant.items()?;
    let first = items.get(..items.len() / examples)?;
    let same = items.chunks(first.len().max(1)).all(|example| example == first);
    same.then(|| Constant::computed(constant.dtype(), [&[1], each].concat(), first.to_vec()))?
}

/// Places of an axis from `start` to `end`, each `step`-th.
fn cut(
    call: &mut Call<'_, '_, '_>,
    does: Option<&str>,
    flow: &Flow,
    axis: usize,
    [start, end, step]: [usize; 3],
) -> Flow {
    let op = Op::Slice {
        axis: call.lying(axis, flow),
        start: i64::try_from(start).unwrap_or(i64::MAX),
        end: i64::try_from(end).ok(),
        step,
    };
    let value = call.put(does, &op, &[&flow.value], flow.axes().order, Vec::new());
    flow.with(value)
}

/// Places of an axis in any order: slices, joined where one is not enough.
pub(super) fn taken(call: &mut Call<'_, '_, '_>, flow: &Flow, axis: usize, places: &[usize]) -> Option<Flow> {
    let runs = runs(places);
    match &runs[..] {
        [] => call.unsupported("it takes no place at all"),
        [run] => Some(cut(call, None, flow, axis, *run)),
        _ if runs.len() > PIECES => too_many(call, runs.len()),
        _ => {
            let parts: Vec<Flow> = runs.iter().map(|run| cut(call, Some("piece"), flow, axis, *run)).collect();
            let written = call.lying(axis, flow);
            let made =
                call.make(&Op::Concat { axis: written }, &parts.iter().collect::<Vec<_>>(), flow.axes().order)?;
            Some(flow.with(made.value))
        }
    }
}

fn too_many<T>(call: &mut Call<'_, '_, '_>, pieces: usize) -> Option<T> {
    call.unsupported(&format!("it takes places in an order of {pieces} pieces; at most {PIECES} are read"))
}

/// Places as start, end and step, as few as it takes.
fn runs(places: &[usize]) -> Vec<[usize; 3]> {
    let mut runs: Vec<[usize; 3]> = Vec::new();
    let mut rest = places;
    while let Some((first, others)) = rest.split_first() {
        let step = others.first().and_then(|second| second.checked_sub(*first)).filter(|step| *step > 0);
        let long = match step {
            Some(step) => {
                1 + others.iter().zip(1..).take_while(|(place, number)| **place == first + step * number).count()
            }
            None => 1,
        };
        // Two alone are no run of a step: the second may begin a longer one.
        let (long, step) = match step {
            Some(1) => (long, 1),
            Some(step) if long > 2 => (long, step),
            _ => (1, 1),
        };
        runs.push([*first, first + step * (long - 1) + 1, step]);
        rest = rest.get(long..).unwrap_or_default();
    }
    runs
}

/// The length of an axis; refused if it is not known.
pub(super) fn length(call: &mut Call<'_, '_, '_>, flow: &Flow, axis: usize) -> Option<usize> {
    let found = flow.lengths().get(axis).copied().flatten();
    if found.is_none() {
        return call
            .refuse(Code::Input, "the length of its axis is not known: state the shape of one example of the input");
    }
    found
}

pub(super) fn slice(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let ranges = call.ranges()?;
    call.done()?;
    let mut flow = call.flow(0)?;
    for (axis, [start, end, step]) in ranges {
        let whole = call.build.batch.map_or(i64::from(i32::MAX), |batch| i64::try_from(batch).unwrap_or(i64::MAX));
        let place = if axis < 0 { axis.saturating_add(i64::try_from(flow.rank()).unwrap_or(0)) } else { axis };
        if usize::try_from(place) == Ok(flow.at) && (start, step) == (0, 1) && end >= whole {
            continue;
        }
        let axis = call.axis(axis, &flow)?;
        let length = length(call, &flow, axis)?;
        let run = Run::of(length, [start, end, step])?;
        if run.count == length && step == 1 {
            continue;
        }
        let kind = flow.kind;
        let made = match usize::try_from(step) {
            _ if run.count == 0 => return call.unsupported("it takes no place at all"),
            Ok(step) => cut(call, None, &flow, axis, [run.start, run.start + (run.count - 1) * step + 1, step]),
            Err(_) if run.count > PIECES => return too_many(call, run.count),
            Err(_) => taken(call, &flow, axis, &run.places())?,
        };
        flow = Flow { kind, ..made };
    }
    Some(flow)
}

pub(super) fn split(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", 0);
    let flow = call.anywhere(0)?;
    let axis = call.axis(axis, &flow)?;
    let length = length(call, &flow, axis)?;
    let parts = call.parts(length)?;
    call.done()?;
    let mut made = Vec::new();
    let mut start = 0;
    for part in parts {
        let end = start + part;
        if part == 0 {
            return call.unsupported("one of its parts has no place");
        }
        made.push(cut(call, None, &flow, axis, [start, end, 1]));
        start = end;
    }
    let mut made = made.into_iter();
    let first = made.next();
    call.more = made.collect();
    first
}

/// Borders by attributes, since version 11 by inputs.
pub(super) fn pad(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let mode = call.attributes.text("mode", "constant");
    let (pads, fill, axes) = match call.opset() {
        ..11 => (call.attributes.ints("pads"), call.attributes.real("value", 0.0), None),
        _ => (call.wholes(1, "pads")?, call.number(2, "number")?.unwrap_or(0.0), call.wholes(3, "axes")?),
    };
    let mode = match mode {
        "constant" => PadMode::Constant(fill),
        "reflect" => PadMode::Reflect,
        "edge" => PadMode::Edge,
        "wrap" => PadMode::Circular,
        _ => {
            call.attributes.wrong("mode", "wants constant, reflect, edge or wrap");
            PadMode::Edge
        }
    };
    call.done()?;
    let flow = call.whole(0)?;
    let pads = pads.unwrap_or_default();
    let axes = axes.unwrap_or_else(|| (0..flow.rank()).filter_map(|axis| i64::try_from(axis).ok()).collect());
    if pads.len() != 2 * axes.len() {
        return call.refuse(Code::Attribute, "pads wants two numbers for each axis");
    }
    let (before, after) = pads.split_at(axes.len());
    let mut border = vec![[0i64, 0]; flow.each()];
    for (axis, (before, after)) in axes.iter().zip(before.iter().zip(after)) {
        if (*before, *after) != (0, 0) {
            let axis = call.axis(*axis, &flow)?;
            *border.get_mut(axis)? = [*before, *after];
        }
    }
    let mut cropped = flow;
    for (axis, sides) in border.iter().enumerate().filter(|(_, sides)| sides.iter().any(|side| *side < 0)) {
        let length = length(call, &cropped, axis)?;
        let away = |side: i64| usize::try_from(side.min(0).unsigned_abs()).unwrap_or(usize::MAX);
        let [start, end] = [away(sides[0]), length.saturating_sub(away(sides[1]))];
        if start >= end {
            return call.refuse(Code::LayerShape, "its negative pads leave nothing");
        }
        cropped = cut(call, Some("crop"), &cropped, axis, [start, end, 1]);
    }
    let side = |side: i64| usize::try_from(side.max(0)).unwrap_or(0);
    let order = cropped.axes().order;
    let border: Vec<[usize; 2]> =
        order.iter().filter_map(|axis| border.get(*axis)).map(|sides| sides.map(side)).collect();
    if border.iter().all(|sides| *sides == [0, 0]) {
        return Some(cropped);
    }
    call.keep(&Op::Pad { border, mode }, &cropped)
}

pub(super) fn gather(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", 0);
    call.done()?;
    match (call.constant(0), call.constant(1)) {
        (Some(table), None) => rows(call, table, axis),
        (None, Some(indices)) => {
            let flow = call.flow(0)?;
            if let Some(places) = in_each(call, &flow, &indices) {
                return looked_up(call, &flow, &places, indices.shape());
            }
            let axis = call.axis(axis, &flow)?;
            let length = length(call, &flow, axis)?;
            let wanted = i64::try_from(length).unwrap_or(i64::MAX);
            let place = |index: &i64| {
                usize::try_from(if *index < 0 { index + wanted } else { *index }).ok().filter(|place| *place < length)
            };
            let found =
                indices.integers().and_then(|indices| indices.iter().map(place).collect::<Option<Vec<usize>>>());
            let Some(found) = found else { return call.refuse(Code::LayerShape, "an index is outside of its axis") };
            let picked = match indices.shape() {
                [_] => return taken(call, &flow, axis, &found),
                [] => cut(call, Some("place"), &flow, axis, [*found.first()?, found.first()? + 1, 1]),
                shape => return spread(call, &flow, axis, &found, shape),
            };
            squeezed(call, &picked, &[axis])
        }
        _ => call.unsupported("both what is looked up and where are computed, which is not read"),
    }
}

/// Places of an axis, which becomes several axes of lengths `shape`.
fn spread(call: &mut Call<'_, '_, '_>, flow: &Flow, axis: usize, places: &[usize], shape: &[usize]) -> Option<Flow> {
    let kind = flow.kind;
    let flow = call.plain(flow);
    let picked = taken(call, &flow, axis, places)?;
    let lengths = flow.lengths();
    let (before, behind) = (lengths.get(..axis)?, lengths.get(axis + 1..)?);
    let each: Vec<Option<usize>> =
        before.iter().copied().chain(shape.iter().map(|length| Some(*length))).chain(behind.iter().copied()).collect();
    let at = if flow.position(axis) < flow.at { flow.at + shape.len() - 1 } else { flow.at };
    let made = shaped(call, &Flow { at: 0, ..picked }, each, flow.merged)?;
    Some(Flow { at, pre: flow.pre, kind, ..made })
}

/// The places within one example that indices into a value of one axis say, which is the batch joined with everything: those
/// of each example are the first one's, moved on by an example. So `as_strided` is exported.
fn in_each(call: &mut Call<'_, '_, '_>, flow: &Flow, indices: &Constant) -> Option<Vec<usize>> {
    let (each, batch) = (flow.count()?, call.build.batch?);
    let alone = flow.kind == Kind::Real && flow.rank() == 1 && flow.merged > 0;
    (alone && indices.shape().len() > 1 && indices.shape().first() == Some(&batch)).then_some(())?;
    call.look(indices.shape())?;
    let indices = indices.integers()?;
    let places: Vec<usize> = indices.iter().map(|index| usize::try_from(*index).ok()).collect::<Option<_>>()?;
    let first = places.get(..places.len() / batch)?;
    let mut examples = places.chunks(first.len().max(1)).enumerate();
    let same = examples.all(|(number, example)| {
        let begins = number.checked_mul(each);
        begins.is_some_and(|begins| {
            example.iter().zip(first).all(|(place, first)| begins.checked_add(*first) == Some(*place))
        })
    });
    (same && first.iter().all(|place| *place < each)).then(|| first.to_vec())
}

/// Places of one example, in the shape that indices of the whole batch have.
fn looked_up(call: &mut Call<'_, '_, '_>, flow: &Flow, places: &[usize], shape: &[usize]) -> Option<Flow> {
    let whole = |length: &usize| i64::try_from(*length).ok();
    let flow = call.packed(flow);
    let count = flow.count()?;
    let flat = Op::Reshape { each: vec![whole(&count)?] };
    let mut made = Flow::new(call.put(Some("flat"), &flat, &[&flow.value], plain(1), Vec::new()));
    if !places.iter().copied().eq(0..count) {
        made = taken(call, &made, 0, places)?;
    }
    let each: Vec<i64> = shape.iter().skip(1).map(whole).collect::<Option<_>>()?;
    let order = plain(each.len());
    call.make(&Op::Reshape { each }, &[&made], order)
}

/// Rows of a table by whole numbers of an input.
fn rows(call: &mut Call<'_, '_, '_>, table: Constant, axis: i64) -> Option<Flow> {
    let flow = call.flow(1)?;
    if flow.kind != Kind::Ids {
        return call.unsupported("its indices are no whole numbers of an input");
    }
    let (&[count, features], 0 | -2) = (table.shape(), axis) else {
        return call.unsupported("rows are looked up on axis 0 of a table of two axes alone");
    };
    let flow = call.plain(&flow);
    let turn = Turn::none(&[count, features]);
    let numbers = vec![Number { slot: "weight", constant: table, turn }];
    let order = plain(flow.each() + 1);
    let value = call.put(None, &Op::Embedding { count, features }, &[&flow.value], order, numbers);
    Some(Flow::new(value).like(&flow))
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn places_are_taken_in_few_pieces() {
        assert_eq!(runs(&[2, 3, 4]), [[2, 5, 1]]);
        assert_eq!(runs(&[0, 2, 4]), [[0, 5, 2]]);
        assert_eq!(runs(&[3, 2, 1]), [[3, 4, 1], [2, 3, 1], [1, 2, 1]]);
        assert_eq!(runs(&[0, 5, 6, 7]), [[0, 1, 1], [5, 8, 1]]);
    }
}
