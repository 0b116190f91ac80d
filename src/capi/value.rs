//! Nodes of a parameter set and the values of its leaves, as they cross the boundary.

use super::{
    failure::{Answer, Failure},
    handle,
    options::{self, sized},
    tensor::pon_tensor,
    text::{self, pon_str},
    view,
};
use crate::{
    faults::Code,
    params::{Opaque, Range, Value},
    tensor::Storage,
};

/// Number of a node: 0 is the root; a number stays its node's own and is never given to another.
pub type pon_node = u32;
/// What a node is. An open set.
pub type pon_kind = i32;

/// No node.
pub const PON_NO_NODE: u32 = 0xFFFF_FFFF;
/// A branch of children by name.
pub const PON_KIND_NAMED: pon_kind = 1;
/// The same, kept as the root of a parameter set.
pub const PON_KIND_PARAMETERS: pon_kind = 2;
/// A branch of children by place.
pub const PON_KIND_LIST: pon_kind = 3;
/// A branch of children by place, of a fixed number.
pub const PON_KIND_TUPLE: pon_kind = 4;
/// A branch of children in no order that counts.
pub const PON_KIND_SET: pon_kind = 5;
/// The same, unchangeable in its own world.
pub const PON_KIND_FROZEN_SET: pon_kind = 6;
/// A branch of children by place, each with a key that is a tree.
pub const PON_KIND_MAP: pon_kind = 7;
/// A branch of the fields of a type with a name.
pub const PON_KIND_OBJECT: pon_kind = 8;
/// A leaf of several parts: children `storage` and maybe `metadata`, and a type with a name.
pub const PON_KIND_STRUCTURED: pon_kind = 9;
/// A leaf: an array, in `tensor`.
pub const PON_KIND_TENSOR: pon_kind = 32;
/// A leaf: a whole number, in `i`.
pub const PON_KIND_INT: pon_kind = 33;
/// A leaf: a whole number of more than 64 bits, its decimal digits in `text`.
pub const PON_KIND_BIG_INT: pon_kind = 34;
/// A leaf: a number, in `re`.
pub const PON_KIND_REAL: pon_kind = 35;
/// A leaf: a complex number, in `re` and `im`.
pub const PON_KIND_COMPLEX: pon_kind = 36;
/// A leaf: 0 or 1, in `i`.
pub const PON_KIND_BOOL: pon_kind = 37;
/// A leaf: text, in `text`.
pub const PON_KIND_TEXT: pon_kind = 38;
/// A leaf: bytes, in `text`.
pub const PON_KIND_BYTES: pon_kind = 39;
/// A leaf: nothing.
pub const PON_KIND_NONE: pon_kind = 40;
/// A leaf: Python's `...`.
pub const PON_KIND_ELLIPSIS: pon_kind = 41;
/// A leaf: a range of whole numbers, from `i` on, in steps of `step`, before `end`.
pub const PON_KIND_RANGE: pon_kind = 42;
/// A leaf: one number of an element type of its own, in `tensor`, which has no axes.
pub const PON_KIND_SCALAR: pon_kind = 43;
/// A leaf: elements of a type of its own; `descr` says which, `shape` and `ndim` how many, `text` has their bytes.
pub const PON_KIND_OPAQUE: pon_kind = 45;
/// A leaf that was left out on purpose.
pub const PON_KIND_NOT_LOADED: pon_kind = 44;
/// A leaf: the same object as the node in `i`.
pub const PON_KIND_REFERENCE: pon_kind = 64;

/// The value of a leaf, in or out; `kind` says which field counts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_value {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_KIND_TENSOR or another kind of a leaf.
    pub kind: pon_kind,
    /// A whole number, or 0 or 1, or a node.
    pub i: i64,
    /// A number, or the real part of one.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
    /// Text, digits or bytes.
    pub text: pon_str,
    /// An array; one that comes out belongs to the set.
    pub tensor: *const pon_tensor,
    /// The step of a range.
    pub step: i64,
    /// The number a range ends before.
    pub end: i64,
    /// What an element of PON_KIND_OPAQUE is, in NumPy's words: `|S4`, `|V4`, `<f16` and `<c32` (floats of 80 bits, one or
    /// two), or for a record a JSON list of its fields, each `[name, type]` or `[name, type, lengths]`; a field without a name
    /// is a gap.
    pub descr: pon_str,
    /// Lengths of the axes of PON_KIND_OPAQUE, slowest first.
    pub shape: *const i64,
    /// How many.
    pub ndim: i32,
    /// 0.
    pub reserved: u32,
}

