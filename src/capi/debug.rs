//! Entries that misbehave on purpose, for the tests of the guard; only with the feature `debug-entries`, never shipped.

use super::{context::pon_context, handle, status::pon_status};

/// Panics inside of the guard.
/// Owns: nothing.
/// Nullable: context (nobody hears of it).
/// Threads: any.
/// Errors: PON_E_INTERNAL, always.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_debug_panic(context: *const pon_context) -> pon_status {
    guard!({
        if !context.is_null() {
            // SAFETY: the caller's promise.
            unsafe { handle::get(context, "context")? };
        }
        panic!("asked for")
    })
}
