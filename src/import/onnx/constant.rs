//! Values that are the same whatever goes into the network: initialisers, constants, shapes.

use crate::tensor::{DType, Tensor, count, gather, packed_strides};
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
    /// As the file has them.
    Stored(Tensor),
    /// Computed, or read to be computed with.
    Items { dtype: DType, shape: Vec<usize>, items: Rc<[Item]> },
}

impl Constant {
    /// The numbers of a tensor; `from` is its initialiser.
    pub(super) fn stored(tensor: Tensor, from: Option<&str>) -> Constant {
        Constant { numbers: Numbers::Stored(tensor), from: from.map(Rc::from) }
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
            Numbers::Stored(tensor) => tensor.shape(),
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
            Numbers::Stored(tensor) => tensor.dtype(),
            Numbers::Items { dtype, .. } => *dtype,
        }
    }

    /// The same numbers in another shape of the same count.
    pub(super) fn reshaped(&self, shape: Vec<usize>) -> Option<Constant> {
        let numbers = match &self.numbers {
            Numbers::Stored(tensor) => Numbers::Stored(tensor.to_packed()?.reshaped(shape)?),
            Numbers::Items { dtype, items, .. } if count(&shape)? == items.len() => {
                Numbers::Items { dtype: *dtype, shape, items: items.clone() }
            }
            Numbers::Items { .. } => return None,
        };
        Some(Constant { numbers, from: self.from.clone() })
    }

    /// The axes in another order.
    pub(super) fn permuted(&self, axes: &[usize]) -> Option<Constant> {
        match &self.numbers {
            Numbers::Stored(tensor) => Some(Constant { numbers: Numbers::Stored(tensor.permuted(axes)?), from: None }),
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

    /// The same numbers said to be of another element type of reals, or whole; stays what it is where nothing is rounded.
    pub(super) fn with_dtype(&self, to: DType) -> Option<Constant> {
        match &self.numbers {
            Numbers::Stored(tensor) if widens(tensor.dtype(), to) => Some(self.clone()),
            _ => {
                let items = self.items()?.iter().map(|&item| rounded(item, to)).collect::<Option<Vec<Item>>>()?;
                Constant::computed(to, self.shape().to_vec(), items)
            }
        }
    }

    /// All numbers, read; none of an element type that has no numbers, or if memory can not be had.
    pub(super) fn items(&self) -> Option<Rc<[Item]>> {
        match &self.numbers {
            Numbers::Items { items, .. } => Some(items.clone()),
            Numbers::Stored(tensor) => read(tensor).map(Rc::from),
        }
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
            Numbers::Stored(tensor) if tensor.dtype().is_real() => Some(tensor.clone()),
            _ => {
                let numbers = self.reals()?;
                Tensor::filled_f32(self.shape().to_vec(), |to| {
                    to.iter_mut().zip(&numbers).for_each(|(to, number)| *to = *number as f32);
                })
            }
        }
    }
}

/// Whether every number of the one type is one of the other, as far as single precision goes.
fn widens(from: DType, to: DType) -> bool {
    let real = |dtype: DType| dtype.is_real();
    from == to || matches!(to, DType::F32 | DType::F64) && real(from)
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

fn read(tensor: &Tensor) -> Option<Vec<Item>> {
    let packed = tensor.to_packed()?;
    let bytes = packed.packed_bytes()?;
    let mut items = Vec::new();
    items.try_reserve_exact(packed.count()).ok()?;
    macro_rules! each {
        ($type:ty, $size:literal) => {
            items.extend(bytes.chunks_exact($size).filter_map(|b| b.try_into().ok()).map(|b| {
                let number = <$type>::from_le_bytes(b);
                #[allow(clippy::unnecessary_cast)]
                Item::Known(f64::from(number) as f64)
            }))
        };
    }
    match packed.dtype() {
        DType::F32 => each!(f32, 4),
        DType::F64 => each!(f64, 8),
        DType::F16 => each!(half::f16, 2),
        DType::BF16 => each!(half::bf16, 2),
        DType::I8 => each!(i8, 1),
        DType::I16 => each!(i16, 2),
        DType::I32 => each!(i32, 4),
        DType::I64 => items.extend(wide(bytes).map(|b| Item::Known(i64::from_le_bytes(b) as f64))),
        DType::U8 | DType::Bool => each!(u8, 1),
        DType::U16 => each!(u16, 2),
        DType::U32 => each!(u32, 4),
        DType::U64 => items.extend(wide(bytes).map(|b| Item::Known(u64::from_le_bytes(b) as f64))),
        _ => return None,
    }
    Some(items)
}

fn wide(bytes: &[u8]) -> impl Iterator<Item = [u8; 8]> {
    bytes.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok())
}
