//! Parameter sets: an ordered tree of named leaves.

use super::{
    context::{self, Context, pon_context},
    failure::{Answer, Failure},
    handle::{self, Handle, Lent},
    options::Target,
    status::pon_status,
    tensor::{self, pon_tensor},
    text::{self, Kept, pon_str},
    value::{self, PON_KIND_FROZEN_SET, PON_KIND_NAMED, PON_NO_NODE, pon_kind, pon_node, pon_node_info, pon_value},
    view::{self, pon_view},
};
use crate::{
    faults::{Code, Fault, Faults, Text},
    params::{Kind, Params, Value},
};
use std::{
    collections::HashMap,
    ffi::c_char,
    ptr,
    sync::{Arc, OnceLock},
};

/// An ordered tree of parameters; order is part of what it says.
pub struct pon_params(());

impl Handle for pon_params {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.para");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// What stands behind a parameter set.
pub struct Held {
    /// The tree.
    pub params: Params,
    context: Arc<Context>,
    lent: OnceLock<HashMap<pon_node, LentNode>>,
}

struct LentNode {
    key: Kept,
    text: Option<Kept>,
    tensor: Option<Lent<pon_tensor>>,
}

impl Held {
    /// A handle's worth of a tree.
    pub fn new(params: Params, context: Arc<Context>) -> Held {
        Held { params, context, lent: OnceLock::new() }
    }

    /// Changes the tree, which ends what was lent.
    fn change<T>(&mut self, change: impl FnOnce(&mut Params) -> Result<T, Fault>) -> Answer<T> {
        let done = change(&mut self.params).map_err(|fault| Failure::from(fault.code))?;
        self.lent = OnceLock::new();
        Ok(done)
    }

    fn room_for_one(&self) -> Answer<()> {
        let full = self.params.count() >= self.context.limits.entries;
        if full { Err(Failure::of(Code::Limit, "params")) } else { Ok(()) }
    }

    fn lent(&self, node: pon_node) -> Answer<&LentNode> {
        let all = self.lent.get_or_init(|| {
            let (mut all, mut open) = (HashMap::new(), vec![Params::ROOT]);
            while let Some(node) = open.pop() {
                open.extend(self.params.children(node));
                all.insert(node, LentNode::of(&self.params, node));
            }
            all
        });
        all.get(&node).ok_or(Failure::of(Code::NoPath, "node"))
    }
}

impl LentNode {
    fn of(params: &Params, node: pon_node) -> LentNode {
        let value = params.value(node);
        let text = match value {
            Some(Value::Text(text)) => Some(Kept::new(text.as_bytes())),
            Some(Value::BigInt(digits)) => Some(Kept::new(digits.as_bytes())),
            Some(Value::Bytes(bytes)) => Some(Kept::new(bytes)),
            _ => None,
        };
        let tensor = params.tensor(node).map(|tensor| Lent::new(tensor::Held::shared(tensor.clone())));
        LentNode { key: Kept::new(params.key(node).map_or(&[][..], Text::as_bytes)), text, tensor }
    }
}

/// Makes an empty set: a root of the kind PON_KIND_NAMED.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: context (default limits).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_new(context: *const pon_context, out: *mut *mut pon_params) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, &mut Faults::default())?) };
        out.write(handle::give(Held::new(Params::new(Kind::Named), context)));
        Ok(())
    })
}

/// Makes a copy that shares the numbers and nothing else.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_copy(params: *const pon_params, out: *mut *mut pon_params) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        out.write(handle::give(Held::new(held.params.clone(), held.context.clone())));
        Ok(())
    })
}

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
        let known = (PON_KIND_NAMED..=PON_KIND_FROZEN_SET).contains(&kind);
        let kind = Kind::from_number(kind).filter(|_| known).ok_or(Failure::of(Code::Value, "kind"))?;
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

/// Tells how many nodes there are, the root counted.
/// Owns: nothing.
/// Nullable: params (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_count(params: *const pon_params) -> u32 {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(params, "params")? }.params.count() as u32) })
}

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
        out.write(pon_node_info {
            struct_size: 0,
            kind: kind as pon_kind,
            parent: held.params.parent(node).unwrap_or(PON_NO_NODE),
            children: held.params.children(node).len() as u32,
            key: held.lent(node)?.key.lend(),
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

/// Finds a node by its path from another: `/key/key`, `~0` for `~` and `~1` for `/` in a key, places as numbers.
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
            _ => (0, 0.0, 0.0),
        };
        out.write(pon_value {
            struct_size: 0,
            kind: value.kind() as pon_kind,
            i,
            re,
            im,
            text: lent.text.as_ref().map_or(pon_str::fixed(c""), Kept::lend),
            tensor: lent.tensor.as_ref().map_or(ptr::null(), Lent::handle),
        });
        Ok(())
    })
}

/// Lends the numbers of a tensor leaf to be read.
/// Owns: the view belongs to the set, until it is changed or freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND (no tensor).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_view(params: *const pon_params, node: pon_node, out: *mut pon_view) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        held.params.kind(node).ok_or(Failure::of(Code::NoPath, "node"))?;
        out.write(view::lend(held.params.tensor(node).ok_or(Failure::of(Code::Kind, "node"))?));
        Ok(())
    })
}

/// Frees a set.
/// Owns: takes `params`; networks made of it keep what they need.
/// Nullable: params (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_free(params: *mut pon_params) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(params) } })
}
