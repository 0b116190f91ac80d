//! Layers around another layer.

use super::{Row, passes, reads};
use crate::{
    faults::Code,
    formats::json::Json,
    import::keras::{call::Call, flow::Flow, layer},
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

/// A layer for each step of the axis after the batch: one more axis stands before those it knows of.
fn time(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let inner = within(call)?;
    call.done()?;
    let flow = call.input()?;
    let lead = call.at.lead + 1;
    if flow.rank() < lead {
        return call.refuse(Code::LayerShape, "what reaches it has no axis of steps");
    }
    let scope = call.at.scope.part("layer", layer::name(inner));
    call.part(inner, vec![flow], scope, lead)
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
