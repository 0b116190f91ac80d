//! What a network will run: its plan in words.

use super::{
    failure::Failure,
    faults::pon_faults,
    handle,
    network::pon_network,
    session::{PON_PRECISION_EXACT, PON_PRECISION_STANDARD},
    status::pon_status,
    text::{Kept, pon_str},
};
use crate::{
    faults::Code,
    plan::{Plan, Precision},
};

/// Tells the steps that a session of this precision runs, as text for people: for each step its kernel, the layer it works
/// for, the shape and the bytes of what it makes of one example, the bytes of the network's numbers it reads, whose values it
/// takes, which layers' work went into its numbers and what it does on the way; then the bytes of the numbers, which all
/// sessions share, and of a session of one example and one thread. Lines end with LF; columns may be added.
/// Owns: the text belongs to the network and ends with this handle.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (precision), PON_E_MEMORY, those of 500 to 549 (the network can not run).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_plan_text(
    network: *const pon_network,
    precision: i32,
    out: *mut pon_str,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        let precision = match precision {
            PON_PRECISION_STANDARD => Precision::Standard,
            PON_PRECISION_EXACT => Precision::Exact,
            _ => return Err(Failure::of(Code::Value, "precision")),
        };
        let kept = &held.plans[precision as usize];
        if kept.get().is_none() {
            let told = Plan::told(&held.network, precision, faults)?;
            kept.get_or_init(|| Kept::new(format!("{told}\n")));
        }
        out.write(kept.get().ok_or(Failure::of(Code::Internal, "network"))?.lend());
        Ok(())
    })
}
