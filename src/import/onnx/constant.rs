//! Values that are the same whatever goes into the network: initialisers, constants, shapes.

use crate::tensor::{DType, Tensor, count, gather, packed_strides};
use std::ops::Range;
use std::rc::Rc;

/// A number of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Item {
    /// A number.
    Known(f64),
    /// So many times the length of the batch.
    Batch(f64),
    /// A length that nothing says.
    Unknown,
}

/// A value that no input changes, but for the length of the batch.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    numbers: Numbers,
    /// The initialiser its numbers are, unchanged; none if they were computed.
    pub(super) from: Option<Rc<str>>,
}

#[derive(Clone, Debug)]
enum Numbers {
    /// As the file has them, and the element type they are said to be of, which holds each of them.
    Stored(Tensor, DType),
    /// Computed, or read to be computed with.
    Items { dtype: DType, shape: Vec<usize>, items: Rc<[Item]> },
}

impl Constant {
    /// The numbers of a tensor; `from` is its initialiser.
    pub(super) fn stored(tensor: Tensor, from: Option<&str>) -> Constant {
        let dtype = tensor.dtype();
        Constant { numbers: Numbers::Stored(tensor, dtype), from: from.map(Rc::from) }
    }

    /// Computed numbers; none if they are not as many as the shape holds.
    pub(super) fn computed(dtype: DType, shape: Vec<usize>, items: Vec<Item>) -> Option<Constant> {
        (count(&shape)? == items.len())
            .then(|| Constant { numbers: Numbers::Items { dtype, shape, items: items.into() }, from: None })
    }

    /// Whole numbers in a list.
    pub(super) fn wholes(items: Vec<Item>) -> Constant {
        let shape = vec![items.len()];
        Constant { numbers: Numbers::Items { dtype: DType::I64, shape, items: items.into() }, from: None }
    }

    /// Lengths of its axes.
    pub(super) fn shape(&self) -> &[usize] {
        match &self.numbers {
            Numbers::Stored(tensor, _) => tensor.shape(),
            Numbers::Items { shape, .. } => shape,
        }
    }

    /// How many numbers.
    pub(super) fn count(&self) -> usize {
        count(self.shape()).unwrap_or(usize::MAX)
    }

    /// Its element type.
    pub(super) fn dtype(&self) -> DType {
        match &self.numbers {
            Numbers::Stored(_, dtype) | Numbers::Items { dtype, .. } => *dtype,
        }
    }

    /// Whether its numbers are the file's, in whatever order.
    pub(super) fn is_stored(&self) -> bool {
        matches!(&self.numbers, Numbers::Stored(..))
    }

    /// The bytes that another shape takes: none unless its axes were put into another order.
    pub(super) fn bytes_to_reshape(&self) -> usize {
        match &self.numbers {
            Numbers::Stored(tensor, _) if tensor.packed_bytes().is_none() => {
                tensor.dtype().bytes(tensor.count()).unwrap_or(usize::MAX)
            }
            _ => 0,
        }
    }

    /// The same numbers in another shape of the same count. Copies [`bytes_to_reshape`](Constant::bytes_to_reshape).
    pub(super) fn reshaped(&self, shape: Vec<usize>) -> Option<Constant> {
        let numbers = match &self.numbers {
            Numbers::Stored(tensor, dtype) => Numbers::Stored(tensor.to_packed()?.reshaped(shape)?, *dtype),
            Numbers::Items { dtype, items, .. } if count(&shape)? == items.len() => {
                Numbers::Items { dtype: *dtype, shape, items: items.clone() }
            }
            Numbers::Items { .. } => return None,
        };
        Some(Constant { numbers, from: self.from.clone() })
    }

    /// The axes in another order. Copies computed numbers, and none of the file's.
    pub(super) fn permuted(&self, axes: &[usize]) -> Option<Constant> {
        match &self.numbers {
            Numbers::Stored(tensor, dtype) => {
                Some(Constant { numbers: Numbers::Stored(tensor.permuted(axes)?, *dtype), from: None })
            }
            Numbers::Items { dtype, shape, items } => {
                let strides = packed_strides(shape);
                let turned: Option<Vec<usize>> = axes.iter().map(|&axis| shape.get(axis).copied()).collect();
                let strides: Option<Vec<i64>> = axes.iter().map(|&axis| strides.get(axis).copied()).collect();
                let (turned, mut out) = (turned?, Vec::with_capacity(items.len()));
                gather(&turned, &strides?, |first, length, stride| {
                    let places = (0..length as i64).filter_map(|i| usize::try_from(first + i * stride).ok());
                    out.extend(places.filter_map(|place| items.get(place).copied()));
                });
                Constant::computed(*dtype, turned, out)
            }
        }
    }

    /// The same numbers said to be of another element type that holds each of them; none where one may be rounded.
    pub(super) fn widened(&self, to: DType) -> Option<Constant> {
        let same = self.dtype() == to || self.dtype().is_real() && to.is_real();
        let from = self.from.clone().filter(|_| same);
        let numbers = match &self.numbers {
            Numbers::Stored(tensor, dtype) if widens(*dtype, to) => Numbers::Stored(tensor.clone(), to),
            // What depends on the batch is never real.
            Numbers::Items { dtype, shape, items } if widens(*dtype, to) && (same || !to.is_real()) => {
                Numbers::Items { dtype: to, shape: shape.clone(), items: items.clone() }
            }
            _ => return None,
        };
        Some(Constant { numbers, from })
    }

    /// A copy of the numbers in another element type, reals or whole, each rounded.
    pub(super) fn rounded(&self, to: DType) -> Option<Constant> {
        let items = self.items()?.iter().map(|&item| rounded(item, to)).collect::<Option<Vec<Item>>>()?;
        Constant::computed(to, self.shape().to_vec(), items)
    }

