//! The one process-wide thing: where memory comes from.
//!
//! The library allocates through the host's functions once they are set, and counts what each thread asks for, so that a
//! session can show that it asks for nothing.

use super::{
    failure::Failure,
    options::{self, sized},
    status::pon_status,
};
use crate::faults::Code;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    ffi::c_void,
    sync::OnceLock,
};

/// Where memory comes from. `align` is a power of two. `allocate` answers NULL if there is none: a call that asked for the
/// numbers of a tensor, network, session or file then ends with PON_E_MEMORY, but for want of a small block of its own the
/// library ends the process, as it does with the system's allocator. The functions must not unwind nor call the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_allocator {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Handed to both functions.
    pub userdata: *mut c_void,
    /// Gives `size` bytes at a multiple of `align`; any thread.
    pub allocate: Option<unsafe extern "C" fn(userdata: *mut c_void, size: usize, align: usize) -> *mut c_void>,
    /// Takes a block back, with the size and alignment it was asked for with; any thread.
    pub release: Option<unsafe extern "C" fn(userdata: *mut c_void, block: *mut c_void, size: usize, align: usize)>,
}
sized!(pon_allocator);

struct Host {
    userdata: *mut c_void,
    allocate: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    release: unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize),
}

// SAFETY: the header says that the functions are called on any thread.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// Empty until the first allocation or the host decides; `None` is the system's allocator.
static HOST: OnceLock<Option<Host>> = OnceLock::new();

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Notes what a thread asked for (`taken`) and gave back.
fn note(taken: usize, given: usize) {
    if taken > 0 {
        COUNT.set(COUNT.get() + 1);
    }
    let held = HELD.get().wrapping_add(taken as i64).wrapping_sub(given as i64);
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

/// How many allocations of the library this thread has made; 0 without the feature `allocator`.
#[inline]
pub fn count() -> u64 {
    COUNT.get()
}

/// Does some work, and tells the most bytes this thread held meanwhile beyond those it held before; 0 without the feature
/// `allocator`.
pub fn peak<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = HELD.get();
    PEAK.set(before);
    let made = work();
    (made, PEAK.get().wrapping_sub(before).max(0) as u64)
}

/// The system's allocator or the host's, counted.
pub struct Chosen;

#[cfg(feature = "allocator")]
#[global_allocator]
static CHOSEN: Chosen = Chosen;

// SAFETY: forwards to the system's allocator or to the host's, one of them for good; the host promises the same contract.
unsafe impl GlobalAlloc for Chosen {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        match HOST.get_or_init(|| None) {
            // SAFETY: passed on.
            None => unsafe { System.alloc(layout) },
            // SAFETY: the host's promise.
            Some(host) => unsafe { (host.allocate)(host.userdata, layout.size(), layout.align()).cast() },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, layout.size());
        match HOST.get_or_init(|| None) {
            // SAFETY: passed on.
            None => unsafe { System.dealloc(block, layout) },
            // SAFETY: the host's promise.
            Some(host) => unsafe { (host.release)(host.userdata, block.cast(), layout.size(), layout.align()) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match HOST.get_or_init(|| None) {
            None => {
                note(layout.size(), 0);
                // SAFETY: passed on; fresh pages of the system are nought already.
                unsafe { System.alloc_zeroed(layout) }
            }
            Some(_) => {
                // SAFETY: passed on.
                let block = unsafe { self.alloc(layout) };
                if !block.is_null() {
                    // SAFETY: a block of that size.
                    unsafe { block.write_bytes(0, layout.size()) };
                }
                block
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match HOST.get_or_init(|| None) {
            None => {
                note(size, layout.size());
                // SAFETY: passed on.
                unsafe { System.realloc(block, layout, size) }
            }
            Some(_) => {
                // SAFETY: the caller of `realloc` promises that `size` fits this alignment.
                let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
                if !new.is_null() {
                    // SAFETY: two blocks, both at least as long as the smaller size; the old one is not used again.
                    unsafe {
                        new.copy_from_nonoverlapping(block, size.min(layout.size()));
                        self.dealloc(block, layout);
                    }
                }
                new
            }
        }
    }
}

/// Sets where the library's memory comes from, for the whole process; before any other call that makes something.
/// Owns: the functions and `userdata` must work until the process ends or the library is unloaded.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL (also a function that is NULL), PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_TOO_LATE (memory has been used).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_set_allocator(allocator: *const pon_allocator) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let given = unsafe { options::need(allocator, "allocator")? };
        if given.reserved != 0 {
            return Err(Failure::of(Code::Value, "reserved"));
        }
        let allocate = given.allocate.ok_or(Failure::of(Code::Null, "allocate"))?;
        let release = given.release.ok_or(Failure::of(Code::Null, "release"))?;
        if cfg!(not(feature = "allocator")) {
            return Err(Failure::of(Code::TooLate, "allocator"));
        }
        let host = Host { userdata: given.userdata, allocate, release };
        HOST.set(Some(host)).map_err(|_| Failure::of(Code::TooLate, "allocator"))
    })
}
