//! A built-in type: every entry of its matrix is a number of its storage, that negated, or 0.

use super::{
    LeafType, StructuredLeaf,
    sums::{gradient_type, negated, no_memory, sums},
};
use crate::{
    faults::{Argument, Code, Fault, Faults, Text, quoted},
    params::{Kind, NodeId, Params, STORAGE, Value},
    tensor::{DType, Storage, Tensor, count, shape_text},
};

/// Sizes of a leaf: the matrix has `rows` rows; `n` is the size of its smaller part, or its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub rows: usize,
    pub n: usize,
}

/// Where an entry of the matrix comes from: a place of the storage, its blocks one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Nought,
    Of(usize),
    Minus(usize),
}

/// A block of the storage.
#[derive(Clone, Copy)]
pub(super) enum Block {
    /// A vector of so many numbers.
    Vector(fn(Sizes) -> Option<usize>),
    /// `rows - n` rows and `n` columns.
    Rest,
    /// All rows and `n` columns.
    Whole,
    /// A structured leaf of its own, of this form and size `n`.
    Leaf(&'static Form),
}

/// What makes a type.
pub(super) struct Form {
    pub name: &'static str,
    /// Keys of the metadata.
    pub metadata: &'static [&'static str],
    /// One block is the storage itself unless `in_tuple`.
    pub blocks: &'static [(&'static str, Block)],
    pub in_tuple: bool,
    /// Columns of the matrix.
    pub columns: fn(Sizes) -> usize,
    /// The entry in row `i` and column `j`, counted from 0.
    pub entry: fn(Sizes, usize, usize) -> Entry,
    /// Which entries a matrix is projected by; none if it is not.
    pub project: Option<fn(Sizes, usize, usize) -> Entry>,
}

