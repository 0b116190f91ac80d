//! Text across the boundary: in as pointer and length, out as [`pon_str`] with a NUL after its end.

use super::{
    failure::{Answer, Failure},
    handle,
};
use crate::faults::Code;
use std::ffi::{CStr, c_char};

/// Text lent to the caller or by it. What comes from the library has a NUL at `data[len]`; it is UTF-8 but for text of
/// files, which may be WTF-8 and hold a NUL. In options, noughts mean: not said.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pon_str {
    /// The bytes.
    pub data: *const c_char,
    /// How many; `PON_NUL` in options: up to the NUL.
    pub len: usize,
}

/// Stands for "up to the NUL" as a length; `PON_NUL` in the header.
const NUL: usize = usize::MAX;

impl pon_str {
    /// Static text.
    pub fn fixed(text: &'static CStr) -> pon_str {
        pon_str { data: text.as_ptr(), len: text.count_bytes() }
    }

    /// Text in options: none if it was not said.
    ///
    /// # Safety
    /// As [`take`].
    pub unsafe fn said<'a>(&self, name: &'static str) -> Answer<Option<&'a str>> {
        if self.data.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: passed on.
        let text = unsafe { take(self.data, self.len, name)? };
        Ok((!text.is_empty()).then_some(text))
    }
}

/// Text of the caller: UTF-8 without a NUL.
///
/// # Safety
/// NULL, or `len` readable bytes, or text up to a NUL if `len` is `PON_NUL`.
pub unsafe fn take<'a>(data: *const c_char, len: usize, name: &'static str) -> Answer<&'a str> {
    if data.is_null() {
        return Err(Failure::of(Code::Null, name));
    }
    let bytes = match len {
        // SAFETY: not NULL, and the caller promises a NUL.
        NUL => unsafe { CStr::from_ptr(data) }.to_bytes(),
        // SAFETY: passed on.
        _ => unsafe { handle::list(data.cast::<u8>(), len, name)? },
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => Ok(text),
        _ => Err(Failure::of(Code::Text, name)),
    }
}

/// Text of the caller, empty for NULL.
///
/// # Safety
/// As [`take`].
pub unsafe fn maybe<'a>(data: *const c_char, len: usize, name: &'static str) -> Answer<&'a str> {
    // SAFETY: passed on.
    if data.is_null() { Ok("") } else { unsafe { take(data, len, name) } }
}

/// Text that a handle keeps for its callers, with a NUL after the end.
#[derive(Debug)]
pub struct Kept(Box<[u8]>);

impl Kept {
    /// Keeps a copy.
    pub fn new(text: impl AsRef<[u8]>) -> Kept {
        let text = text.as_ref();
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text);
        bytes.push(0);
        Kept(bytes.into_boxed_slice())
    }

    /// Lends it for as long as it is kept.
    pub fn lend(&self) -> pon_str {
        pon_str { data: self.0.as_ptr().cast(), len: self.0.len() - 1 }
    }
}
