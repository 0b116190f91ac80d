//! The same numbers along other axes, and values joined along one.

use super::super::{
    Row,
    axes::moved,
    drops,
    merge::{concatenate, join},
};
use crate::{
    describe::{Op, lowering::plain},
    faults::Code,
    formats::json::Json,
    import::keras::{call::Call, flow::Flow},
};
use std::collections::BTreeSet;

pub(super) const ROWS: &[Row] = &[
    drops("Reshape", reshape),
    drops("Transpose", transpose),
    drops("Swapaxes", swap),
    drops("Moveaxis", move_axes),
    drops("ExpandDims", expand),
    drops("Squeeze", squeeze),
    drops("Concatenate", concatenate),
    drops("Stack", stack),
];

/// Its lengths begin with that of the batch, which stays as it is.
fn reshape(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let length = |item: &Json| match item {
        Json::Null => Some(-1),
        other => other.int().filter(|&length| length == -1 || length > 0),
    };
    let said = call.settings.get("newshape").map_or(&[][..], Json::items);
    let all: Option<Vec<i64>> = said.iter().map(length).collect();
    let Some([batch, each @ ..]) = all.as_deref() else {
        call.settings.wrong("newshape", "wants a list of lengths, the batch's first, one of which may be -1");
        call.done()?;
        return None;
    };
    call.done()?;
    let flow = call.input()?;
    if call.at.lead > 0 {
        return call.unsupported(
            "within a TimeDistributed its lengths would be those of all steps at once: use the layer Reshape",
        );
    }
    if *batch != -1 {
        return call.unsupported("it states how long the batch is; examples are never mixed: write -1 first");
    }
    let flow = call.plain(&flow);
    call.make(&Op::Reshape { each: each.to_vec() }, &[&flow], plain(each.len()))
}

/// Axes of a setting, counted among those of one example.
fn set(call: &mut Call<'_, '_, '_>, key: &'static str, rank: usize) -> Option<Vec<usize>> {
    let axes = call.settings.wholes(key, &[]);
    axes.into_iter().map(|axis| call.axis(axis, rank)).collect()
}

fn transpose(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axes", &[]);
    call.done()?;
    let flow = call.input()?;
    let [0, rest @ ..] = &axes[..] else {
        return call.unsupported("it moves the batch, which stays the first axis: write 0 first among its axes");
    };
    let lead = (0..call.at.lead).map(Some);
    let rest: Option<Vec<usize>> = rest.iter().map(|&axis| call.axis(axis, flow.rank())).collect();
    let order: Option<Vec<usize>> = lead.chain(rest?.into_iter().map(Some)).collect();
    moved(call, &flow, &order?)
}

fn swap(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let flow = call.input()?;
    let (one, other) = (set(call, "axis1", flow.rank())?, set(call, "axis2", flow.rank())?);
    call.done()?;
    let (&[one], &[other]) = (&one[..], &other[..]) else {
        return call.refuse(Code::Attribute, "'axis1' and 'axis2' name an axis each");
    };
    let mut order = plain(flow.rank());
    order.swap(one, other);
    moved(call, &flow, &order)
}

fn move_axes(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let flow = call.input()?;
    let (from, to) = (set(call, "source", flow.rank())?, set(call, "destination", flow.rank())?);
    call.done()?;
    let once = |axes: &[usize]| axes.iter().collect::<BTreeSet<_>>().len() == axes.len();
    if from.len() != to.len() || !once(&from) || !once(&to) {
        return call.refuse(Code::Attribute, "'source' and 'destination' name equally many axes, each once");
    }
    let mut placed: Vec<(usize, usize)> = to.into_iter().zip(from.iter().copied()).collect();
    placed.sort_unstable();
    let mut order: Vec<usize> = (0..flow.rank()).filter(|axis| !from.contains(axis)).collect();
    for (to, from) in placed {
        order.insert(to.min(order.len()), from);
    }
    moved(call, &flow, &order)
}

fn expand(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[]);
    call.done()?;
    let flow = call.input()?;
    let (count, rank) = (axes.len(), flow.rank() + axes.len());
    let axes = call.axes(&axes, rank)?;
    if axes.len() != count {
        return call.refuse(Code::Attribute, "'axis' names an axis twice");
    }
    unsqueezed(call, &flow, &axes)
}

/// The value with axes of length 1 at these places of what comes out.
fn unsqueezed(call: &mut Call<'_, '_, '_>, flow: &Flow, axes: &[usize]) -> Option<Flow> {
    let flow = call.plain(flow);
    let written = axes.iter().map(|&axis| axis as i64 + 1).collect();
    call.make(&Op::Unsqueeze { axes: written }, &[&flow], plain(flow.rank() + axes.len()))
}

fn squeeze(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[]);
    call.done()?;
    let flow = call.input()?;
    let flow = call.plain(&flow);
    let mut axes = call.axes(&axes, flow.rank())?;
    if axes.is_empty() {
        axes = (call.at.lead..flow.rank()).filter(|&axis| flow.length(axis) == Some(1)).collect();
    }
    if axes.is_empty() {
        return call.keep(&Op::Identity, &flow);
    }
    let written = axes.iter().map(|&axis| axis as i64 + 1).collect();
    call.make(&Op::Squeeze { axes: written }, &[&flow], plain(flow.rank() - axes.len()))
}

fn stack(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.settings.wholes("axis", &[0]);
    call.done()?;
    let flows = call.inputs(1)?;
    let rank = flows.first()?.rank() + 1;
    let axis = call.axis(axis.first().copied().unwrap_or(0), rank)?;
    let flows: Option<Vec<Flow>> = flows.iter().map(|flow| unsqueezed(call, flow, &[axis])).collect();
    join(call, &flows?, axis)
}
