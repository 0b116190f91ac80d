//! Files in.

use super::{
    context::{self, Context, pon_context},
    description::{self, pon_description},
    dtype::pon_dtype,
    failure::Failure,
    faults::{PON_NO_OFFSET, pon_faults},
    handle::{self, Handle},
    import_options::{self, pon_import_options},
    network::{self, pon_network},
    options::{self, Target, sized},
    params::{self, pon_params},
    pytree,
    source::pon_source,
    status::pon_status,
    text::{self, Kept, pon_str},
    view::{self, pon_view},
};
use crate::{
    faults::{Code, Text},
    import::{Filter, Import, ImportOptions},
};
use std::{ffi::c_char, sync::Arc};

/// An opened file of a framework: its listing is read, its numbers are not.
pub struct pon_import(());

impl Handle for pon_import {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.impo");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// An array of a file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_entry {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What one number is.
    pub dtype: pon_dtype,
    /// Its dotted path, raw.
    pub path: pon_str,
    /// Where it stands, in the file's words, raw.
    pub place: pon_str,
    /// Lengths, slowest axis first, as the file has them.
    pub shape: *const i64,
    /// How many.
    pub ndim: i32,
    /// 0.
    pub reserved: u32,
    /// Bytes of the numbers.
    pub bytes: u64,
    /// Byte of the source at which they begin, or PON_NO_OFFSET.
    pub offset: u64,
}
sized!(pon_entry);

/// What stands behind an import.
pub struct Held {
    /// The file.
    pub import: Import,
    context: Arc<Context>,
    format: Kept,
    loss: Kept,
    /// Path and place of each entry.
    entries: Vec<[Kept; 2]>,
    notes: Vec<Kept>,
}

impl Held {
    fn new(import: Import, context: Arc<Context>) -> Held {
        let texts = import.entries().iter().map(|entry| {
            let [path, place] = [&entry.path, &entry.place].map(|text| Kept::new(text.as_bytes()));
            [path, place]
        });
        Held {
            format: Kept::new(import.format()),
            loss: Kept::new(import.loss().unwrap_or_default()),
            entries: texts.collect(),
            notes: import.notes().iter().map(|(_, note)| Kept::new(note.as_bytes())).collect(),
            import,
            context,
        }
    }
}

/// Opens a file: tells its format and reads its listing, no numbers.
/// Owns: the caller owns `*out` and frees it with `pon_import_free`, before or after `source`; texts, description and lists of
/// the options are used during the call only.
/// Nullable: context (default limits), options (defaults), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, those of 200 to 399.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_open(
    context: *const pon_context,
    source: *const pon_source,
    options: *const pon_import_options,
    out: *mut *mut pon_import,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let (source, given) = unsafe { (handle::get(source, "source")?, options::read(options, "options")?) };
        // A reader of the host may free its own source while it is read.
        let source = source.source.clone();
        let pytree = match &given {
            // SAFETY: the caller's promise.
            Some(given) => unsafe { pytree::given(given.pytree)? },
            None => None,
        };
        let filter = pytree.as_ref().and_then(pytree::filter);
        let wants = |path: &Text| filter.as_ref().is_none_or(|filter| filter.wants(path));
        let asks = filter.is_some().then_some(Filter(&wants));
        let options = match &given {
            Some(given) => {
                // SAFETY: the caller's promise.
                let mut options = unsafe { import_options::take(given, &context)? };
                if let Some(pytree) = &pytree {
                    // SAFETY: the caller's promise.
                    options.pytree = unsafe { pytree::take(pytree, asks, &context)? };
                }
                options
            }
            None => {
                ImportOptions { limits: context.limits, leaf_types: context.leaf_types(), ..ImportOptions::default() }
            }
        };
        let import = Import::open(&source, options, faults)?;
        out.write(handle::give(Held::new(import, context)));
        Ok(())
    })
}

/// Gives the name of the format.
/// Owns: the text belongs to the import.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_format(import: *const pon_import, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        out.write(held.format.lend());
        Ok(())
    })
}

/// Tells how many arrays the file lists.
/// Owns: nothing.
/// Nullable: import (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_entries(import: *const pon_import) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(import, "import")? }.entries.len()) })
}

