//! What a host says about a file of nested Python values: what of it is wanted, what becomes of its objects, which leaf is
//! which slot.

use super::{
    context::{Context, Userdata},
    failure::Answer,
    handle,
    leaf_type::LentSet,
    options::{self, flag, sized},
    params::pon_params,
    text::{self, pon_str},
};
use crate::{
    faults::{Code, Fault, Text},
    import::{Filter, PytreeOptions, Unmarshal, Unmarshaled},
    params::{Leaf, Params, Value},
};
use std::{
    ffi::{c_char, c_void},
    sync::Arc,
};

/// An unmarshaler does not know the hint.
pub const PON_UNMARSHAL_UNKNOWN: i32 = 0;
/// The object stays what it is.
pub const PON_UNMARSHAL_KEEP: i32 = 1;
/// What was put into `made` takes the place of the object.
pub const PON_UNMARSHAL_REPLACE: i32 = 2;

/// Asked for each node before it is read, in the order of the file and from the root (the empty path) down: 0 leaves it out.
/// Not asked below a node that is left out. `path` is as in `pon_params_find` and has a NUL at its end. Called during
/// `pon_import_open`, on its thread; must not unwind.
pub type pon_filter_fn =
    Option<unsafe extern "C" fn(userdata: *mut c_void, path: *const c_char, path_len: usize) -> i32>;

/// Makes something of an object of a file: the root of `object`, whose type name is the hint. With PON_UNMARSHAL_REPLACE the
/// root of `made` takes its place, or its one child if that has the key "". An answer that is none of PON_UNMARSHAL_UNKNOWN,
/// _KEEP and _REPLACE ends the call. Both sets live through the call alone. Called on the thread that reads the set; must not
/// unwind.
pub type pon_unmarshal_fn =
    Option<unsafe extern "C" fn(userdata: *mut c_void, object: *const pon_params, made: *mut pon_params) -> i32>;

/// Which leaf of a tree fills which slot of a network.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_slot_source {
    /// Path of the leaf in the tree, e.g. `/layers/0/weight`.
    pub path: pon_str,
    /// Path of the slot, e.g. `0.weight`.
    pub slot: pon_str,
}

/// How a file of nested Python values (`jaxon`) is read; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_pytree_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// How many `prefixes` there are.
    pub prefixes_count: u32,
    /// If there are any, only what stands at or below one of these paths is read; all else is PON_KIND_NOT_LOADED.
    pub prefixes: *const pon_str,
    /// Says which nodes are read, or NULL.
    pub filter: pon_filter_fn,
    /// Handed to `filter`.
    pub filter_userdata: *mut c_void,
    /// Asked first what to make of each object, or NULL.
    pub unmarshal: pon_unmarshal_fn,
    /// Handed to `unmarshal`; must stay until the import is freed.
    pub unmarshal_userdata: *mut c_void,
    /// The classes that are known, or NULL: each PON_KIND_OBJECT in it is a class by its type name (`module.Class`), its
    /// children are the fields with their defaults; PON_KIND_NOT_LOADED is no default.
    pub schema: *const pon_params,
    /// 1: a field that a class of the schema does not have is left out with a warning; 0: it is a fault.
    pub allow_missing_fields: i32,
    /// 1: a field that the file does not have takes its default with a warning; 0: it is a fault.
    pub allow_unknown_fields: i32,
    /// 1: data of dill are given as bytes, never run; 0: they are a fault.
    pub allow_dill: i32,
    /// How many `slots` there are.
    pub slots_count: u32,
    /// Which leaf fills which slot of a network; NULL: the dotted path of each array is its slot.
    pub slots: *const pon_slot_source,
}
sized!(pon_pytree_options);

/// A host's filter, to be called during one call.
pub struct HostFilter {
    call: unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> i32,
    userdata: *mut c_void,
}

impl HostFilter {
    /// Whether the host wants the node at a path.
    pub fn wants(&self, path: &Text) -> bool {
        let mut ended = path.as_bytes().to_vec();
        ended.push(0);
        // SAFETY: the function and the userdata the host gave; the path lives through the call.
        unsafe { (self.call)(self.userdata, ended.as_ptr().cast(), path.as_bytes().len()) != 0 }
    }
}

