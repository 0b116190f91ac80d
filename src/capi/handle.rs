//! Opaque pointers and what stands behind them.
//!
//! A handle is a box that begins with a magic word. NULL is told from a handle of another kind or one that was freed; the
//! latter is best effort, since the memory may be in use again.

use super::{
    context::Context,
    failure::{Answer, Failure},
    hook,
};
use crate::faults::Code;
use std::{mem::MaybeUninit, ptr};

/// An opaque type of the header.
pub trait Handle: Sized {
    /// What stands behind it. `const T*` is lent to any number of threads at once, so it must bear that.
    type Inner: Send + Sync;

    /// First word of the box.
    const MAGIC: u64;

    /// The context whose log hears of a panic.
    fn context(_: &Self::Inner) -> Option<&Context> {
        None
    }
}

/// Written over the magic word of a freed box.
const FREED: u64 = u64::from_le_bytes(*b"pon.free");

#[repr(C)]
struct Boxed<T> {
    magic: u64,
    inner: T,
}

/// A new handle.
pub fn give<H: Handle>(inner: H::Inner) -> *mut H {
    Box::into_raw(Box::new(Boxed { magic: H::MAGIC, inner })).cast()
}

/// What stands behind a handle that nobody changes during the call.
///
/// # Safety
/// NULL, or a pointer to readable memory; if that is a handle, it lives through the call and no `T*` call runs on it.
pub unsafe fn get<'a, H: Handle>(handle: *const H, name: &'static str) -> Answer<&'a H::Inner> {
    // SAFETY: passed on.
    unsafe { check(handle, name)? };
    // SAFETY: the magic word says that `give` made it for this type; the caller promises the rest.
    let inner = unsafe { &(*handle.cast::<Boxed<H::Inner>>()).inner };
    if let Some(context) = H::context(inner) {
        hook::speak_for(context);
    }
    Ok(inner)
}

/// What stands behind a handle that only this call uses.
///
/// # Safety
/// As [`get`]; if it is a handle, no other call runs on it.
pub unsafe fn get_mut<'a, H: Handle>(handle: *mut H, name: &'static str) -> Answer<&'a mut H::Inner> {
    // SAFETY: passed on.
    unsafe { check(handle, name)? };
    // SAFETY: as in `get`, and the caller promises that it is the only user.
    let inner = unsafe { &mut (*handle.cast::<Boxed<H::Inner>>()).inner };
    if let Some(context) = H::context(inner) {
        hook::speak_for(context);
    }
    Ok(inner)
}

/// Frees a handle; NULL, and what can be seen to be no handle of this kind, is left alone.
///
/// # Safety
/// As [`get_mut`]; a handle is not used afterwards.
pub unsafe fn free<H: Handle>(handle: *mut H) -> Answer<()> {
    // SAFETY: passed on.
    unsafe { take(handle, "handle") }.map(drop)
}

/// Ends a handle and keeps what stood behind it.
///
/// # Safety
/// As [`free`].
pub unsafe fn take<H: Handle>(handle: *mut H, name: &'static str) -> Answer<H::Inner> {
    // SAFETY: passed on.
    unsafe { check(handle, name)? };
    let boxed = handle.cast::<Boxed<H::Inner>>();
    // SAFETY: the magic word says that `give` made it; volatile, so that the mark stays in memory that is about to be freed.
    unsafe { ptr::write_volatile(&raw mut (*boxed).magic, FREED) };
    // SAFETY: made by `Box::into_raw` in `give`, and freed once: the mark is gone.
    Ok(unsafe { Box::from_raw(boxed) }.inner)
}

/// Whether `handle` is one of this kind.
///
/// # Safety
/// NULL or a pointer to readable memory.
unsafe fn check<H: Handle>(handle: *const H, name: &'static str) -> Answer<()> {
    let boxed = handle.cast::<Boxed<H::Inner>>();
    if boxed.is_null() {
        return Err(Failure::of(Code::Null, name));
    }
    // SAFETY: not NULL and aligned; the caller promises that it can be read.
    if !boxed.is_aligned() || unsafe { ptr::read_volatile(&raw const (*boxed).magic) } != H::MAGIC {
        return Err(Failure::of(Code::Handle, name));
    }
    Ok(())
}

/// A handle that belongs to another one and is lent to the caller.
pub struct Lent<H: Handle>(*mut H);

// SAFETY: a box of `H::Inner`, which is both.
unsafe impl<H: Handle> Send for Lent<H> {}
// SAFETY: as above.
unsafe impl<H: Handle> Sync for Lent<H> {}

impl<H: Handle> Lent<H> {
    /// A new one.
    pub fn new(inner: H::Inner) -> Lent<H> {
        Lent(give(inner))
    }

    /// The pointer, good for as long as this lives.
    pub fn handle(&self) -> *const H {
        self.0
    }
}

impl<H: Handle> Drop for Lent<H> {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and freed by nobody else.
        let _ = unsafe { free(self.0) };
    }
}

/// Writes an output that the caller may not want.
///
/// # Safety
/// NULL, or a place for a `T`.
pub unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not NULL; the caller promises the rest.
        unsafe { place.write_unaligned(value) }
    }
}

/// The place of an output, to be written when all else has gone well.
///
/// # Safety
/// NULL, or a place for a `T` that nobody else uses during the call.
pub unsafe fn out<'a, T>(place: *mut T, name: &'static str) -> Answer<&'a mut MaybeUninit<T>> {
    if place.is_null() {
        return Err(Failure::of(Code::Null, name));
    }
    if !place.is_aligned() {
        return Err(Failure::of(Code::Value, name));
    }
    // SAFETY: not NULL, aligned, and the caller's promise.
    Ok(unsafe { &mut *place.cast() })
}

/// A run of values of the caller.
///
/// # Safety
/// NULL, or `count` readable values that nobody writes during the call.
pub unsafe fn list<'a, T>(values: *const T, count: usize, name: &'static str) -> Answer<&'a [T]> {
    if values.is_null() {
        return if count == 0 { Ok(&[]) } else { Err(Failure::of(Code::Null, name)) };
    }
    if !values.is_aligned() || count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::of(Code::Value, name));
    }
    // SAFETY: not NULL, aligned, of a length a slice can have, and the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(values, count) })
}