impl Form {
    /// The sizes, as metadata or the shape of the storage tell them, checked against the storage.
    fn sizes(&self, leaf: StructuredLeaf<'_>) -> Result<Sizes, Fault> {
        let told = |key: &'static str| {
            let number = leaf.told(key).and_then(|number| usize::try_from(number).ok());
            number.ok_or_else(|| {
                let path = leaf.path();
                let message = format!(
                    "'{}' of the type '{}' does not tell its size '{key}', a whole number from 0 up, in its metadata.",
                    quoted(&path),
                    quoted(&leaf.type_name())
                );
                Fault::new(Code::NoPath, message).path(path)
            })
        };
        let sizes = match self.metadata {
            [] => self.seen(leaf)?,
            ["n"] => {
                let n = told("n")?;
                Sizes { rows: n, n }
            }
            _ => Sizes { rows: told("N")?, n: told("n")? },
        };
        if self.metadata.len() > 1 && sizes.n > sizes.rows {
            let path = leaf.path();
            let message = format!("'{}' has N = {} and n = {}, which is more.", quoted(&path), sizes.rows, sizes.n);
            return Err(Fault::new(Code::Shape, message).path(path));
        }
        let blocks = self.found(leaf)?;
        for (block, ((name, wanted), node)) in self.blocks.iter().zip(blocks).enumerate() {
            self.check_block(leaf, sizes, block, name, *wanted, node)?;
        }
        Ok(sizes)
    }

    /// Sizes of a leaf without metadata: those of its one block.
    fn seen(&self, leaf: StructuredLeaf<'_>) -> Result<Sizes, Fault> {
        let node = self.found(leaf)?.first().copied().unwrap_or(leaf.node);
        match leaf.params.tensor(node).map(Tensor::shape) {
            Some(&[n, rows]) => Ok(Sizes { rows, n }),
            Some(shape) => {
                let says = format!("has a storage of {}, and an array of two axes is wanted", shape_text(shape));
                Err(misfit(leaf, &says, Code::Shape))
            }
            None => Err(misfit(leaf, "has no array as its storage", Code::Kind)),
        }
    }

    /// The nodes of the blocks.
    fn found(&self, leaf: StructuredLeaf<'_>) -> Result<Vec<NodeId>, Fault> {
        let params = leaf.params;
        let Some(storage) = params.storage(leaf.node) else {
            return Err(misfit(leaf, "has no 'storage'", Code::NoPath));
        };
        if !self.in_tuple {
            return Ok(vec![storage]);
        }
        let children = params.children(storage);
        let named = matches!(params.kind(storage), Some(Kind::Named | Kind::Parameters));
        if children.len() != self.blocks.len() || !(named || params.kind(storage).is_some_and(Kind::is_positional)) {
            let says = format!("has no storage of {} blocks", self.blocks.len());
            return Err(misfit(leaf, &says, Code::Shape));
        }
        if !named {
            return Ok(children.to_vec());
        }
        let by_key = self.blocks.iter().map(|(name, _)| params.child(storage, &(*name).into()));
        by_key.collect::<Option<_>>().ok_or_else(|| {
            let names: Vec<&str> = self.blocks.iter().map(|(name, _)| *name).collect();
            misfit(leaf, &format!("has blocks of other names than {}", names.join(", ")), Code::NoPath)
        })
    }

    fn check_block(
        &self,
        leaf: StructuredLeaf<'_>,
        sizes: Sizes,
        block: usize,
        name: &str,
        wanted: Block,
        node: NodeId,
    ) -> Result<(), Fault> {
        let params = leaf.params;
        let shape = match wanted {
            Block::Leaf(form) => {
                let inner = StructuredLeaf { params, node };
                if inner.type_name() != *form.name {
                    let says = format!("has in its block {name} no '{}'", form.name);
                    return Err(misfit(leaf, &says, Code::Type));
                }
                let found = form.sizes(inner)?;
                if found.n != sizes.n {
                    let says = format!("has n = {}, and its block {name} has n = {}", sizes.n, found.n);
                    return Err(misfit(leaf, &says, Code::Shape));
                }
                return Ok(());
            }
            Block::Vector(length) => length(sizes).map(|length| vec![length]),
            Block::Rest => Some(vec![sizes.n, sizes.rows - sizes.n]),
            Block::Whole => Some(vec![sizes.n, sizes.rows]),
        };
        let Some(found) = params.tensor(node).map(Tensor::shape) else {
            return Err(misfit(leaf, &format!("has no array as block {} of its storage", block + 1), Code::Kind));
        };
        if shape.as_deref() == Some(found) {
            return Ok(());
        }
        let wanted = shape.as_deref().map_or_else(|| "more than can be counted".into(), shape_text);
        let size = if self.metadata.len() > 1 {
            format!("N = {}, n = {}", sizes.rows, sizes.n)
        } else {
            format!("n = {}", sizes.n)
        };
        let says = format!("has a storage of {}, where {size} wants {wanted}", shape_text(found));
        let fault = misfit(leaf, &says, Code::Shape).argument("found", Argument::Shape(found.to_vec()));
        Err(match shape {
            Some(shape) => fault.argument("wanted", Argument::Shape(shape)),
            None => fault,
        })
    }

    /// How many numbers the storage of these sizes has.
    fn count(&self, sizes: Sizes) -> Option<usize> {
        self.blocks.iter().try_fold(0usize, |sum, (_, block)| {
            let more = match block {
                Block::Vector(length) => length(sizes)?,
                Block::Rest => (sizes.rows - sizes.n).checked_mul(sizes.n)?,
                Block::Whole => sizes.rows.checked_mul(sizes.n)?,
                Block::Leaf(form) => form.count(Sizes { rows: sizes.n, n: sizes.n })?,
            };
            sum.checked_add(more)
        })
    }

    /// A leaf of this form with these numbers, packed, in its storage; blocks stand in a tuple.
    fn leaf(&self, name: &Text, sizes: Sizes, numbers: &Tensor) -> Result<Params, Fault> {
        let mut made = Params::structured(name.clone());
        self.put(&mut made, Params::ROOT, sizes, numbers, &mut 0)?;
        Ok(made)
    }

    fn put(
        &self,
        made: &mut Params,
        leaf: NodeId,
        sizes: Sizes,
        numbers: &Tensor,
        at: &mut usize,
    ) -> Result<(), Fault> {
        let branch = if self.in_tuple { made.branch(leaf, STORAGE, Kind::Tuple)? } else { leaf };
        for (_, block) in self.blocks {
            let shape = match block {
                Block::Leaf(form) => {
                    let inner = made.branch_of(branch, STORAGE, Kind::Structured, form.name)?;
                    form.put(made, inner, Sizes { rows: sizes.n, n: sizes.n }, numbers, at)?;
                    continue;
                }
                Block::Vector(length) => vec![length(sizes).ok_or_else(no_memory)?],
                Block::Rest => vec![sizes.n, sizes.rows - sizes.n],
                Block::Whole => vec![sizes.n, sizes.rows],
            };
            let count: usize = shape.iter().product();
            let part = numbers.part(0, *at, count).and_then(|part| part.to_packed()?.reshaped(shape));
            made.add(branch, STORAGE, Value::Tensor(part.ok_or_else(no_memory)?))?;
            *at += count;
        }
        let told = |key: &&'static str| (*key, if *key == "N" { sizes.rows as i64 } else { sizes.n as i64 });
        made.tell(leaf, &self.metadata.iter().map(told).collect::<Vec<_>>())
    }

    /// All numbers of the storage, packed, one behind the other, as `to`.
    fn numbers(&self, leaf: StructuredLeaf<'_>, to: DType) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let params = leaf.params;
        let storage = params.storage(leaf.node).unwrap_or(leaf.node);
        for node in params.numbered(storage) {
            let numbers = params.numbers(node).and_then(|numbers| numbers.converted(to)).ok_or_else(no_memory)?;
            bytes.extend_from_slice(numbers.packed_bytes().unwrap_or_default());
        }
        Ok(bytes)
    }
}

