//! Pools.

use super::super::call::Call;
use super::super::flow::Flow;
use super::window::window;
use crate::describe::{Divisor, Op, PoolKind};
use crate::faults::Code;

fn pool(call: &mut Call<'_, '_, '_>, kind: PoolKind) -> Option<Flow> {
    let flow = call.whole(0)?;
    let dims = flow.each().saturating_sub(1);
    if !call.attributes.has("kernel_shape") {
        return call.refuse(Code::Attribute, "it has no kernel_shape");
    }
    let size = call.attributes.lengths("kernel_shape", dims, 1, 1);
    let mut window = window(call, size, &flow)?;
    window.ceil = call.attributes.flag("ceil_mode", false);
    call.done()?;
    let (flow, _) = call.windows()?;
    call.keep(&Op::Pool { kind, window }, &flow)
}

pub(super) fn max(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    // The order of numbers in the second output, which is not made.
    call.attributes.ignore(&["storage_order"]);
    pool(call, PoolKind::Max)
}

pub(super) fn average(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let counts = call.attributes.flag("count_include_pad", false);
    pool(call, PoolKind::Mean(if counts { Divisor::Padded } else { Divisor::Inside }))
}

fn global(call: &mut Call<'_, '_, '_>, max: bool) -> Option<Flow> {
    call.done()?;
    let (flow, dims) = call.windows()?;
    call.keep(&Op::GlobalPool { max, dims, keep: true }, &flow)
}

pub(super) fn global_average(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    global(call, false)
}

pub(super) fn global_max(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    global(call, true)
}
