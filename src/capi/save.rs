//! Files out.

use super::{
    cancel::{self, pon_cancel},
    context::pon_progress_fn,
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    network::pon_network,
    options::{self, sized},
    params::{self, pon_params},
    progress,
    source::pon_source,
    status::pon_status,
    text::{self, pon_str},
};
use crate::{
    faults::{Code, Faults},
    limits::Limits,
    network::{Entry, Network},
    params::Params,
    progress::Progress,
    save::{self, Target},
    source::Source,
};
use std::{
    ffi::{c_char, c_void},
    path::Path,
};

/// Bytes that the library made.
pub struct pon_bytes(());

impl Handle for pon_bytes {
    type Inner = Vec<u8>;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.byte");
}

/// Options of saving; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_save_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// `safetensors`; for a network `onnx` (its layers and its numbers, for any runtime of ONNX) or `mocha` (its numbers as an
    /// HDF5 model of Mocha); for a set `julia` (HDF5 as NeuralNetworkParameters.jl writes it) or `jaxon` (HDF5 as Jaxon 2 writes
    /// nested Python values); "": safetensors.
    pub format: pon_str,
    /// Notes for the file's head: a JSON object of texts, e.g. `{"format":"pt"}`; "": none.
    pub notes_json: pon_str,
    /// Told how far the call is, or NULL.
    pub progress: pon_progress_fn,
    /// Handed to `progress`.
    pub progress_userdata: *mut c_void,
    /// Ends the call when raised, or NULL.
    pub cancel: *const pon_cancel,
    /// Of a set of Julia: the group of the file that it goes into; "": the file itself.
    pub group: pon_str,
    /// Of a set of Julia: an HDF5 file that it is put into, all of which stays as it is, or NULL. It may be the one written.
    pub into: *const pon_source,
}

/// Where the bytes of a file go; called on the thread of the call alone, and only during it. Must not unwind.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_writer {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Handed to `write`.
    pub userdata: *mut c_void,
    /// Takes the `size` bytes that stand at place `at` of the file; pieces come in order, from the first byte on and without
    /// gaps. An answer that is not 0 ends the call with PON_E_IO.
    pub write: Option<unsafe extern "C" fn(userdata: *mut c_void, at: u64, data: *const c_void, size: usize) -> i32>,
}
sized!(pon_save_options, pon_writer);

/// Whose numbers are saved.
enum Numbers {
    Set(Vec<Entry>),
    Julia { set: Params, group: String, into: Option<Source>, limits: Limits },
    Jaxon(Params),
    Network(Network),
    Onnx(Network),
    Mocha(Network),
}

/// The formats there are.
const FORMATS: [&str; 5] = ["safetensors", "jaxon", "julia", "onnx", "mocha"];

impl Numbers {
    /// # Safety
    /// As the entries below.
    unsafe fn take(
        params: *const pon_params,
        network: *const pon_network,
        given: Option<&pon_save_options>,
        faults: &mut Faults,
    ) -> Answer<Numbers> {
        // SAFETY: passed on.
        let format = given.map_or(Ok(None), |given| unsafe { given.format.said("format") })?;
        // SAFETY: passed on.
        let group = given.map_or(Ok(None), |given| unsafe { given.group.said("group") })?;
        let into = given.map(|given| given.into).filter(|into| !into.is_null());
        let format = format.unwrap_or("safetensors");
        let wrong = |name| Err(Failure::of(Code::Value, name));
        match (params.is_null(), network.is_null()) {
            (true, true) => return Err(Failure::of(Code::Null, "params")),
            (false, false) => return wrong("network"),
            _ if !FORMATS.contains(&format) => return wrong("format"),
            _ if format == "julia" => {}
            _ if group.is_some() => return wrong("group"),
            _ if into.is_some() => return wrong("into"),
            _ => {}
        }
        if params.is_null() {
            // SAFETY: passed on.
            let network = unsafe { handle::get(network, "network")? }.network.clone();
            return match format {
                "safetensors" => Ok(Numbers::Network(network)),
                "onnx" => Ok(Numbers::Onnx(network)),
                "mocha" => Ok(Numbers::Mocha(network)),
                _ => wrong("format"),
            };
        }
        // SAFETY: passed on.
        let params::Held { params, context, .. } = unsafe { handle::get(params, "params")? };
        match format {
            "safetensors" => Ok(Numbers::Set(Entry::of_params(params, faults)?)),
            "jaxon" => Ok(Numbers::Jaxon(params.clone())),
            "julia" => {
                // SAFETY: passed on.
                let into = into.map(|into| unsafe { handle::get(into, "into") }.map(|held| held.source.clone()));
                let (group, into) = (group.unwrap_or("/").to_owned(), into.transpose()?);
                Ok(Numbers::Julia { set: params.clone(), group, into, limits: context.limits })
            }
            _ => wrong("format"),
        }
    }
}

