//! The same numbers along other axes.

use super::{Row, drops, passes, window::channels_first};
use crate::{
    describe::{
        Op, UpsampleMode, UpsampleSize,
        lowering::{Axes, Value},
    },
    faults::Code,
    formats::json::Json,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    drops("Flatten", flatten),
    drops("Reshape", reshape),
    passes("Permute", permute),
    drops("RepeatVector", repeat).beside(1),
];

fn flatten(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let first = channels_first(call);
    call.done()?;
    let flow = call.input()?;
    let lead = call.at.lead;
    let order: Vec<usize> = (0..=lead).collect();
    if flow.rank() == lead {
        let flow = call.plain(&flow);
        return call.make(&Op::Unsqueeze { axes: vec![lead as i64 + 1] }, &[&flow], order);
    }
    // Channels that come first are put last before.
    let flow = if first { call.last(&flow, &[lead]) } else { call.plain(&flow) };
    call.make(&Op::Flatten { start: lead as i64 + 1, end: -1 }, &[&flow], order)
}

fn reshape(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let target = match call.settings.get("target_shape") {
        Some(Json::List(items)) => {
            items.iter().map(|item| item.int().filter(|&length| length == -1 || length > 0)).collect()
        }
        _ => None,
    };
    let target: Vec<i64> = target.unwrap_or_else(|| {
        call.settings.wrong("target_shape", "wants a list of lengths, one of which may be -1");
        Vec::new()
    });
    call.done()?;
    let flow = call.input()?;
    let flow = call.plain(&flow);
    let mut each = Vec::new();
    for axis in 0..call.at.lead {
        each.push(call.length(&flow, axis, None)? as i64);
    }
    each.extend(target);
    let order = (0..each.len()).collect();
    call.make(&Op::Reshape { each }, &[&flow], order)
}

fn permute(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let dims = call.settings.wholes("dims", &[]);
    call.done()?;
    let flow = call.input()?;
    let lead = call.at.lead;
    let each: Option<Vec<usize>> =
        dims.iter().map(|&dim| usize::try_from(dim.checked_sub(1)?).ok()?.checked_add(lead)).collect();
    let order: Vec<usize> = (0..lead).chain(each.unwrap_or_default()).collect();
    moved(call, &flow, &order)
}

/// The value with its axes in another order. Nothing moves: they get other places in what the framework calls their order.
pub(super) fn moved(call: &mut Call<'_, '_, '_>, flow: &Flow, order: &[usize]) -> Option<Flow> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..flow.rank()) {
        return call.refuse(Code::Attribute, "it does not name each axis of what reaches it once");
    }
    let made = call.keep(&Op::Identity, flow)?;
    let place = |axis: usize| order.iter().position(|&from| from == axis);
    let lengths = order.iter().map(|&axis| flow.length(axis)).collect();
    let channel = flow.channel.and_then(place);
    let axes = Axes { order: flow.order().into_iter().filter_map(place).collect(), lengths };
    let value = Value { axes: Some(axes), ..made.value };
    Some(Flow { value, channel, origin: None, ..made })
}

fn repeat(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let count = call.settings.length("n");
    call.done()?;
    let flow = call.of_rank(1)?;
    let lead = call.at.lead;
    let flow = call.plain(&flow);
    let order: Vec<usize> = (0..lead + 2).collect();
    let one = call.make(&Op::Unsqueeze { axes: vec![lead as i64 + 1] }, &[&flow], order.clone())?;
    let factors = [vec![1.0; lead], vec![count as f64]].concat();
    let op = Op::Upsample { dims: lead + 1, size: UpsampleSize::By(factors), mode: UpsampleMode::Nearest };
    call.make(&op, &[&one], order)
}
