//! A flag that ends a running call.

use super::{
    failure::Answer,
    handle::{self, Handle},
    status::pon_status,
};
use crate::cancel::Cancel;
use std::sync::Arc;

/// A flag that any thread may raise to end a running call.
pub struct pon_cancel(());

impl Handle for pon_cancel {
    type Inner = Arc<Cancel>;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.canc");
}

/// The flag behind a handle that may be NULL.
///
/// # Safety
/// As `handle::get`.
pub unsafe fn flag<'a>(cancel: *const pon_cancel, name: &'static str) -> Answer<Option<&'a Arc<Cancel>>> {
    // SAFETY: passed on.
    if cancel.is_null() { Ok(None) } else { unsafe { handle::get(cancel, name) }.map(Some) }
}

/// Makes a flag that is down.
/// Owns: the caller owns `*out` and frees it with `pon_cancel_free`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_cancel_new(out: *mut *mut pon_cancel) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(handle::give(Arc::new(Cancel::new())));
        Ok(())
    })
}

/// Raises the flag: calls that were given it end with PON_STOPPED at their next look at it.
/// Owns: nothing.
/// Nullable: cancel (nothing happens).
/// Threads: any, at any time, also from a signal handler.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_cancel_raise(cancel: *const pon_cancel) {
    guard!(bare, {
        // SAFETY: the caller's promise.
        unsafe { handle::get(cancel, "cancel")? }.raise();
        Ok(())
    })
}

/// Takes the flag down, so that it can be used again.
/// Owns: nothing.
/// Nullable: cancel (nothing happens).
/// Threads: any, at any time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_cancel_reset(cancel: *const pon_cancel) {
    guard!(or(), {
        // SAFETY: the caller's promise.
        unsafe { handle::get(cancel, "cancel")? }.reset();
        Ok(())
    })
}

/// Frees a flag; no call that was given it may still run.
/// Owns: takes `cancel`.
/// Nullable: cancel (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_cancel_free(cancel: *mut pon_cancel) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(cancel) } })
}