/// What is to be saved, and how.
struct Order {
    numbers: Numbers,
    notes: Vec<(String, String)>,
    progress: Progress,
}

impl Order {
    /// # Safety
    /// As the entries below.
    unsafe fn take(
        params: *const pon_params,
        network: *const pon_network,
        options: *const pon_save_options,
        faults: &mut Faults,
    ) -> Answer<Order> {
        // SAFETY: passed on.
        let given = unsafe { options::read(options, "options")? };
        // SAFETY: passed on.
        let numbers = unsafe { Numbers::take(params, network, given.as_ref(), faults)? };
        let mut order = Order { numbers, notes: Vec::new(), progress: Progress::default() };
        if let Some(given) = given {
            // SAFETY: passed on.
            let notes = unsafe { given.notes_json.said("notes_json")? };
            if given.flags != 0 {
                return Err(Failure::of(Code::Value, "flags"));
            }
            if notes.is_some() && matches!(order.numbers, Numbers::Julia { .. } | Numbers::Jaxon(_) | Numbers::Mocha(_))
            {
                return Err(Failure::of(Code::Value, "notes_json"));
            }
            let wrong = Failure::of(Code::Value, "notes_json");
            let notes: Option<serde_json::Map<String, serde_json::Value>> =
                notes.map(serde_json::from_str).transpose().map_err(|_| wrong)?;
            for (key, value) in notes.unwrap_or_default() {
                order.notes.push((key, value.as_str().ok_or(wrong)?.to_owned()));
            }
            // SAFETY: passed on.
            let cancel = unsafe { cancel::flag(given.cancel, "cancel")? };
            order.progress = progress::of(given.progress, given.progress_userdata, cancel);
        }
        Ok(order)
    }

    fn save(&self, target: Target<'_>, faults: &mut Faults) -> Answer<()> {
        let notes: Vec<(&str, &str)> = self.notes.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        match &self.numbers {
            Numbers::Set(entries) => save::safetensors(entries, &notes, target, &self.progress, faults)?,
            Numbers::Julia { set, group, into, limits } => {
                let sets = [(group.as_str(), set)];
                match into {
                    None => save::julia_groups(&sets, target, &self.progress, faults)?,
                    Some(file) => save::julia_into(file, &sets, target, limits, &self.progress, faults)?,
                }
            }
            Numbers::Jaxon(tree) => save::jaxon(tree, target, &self.progress, faults)?,
            Numbers::Network(network) => save::network(network, &notes, target, &self.progress, faults)?,
            Numbers::Mocha(network) => save::mocha(network, target, &self.progress, faults)?,
            Numbers::Onnx(network) => save::onnx(network, &notes, target, &self.progress, faults)?,
        }
        Ok(())
    }
}

