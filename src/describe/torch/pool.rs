//! Pools: windows that move, and windows chosen for the length of the output.

use super::call::Call;
use crate::describe::lowering::Value;
use crate::describe::{Border, Divisor, Op, PoolKind, Window};

pub(super) fn max_pool<const D: usize>(call: &mut Call) -> Option<Value> {
    call.args.ignore(&["return_indices"]);
    let dilation = call.args.each("dilation", D, 1).unwrap_or_else(|| vec![1; D]);
    pool(call, dilation, PoolKind::Max)
}

pub(super) fn avg_pool<const D: usize>(call: &mut Call) -> Option<Value> {
    let padded = call.args.flag("count_include_pad", true);
    // `AvgPool1d` has no divisor of its own.
    let fixed = if D > 1 { call.args.maybe_whole("divisor_override") } else { None };
    let divisor = match fixed.map(usize::try_from) {
        None if padded => Divisor::Padded,
        None => Divisor::Inside,
        Some(Ok(divisor)) if divisor > 0 => Divisor::Fixed(divisor),
        Some(_) => {
            call.args.wrong("divisor_override", "wants a whole number from 1");
            Divisor::Padded
        }
    };
    pool(call, vec![1; D], PoolKind::Mean(divisor))
}

fn pool(call: &mut Call, dilation: Vec<usize>, kind: PoolKind) -> Option<Value> {
    let dims = dilation.len();
    let size = call.args.each_needed("kernel_size", dims);
    let stride = call.args.each("stride", dims, 1).unwrap_or_else(|| size.clone());
    let sides = call.args.each("padding", dims, 0).unwrap_or_else(|| vec![0; dims]);
    let ceil = call.args.flag("ceil_mode", false);
    let spans =
        size.iter().zip(&dilation).map(|(size, dilation)| (size - 1).saturating_mul(*dilation).saturating_add(1));
    if sides.iter().zip(spans).any(|(side, span)| *side > span / 2) {
        call.args.wrong("padding", "must be at most half of the window");
    }
    call.done()?;
    let value = call.windows(dims)?;
    let border = Border::Explicit(sides.into_iter().map(|side| [side, side]).collect());
    call.keep(&Op::Pool { kind, window: Window { size, stride, dilation, border, ceil } }, &value)
}

pub(super) fn adaptive_avg_pool<const D: usize>(call: &mut Call) -> Option<Value> {
    adaptive(call, D, false)
}

pub(super) fn adaptive_max_pool<const D: usize>(call: &mut Call) -> Option<Value> {
    call.args.ignore(&["return_indices"]);
    adaptive(call, D, true)
}

fn adaptive(call: &mut Call, dims: usize, max: bool) -> Option<Value> {
    let places = call.args.each_or_none("output_size", dims);
    call.done()?;
    let value = call.windows(dims)?;
    call.keep(&Op::AdaptivePool { max, places }, &value)
}
