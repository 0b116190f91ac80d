//! Where bytes come from.

use super::{
    context::{self, Context, Release, Userdata, pon_context, pon_drop_fn},
    failure::Failure,
    faults::pon_faults,
    handle::{self, Handle},
    memory::Memory,
    options::{self, sized},
    status::pon_status,
    text::{self, Kept},
};
use crate::{
    faults::{Code, Faults},
    source::{Reader, Source},
    tensor::Storage,
};
use std::{
    ffi::{c_char, c_void},
    path::Path,
    ptr,
    sync::Arc,
};

/// Bytes to be read: a file, memory, or what a reader of the host gives.
pub struct pon_source(());

impl Handle for pon_source {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.sour");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// What stands behind a source.
pub struct Held {
    /// The bytes.
    pub source: Source,
    context: Arc<Context>,
}

/// Bytes that the host reads. Called on threads that are in a call with this source, several at once if the host lets them;
/// must not unwind.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_reader {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Handed to all functions.
    pub userdata: *mut c_void,
    /// Called once when the reader is needed no more, or NULL.
    pub drop: pon_drop_fn,
    /// How many bytes there are, -1 or NULL: that is not known, and `pon_source_reader` reads them all at once, in order.
    pub size: Option<unsafe extern "C" fn(userdata: *mut c_void) -> i64>,
    /// Writes up to `cap` bytes from place `at` into `buf`; answers how many, 0 at the end, -1 if it failed.
    pub read: Option<unsafe extern "C" fn(userdata: *mut c_void, at: u64, buf: *mut c_void, cap: usize) -> i64>,
    /// Opens a file beside this one, by its name, as a source that the library then owns; NULL: there is none.
    pub neighbour: Option<
        unsafe extern "C" fn(
            userdata: *mut c_void,
            name: *const c_char,
            name_len: usize,
            out: *mut *mut pon_source,
        ) -> pon_status,
    >,
}
sized!(pon_reader);

struct HostReader {
    calls: pon_reader,
    read: unsafe extern "C" fn(*mut c_void, u64, *mut c_void, usize) -> i64,
    userdata: Userdata,
    _release: Arc<Release>,
}

// SAFETY: functions of the host, which the header says are called on any thread, and their userdata.
unsafe impl Send for HostReader {}
// SAFETY: as above.
unsafe impl Sync for HostReader {}

impl Reader for HostReader {
    fn size(&self) -> Option<u64> {
        // SAFETY: the function and the userdata the host gave.
        u64::try_from(unsafe { self.calls.size?(self.userdata.0) }).ok()
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        // SAFETY: as above; `to` is writable for its length.
        usize::try_from(unsafe { (self.read)(self.userdata.0, at, to.as_mut_ptr().cast(), to.len()) }).ok()
    }

    fn neighbour(&self, name: &str) -> Option<Source> {
        let (name, mut out) = (Kept::new(name), ptr::null_mut());
        let lent = name.lend();
        // SAFETY: as above; the name lives through the call.
        let status = unsafe { self.calls.neighbour?(self.userdata.0, lent.data, lent.len, &mut out) };
        if status != Code::Ok.number() {
            return None;
        }
        // SAFETY: a source that the host hands over, used by nobody else.
        unsafe { handle::take(out, "neighbour") }.ok().map(|held| held.source)
    }
}

/// Opens a file, mapped where the system can; its path is UTF-8 on every system.
/// Owns: the caller owns `*out` and frees it with `pon_source_free`. The file must not be shortened or written while anything
/// read from it lives.
/// Nullable: context (default limits), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NOT_FOUND, PON_E_IO, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_source_path(
    context: *const pon_context,
    path: *const c_char,
    path_len: usize,
    out: *mut *mut pon_source,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let path = unsafe { text::take(path, path_len, "path")? };
        let source = Source::path(Path::new(path), &context.limits, faults)?;
        out.write(handle::give(Held { source, context }));
        Ok(())
    })
}

/// Takes bytes in memory, without a copy.
/// Owns: the caller owns `*out` and frees it with `pon_source_free`. The bytes must stay until `release` is called, once, on
/// whichever thread uses them last; without `release` until everything read from the source is freed. On failure `release` is
/// not called.
/// Nullable: context (default limits), data (if size is 0), release, userdata.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_source_bytes(
    context: *const pon_context,
    data: *const c_void,
    size: usize,
    release: pon_drop_fn,
    userdata: *mut c_void,
    out: *mut *mut pon_source,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, &mut Faults::default())?) };
        // SAFETY: the caller's promise.
        let bytes = unsafe { handle::list(data.cast::<u8>(), size, "data")? };
        if size as u64 > context.limits.file_bytes {
            return Err(Failure::of(Code::Limit, "size"));
        }
        let owner = Box::new(Release::new(release, userdata));
        // SAFETY: the caller promises the bytes until `release`.
        let memory = unsafe { Memory::lent(bytes.as_ptr().cast_mut(), size, false, owner) };
        let source = Source::memory(Storage::kept(Arc::new(memory)));
        out.write(handle::give(Held { source, context }));
        Ok(())
    })
}

/// Takes bytes that the host reads when they are needed.
/// Owns: the caller owns `*out` and frees it with `pon_source_free`; `reader` is used during the call only, its functions and
/// userdata until `drop` is called, once, on whichever thread reads last. On failure `drop` is not called.
/// Nullable: context (default limits), faults.
/// Threads: any.
/// Errors: PON_E_NULL (also `read`), PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_LIMIT, PON_E_IO.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_source_reader(
    context: *const pon_context,
    reader: *const pon_reader,
    out: *mut *mut pon_source,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let calls = unsafe { options::need(reader, "reader")? };
        if calls.reserved != 0 {
            return Err(Failure::of(Code::Value, "reserved"));
        }
        let read = calls.read.ok_or(Failure::of(Code::Null, "read"))?;
        let release = Arc::new(Release::later(calls.drop, calls.userdata));
        let host = HostReader { calls, read, userdata: Userdata(calls.userdata), _release: release.clone() };
        let source = Source::reader(Box::new(host), &context.limits, faults)?;
        release.arm();
        out.write(handle::give(Held { source, context }));
        Ok(())
    })
}

/// Frees a source.
/// Owns: takes `source`; what was read from it keeps what it needs.
/// Nullable: source (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_source_free(source: *mut pon_source) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(source) } })
}
