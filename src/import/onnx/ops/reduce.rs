//! Means, maxima and totals over axes of one example.

use super::super::call::Call;
use super::super::flow::Flow;
use super::places::length;
use crate::describe::lowering::{Value, left, without};
use crate::describe::{Binary, Op, ReduceKind, Unary};

pub(super) fn reduce(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let keep = call.attributes.flag("keepdims", true);
    let none = call.attributes.flag("noop_with_empty_axes", false);
    let axes = call.axes_said(1)?;
    call.done()?;
    let flow = call.real(0)?;
    let axes = match axes {
        Some(axes) if !axes.is_empty() => axes,
        _ if none => return Some(flow),
        _ => return call.unsupported("without axes it goes over the batch too; examples are never mixed"),
    };
    let mut gone = axes.iter().map(|axis| call.axis(*axis, &flow)).collect::<Option<Vec<usize>>>()?;
    gone.sort_unstable();
    gone.dedup();
    if let Some(made) = pooled(call, &flow, &gone, keep) {
        return Some(made);
    }
    let negated = Unary::Power { power: 1.0, scale: -1.0, shift: 0.0 };
    let square = Unary::Power { power: 2.0, scale: 1.0, shift: 0.0 };
    let (before, kind, after) = match call.node.op.as_str() {
        "ReduceMean" => (None, ReduceKind::Mean, None),
        "ReduceMax" => (None, ReduceKind::Max, None),
        "ReduceProd" => (None, ReduceKind::Product, None),
        "ReduceMin" => (Some(negated), ReduceKind::Max, Some(negated)),
        "ReduceL1" => (Some(Unary::Abs), ReduceKind::Sum, None),
        "ReduceL2" => (Some(square), ReduceKind::Sum, Some(Unary::Sqrt)),
        "ReduceSumSquare" => (Some(square), ReduceKind::Sum, None),
        "ReduceLogSum" => (None, ReduceKind::Sum, Some(Unary::Log)),
        "ReduceLogSumExp" => return log_sum_exp(call, &flow, &gone, keep),
        _ => (None, ReduceKind::Sum, None),
    };
    let changed = match before {
        Some(unary) => call.step("before", &Op::Unary(unary), &flow),
        None => flow,
    };
    let does = after.is_some().then_some("total");
    let made = over(call, does, kind, &changed, &gone, keep);
    match after {
        Some(unary) => call.keep(&Op::Unary(unary), &made),
        None => Some(made),
    }
}

/// `ArgMax`: places as numbers.
pub(super) fn place(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (axis, keep) = (call.attributes.int("axis", 0), call.attributes.flag("keepdims", true));
    let last = call.attributes.flag("select_last_index", false);
    call.done()?;
    let flow = call.real(0)?;
    let gone = call.axis(axis, &flow)?;
    if last {
        return last_place(call, &flow, gone, keep);
    }
    Some(over(call, None, ReduceKind::Place, &flow, &[gone], keep))
}

/// The last of several largest: the largest of the places that hold the largest number.
fn last_place(call: &mut Call<'_, '_, '_>, flow: &Flow, gone: usize, keep: bool) -> Option<Flow> {
    let length = length(call, flow, gone)?;
    call.room(&[length])?;
    let most = over(call, Some("most"), ReduceKind::Max, flow, &[gone], true);
    let order = flow.axes().order;
    let joined = |call: &mut Call<'_, '_, '_>, does, binary, pair: [&Value; 2]| {
        call.put(Some(does), &Op::Binary(binary), &pair, order.clone(), Vec::new())
    };
    let alike = joined(call, "alike", Binary::Equal, [&flow.value, &most.value]);
    let shape = order.iter().map(|axis| if *axis == gone { length } else { 1 }).collect();
    let values = (0..length).map(|place| place as f32).collect();
    let places = call.put(Some("places"), &Op::Constant { shape, values }, &[], order.clone(), Vec::new());
    let found = joined(call, "found", Binary::Multiply, [&alike, &places]);
    Some(over(call, None, ReduceKind::Max, &flow.with(found), &[gone], keep))
}

/// Every window axis of an image at once is a global pool: its channels lie last, and nothing else stays.
fn pooled(call: &mut Call<'_, '_, '_>, flow: &Flow, gone: &[usize], keep: bool) -> Option<Flow> {
    let max = match call.node.op.as_str() {
        "ReduceMean" => false,
        "ReduceMax" => true,
        _ => return None,
    };
    let (order, dims) = (flow.axes().order, gone.len());
    let channel = order.last().copied().filter(|last| flow.channel == Some(*last) && !gone.contains(last))?;
    if !(1..=3).contains(&dims) || dims + 1 != flow.each() || flow.merged > 0 || flow.at > 0 {
        return None;
    }
    let after = if keep { order } else { vec![0] };
    let value = call.put(None, &Op::GlobalPool { max, dims, keep }, &[&flow.value], after, Vec::new());
    Some(Flow { channel: Some(if keep { channel } else { 0 }), ..flow.with(value) })
}

/// The reduction itself, on a value whose axes `gone` are those of one example in the graph's order.
pub(super) fn over(
    call: &mut Call<'_, '_, '_>,
    does: Option<&str>,
    kind: ReduceKind,
    flow: &Flow,
    gone: &[usize],
    keep: bool,
) -> Flow {
    let order = flow.axes().order;
    let axes = gone.iter().map(|axis| call.lying(*axis, flow)).collect();
    let after = if keep { order } else { without(&order, gone) };
    let value = call.put(does, &Op::Reduce { kind, axes, keep }, &[&flow.value], after, Vec::new());
    let channel = if keep { flow.channel } else { flow.channel.and_then(|channel| left(channel, gone)) };
    Flow { channel, ..flow.with(value) }
}

/// The largest is taken away first, so that nothing is past all singles.
fn log_sum_exp(call: &mut Call<'_, '_, '_>, flow: &Flow, gone: &[usize], keep: bool) -> Option<Flow> {
    let most = over(call, Some("most"), ReduceKind::Max, flow, gone, true);
    let order = flow.axes().order;
    let less = call.put(Some("less"), &Op::Binary(Binary::Subtract), &[&flow.value, &most.value], order, Vec::new());
    let powers = call.step("exp", &Op::Unary(Unary::Exp), &flow.with(less));
    let total = over(call, Some("total"), ReduceKind::Sum, &powers, gone, keep);
    let log = call.step("log", &Op::Unary(Unary::Log), &total);
    let most = if keep { most } else { over(call, Some("row"), ReduceKind::Max, flow, gone, false) };
    let order = log.axes().order;
    let value = call.put(None, &Op::Binary(Binary::Add), &[&log.value, &most.value], order, Vec::new());
    Some(total.with(value))
}
