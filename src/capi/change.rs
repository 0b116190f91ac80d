//! Changes of a parameter set; each ends what the set has lent.

use super::{
    failure::{Answer, Failure},
    handle,
    params::pon_params,
    status::pon_status,
    text,
    value::{self, PON_KIND_NAMED, PON_KIND_STRUCTURED, pon_kind, pon_node, pon_value},
};
use crate::{faults::Code, params::Kind};
use std::ffi::c_char;

/// Adds a leaf as the last child of a branch; `value->struct_size` is set before the call.
/// Owns: the set shares the numbers of a tensor and copies text.
/// Nullable: key (a branch that goes by place), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE,
/// PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_add(
    params: *mut pon_params,
    parent: pon_node,
    key: *const c_char,
    key_len: usize,
    value: *const pon_value,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, key) = unsafe { (handle::get_mut(params, "params")?, text::maybe(key, key_len, "key")?) };
        // SAFETY: the caller's promise.
        let value = unsafe { value::take(value)? };
        held.room_for_one()?;
        let node = held.change(|params| params.add(parent, key, value))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, node) };
        Ok(())
    })
}

/// Adds an empty branch as the last child of a branch.
/// Owns: nothing.
/// Nullable: key (a branch that goes by place), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_add_branch(
    params: *mut pon_params,
    parent: pon_node,
    key: *const c_char,
    key_len: usize,
    kind: pon_kind,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, key) = unsafe { (handle::get_mut(params, "params")?, text::maybe(key, key_len, "key")?) };
        let kind = branch(kind)?;
        held.room_for_one()?;
        let node = held.change(|params| params.branch(parent, key, kind))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, node) };
        Ok(())
    })
}

/// Puts another value into a leaf; `value->struct_size` is set before the call.
/// Owns: the set shares the numbers of a tensor and copies text.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_set(
    params: *mut pon_params,
    node: pon_node,
    value: *const pon_value,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, value) = unsafe { (handle::get_mut(params, "params")?, value::take(value)?) };
        held.change(|params| params.set(node, value))
    })
}

/// Takes a node and all below it away; not the root.
/// Owns: ends what the set has lent.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (the root), PON_E_NO_PATH.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_remove(params: *mut pon_params, node: pon_node) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        unsafe { handle::get_mut(params, "params")? }.change(|params| params.remove(node))
    })
}

/// Adds an empty structured leaf (PON_KIND_STRUCTURED) or object (PON_KIND_OBJECT) as the last child of a branch. A structured
/// leaf has a child `storage`, an array or blocks, and where its type needs them a named child `metadata` of whole numbers.
/// Owns: nothing.
/// Nullable: key (a branch that goes by place), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_add_typed(
    params: *mut pon_params,
    parent: pon_node,
    key: *const c_char,
    key_len: usize,
    kind: pon_kind,
    type_name: *const c_char,
    type_name_len: usize,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, key) = unsafe { (handle::get_mut(params, "params")?, text::maybe(key, key_len, "key")?) };
        // SAFETY: the caller's promise.
        let (kind, name) = (branch(kind)?, unsafe { text::take(type_name, type_name_len, "type_name")? });
        held.room_for_one()?;
        let node = held.change(|params| params.branch_of(parent, key, kind, name))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, node) };
        Ok(())
    })
}

/// Gives a child of a map its key: a leaf. `value->struct_size` is set before the call.
/// Owns: the set shares the numbers of a tensor and copies text.
/// Nullable: out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND (no child of a
/// map), PON_E_KEY_TWICE (it has a key), PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_key(
    params: *mut pon_params,
    child: pon_node,
    value: *const pon_value,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, value) = unsafe { (handle::get_mut(params, "params")?, value::take(value)?) };
        held.room_for_one()?;
        let node = held.change(|params| params.key_leaf(child, value))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, node) };
        Ok(())
    })
}

/// Gives a child of a map its key: an empty branch, to be filled. An object or structured leaf has a type with a name.
/// Owns: nothing.
/// Nullable: type_name (a branch without one), out.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_NO_PATH, PON_E_KIND (no child of a map), PON_E_KEY_TWICE (it
/// has a key), PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_key_branch(
    params: *mut pon_params,
    child: pon_node,
    kind: pon_kind,
    type_name: *const c_char,
    type_name_len: usize,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(params, "params")? };
        // SAFETY: the caller's promise.
        let (kind, name) = (branch(kind)?, unsafe { text::maybe(type_name, type_name_len, "type_name")? });
        held.room_for_one()?;
        let node = held.change(|params| params.key_branch(child, kind, name))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, node) };
        Ok(())
    })
}

/// Says what a leaf is beyond its kind, e.g. `jax.Array`, `numpy.str_`, `bytearray`; "" takes it back. A leaf keeps it when it
/// gets another value.
/// Owns: ends what the set has lent.
/// Nullable: type_name ("").
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH, PON_E_KIND (a branch).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_set_type(
    params: *mut pon_params,
    leaf: pon_node,
    type_name: *const c_char,
    type_name_len: usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let name = unsafe { text::maybe(type_name, type_name_len, "type_name")? };
        // SAFETY: the caller's promise.
        unsafe { handle::get_mut(params, "params")? }.change(|params| params.set_type(leaf, name))
    })
}

/// Makes the root a branch of another kind: any kind without a type while it is empty; afterwards a named one becomes a
/// parameter set and the other way round.
/// Owns: ends what the set has lent.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_STATE (the root has children that the kind would lose the keys of).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_root(params: *mut pon_params, kind: pon_kind) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(params, "params")? };
        let kind = branch(kind)?;
        held.change(|params| params.set_root(kind))
    })
}

/// Adds a copy of a node of another set, with all below it, as the last child of a branch.
/// Owns: the numbers are shared.
/// Nullable: key (a branch that goes by place), out.
/// Threads: one at a time; any for `from`, which is another set.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH, PON_E_KIND, PON_E_KEY_TWICE, PON_E_STATE (a reference leads out
/// of what is copied), PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_graft(
    params: *mut pon_params,
    parent: pon_node,
    key: *const c_char,
    key_len: usize,
    from: *const pon_params,
    node: pon_node,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let key = unsafe { text::maybe(key, key_len, "key")? };
        // SAFETY: the caller's promise.
        let source = unsafe { handle::get(from, "from")? }.params.clone();
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(params, "params")? };
        held.room_for_one()?;
        let copy = held.change(|params| params.graft(parent, key, &source, node))?;
        // SAFETY: the caller's promise.
        unsafe { handle::put(out, copy) };
        Ok(())
    })
}

/// Puts a copy of a node of another set, with all below it, in the place of a node, which keeps its number and key.
/// Owns: the numbers are shared; ends what the set has lent.
/// Nullable: none.
/// Threads: one at a time; any for `from`.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_STATE (something refers to what would go, or leads out of what is
/// copied), PON_E_LIMIT.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_replace(
    params: *mut pon_params,
    node: pon_node,
    from: *const pon_params,
    source: pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let other = unsafe { handle::get(from, "from")? }.params.clone();
        // SAFETY: the caller's promise.
        unsafe { handle::get_mut(params, "params")? }.change(|params| params.replace(node, &other, source))
    })
}

/// The kind of a branch.
fn branch(kind: pon_kind) -> Answer<Kind> {
    let known = (PON_KIND_NAMED..=PON_KIND_STRUCTURED).contains(&kind);
    Kind::from_number(kind).filter(|_| known).ok_or(Failure::of(Code::Value, "kind"))
}