impl LeafType for &'static Form {
    fn check(&self, leaf: StructuredLeaf<'_>, faults: &mut Faults) {
        if let Err(fault) = self.sizes(leaf).and_then(|_| one_type(leaf)) {
            faults.push(fault);
        }
    }

    fn dense_shape(&self, leaf: StructuredLeaf<'_>) -> Result<[usize; 2], Fault> {
        let sizes = self.sizes(leaf)?;
        Ok([(self.columns)(sizes), sizes.rows])
    }

    fn dense(&self, leaf: StructuredLeaf<'_>) -> Result<Tensor, Fault> {
        let (sizes, dtype) = (self.sizes(leaf)?, one_type(leaf)?);
        let columns = (self.columns)(sizes);
        let size = dtype.size().ok_or_else(|| misfit(leaf, "holds numbers that are no whole bytes", Code::Eltype))?;
        let (numbers, minus) = (self.numbers(leaf, dtype)?, negated(dtype));
        let filled = count(&[columns, sizes.rows]).and_then(|count| dtype.bytes(count)).and_then(|length| {
            Storage::filled(length, |out| {
                for (at, out) in out.chunks_exact_mut(size).enumerate() {
                    let (i, j) = (at % sizes.rows, at / sizes.rows);
                    match (self.entry)(sizes, i, j) {
                        Entry::Nought => {}
                        Entry::Of(k) => out.copy_from_slice(&numbers[k * size..(k + 1) * size]),
                        Entry::Minus(k) => minus(&numbers[k * size..(k + 1) * size], out),
                    }
                }
            })
        });
        let dense = filled.and_then(|storage| Tensor::packed(dtype, vec![columns, sizes.rows], storage));
        dense.ok_or_else(no_memory)
    }

    fn gradient(&self, leaf: StructuredLeaf<'_>, cotangent: &Tensor) -> Result<Params, Fault> {
        let (sizes, dtype) = (self.sizes(leaf)?, one_type(leaf)?);
        let shape = [(self.columns)(sizes), sizes.rows];
        if cotangent.shape() != shape {
            let says = format!(
                "is a matrix of {}, and its cotangent has {}",
                shape_text(&shape),
                shape_text(cotangent.shape())
            );
            return Err(misfit(leaf, &says, Code::Shape));
        }
        let numbers =
            sums(cotangent, self.count(sizes).ok_or_else(no_memory)?, |i, j| (self.entry)(sizes, i, j), false)?;
        let numbers = numbers.converted(gradient_type(dtype, cotangent.dtype())).ok_or_else(no_memory)?;
        self.leaf(&leaf.type_name(), sizes, &numbers)
    }

    fn project(&self, name: &Text, matrix: &Tensor, told: &[(&str, i64)]) -> Option<Result<Params, Fault>> {
        let project = self.project?;
        let wrong = |says: &str| {
            let shape = shape_text(matrix.shape());
            Fault::new(Code::Shape, format!("A matrix of {shape} is no '{}': {says}.", self.name))
        };
        let make = || {
            let &[columns, rows] = matrix.shape() else { return Err(wrong("two axes are wanted")) };
            if columns != rows {
                return Err(wrong("it is not square"));
            }
            let n = told.iter().find(|(key, _)| *key == "n").and_then(|(_, n)| usize::try_from(*n).ok());
            let n = if self.metadata.len() > 1 { n.ok_or_else(|| wrong("its size n is to be told"))? } else { rows };
            if n > rows {
                return Err(wrong("n is more than its rows"));
            }
            let sizes = Sizes { rows, n };
            let count = self.count(sizes).ok_or_else(no_memory)?;
            let numbers = sums(matrix, count, |i, j| project(sizes, i, j), true)?;
            let numbers = numbers.converted(gradient_type(matrix.dtype(), matrix.dtype())).ok_or_else(no_memory)?;
            self.leaf(name, sizes, &numbers)
        };
        Some(make())
    }
}

/// The one element type of the storage of a leaf.
fn one_type(leaf: StructuredLeaf<'_>) -> Result<DType, Fault> {
    let mut faults = Faults::with_limit(1);
    let dtype = leaf.params.eltype(leaf.node, &mut faults);
    match (dtype, faults.iter().next()) {
        (Ok(Some(dtype)), _) => Ok(dtype),
        (_, Some(fault)) => Err(fault.clone()),
        _ => Err(misfit(leaf, "holds no numbers", Code::Eltype)),
    }
}

fn misfit(leaf: StructuredLeaf<'_>, says: &str, code: Code) -> Fault {
    let path = leaf.path();
    let message = format!("'{}' of the type '{}' {says}.", quoted(&path), quoted(&leaf.type_name()));
    Fault::new(code, message).path(path)
}
