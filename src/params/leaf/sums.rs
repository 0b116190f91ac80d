//! Sums of the entries of a matrix that come from one number of storage, and what becomes of element types.

use super::form::Entry;
use crate::{
    faults::{Code, Fault},
    tensor::{DType, Storage, Tensor},
};

/// For each place of the storage the sum of the entries of a matrix that come from it, or their mean, in doubles.
pub(super) fn sums(
    matrix: &Tensor,
    count: usize,
    entry: impl Fn(usize, usize) -> Entry,
    mean: bool,
) -> Result<Tensor, Fault> {
    let complex = matches!(matrix.dtype(), DType::C64 | DType::C128);
    let wide = if complex { DType::C128 } else { DType::F64 };
    let parts = if complex { 2 } else { 1 };
    let numbers = matrix.converted(wide).ok_or_else(|| {
        Fault::new(
            Code::Eltype,
            format!("A matrix of {} can not be taken, or there is no memory.", matrix.dtype().name()),
        )
    })?;
    let mut chunks = numbers.packed_bytes().unwrap_or_default().chunks_exact(8);
    let mut sums = Vec::new();
    sums.try_reserve_exact(count * parts).map_err(|_| no_memory())?;
    sums.resize(count * parts, 0f64);
    let mut touched = vec![0u32; if mean { count } else { 0 }];
    let rows = matrix.shape()[1];
    for at in 0..matrix.count() {
        let place = entry(at % rows, at / rows);
        for part in 0..parts {
            let number = chunks.next().and_then(|bytes| bytes.try_into().ok()).map_or(0.0, f64::from_le_bytes);
            match place {
                Entry::Nought => {}
                Entry::Of(k) => sums[k * parts + part] += number,
                Entry::Minus(k) => sums[k * parts + part] -= number,
            }
        }
        if let (true, Entry::Of(k) | Entry::Minus(k)) = (mean, place) {
            touched[k] += 1;
        }
    }
    if mean {
        sums.iter_mut().enumerate().for_each(|(at, sum)| *sum /= f64::from(touched[at / parts].max(1)));
    }
    let storage = Storage::filled(sums.len() * 8, |out| {
        for (out, sum) in out.chunks_exact_mut(8).zip(&sums) {
            out.copy_from_slice(&sum.to_le_bytes());
        }
    });
    storage.and_then(|storage| Tensor::packed(wide, vec![count], storage)).ok_or_else(no_memory)
}

/// The element type of a gradient: the leaf's, or double precision for whole numbers; a complex cotangent stays complex.
pub(super) fn gradient_type(leaf: DType, cotangent: DType) -> DType {
    match (leaf, cotangent) {
        (_, DType::C64 | DType::C128) => cotangent,
        (DType::F64 | DType::F32 | DType::F16 | DType::BF16 | DType::C64 | DType::C128, _) => leaf,
        _ => DType::F64,
    }
}

/// Writes the negative of a number.
pub(super) fn negated(dtype: DType) -> fn(&[u8], &mut [u8]) {
    fn flip(from: &[u8], to: &mut [u8]) {
        to.copy_from_slice(from);
        if let Some(last) = to.last_mut() {
            *last ^= 0x80;
        }
    }
    fn wrapping(from: &[u8], to: &mut [u8]) {
        let mut carry = true;
        for (from, to) in from.iter().zip(to) {
            let (byte, over) = (!from).overflowing_add(u8::from(carry));
            (*to, carry) = (byte, over);
        }
    }
    match dtype {
        DType::C64 | DType::C128 => |from, to| {
            let half = from.len() / 2;
            flip(&from[..half], &mut to[..half]);
            flip(&from[half..], &mut to[half..]);
        },
        dtype if dtype.is_real() => flip,
        _ => wrapping,
    }
}

pub(super) fn no_memory() -> Fault {
    Fault::new(Code::Memory, "There is no memory for the numbers of a structured leaf.")
}
