//! The same numbers along other axes.

use super::{Row, drops, passes, window::channels_first};
use crate::{
    describe::{Op, UpsampleMode, UpsampleSize, lowering::Axes},
    faults::Code,
    formats::json::Json,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] =
    &[drops("Flatten", flatten), drops("Reshape", reshape), passes("Permute", permute), drops("RepeatVector", repeat)];

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

/// Nothing moves: axes get other places in what the framework calls their order.
fn permute(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let dims = call.settings.wholes("dims", &[]);
    call.done()?;
    let flow = call.input()?;
    let (lead, rank) = (call.at.lead, flow.rank());
    let moved: Option<Vec<usize>> =
        dims.iter().map(|&dim| usize::try_from(dim.checked_sub(1)?).ok()?.checked_add(lead)).collect();
    let moved: Vec<usize> = (0..lead).chain(moved.unwrap_or_default()).collect();
    let mut sorted = moved.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..rank) {
        return call.refuse(Code::Attribute, "its dims do not name each axis of what reaches it once, from 1 up");
    }
    let made = call.keep(&Op::Identity, &flow)?;
    let place = |axis: usize| moved.iter().position(|&from| from == axis);
    let order = flow.order().into_iter().filter_map(place).collect();
    let lengths = moved.iter().map(|&axis| flow.length(axis)).collect();
    let channel = flow.channel.and_then(place);
    let mut value = made.value;
    value.axes = Some(Axes { order, lengths });
    Some(Flow { value, channel, origin: None, ..made })
}

fn repeat(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let count = call.settings.length("n");
    call.done()?;
    let flow = call.of_rank(1)?;
    let lead = call.at.lead;
    if lead > 1 {
        return call.unsupported("a RepeatVector within two of TimeDistributed is not read");
    }
    let flow = call.plain(&flow);
    let order: Vec<usize> = (0..lead + 2).collect();
    let one = call.make(&Op::Unsqueeze { axes: vec![lead as i64 + 1] }, &[&flow], order.clone())?;
    let factors = [vec![1.0; lead], vec![count as f64]].concat();
    let op = Op::Upsample { dims: lead + 1, size: UpsampleSize::By(factors), mode: UpsampleMode::Nearest };
    call.make(&op, &[&one], order)
}
