//! Tensors out of what a pickle says of them: a view of a storage, checked, and nothing of it read.

use super::{
    names,
    storages::{Part, Storages, Wrong, whole, wrong},
};
use crate::{
    faults::{Code, Fault, Faults, Refused},
    formats::pickle::{Node, NodeId, Pickle},
    limits::Limits,
    tensor::{DType, Tensor, count, packed_strides, shape_text},
};

/// A tensor whose numbers have not been read. Every number of it lies within its storage.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub dtype: DType,
    pub shape: Vec<usize>,
    strides: Vec<i64>,
    /// First number, counted in numbers of `dtype` from the beginning of the storage.
    first: usize,
    storage: usize,
}

/// How many wrappers a tensor may stand in: a parameter, with attributes, of another device.
const WRAPPERS: usize = 8;

/// The tensor of a node for which `state::is_tensor` stands.
pub(super) fn tensor(pickle: &Pickle, storages: &mut Storages, node: NodeId, limits: &Limits) -> Result<Stored, Wrong> {
    if let Node::Persistent(id) = pickle.node(node) {
        let part = storages.part(pickle, id)?;
        let view = View { dtype: part.dtype, first: 0, shape: vec![part.count], strides: vec![1] };
        return stored(view, &part, limits);
    }
    let Some(call) = pickle.call(node) else { return wrong(Code::Kind, format!("is {}.", pickle.kind(node))) };
    let (mut name, mut arguments) = (call.name, call.arguments);
    for _ in 0..WRAPPERS {
        let inner = match (name, arguments) {
            ("torch._utils._rebuild_parameter", &[data, _, _])
            | ("torch._utils._rebuild_parameter_with_state", &[data, _, _, _])
            | ("torch._utils._rebuild_device_tensor_from_cpu_tensor", &[data, _, _, _]) => pickle.call(data),
            ("torch._tensor._rebuild_from_type_v2", &[function, _, of, _]) => {
                (name, arguments) = match (pickle.global(function), pickle.tuple(of)) {
                    (Some(name), Some(arguments)) => (name, arguments),
                    _ => return wrong(Code::Malformed, "is rebuilt from its type by no function."),
                };
                continue;
            }
            _ => return rebuilt(pickle, storages, name, arguments, limits),
        };
        match inner {
            Some(inner) => (name, arguments) = (inner.name, inner.arguments),
            None => return wrong(Code::Malformed, "is a parameter of something that is no tensor."),
        }
    }
    wrong(Code::Limit, format!("is wrapped in more than {WRAPPERS} others."))
}

/// What the innermost function makes of its arguments.
fn rebuilt(
    pickle: &Pickle,
    storages: &mut Storages,
    name: &str,
    arguments: &[NodeId],
    limits: &Limits,
) -> Result<Stored, Wrong> {
    if let Some((function, what)) = names::UNREAD.iter().find(|(function, _)| *function == name) {
        return wrong(Code::Unsupported, format!("{what} ({function})."));
    }
    let (view, dtype, marks) = match (name, arguments) {
        ("torch._utils._rebuild_tensor", &[a, b, c, d]) => ([a, b, c, d], None, None),
        ("torch._utils._rebuild_tensor_v2", &[a, b, c, d, _, _, ref marks @ ..]) if marks.len() <= 1 => {
            ([a, b, c, d], None, marks.first())
        }
        ("torch._utils._rebuild_tensor_v3", &[a, b, c, d, _, _, dtype, ref marks @ ..]) if marks.len() <= 1 => {
            ([a, b, c, d], Some(dtype), marks.first())
        }
        _ => {
            let rest = format!("is rebuilt by {name} of {} arguments, which no tensor is.", arguments.len());
            return wrong(Code::Malformed, rest);
        }
    };
    let [storage, first, shape, strides] = view;
    if let Some(&marks) = marks {
        unmarked(pickle, marks)?;
    }
    let Node::Persistent(id) = pickle.node(storage) else {
        return wrong(Code::Malformed, format!("has {} for a storage.", pickle.kind(storage)));
    };
    let part = storages.part(pickle, id)?;
    let dtype = match dtype {
        Some(dtype) => element(pickle, dtype)?,
        None => part.dtype,
    };
    let Some(first) = whole(pickle, first) else {
        return wrong(Code::Malformed, "begins at no number that can be counted from 0.");
    };
    let shape = lengths(pickle, shape, "size")?;
    let strides = lengths(pickle, strides, "stride")?;
    if shape.len() != strides.len() {
        return wrong(Code::Malformed, format!("has {} sizes and {} strides.", shape.len(), strides.len()));
    }
    let strides = strides.into_iter().map(|stride| stride as i64).collect();
    stored(View { dtype, first, shape, strides }, &part, limits)
}

/// How a tensor looks at its storage; `first` counts from the part's beginning.
struct View {
    dtype: DType,
    first: usize,
    shape: Vec<usize>,
    strides: Vec<i64>,
}

