//! Numbers between a set and a flat vector. The pair in place, [`Layout::gather`] and [`Layout::scatter`], allocates nothing.

use super::{Layout, Part};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted},
    params::{
        Kind, NodeId, Params, Value,
        structured::{keeps_kind, like, no_conversion, no_memory},
    },
    tensor::{DType, Storage, Tensor, View, ViewMut, convert::convert},
};

impl Layout {
    /// Copies the numbers of a set of this layout, its branch `from`, into a vector, converted where its element type is
    /// another. Allocates nothing unless it refuses, and then nothing was written.
    pub fn gather(&self, params: &Params, from: NodeId, flat: &mut ViewMut<'_>) -> Result<(), Fault> {
        self.fits(flat.shape)?;
        each(&self.root, params, from, &mut |part, leaf| {
            let dtype = params.value(leaf).and_then(Value::eltype).unwrap_or(flat.dtype);
            may(dtype, flat.dtype, params, leaf, part)
        })?;
        each(&self.root, params, from, &mut |part, leaf| {
            let (mut at, size) = (part.first, flat.dtype.size().unwrap_or(1));
            params.value(leaf).and_then(|value| {
                value.seen(|view| {
                    convert(view, flat.dtype, |piece| {
                        flat.put(at, piece);
                        at += piece.len() / size;
                    });
                })
            });
            Ok(())
        })
    }

    /// Copies a vector into a set of this layout, its branch `to`; each leaf keeps its element type. Numbers that others
    /// look at too, or that lie strided or in a mapped file, are first copied to memory of the set's own; from then on
    /// nothing is allocated. If it refuses, nothing was written.
    pub fn scatter(&self, flat: &View<'_>, params: &mut Params, to: NodeId) -> Result<(), Fault> {
        self.fits(flat.shape)?;
        {
            let params = &*params;
            each(&self.root, params, to, &mut |part, leaf| {
                let dtype = params.value(leaf).and_then(Value::eltype).unwrap_or(flat.dtype);
                may(flat.dtype, dtype, params, leaf, part)
            })?;
        }
        each_mut(&self.root, params, to, &mut |_, value| match value {
            Value::Tensor(tensor) | Value::Scalar(tensor) => tensor.own(),
            _ => true,
        })?;
        each_mut(&self.root, params, to, &mut |part, value| {
            let shape = [part.count];
            put(&flat.part(part.first, &shape), value);
            true
        })
    }

    /// All numbers of a set of this layout as one vector of the set's element type, which must be one.
    pub fn flatten(&self, params: &Params, from: NodeId, faults: &mut Faults) -> Result<Tensor, Refused> {
        let dtype = params.eltype(from, faults)?.unwrap_or(DType::F64);
        self.flatten_as(dtype, params, from, faults)
    }

    /// The same in an element type of the caller's.
    pub fn flatten_as(
        &self,
        dtype: DType,
        params: &Params,
        from: NodeId,
        faults: &mut Faults,
    ) -> Result<Tensor, Refused> {
        let shape = [self.count()];
        let mut done = Ok(());
        let storage = dtype.bytes(self.count()).and_then(|length| {
            Storage::filled(length, |bytes| {
                done = self.gather(params, from, &mut ViewMut::new(dtype, &shape, None, 0, bytes));
            })
        });
        done.map_err(|fault| faults.refuse(fault))?;
        let flat = storage.and_then(|storage| Tensor::packed(dtype, shape.to_vec(), storage));
        flat.ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "There is no memory for the flat vector.")))
    }

    /// A set of this layout with the numbers of a vector, in its element type; structured leaves keep type and metadata.
    /// Nothing is shared with the vector.
    pub fn unflatten(&self, flat: &View<'_>, faults: &mut Faults) -> Result<Params, Refused> {
        let mut made = self.prototype.clone();
        let mut fill = || {
            self.fits(flat.shape)?;
            if flat.dtype.size().is_none() {
                let message = format!("A flat vector can not be {}.", flat.dtype.name());
                return Err(Fault::new(Code::Eltype, message));
            }
            each_mut(&self.root, &mut made, Params::ROOT, &mut |part, value| {
                let piece = [part.count];
                let part_of = flat.part(part.first, &piece);
                let tensor = part_of.to_tensor().and_then(|tensor| tensor.reshaped(part.shape.to_vec()));
                let Some(tensor) = tensor else { return false };
                *value = like(Some(value), tensor);
                true
            })
        };
        fill().map_err(|fault| faults.refuse(fault))?;
        Ok(made)
    }

    /// Whether a vector has as many numbers as the layout.
    pub(in crate::params) fn fits(&self, shape: &[usize]) -> Result<(), Fault> {
        if shape == [self.count()] {
            return Ok(());
        }
        let length = match shape {
            [length] => format!("a vector of {length} numbers"),
            _ => format!("an array of {} axes", shape.len()),
        };
        Err(Fault::new(Code::Shape, format!("The layout has {} numbers, and {length} was given.", self.count())))
    }
}

