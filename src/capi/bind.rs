//! Views that a session keeps: its ports and taps.

use super::{
    bound::{Bound, Tap, fits, port_shape},
    description::pon_layer,
    failure::Failure,
    handle,
    network::PON_INPUT,
    session::pon_session,
    status::pon_status,
    view::{self, pon_view},
};
use crate::{
    faults::{Code, Faults},
    plan::Plan,
};

/// Binds an input (PON_INPUT) or output (PON_OUTPUT) to numbers of the caller for all runs to come; the batch is the first axis.
/// Owns: the numbers must stay until the port is bound anew or the session freed; the rest of the view is copied.
/// Nullable: view (unbinds).
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such port, or the view does not fit it).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_bind(
    session: *mut pon_session,
    direction: i32,
    port: usize,
    view: *const pon_view,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(session, "session")? };
        let (session, side) = held.side(direction)?;
        let shape = port_shape(session, direction, port)?;
        if view.is_null() {
            return side.put(port, None);
        }
        // SAFETY: the caller's promise.
        let checked = unsafe { view::check(view, "view")? };
        let batch = checked.shape.first().copied().unwrap_or(0);
        let writable = direction == PON_INPUT || checked.writable;
        if !writable || batch > session.max_batch() || !fits(&checked, shape, batch) {
            return Err(Failure::of(Code::Value, "view"));
        }
        side.put(port, Some(Bound::of(&checked)))
    })
}

/// Gives the view of an input or output: the bound one, or else a buffer of the session's own, bound by this call, with room
/// for `max_batch` examples. At each run its first length becomes the batch of the views of the caller, if there are any.
/// Owns: the view belongs to the session and ends when the port is bound or the session is freed.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such port), PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_port(
    session: *mut pon_session,
    direction: i32,
    port: usize,
    out: *mut pon_view,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get_mut(session, "session")?, handle::out(out, "out")?) };
        let (session, side) = held.side(direction)?;
        let shape = port_shape(session, direction, port)?;
        if !side.is_bound(port) {
            side.put(port, Some(Bound::own(shape.dtype, session.max_batch(), &shape.shape)?))?;
        }
        out.write(side.view(port)?);
        Ok(())
    })
}

/// Copies what a layer makes into numbers of the caller, at each run to come, as soon as it is made. PON_DTYPE_F32; the batch is
/// the first axis, the channels the last (`pon_network_layer_port` tells the shape); 1 where the value is the same for all
/// examples. At a run it must be that of the run. Where the plan has taken layers into others, the first tap lays out a session
/// that has them all, whose runs come before those of this one: taps cost time and memory, and change no answer.
/// Owns: the numbers must stay until the tap is taken away or the session freed; the rest of the view is copied.
/// Nullable: out (takes the tap of this layer away).
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a layer that has no value of its own, or a view that does not fit it),
/// PON_E_LIMIT, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_tap(
    session: *mut pon_session,
    layer: pon_layer,
    out: *const pon_view,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(session, "session")? };
        let layer = layer as usize;
        if out.is_null() {
            held.taps.retain(|tap| tap.layer != layer);
            return Ok(());
        }
        let plan = Plan::of_layers(held.session.network(), held.session.precision(), &mut Faults::default())?;
        let seen = plan.steps.iter().filter_map(|step| step.tap.as_ref()).find(|seen| seen.layer == layer);
        let seen = seen.ok_or(Failure::of(Code::Value, "layer"))?;
        // SAFETY: the caller's promise.
        let checked = unsafe { view::check(out, "out")? };
        let tap = Tap::new(seen, &checked)?;
        held.session.prepare_taps()?;
        held.taps.retain(|tap| tap.layer != layer);
        held.taps.push(tap);
        Ok(())
    })
}