/// The options of the caller, read; none for NULL.
///
/// # Safety
/// As `pon_import_open`.
pub unsafe fn given(options: *const pon_pytree_options) -> Answer<Option<pon_pytree_options>> {
    // SAFETY: passed on.
    unsafe { options::read(options, "pytree") }
}

/// The filter of the caller.
pub fn filter(given: &pon_pytree_options) -> Option<HostFilter> {
    given.filter.map(|call| HostFilter { call, userdata: given.filter_userdata })
}

/// Options of the caller; `asks` is their filter, made ready for the call.
///
/// # Safety
/// As `pon_import_open`.
pub unsafe fn take<'a>(
    given: &pon_pytree_options,
    asks: Option<Filter<'a>>,
    context: &Arc<Context>,
) -> Answer<PytreeOptions<'a>> {
    let (mut prefixes, mut slots) = (Vec::new(), Vec::new());
    // SAFETY: passed on.
    for prefix in unsafe { handle::list(given.prefixes, given.prefixes_count as usize, "prefixes")? } {
        // SAFETY: passed on.
        prefixes.push(unsafe { text::take(prefix.data, prefix.len, "prefixes")? }.to_owned());
    }
    // SAFETY: passed on.
    for row in unsafe { handle::list(given.slots, given.slots_count as usize, "slots")? } {
        // SAFETY: passed on.
        let pair = unsafe {
            (text::take(row.path.data, row.path.len, "slots")?, text::take(row.slot.data, row.slot.len, "slots")?)
        };
        slots.push((pair.0.to_owned(), pair.1.to_owned()));
    }
    Ok(PytreeOptions {
        prefixes,
        filter: asks,
        unmarshal: unmarshal(given, context),
        schema: match given.schema.is_null() {
            true => None,
            // SAFETY: passed on.
            false => Some(&unsafe { handle::get(given.schema, "schema")? }.params),
        },
        allow_missing_fields: flag(given.allow_missing_fields, "allow_missing_fields")?,
        allow_unknown_fields: flag(given.allow_unknown_fields, "allow_unknown_fields")?,
        allow_dill: flag(given.allow_dill, "allow_dill")?,
        slots,
    })
}

fn unmarshal(given: &pon_pytree_options, context: &Arc<Context>) -> Option<Arc<Unmarshal>> {
    let call = given.unmarshal?;
    let (userdata, context) = (Userdata(given.unmarshal_userdata), context.clone());
    Some(Arc::new(move |object: &Params| {
        let Userdata(userdata) = { userdata };
        let lend = |params: Params| LentSet::new(params, context.clone());
        let (object, made) = (lend(object.clone()), lend(Params::default()));
        // SAFETY: the function and the userdata the host gave; the sets live through the call.
        match unsafe { call(userdata, object.0, made.0) } {
            PON_UNMARSHAL_UNKNOWN => Ok(Unmarshaled::Unknown),
            PON_UNMARSHAL_KEEP => Ok(Unmarshaled::Kept),
            PON_UNMARSHAL_REPLACE => replacement(made.take()?).map(Unmarshaled::Replaced),
            other => Err(Fault::new(Code::Stopped, format!("The unmarshaler answered {other}, which ends the call."))),
        }
    }))
}

/// What a set stands for: its one child if that has no key, else the whole of it.
fn replacement(made: Params) -> Result<Leaf, Fault> {
    let alone = match made.children(Params::ROOT) {
        [child] if made.key(*child).is_some_and(Text::is_empty) => Some(*child),
        _ => None,
    };
    match alone.map(|child| (child, made.value(child).cloned())) {
        Some((_, Some(Value::Reference(_)))) | None => Ok(Leaf::Structured(made)),
        Some((_, Some(value))) => Ok(Leaf::Value(value)),
        Some((child, None)) => made.subtree(child).map(Leaf::Structured),
    }
}
