//! What a structured leaf is made of, and the numbers of any leaf.

use super::{Kind, NodeId, Params, Value, build::no_node, tree::Content};
use crate::{
    faults::{Code, Fault, Text, quoted},
    tensor::{DType, Storage, Tensor, View, convert},
};

/// Key of the child of a structured leaf that holds its numbers: one leaf, or a branch of blocks.
pub const STORAGE: &str = "storage";
/// Key of the child of a structured leaf that tells its sizes.
pub const METADATA: &str = "metadata";

impl Params {
    /// Where the numbers of a leaf stand that a flat vector is made of: of a structured leaf its storage, of any other the
    /// leaf itself. None of another branch, or if a structured leaf has no storage.
    pub fn storage(&self, leaf: NodeId) -> Option<NodeId> {
        match self.kind(leaf)? {
            Kind::Structured => self.part(leaf, STORAGE),
            kind => (!kind.is_branch()).then_some(leaf),
        }
    }

    /// What tells the sizes of a structured leaf: a named branch of whole numbers. None if it has nothing to tell.
    pub fn metadata(&self, leaf: NodeId) -> Option<NodeId> {
        self.part(leaf, METADATA).filter(|_| self.kind(leaf) == Some(Kind::Structured))
    }

    /// A part of a structured leaf by its key. Allocates nothing, unlike [`Params::child`].
    fn part(&self, leaf: NodeId, key: &str) -> Option<NodeId> {
        self.children(leaf).iter().copied().find(|&part| self.key(part).is_some_and(|found| *found == *key))
    }

    /// The numbers of a leaf; of a plain number a tensor without axes. None of a leaf that holds none, or if the memory can
    /// not be had.
    pub fn numbers(&self, leaf: NodeId) -> Option<Tensor> {
        match self.value(leaf)? {
            Value::Tensor(tensor) | Value::Scalar(tensor) => Some(tensor.clone()),
            plain => plain.seen(|view| {
                let storage = Storage::copied(view.bytes())?;
                Tensor::packed(view.dtype, Vec::new(), storage)
            })?,
        }
    }

    /// The whole number that a leaf holds, if it holds one and nothing else.
    pub fn whole(&self, leaf: NodeId) -> Option<i64> {
        match self.value(leaf)? {
            Value::Int(number) => Some(*number),
            Value::Scalar(tensor) if tensor.dtype() == DType::U64 => {
                i64::try_from(u64::from_le_bytes(tensor.packed_bytes()?.try_into().ok()?)).ok()
            }
            Value::Scalar(tensor) if keeps_kind(tensor.dtype(), DType::I64) => {
                let wide = tensor.converted(DType::I64)?;
                Some(i64::from_le_bytes(wide.packed_bytes()?.try_into().ok()?))
            }
            _ => None,
        }
    }

    /// Adds the metadata of a structured leaf behind its storage, if there is any.
    pub fn tell(&mut self, leaf: NodeId, metadata: &[(&str, i64)]) -> Result<(), Fault> {
        if !metadata.is_empty() {
            let told = self.branch(leaf, METADATA, Kind::Named)?;
            for (key, number) in metadata {
                self.add(told, *key, Value::Int(*number))?;
            }
        }
        Ok(())
    }

    /// A structured leaf of the same type and metadata as a prototype, as a tree of its own, with another storage: that node
    /// of `numbers` with all below it, in any element type. Whether it fits is the type's to say: `Registry::check`.
    pub fn rebuild(&self, prototype: NodeId, numbers: &Params, storage: NodeId) -> Result<Params, Fault> {
        let name = self.type_name(prototype).filter(|_| self.kind(prototype) == Some(Kind::Structured));
        let name = name.ok_or_else(|| no_structured(self, prototype))?;
        let mut leaf = Params::structured(name.clone());
        leaf.graft(Params::ROOT, STORAGE, numbers, storage)?;
        if let Some(metadata) = self.metadata(prototype) {
            leaf.graft(Params::ROOT, METADATA, self, metadata)?;
        }
        Ok(leaf)
    }

    /// A copy of a tree whose numbers, those of metadata left out, have another element type. A fault for a leaf whose
    /// numbers can not be converted without losing their kind: complex to real, or with a fraction to whole ones.
    pub fn converted(&self, to: DType) -> Result<Params, Fault> {
        let mut copy = self.clone();
        for leaf in self.numbered(Params::ROOT) {
            let Some(numbers) = self.numbers(leaf) else { continue };
            let path = || self.path(leaf).unwrap_or_default();
            if !keeps_kind(numbers.dtype(), to) {
                return Err(no_conversion(numbers.dtype(), to, path()));
            }
            let numbers = numbers.converted(to).ok_or_else(|| no_memory(path()))?;
            copy.set(leaf, like(self.value(leaf), numbers))?;
        }
        Ok(copy)
    }

    pub(super) fn value_mut(&mut self, leaf: NodeId) -> Option<&mut Value> {
        match &mut self.node_mut(leaf)?.content {
            Content::Leaf(value) => Some(value),
            Content::Branch(_) => None,
        }
    }
}

impl Value {
    /// Looks at the numbers of a leaf that holds some. Allocates nothing.
    pub(super) fn seen<T>(&self, look: impl FnOnce(&View<'_>) -> T) -> Option<T> {
        Some(match self {
            Value::Tensor(tensor) | Value::Scalar(tensor) => look(&tensor.view()),
            Value::Int(number) => look(&View::new(DType::I64, &[], None, 0, &number.to_le_bytes())),
            Value::Real(number) => look(&View::new(DType::F64, &[], None, 0, &number.to_le_bytes())),
            Value::Bool(number) => look(&View::new(DType::Bool, &[], None, 0, &[u8::from(*number)])),
            Value::Complex(re, im) => {
                let mut bytes = [0; 16];
                bytes[..8].copy_from_slice(&re.to_le_bytes());
                bytes[8..].copy_from_slice(&im.to_le_bytes());
                look(&View::new(DType::C128, &[], None, 0, &bytes))
            }
            _ => return None,
        })
    }
}

/// A leaf of these numbers where there was such a value: what is not an array stays a single number.
pub(super) fn like(value: Option<&Value>, numbers: Tensor) -> Value {
    match value {
        Some(Value::Tensor(_)) | None => Value::Tensor(numbers),
        Some(_) => Value::Scalar(numbers),
    }
}

/// Whether numbers can become those of another element type and stay what they are: no fraction is cut off, no imaginary
/// part lost.
pub(super) fn keeps_kind(from: DType, to: DType) -> bool {
    let whole = |dtype: DType| {
        use DType::*;
        matches!(dtype, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | Bool | I4 | U4 | I2 | U2)
    };
    from == to && from.size().is_some() || convert::can(from, to) && (whole(from) || !whole(to))
}

pub(super) fn no_conversion(from: DType, to: DType, path: Text) -> Fault {
    let message = format!("'{}' is {}, which does not become {}.", quoted(&path), from.name(), to.name());
    Fault::new(Code::Eltype, message).path(path)
}

pub(super) fn no_memory(path: Text) -> Fault {
    Fault::new(Code::Memory, format!("There is no memory for the numbers of '{}'.", quoted(&path))).path(path)
}

fn no_structured(params: &Params, node: NodeId) -> Fault {
    match params.kind(node) {
        None => no_node(node),
        Some(kind) => Fault::new(Code::Kind, format!("Node {node} is {}; a structured leaf is wanted.", kind.name())),
    }
}
