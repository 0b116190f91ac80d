//! Parameter sets: an ordered tree of named leaves.

use super::{
    context::{self, Context, pon_context},
    dtype::{self, PON_DTYPE_NONE, pon_dtype},
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle, Lent},
    status::pon_status,
    tensor::{self, pon_tensor},
    text::Kept,
    value::pon_node,
};
use crate::{
    faults::{Code, Fault, Faults, Text},
    params::{Kind, Params, Value, conform},
    tensor::Tensor,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
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
    /// Limits and leaf types.
    pub(super) context: Arc<Context>,
    /// What has been lent since the last change, by node.
    lent: Mutex<HashMap<pon_node, Arc<LentNode>>>,
}

/// What a node lends to callers.
pub(super) struct LentNode {
    pub key: Kept,
    pub type_name: Kept,
    pub text: Option<Kept>,
    pub descr: Option<Kept>,
    pub tensor: Option<Lent<pon_tensor>>,
    /// The same array with its axes in the opposite order.
    pub reversed: Option<Tensor>,
}

impl Held {
    /// A handle's worth of a tree.
    pub fn new(params: Params, context: Arc<Context>) -> Held {
        Held { params, context, lent: Mutex::default() }
    }

    /// Changes the tree, which ends what was lent.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Params) -> Result<T, Fault>) -> Answer<T> {
        self.lent = Mutex::default();
        change(&mut self.params).map_err(|fault| Failure::from(fault.code))
    }

    /// Refuses if the tree is as large as it may be.
    pub(super) fn room_for_one(&self) -> Answer<()> {
        let full = self.params.count() >= self.context.limits.entries;
        if full { Err(Failure::of(Code::Limit, "params")) } else { Ok(()) }
    }

    /// What a node lends; it stays where it is until the set is changed.
    pub(super) fn lent(&self, node: pon_node) -> Answer<Arc<LentNode>> {
        self.params.kind(node).ok_or(Failure::of(Code::NoPath, "node"))?;
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(lent.entry(node).or_insert_with(|| Arc::new(LentNode::of(&self.params, node))).clone())
    }
}

impl LentNode {
    fn of(params: &Params, node: pon_node) -> LentNode {
        let value = params.value(node);
        let text = match value {
            Some(Value::Text(text)) => Some(Kept::new(text.as_bytes())),
            Some(Value::BigInt(digits)) => Some(Kept::new(digits.as_bytes())),
            Some(Value::Bytes(bytes)) => Some(Kept::new(bytes)),
            Some(Value::Opaque(opaque)) => Some(Kept::new(opaque.bytes.bytes())),
            _ => None,
        };
        let tensor = match value {
            Some(Value::Tensor(tensor) | Value::Scalar(tensor)) => Some(tensor),
            _ => None,
        };
        let kept = |text: Option<&Text>| Kept::new(text.map_or(&[][..], Text::as_bytes));
        LentNode {
            key: kept(params.key(node)),
            type_name: kept(params.type_name(node)),
            text,
            descr: match value {
                Some(Value::Opaque(opaque)) => Some(Kept::new(opaque.descr.as_bytes())),
                _ => None,
            },
            reversed: tensor.and_then(Tensor::reversed),
            tensor: tensor.map(|tensor| Lent::new(tensor::Held::shared(tensor.clone()))),
        }
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

/// Compares two sets: kinds, names of types, keys in their order, element types, shapes, and numbers bit by bit. If they
/// differ, `*out` is 0 and the first difference comes to `faults` as a warning that names its path.
/// Owns: nothing.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_equal(
    params: *const pon_params,
    other: *const pon_params,
    out: *mut i32,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, other) = unsafe { (handle::get(params, "params")?, handle::get(other, "other")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        let difference = held.params.difference(&other.params);
        out.write(i32::from(difference.is_none()));
        if let Some(difference) = difference {
            faults.push(Fault::new(Code::Value, difference.message).path(difference.path).warning());
        }
        Ok(())
    })
}

/// Tells the element type of all numbers below a node: PON_DTYPE_NONE if there are none, a fault that names both where there
/// are two. Of a structured leaf the storage counts and not the metadata. A plain number counts as one of 64 bits.
/// Owns: nothing.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_ELTYPE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_eltype(
    params: *const pon_params,
    from: pon_node,
    out: *mut pon_dtype,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        held.params.kind(from).ok_or(Failure::of(Code::NoPath, "from"))?;
        let dtype = held.params.eltype(from, faults)?;
        out.write(dtype.map_or(PON_DTYPE_NONE, |dtype| dtype as pon_dtype));
        Ok(())
    })
}

/// Makes a copy of a set whose numbers, metadata left out, have another element type.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_ELTYPE (complex to real, real to whole), PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_convert(
    params: *const pon_params,
    to: pon_dtype,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        let made = held.params.converted(dtype::of(to, "to")?).map_err(|fault| faults.refuse(fault))?;
        out.write(handle::give(Held::new(made, held.context.clone())));
        Ok(())
    })
}

/// Makes a set of the shape of a prototype with the numbers of a looser one: kinds, order of keys, types and metadata of
/// structured leaves are the prototype's. All that does not fit is said at once: nodes that are missing or too many, other
/// kinds, types, element types and shapes.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared with `loose`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_MISSING, PON_E_UNEXPECTED, PON_E_KIND, PON_E_TYPE, PON_E_ELTYPE, PON_E_SHAPE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_conform(
    loose: *const pon_params,
    prototype: *const pon_params,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (loose, prototype) = unsafe { (handle::get(loose, "loose")?, handle::get(prototype, "prototype")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        let made = conform(&loose.params, &prototype.params, faults)?;
        out.write(handle::give(Held::new(made, prototype.context.clone())));
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