    /// All numbers, read; none of an element type that has no numbers, or if memory can not be had.
    pub(super) fn items(&self) -> Option<Rc<[Item]>> {
        match &self.numbers {
            Numbers::Items { items, .. } => Some(items.clone()),
            Numbers::Stored(tensor, _) => {
                let mut items = Vec::new();
                items.try_reserve_exact(tensor.count()).ok()?;
                read(&tensor.to_packed()?, 0..tensor.count(), |item| items.push(item))?;
                Some(Rc::from(items))
            }
        }
    }

    /// Hands over one number after the other, without a list of them; none as [`items`](Constant::items) has none.
    pub(super) fn each(&self, mut take: impl FnMut(Item)) -> Option<()> {
        match &self.numbers {
            Numbers::Items { items, .. } => items.iter().copied().for_each(take),
            Numbers::Stored(tensor, _) => read(&tensor.to_packed()?, 0..tensor.count(), &mut take)?,
        }
        Some(())
    }

    /// The numbers of some runs of places, one after the other: no others are read. None if one is not within it.
    pub(super) fn runs(&self, runs: impl Iterator<Item = Range<usize>>) -> Option<Vec<Item>> {
        let mut out = Vec::new();
        match &self.numbers {
            Numbers::Items { items, .. } => {
                for run in runs {
                    out.extend(items.get(run)?);
                }
            }
            Numbers::Stored(tensor, _) => {
                let packed = tensor.to_packed()?;
                for run in runs {
                    read(&packed, run, |item| out.push(item))?;
                }
            }
        }
        Some(out)
    }

    /// All numbers, if each is known.
    pub(super) fn reals(&self) -> Option<Vec<f64>> {
        let known = |item: &Item| match item {
            Item::Known(number) => Some(*number),
            _ => None,
        };
        self.items()?.iter().map(known).collect()
    }

    /// All numbers as whole ones, if each is known and whole.
    pub(super) fn integers(&self) -> Option<Vec<i64>> {
        self.reals()?.into_iter().map(|number| (number.fract() == 0.0).then_some(number as i64)).collect()
    }

    /// Its one number, if it has one and it is known.
    pub(super) fn scalar(&self) -> Option<f64> {
        if self.count() != 1 {
            return None;
        }
        self.reals()?.first().copied()
    }

    /// The numbers as a tensor for a slot: as the file has them, else singles.
    pub(super) fn tensor(&self) -> Option<Tensor> {
        match &self.numbers {
            Numbers::Stored(tensor, _) if tensor.dtype().is_real() => Some(tensor.clone()),
            _ => {
                let numbers = self.reals()?;
                Tensor::filled_f32(self.shape().to_vec(), |to| {
                    to.iter_mut().zip(&numbers).for_each(|(to, number)| *to = *number as f32);
                })
            }
        }
    }
}

/// Whether every number of the one type is one of the other, as far as single precision goes and whole numbers are read.
fn widens(from: DType, to: DType) -> bool {
    let short = matches!(from, DType::Bool | DType::I8 | DType::U8);
    from == to
        || match to {
            DType::F64 => true,
            DType::F32 => short || from.is_real() || matches!(from, DType::I16 | DType::U16),
            DType::F16 | DType::BF16 => short,
            DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::U16 | DType::U32 | DType::U64 => {
                !from.is_real()
            }
            _ => false,
        }
}

/// A number in another element type.
fn rounded(item: Item, to: DType) -> Option<Item> {
    let round: fn(f64) -> f64 = match to {
        DType::F64 => |number| number,
        DType::F32 => |number| f64::from(number as f32),
        DType::F16 => |number| half::f16::from_f64(number).to_f64(),
        DType::BF16 => |number| half::bf16::from_f64(number).to_f64(),
        DType::Bool => |number| f64::from(u8::from(number != 0.0)),
        DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::U16 | DType::U32 | DType::U64 => {
            f64::trunc
        }
        _ => return None,
    };
    match item {
        Item::Known(number) => Some(Item::Known(round(number))),
        item => (!to.is_real()).then_some(item),
    }
}

/// Hands over some numbers of a packed tensor. None if they are not within it, or of an element type that has no numbers.
fn read(packed: &Tensor, places: Range<usize>, mut take: impl FnMut(Item)) -> Option<()> {
    let dtype = packed.dtype();
    let bytes = packed.packed_bytes()?.get(dtype.bytes(places.start)?..dtype.bytes(places.end)?)?;
    macro_rules! each {
        ($type:ty, $size:literal) => {
            bytes.chunks_exact($size).filter_map(|b| b.try_into().ok()).for_each(|b| {
                let number = <$type>::from_le_bytes(b);
                #[allow(clippy::unnecessary_cast)]
                take(Item::Known(f64::from(number) as f64))
            })
        };
    }
    match dtype {
        DType::F32 => each!(f32, 4),
        DType::F64 => each!(f64, 8),
        DType::F16 => each!(half::f16, 2),
        DType::BF16 => each!(half::bf16, 2),
        DType::I8 => each!(i8, 1),
        DType::I16 => each!(i16, 2),
        DType::I32 => each!(i32, 4),
        DType::I64 => wide(bytes).for_each(|b| take(Item::Known(i64::from_le_bytes(b) as f64))),
        DType::U8 | DType::Bool => each!(u8, 1),
        DType::U16 => each!(u16, 2),
        DType::U32 => each!(u32, 4),
        DType::U64 => wide(bytes).for_each(|b| take(Item::Known(u64::from_le_bytes(b) as f64))),
        _ => return None,
    }
    Some(())
}

fn wide(bytes: &[u8]) -> impl Iterator<Item = [u8; 8]> {
    bytes.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok())
}