fn stored(view: View, part: &Part, limits: &Limits) -> Result<Stored, Wrong> {
    let View { dtype, first, shape, strides } = view;
    let shown = shape_text(&shape);
    let counted = count(&shape).and_then(|count| Some((count, dtype.bytes(count)?)));
    let Some((numbers, bytes)) = counted else {
        return wrong(Code::Overflow, format!("has the shape {shown}, whose numbers no machine can count."));
    };
    if bytes as u64 > limits.tensor_bytes {
        return wrong(
            Code::Limit,
            format!("takes {bytes} bytes; the limit `tensor_bytes` is {}.", limits.tensor_bytes),
        );
    }
    // A storage without a type of its own counts bytes.
    let there = part.dtype.bytes(part.count).zip(dtype.size()).map_or(0, |(bytes, size)| bytes / size);
    if numbers > there {
        let rest = format!(
            "has the shape {shown}, {numbers} numbers, and its storage holds {there}: it repeats some; save tensor.contiguous() in its place."
        );
        return wrong(Code::Unsupported, rest);
    }
    let last = shape.iter().zip(&strides).try_fold(first as u128, |last, (&length, &stride)| {
        last.checked_add((length as u128).saturating_sub(1).checked_mul(stride.unsigned_abs().into())?)
    });
    if numbers > 0 && last.is_none_or(|last| last >= there as u128) {
        let rest = format!("has the shape {shown} and ends after the {there} numbers of its storage.");
        return wrong(Code::Malformed, rest);
    }
    let first = if numbers == 0 { 0 } else { part.first + first };
    Ok(Stored { dtype, shape, strides, first, storage: part.storage })
}

impl Stored {
    /// How many bytes its numbers take.
    pub fn bytes(&self) -> u64 {
        self.dtype.bytes(self.shape.iter().product()).unwrap_or_default() as u64
    }

    /// Byte of the source at which its first number stands, if the storage lies there as it is.
    pub fn offset(&self, storages: &Storages) -> Option<u64> {
        storages.offset(self.storage)?.checked_add(self.dtype.bytes(self.first)? as u64)
    }

    /// The numbers, in place if they stand packed; its storage is read if it has not been.
    pub fn read(&self, storages: &Storages, faults: &mut Faults) -> Result<Tensor, Refused> {
        let storage = storages.read(self.storage, faults)?;
        let (start, length) = (self.dtype.bytes(self.first), self.bytes() as usize);
        let packed = self.strides == packed_strides(&self.shape) || length == 0;
        let tensor = if packed {
            let part = start.and_then(|start| storage.part(start..start.checked_add(length)?));
            part.and_then(|part| Tensor::packed(self.dtype, self.shape.clone(), part))
        } else {
            Tensor::strided(self.dtype, self.shape.clone(), self.strides.clone(), self.first, storage)
        };
        // The listing has seen to it that every number lies in the storage.
        tensor.ok_or_else(|| faults.refuse(Fault::new(Code::Internal, "A tensor does not lie in its storage.")))
    }
}

/// A view that is read as it stands in memory: neither negated nor conjugated.
fn unmarked(pickle: &Pickle, marks: NodeId) -> Result<(), Wrong> {
    if matches!(pickle.node(marks), Node::None) {
        return Ok(());
    }
    let Some(items) = pickle.items(marks) else {
        return wrong(Code::Malformed, format!("has {} for marks; a dictionary is wanted.", pickle.kind(marks)));
    };
    for &(mark, set) in items {
        match (pickle.text(mark), pickle.node(set)) {
            (_, Node::Bool(false)) => {}
            (Some(b"neg"), Node::Bool(true)) => {
                return wrong(Code::Unsupported, "is a negated view; save tensor.resolve_neg() in its place.");
            }
            (Some(b"conj"), Node::Bool(true)) => {
                return wrong(Code::Unsupported, "is a conjugated view; save tensor.resolve_conj() in its place.");
            }
            _ => return wrong(Code::Unsupported, "is marked in a way this library does not know."),
        }
    }
    Ok(())
}

/// Lengths or strides: whole numbers from 0 on.
fn lengths(pickle: &Pickle, id: NodeId, what: &str) -> Result<Vec<usize>, Wrong> {
    let list = match pickle.call(id) {
        Some(call) if call.name == "torch.Size" => call.arguments.first().copied().unwrap_or(id),
        _ => id,
    };
    let Some(numbers) = pickle.elements(list) else {
        return wrong(Code::Malformed, format!("has {} for its {what}s; a tuple is wanted.", pickle.kind(id)));
    };
    let one = |&number: &NodeId| {
        let number = pickle.int(number).ok_or_else(|| pickle.kind(number).to_owned());
        number.and_then(|number| usize::try_from(number).map_err(|_| number.to_string()))
    };
    numbers.iter().map(one).collect::<Result<_, _>>().map_err(|given| {
        Wrong(Code::Malformed, format!("has a {what} of {given}; whole numbers from 0 on are wanted."))
    })
}

fn element(pickle: &Pickle, id: NodeId) -> Result<DType, Wrong> {
    match pickle.global(id).map(|name| (name, names::element(name))) {
        Some((_, Some(Some(dtype)))) => Ok(dtype),
        Some((name, Some(None))) => wrong(
            Code::DType,
            format!("holds numbers of the type {name}, which are not read; {}.", names::plainer(name)),
        ),
        _ => wrong(Code::Malformed, format!("has {} for an element type.", pickle.kind(id))),
    }
}