fn may(from: DType, to: DType, params: &Params, leaf: NodeId, part: &Part) -> Result<(), Fault> {
    if part.count == 0 || keeps_kind(from, to) {
        return Ok(());
    }
    Err(no_conversion(from, to, params.path(leaf).unwrap_or_default()))
}

/// Writes a part of the flat vector into a leaf that is its own.
fn put(numbers: &View<'_>, value: &mut Value) {
    let mut one = [0u8; 16];
    let mut plain = |dtype| convert(numbers, dtype, |piece| one[..piece.len()].copy_from_slice(piece));
    match value {
        Value::Tensor(tensor) | Value::Scalar(tensor) => {
            let dtype = tensor.dtype();
            let Some(bytes) = tensor.packed_bytes_mut() else { return };
            let mut at = 0;
            convert(numbers, dtype, |piece| {
                bytes[at..at + piece.len()].copy_from_slice(piece);
                at += piece.len();
            });
        }
        Value::Int(number) => {
            plain(DType::I64);
            *number = i64::from_le_bytes(first_half(&one));
        }
        Value::Real(number) => {
            plain(DType::F64);
            *number = f64::from_le_bytes(first_half(&one));
        }
        Value::Bool(truth) => {
            plain(DType::Bool);
            *truth = one[0] != 0;
        }
        Value::Complex(re, im) => {
            plain(DType::C128);
            *re = f64::from_le_bytes(first_half(&one));
            one.rotate_left(8);
            *im = f64::from_le_bytes(first_half(&one));
        }
        _ => {}
    }
}

fn first_half(bytes: &[u8; 16]) -> [u8; 8] {
    std::array::from_fn(|at| bytes[at])
}

/// Calls `each` with every leaf of the layout and its node in a set of the same layout.
fn each(
    part: &Part,
    params: &Params,
    node: NodeId,
    call: &mut dyn FnMut(&Part, NodeId) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if part.dtype.is_some() {
        matches(part, params, node)?;
        return call(part, node);
    }
    for (place, below) in part.parts.iter().enumerate() {
        each(below, params, child(part, params, node, place)?, call)?;
    }
    Ok(())
}

/// The same with the value of each leaf to be changed; false ends it for want of memory.
fn each_mut(
    part: &Part,
    params: &mut Params,
    node: NodeId,
    call: &mut dyn FnMut(&Part, &mut Value) -> bool,
) -> Result<(), Fault> {
    if part.dtype.is_some() {
        matches(part, params, node)?;
        let done = params.value_mut(node).is_none_or(|value| call(part, value));
        return if done { Ok(()) } else { Err(no_memory(params.path(node).unwrap_or_default())) };
    }
    for (place, below) in part.parts.iter().enumerate() {
        let child = child(part, params, node, place)?;
        each_mut(below, params, child, call)?;
    }
    Ok(())
}

/// Whether a leaf has the shape that the layout knows.
fn matches(part: &Part, params: &Params, node: NodeId) -> Result<(), Fault> {
    let shape = params.value(node).and_then(Value::shape);
    if shape == Some(&part.shape) { Ok(()) } else { Err(other(params, node)) }
}

/// The node of a set that stands for a part of a branch's part.
fn child(part: &Part, params: &Params, node: NodeId, place: usize) -> Result<NodeId, Fault> {
    let kind = params.kind(node);
    let keyed = |kind| matches!(kind, Some(Kind::Named | Kind::Parameters));
    if kind != Some(part.kind) && !(keyed(kind) && keyed(Some(part.kind))) {
        return Err(other(params, node));
    }
    if part.kind == Kind::Structured {
        return params.storage(node).ok_or_else(|| other(params, node));
    }
    let children = params.children(node);
    let found = children.get(place).filter(|_| children.len() == part.parts.len());
    let found = found.filter(|&&child| params.key(child) == Some(&part.parts[place].key));
    found.copied().ok_or_else(|| other(params, node))
}

fn other(params: &Params, node: NodeId) -> Fault {
    let path = params.path(node).unwrap_or_default();
    let message = format!("The set has another layout than this one: at '{}'.", quoted(&path));
    Fault::new(Code::Shape, message).path(path)
}
