//! Nodes of a parameter set and the values of its leaves, as they cross the boundary.

use super::{
    failure::{Answer, Failure},
    handle,
    options::{self, sized},
    tensor::pon_tensor,
    text::{self, pon_str},
};
use crate::{faults::Code, params::Value};

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

/// The value of a leaf, in or out; `kind` says which field counts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_value {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_KIND_TENSOR, _INT, _REAL, _BOOL, _TEXT or _NONE; out also _BIG_INT, _COMPLEX or _BYTES.
    pub kind: pon_kind,
    /// A whole number, or 0 or 1.
    pub i: i64,
    /// A number, or the real part of one.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
    /// Text, digits or bytes.
    pub text: pon_str,
    /// An array; one that comes out belongs to the set.
    pub tensor: *const pon_tensor,
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
        PON_KIND_INT => Value::Int(given.i),
        PON_KIND_REAL => Value::Real(given.re),
        PON_KIND_BOOL if given.i == 0 || given.i == 1 => Value::Bool(given.i == 1),
        // SAFETY: passed on.
        PON_KIND_TEXT => Value::Text(unsafe { text::take(given.text.data, given.text.len, "text")? }.into()),
        PON_KIND_NONE => Value::None,
        _ => return Err(Failure::of(Code::Value, "kind")),
    })
}