/// Saves a set or a network to a file, all or nothing: written beside it, then put in its place. An imported network is
/// written as PyTorch has it if it came from there, a built one in the library's own layout; the note `format` (`pt` or
/// `pontil`) tells an import which. A set is written as it is and gets no note: read into a network it counts as PyTorch's. In the format `julia` a set keeps kinds, keys,
/// structured leaves and element types, and must have one element type; in the format `jaxon` it keeps kinds, references,
/// objects with their hints, and what leaves are beyond their kind. In the format `onnx` a network is written with its
/// layers, ports in the axis order of its description; every layer that ONNX can not express is a fault (PON_E_UNSUPPORTED)
/// that names it, and more than 2 GiB is refused (PON_E_LIMIT). In the format `mocha` a network that was imported has its numbers
/// as `<layer>___weight`, `___filter` and `___bias`; a layer whose numbers Mocha does not know is a fault (PON_E_UNSUPPORTED).
/// Owns: nothing.
/// Nullable: params, network (exactly one is given), options (safetensors), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_IO, PON_E_NOT_FOUND, PON_E_KIND,
/// PON_E_KEY_TWICE (a name in the group is taken), PON_E_ELTYPE, PON_E_DTYPE, PON_E_UNSUPPORTED, PON_E_LIMIT, PON_E_STATE (a network
/// whose layers are in no known order), PON_E_MEMORY, PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_save_path(
    params: *const pon_params,
    network: *const pon_network,
    options: *const pon_save_options,
    path: *const c_char,
    path_len: usize,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let path = unsafe { text::take(path, path_len, "path")? };
        // SAFETY: the caller's promise.
        let order = unsafe { Order::take(params, network, options, faults)? };
        order.save(Target::Path(Path::new(path)), faults)
    })
}

/// Saves a set or a network to memory, as `pon_save_path` does to a file.
/// Owns: the caller owns `*out` and frees it with `pon_bytes_free`.
/// Nullable: params, network (exactly one is given), options (safetensors), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_KIND, PON_E_UNSUPPORTED, PON_E_MEMORY,
/// PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_save_bytes(
    params: *const pon_params,
    network: *const pon_network,
    options: *const pon_save_options,
    out: *mut *mut pon_bytes,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        // SAFETY: the caller's promise.
        let order = unsafe { Order::take(params, network, options, faults)? };
        let mut bytes = Vec::new();
        order.save(Target::Bytes(&mut bytes), faults)?;
        out.write(handle::give(bytes));
        Ok(())
    })
}

/// Saves a set or a network to a writer of the host, as `pon_save_path` does to a file. What was written before a failure is
/// the host's to take back.
/// Owns: `writer` is used during the call only.
/// Nullable: params, network (exactly one is given), options (safetensors), faults.
/// Threads: any.
/// Errors: PON_E_NULL (also `write`), PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_IO, PON_E_KIND,
/// PON_E_UNSUPPORTED, PON_E_MEMORY, PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_save_writer(
    params: *const pon_params,
    network: *const pon_network,
    options: *const pon_save_options,
    writer: *const pon_writer,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let writer = unsafe { options::need(writer, "writer")? };
        if writer.reserved != 0 {
            return Err(Failure::of(Code::Value, "reserved"));
        }
        let write = writer.write.ok_or(Failure::of(Code::Null, "write"))?;
        // SAFETY: the caller's promise.
        let order = unsafe { Order::take(params, network, options, faults)? };
        let mut to_host = |at: u64, piece: &[u8]| {
            // SAFETY: the function and the userdata the host gave; the piece lives through the call.
            unsafe { write(writer.userdata, at, piece.as_ptr().cast(), piece.len()) == 0 }
        };
        order.save(Target::Writer(&mut to_host), faults)
    })
}

/// Lends the bytes.
/// Owns: the data belong to `bytes` and end with it.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_bytes_get(
    bytes: *const pon_bytes,
    data: *mut *const c_void,
    size: *mut usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (bytes, data) = unsafe { (handle::get(bytes, "bytes")?, handle::out(data, "data")?) };
        // SAFETY: the caller's promise.
        let size = unsafe { handle::out(size, "size")? };
        data.write(bytes.as_ptr().cast());
        size.write(bytes.len());
        Ok(())
    })
}

/// Frees bytes.
/// Owns: takes `bytes`.
/// Nullable: bytes (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_bytes_free(bytes: *mut pon_bytes) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(bytes) } })
}
