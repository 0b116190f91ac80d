//! Nodes of a parameter set: what they are, how they are found, what they hold.

use super::{
    failure::Failure,
    handle,
    options::Target,
    params::pon_params,
    status::pon_status,
    text::{self, Kept, pon_str},
    value::{PON_NO_NODE, pon_kind, pon_node, pon_node_info, pon_value},
    view::{self, pon_view},
};
use crate::{
    faults::Code,
    params::{Params, Value},
};
use std::{ffi::c_char, ptr};

/// Axes as the set has them: slowest first.
pub const PON_ORDER_ROWS: i32 = 0;
/// Axes in the opposite order, for hosts whose own order is column-major: the same memory, the steps reversed too.
pub const PON_ORDER_COLUMNS: i32 = 1;

/// Tells what a node is; `out->struct_size` is set before the call.
/// Owns: the text belongs to the set, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_NO_PATH.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_node(
    params: *const pon_params,
    node: pon_node,
    out: *mut pon_node_info,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, Target::new(out, "out")?) };
        let kind = held.params.kind(node).ok_or(Failure::of(Code::NoPath, "node"))?;
        let lent = held.lent(node)?;
        out.write(pon_node_info {
            struct_size: 0,
            kind: kind as pon_kind,
            parent: Params::parent(&held.params, node).unwrap_or(PON_NO_NODE),
            children: held.params.children(node).len() as u32,
            key: lent.key.lend(),
            key_node: held.params.key_tree(node).unwrap_or(PON_NO_NODE),
            refers_to: match held.params.value(node) {
                Some(Value::Reference(to)) => *to,
                _ => PON_NO_NODE,
            },
            type_name: lent.type_name.lend(),
        });
        Ok(())
    })
}

/// Gives a child of a branch by its place.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_child(
    params: *const pon_params,
    node: pon_node,
    index: u32,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        let child = held.params.children(node).get(index as usize);
        out.write(*child.ok_or(Failure::of(Code::NoPath, "index"))?);
        Ok(())
    })
}

/// Finds a node by its path from another: `/key/key`, `~0` for `~` and `~1` for `/` in a key, places as numbers,
/// `~2` for the tree that is the key of a map's child.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_find(
    params: *const pon_params,
    from: pon_node,
    path: *const c_char,
    path_len: usize,
    out: *mut pon_node,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let path = unsafe { text::take(path, path_len, "path")? };
        out.write(held.params.find(from, path.as_bytes()).ok_or(Failure::of(Code::NoPath, "path"))?);
        Ok(())
    })
}

/// Writes the path of a node from the root into a buffer, with a NUL. `*need` becomes the bytes it takes, NUL included, also
/// if the buffer is too small.
/// Owns: nothing.
/// Nullable: buffer (if capacity is 0).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_TOO_SMALL.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_path(
    params: *const pon_params,
    node: pon_node,
    buffer: *mut c_char,
    capacity: usize,
    need: *mut usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, need) = unsafe { (handle::get(params, "params")?, handle::out(need, "need")?) };
        if buffer.is_null() && capacity > 0 {
            return Err(Failure::of(Code::Null, "buffer"));
        }
        let path = held.params.path(node).ok_or(Failure::of(Code::NoPath, "node"))?;
        let path = path.as_bytes();
        need.write(path.len() + 1);
        if capacity <= path.len() {
            return Err(Failure::of(Code::TooSmall, "buffer"));
        }
        // SAFETY: the caller promises `capacity` bytes, which is more than the path takes.
        unsafe {
            ptr::copy_nonoverlapping(path.as_ptr(), buffer.cast(), path.len());
            buffer.add(path.len()).write(0);
        }
        Ok(())
    })
}

/// Gives the value of a leaf; `out->struct_size` is set before the call.
/// Owns: text and tensor belong to the set, until it is changed or freed; the tensor is not freed by the caller.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_NO_PATH, PON_E_KIND (a branch).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_get(params: *const pon_params, node: pon_node, out: *mut pon_value) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, Target::new(out, "out")?) };
        let lent = held.lent(node)?;
        let value = held.params.value(node).ok_or(Failure::of(Code::Kind, "node"))?;
        let (i, re, im) = match value {
            Value::Int(number) => (*number, 0.0, 0.0),
            Value::Bool(is) => (i64::from(*is), 0.0, 0.0),
            Value::Real(number) => (0, *number, 0.0),
            Value::Complex(re, im) => (0, *re, *im),
            Value::Range(range) => (range.first, 0.0, 0.0),
            Value::Reference(to) => (i64::from(*to), 0.0, 0.0),
            _ => (0, 0.0, 0.0),
        };
        let shape = match value {
            Value::Opaque(opaque) => opaque.shape.as_slice(),
            _ => &[],
        };
        let (step, end) = match value {
            Value::Range(range) => (range.step, range.end),
            _ => (0, 0),
        };
        out.write(pon_value {
            struct_size: 0,
            kind: value.kind() as pon_kind,
            i,
            re,
            im,
            text: lent.text.as_ref().map_or(pon_str::fixed(c""), Kept::lend),
            tensor: lent.tensor.as_ref().map_or(ptr::null(), |tensor| tensor.handle()),
            step,
            end,
            descr: lent.descr.as_ref().map_or(pon_str::fixed(c""), Kept::lend),
            shape: shape.as_ptr().cast(),
            ndim: shape.len() as i32,
            reserved: 0,
        });
        Ok(())
    })
}

/// Lends the numbers of an array or typed scalar to be read.
/// Owns: the view belongs to the set, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND (no array).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_view(params: *const pon_params, node: pon_node, out: *mut pon_view) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        held.params.kind(node).ok_or(Failure::of(Code::NoPath, "node"))?;
        let Some(Value::Tensor(tensor) | Value::Scalar(tensor)) = held.params.value(node) else {
            return Err(Failure::of(Code::Kind, "node"));
        };
        out.write(view::lend(tensor));
        Ok(())
    })
}

/// Lends the numbers of an array or typed scalar with its axes in an order of the host's: the numbers are not moved.
/// Owns: the view belongs to the set, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (an order other than PON_ORDER_ROWS and PON_ORDER_COLUMNS), PON_E_NO_PATH,
/// PON_E_KIND (no array, or of an element type of no whole bytes).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_view_as(
    params: *const pon_params,
    node: pon_node,
    order: i32,
    out: *mut pon_view,
) -> pon_status {
    match order {
        // SAFETY: the caller's promise.
        PON_ORDER_ROWS => unsafe { pon_params_view(params, node, out) },
        _ => guard!({
            // SAFETY: the caller's promise.
            let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
            if order != PON_ORDER_COLUMNS {
                return Err(Failure::of(Code::Value, "order"));
            }
            let lent = held.lent(node)?;
            out.write(view::lend(lent.reversed.as_ref().ok_or(Failure::of(Code::Kind, "node"))?));
            Ok(())
        }),
    }
}