/// What a node is and where it hangs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_node_info {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What the node is.
    pub kind: pon_kind,
    /// The branch it hangs from; PON_NO_NODE for the root.
    pub parent: pon_node,
    /// How many children it has.
    pub children: u32,
    /// Its key, raw; "" for the root and in branches that go by place.
    pub key: pon_str,
    /// Root of the tree that is its key in a map; PON_NO_NODE if it has none.
    pub key_node: pon_node,
    /// The node it is the same object as; PON_NO_NODE if it is no reference.
    pub refers_to: pon_node,
    /// Name of its type, raw: of a structured leaf or an object; of another leaf what it is beyond its kind, e.g. `jax.Array`;
    /// else "".
    pub type_name: pon_str,
}
sized!(pon_value, pon_node_info);

/// A value of the caller.
///
/// # Safety
/// As `options::need`, and what its fields point to can be read.
pub unsafe fn take(value: *const pon_value) -> Answer<Value> {
    // SAFETY: passed on.
    let given = unsafe { options::need(value, "value")? };
    Ok(match given.kind {
        // SAFETY: passed on.
        PON_KIND_TENSOR => Value::Tensor(unsafe { handle::get(given.tensor, "tensor")? }.tensor.clone()),
        // SAFETY: passed on.
        PON_KIND_SCALAR => Value::Scalar(unsafe { handle::get(given.tensor, "tensor")? }.tensor.clone()),
        PON_KIND_INT => Value::Int(given.i),
        PON_KIND_REAL => Value::Real(given.re),
        PON_KIND_COMPLEX => Value::Complex(given.re, given.im),
        PON_KIND_RANGE => Value::Range(Box::new(Range { first: given.i, step: given.step, end: given.end })),
        PON_KIND_REFERENCE => {
            Value::Reference(pon_node::try_from(given.i).map_err(|_| Failure::of(Code::NoPath, "i"))?)
        }
        PON_KIND_ELLIPSIS => Value::Ellipsis,
        PON_KIND_NOT_LOADED => Value::NotLoaded,
        PON_KIND_BIG_INT => {
            // SAFETY: passed on.
            let digits = unsafe { text::take(given.text.data, given.text.len, "text")? };
            let unsigned = digits.strip_prefix('-').unwrap_or(digits);
            if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Failure::of(Code::Value, "text"));
            }
            Value::BigInt(digits.to_owned())
        }
        PON_KIND_BYTES => {
            // SAFETY: passed on.
            let bytes = unsafe { handle::list(given.text.data.cast::<u8>(), given.text.len, "text")? };
            Value::Bytes(bytes.into())
        }
        PON_KIND_BOOL if given.i == 0 || given.i == 1 => Value::Bool(given.i == 1),
        // SAFETY: passed on.
        PON_KIND_OPAQUE => unsafe { opaque(&given)? },
        // SAFETY: passed on.
        PON_KIND_TEXT => Value::Text(unsafe { text::take(given.text.data, given.text.len, "text")? }.into()),
        PON_KIND_NONE => Value::None,
        _ => return Err(Failure::of(Code::Value, "kind")),
    })
}

/// Elements of a type of their own.
///
/// # Safety
/// As [`take`].
unsafe fn opaque(given: &pon_value) -> Answer<Value> {
    // SAFETY: passed on.
    let (descr, shape) = unsafe {
        (text::take(given.descr.data, given.descr.len, "descr")?, view::shape(given.ndim, given.shape, "shape")?)
    };
    // SAFETY: passed on.
    let bytes = unsafe { handle::list(given.text.data.cast::<u8>(), given.text.len, "text")? };
    if given.reserved != 0 {
        return Err(Failure::of(Code::Value, "reserved"));
    }
    let bytes = Storage::copied(bytes).ok_or(Failure::of(Code::Memory, "text"))?;
    Ok(Value::Opaque(Box::new(Opaque { descr: descr.into(), shape: shape.to_vec(), bytes })))
}
