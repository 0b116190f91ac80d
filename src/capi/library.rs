//! Which library this is, and whether a header fits it.

use super::{failure::Failure, handle, status::pon_status, text::pon_str};
use crate::faults::Code;
use std::ffi::CStr;

/// Number of the interface; changes only when something that was there changes its meaning or goes.
pub const PON_ABI: u32 = 1;
/// Version of the header: major << 16 | minor << 8 | patch.
pub const PON_HEADER: u32 = 0x000100;

/// What the library was built as, with a NUL after the end.
const BUILD: &str = concat!(
    "{\"version\":\"",
    env!("CARGO_PKG_VERSION"),
    "\",\"abi\":1,\"target\":\"",
    env!("PONTIL_TARGET"),
    "\",\"debug_entries\":",
    cfg!(feature = "debug-entries"),
    "}\0"
);

/// Tells the interface number of the library: PON_ABI of the header it was built with.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn pon_abi() -> u32 {
    guard!(or PON_ABI, { Ok(PON_ABI) })
}

/// Tells the version of the library, as PON_HEADER.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn pon_version() -> u32 {
    guard!(or PON_HEADER, { Ok(PON_HEADER) })
}

/// Tells whether a caller built with this header can use the library; called first, as `pon_check(PON_ABI, PON_HEADER)`.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_ABI: another interface number, or a header that is newer than the library.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn pon_check(abi: u32, header: u32) -> pon_status {
    guard!({
        if abi != PON_ABI || header > PON_HEADER {
            return Err(Failure::of(Code::Abi, "abi"));
        }
        Ok(())
    })
}

/// Tells what the library was built as: a JSON object with `version`, `abi`, `target`, `debug_entries`.
/// Owns: the text is static.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_build_info(out: *mut pon_str) -> pon_status {
    const TEXT: &CStr = match CStr::from_bytes_with_nul(BUILD.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!(),
    };
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(pon_str::fixed(TEXT));
        Ok(())
    })
}

/// Gives the stable name of a status, e.g. `slot.shape`; `unknown` for a number this library does not know.
/// Owns: the text is static.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_status_name(status: pon_status, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(pon_str::fixed(Code::from_number(status).map_or(c"unknown", Code::c_name)));
        Ok(())
    })
}

/// Says what a status means, in a sentence for people; of a number this library does not know, that it does not.
/// Owns: the text is static.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_status_text(status: pon_status, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        out.write(pon_str::fixed(Code::from_number(status).map_or(c"A status of a newer library.", Code::c_meaning)));
        Ok(())
    })
}