/// Tells about an array of the file, without reading it; `out->struct_size` is set before the call.
/// Owns: texts and shape belong to the import.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such entry).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_entry(import: *const pon_import, index: usize, out: *mut pon_entry) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, Target::new(out, "out")?) };
        let entry = held.import.entries().get(index).zip(held.entries.get(index));
        let (entry, [path, place]) = entry.ok_or(Failure::of(Code::Value, "index"))?;
        out.write(pon_entry {
            struct_size: 0,
            dtype: entry.dtype as pon_dtype,
            path: path.lend(),
            place: place.lend(),
            shape: entry.shape.as_ptr().cast(),
            ndim: entry.shape.len() as i32,
            reserved: 0,
            bytes: entry.bytes,
            offset: entry.offset.unwrap_or(PON_NO_OFFSET),
        });
        Ok(())
    })
}

/// Gives a note of the file by its key, e.g. `format` of safetensors.
/// Owns: the text belongs to the import.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH (no such note).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_note(
    import: *const pon_import,
    key: *const c_char,
    key_len: usize,
    out: *mut pon_str,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let key = unsafe { text::take(key, key_len, "key")? };
        let place = held.import.notes().iter().position(|(name, _)| name == key);
        let note = place.and_then(|place| held.notes.get(place)).ok_or(Failure::of(Code::NoPath, "key"))?;
        out.write(note.lend());
        Ok(())
    })
}

/// Reads one array into numbers of the caller, which have its shape and element type.
/// Owns: `out` is used during the call only.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (no such entry, or a view that does not fit), those of 200 to 399, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_read(
    import: *const pon_import,
    index: usize,
    out: *const pon_view,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, mut out) = unsafe { (handle::get(import, "import")?, view::seen_mut(out, "out")?) };
        faults.limit_to(held.context.limits.faults);
        let entry = held.import.entries().get(index).ok_or(Failure::of(Code::Value, "index"))?;
        if entry.dtype != out.dtype || entry.shape != out.shape {
            return Err(Failure::of(Code::Value, "out"));
        }
        let packed = held.import.tensor(index, faults)?.to_packed().ok_or(Failure::of(Code::Memory, "index"))?;
        out.copy_from(packed.packed_bytes().ok_or(Code::Internal)?);
        Ok(())
    })
}

/// Reads all arrays into a set, as the file has them.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; numbers of a mapped file are not copied.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, those of 200 to 399, PON_E_MEMORY, PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_params(
    import: *const pon_import,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        faults.limit_to(held.context.limits.faults);
        let params = held.import.params(faults)?;
        out.write(handle::give(params::Held::new(params, held.context.clone())));
        Ok(())
    })
}

/// Gives the description of the file's network, or of the options, in the library's own words.
/// Owns: the caller owns `*out` and frees it with `pon_description_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_ABSENT (neither has one), those of 500 to 549.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_description(
    import: *const pon_import,
    out: *mut *mut pon_description,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        faults.limit_to(held.context.limits.faults);
        let description = held.import.description(faults)?;
        out.write(handle::give(description::Held::new(description, held.context.clone())));
        Ok(())
    })
}

/// Makes the network: its description, and each slot filled once, in its shape, finite, from the file, or all that is wrong.
/// Owns: the caller owns `*out` and frees it with `pon_network_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, those of 200 to 549, PON_E_MEMORY, PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_network(
    import: *const pon_import,
    out: *mut *mut pon_network,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        faults.limit_to(held.context.limits.faults);
        let network = held.import.network(faults)?;
        out.write(handle::give(network::Held::new(network, held.context.clone())));
        Ok(())
    })
}

/// Gives the loss the network was trained with, "" if nothing says it.
/// Owns: the text belongs to the import.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_loss(import: *const pon_import, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(import, "import")?, handle::out(out, "out")?) };
        out.write(held.loss.lend());
        Ok(())
    })
}

/// Frees an import.
/// Owns: takes `import`; what was made of it keeps what it needs.
/// Nullable: import (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_import_free(import: *mut pon_import) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(import) } })
}
