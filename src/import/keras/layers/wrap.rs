//! Layers around another layer.

use super::{Row, find, merge::join, passes, reads, sides::cut};
use crate::{
    describe::{Op, lowering::plain},
    faults::Code,
    formats::json::Json,
    import::keras::{call::Call, flow::Flow, layer, model::Model},
};

pub(super) const ROWS: &[Row] = &[reads("TimeDistributed", time), passes("SpectralNormalization", spectral)];

/// The layer within.
fn within<'a>(call: &mut Call<'_, 'a, '_>) -> Option<&'a Json> {
    let found = call.settings.get("layer");
    if found.is_none() {
        return call.refuse(Code::Attribute, "it has no layer within");
    }
    found
}

/// A layer for each step of the axis after the batch. One more axis stands before those it knows of, or, where it can not work
/// beside so many, it is written once for each step.
fn time(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let inner = within(call)?;
    call.done()?;
    let (axis, lead) = (call.at.lead, call.at.lead + 1);
    let flow = call.single()?;
    if flow.rank() < lead {
        return call.refuse(Code::LayerShape, "what reaches it has no axis of steps");
    }
    let scope = call.at.scope.part("layer", layer::name(inner));
    if !apart(inner, lead) {
        return call.part(inner, vec![flow], scope, lead);
    }
    let flow = call.input()?;
    let steps = call.length(&flow, axis, None)?;
    let flow = call.plain(&flow);
    let mut made = Vec::new();
    for step in 0..steps as i64 {
        let one = cut(call, flow.clone(), axis, (step, Some(step + 1), 1))?;
        let one = call.make(&Op::Squeeze { axes: vec![lead as i64] }, &[&one], plain(flow.rank() - 1))?;
        let one = call.part(inner, vec![one], scope.clone(), axis)?;
        let one = call.plain(&one);
        made.push(call.make(&Op::Unsqueeze { axes: vec![lead as i64] }, &[&one], plain(one.rank() + 1))?);
    }
    join(call, &made, axis)
}

/// Whether a layer, or one within it, can not work beside `lead` axes of steps.
fn apart(held: &Json, lead: usize) -> bool {
    let wrapped = held.get("config").and_then(|config| config.get("layer"));
    let own = match layer::class(held) {
        "TimeDistributed" => return wrapped.is_some_and(|held| apart(held, lead + 1)),
        class => find(class).is_some_and(|row| row.lead < lead),
    };
    let layers = Model::of(held).map_or(&[][..], |model| model.layers);
    own || layers.iter().chain(wrapped).any(|held| apart(held, lead))
}

/// The weight is kept as it was normalised last; only training normalises it anew.
fn spectral(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let inner = within(call)?;
    call.settings.ignore(&["power_iterations"]);
    call.done()?;
    // Beside the vector of the last step it counts the kernel of the layer within as its own too.
    call.spare("vector_u", 0);
    call.spare("sn_u", 1);
    let flow = call.input()?;
    let (scope, lead) = (call.at.scope.part("layer", layer::name(inner)), call.at.lead);
    call.part(inner, vec![flow], scope, lead)
}
