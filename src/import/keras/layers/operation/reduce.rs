//! Axes taken together.

use super::super::{Row, drops, function::power};
use crate::{
    describe::{Op, ReduceKind, lowering::without},
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    drops("Mean", |call| reduce(call, ReduceKind::Mean)),
    drops("Sum", |call| reduce(call, ReduceKind::Sum)),
    drops("Max", |call| reduce(call, ReduceKind::Max)),
    drops("Amax", |call| reduce(call, ReduceKind::Max)),
    drops("Min", least),
    drops("Amin", least),
    drops("Prod", |call| reduce(call, ReduceKind::Product)),
];

/// Takes the axes of the settings together.
fn reduce(call: &mut Call<'_, '_, '_>, kind: ReduceKind) -> Option<Flow> {
    let flow = call.input()?;
    over(call, &flow, kind)
}

/// The least is the largest of the negatives, negated.
fn least(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let negative = power(1.0, -1.0, 0.0);
    let flow = call.input()?;
    let turned = call.keep(&negative, &flow)?;
    let most = over(call, &turned, ReduceKind::Max)?;
    call.keep(&negative, &most)
}

fn over(call: &mut Call<'_, '_, '_>, flow: &Flow, kind: ReduceKind) -> Option<Flow> {
    // None at all means the batch too.
    let axes = call.settings.wholes("axis", &[0]);
    let keep = call.settings.flag("keepdims", false);
    call.done()?;
    let axes = call.axes(&axes, flow.rank())?;
    if axes.is_empty() {
        return call.unsupported("it names no axis");
    }
    let written = axes.iter().map(|&axis| flow.written(axis)).collect();
    let order = match keep {
        true => flow.order(),
        false => without(&flow.order(), &axes),
    };
    let made = call.make(&Op::Reduce { kind, axes: written, keep }, &[flow], order)?;
    Some(if keep { Flow { origin: None, ..made.like(flow) } } else { made })
}
