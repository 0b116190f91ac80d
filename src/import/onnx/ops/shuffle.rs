//! Channels made places, and places channels.

use super::super::call::Call;
use super::super::flow::Flow;
use crate::describe::Op;
use crate::describe::lowering::{channels_last, plain};
use crate::faults::Code;

/// Height, width and channels, and the length of a block's side.
fn image(call: &mut Call<'_, '_, '_>) -> Option<(Flow, [i64; 3], i64)> {
    let block = call.attributes.int("blocksize", 0);
    if !(1..=1 << 16).contains(&block) {
        call.attributes.wrong("blocksize", "wants a whole number from 1");
    }
    call.done()?;
    let (flow, dims) = call.windows()?;
    let lengths: Option<Vec<i64>> =
        flow.axes().as_lying().into_iter().map(|length| length.and_then(|length| i64::try_from(length).ok())).collect();
    match lengths.map(<[i64; 3]>::try_from) {
        Some(Ok(lengths)) => Some((flow, lengths, block)),
        None if dims == 2 => {
            call.refuse(Code::Input, "it wants lengths that are not known: state the shape of one example of the input")
        }
        _ => call.refuse(Code::LayerShape, "it wants channels and two window axes"),
    }
}

/// Splits axes, moves the parts, and joins them again, channels last.
fn tiled(call: &mut Call<'_, '_, '_>, flow: &Flow, split: Vec<i64>, axes: &[i64], whole: [i64; 3]) -> Option<Flow> {
    let parts = plain(split.len());
    let cut = call.put(Some("split"), &Op::Reshape { each: split }, &[&flow.value], parts.clone(), Vec::new());
    let moved = call.put(Some("permute"), &Op::Permute { axes: axes.to_vec() }, &[&cut], parts, Vec::new());
    let made = call.put(None, &Op::Reshape { each: whole.to_vec() }, &[&moved], channels_last(3), Vec::new());
    Some(Flow { channel: Some(0), ..Flow::new(made) })
}

pub(super) fn depth_to_space(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let last = blocks_last(call);
    let (flow, [height, width, channels], block) = image(call)?;
    if channels % (block * block) != 0 {
        return call.refuse(Code::LayerShape, "the channels that reach it are no multiple of blocksize squared");
    }
    let each = channels / (block * block);
    let whole = [height * block, width * block, each];
    if last {
        tiled(call, &flow, vec![height, width, each, block, block], &[0, 1, 4, 2, 5, 3], whole)
    } else {
        tiled(call, &flow, vec![height, width, block, block, each], &[0, 1, 3, 2, 4, 5], whole)
    }
}

/// `DCR`, the places of a block before the channels, or `CRD`, behind them.
fn blocks_last(call: &mut Call<'_, '_, '_>) -> bool {
    let mode = call.attributes.text("mode", "DCR");
    if !matches!(mode, "DCR" | "CRD") {
        call.attributes.wrong("mode", "wants DCR or CRD");
    }
    mode == "CRD"
}

pub(super) fn space_to_depth(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let last = blocks_last(call);
    let (flow, [height, width, channels], block) = image(call)?;
    if height % block != 0 || width % block != 0 {
        return call.refuse(Code::LayerShape, "the images that reach it are no multiple of blocksize");
    }
    let split = vec![height / block, block, width / block, block, channels];
    let whole = [height / block, width / block, channels * block * block];
    let axes = if last { [0, 1, 3, 5, 2, 4] } else { [0, 1, 3, 2, 4, 5] };
    tiled(call, &flow, split, &axes, whole)
}
