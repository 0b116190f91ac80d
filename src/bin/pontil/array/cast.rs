//! Numbers of an array into the element type an input takes.

use pontil::tensor::{DType, Storage, Tensor, to_f32};

/// `tensor` packed, as `wanted` (F32, I64 or I32): floats and whole numbers become singles by rounding to the nearest, ids
/// must be whole and within range. The fault is a sentence without its subject.
pub fn cast(tensor: &Tensor, wanted: DType) -> Result<Tensor, String> {
    let memory = || "is too large for memory".to_owned();
    let packed = tensor.to_packed().ok_or_else(memory)?;
    let dtype = packed.dtype();
    if dtype == wanted {
        return Ok(packed);
    }
    let whole = is_whole(dtype);
    if !whole && !dtype.is_real() {
        return Err(format!("holds {}, which no input takes", dtype.name()));
    }
    if wanted == DType::F32 && !whole {
        return packed.to_f32().ok_or_else(memory);
    }
    let numbers = packed.packed_bytes().unwrap_or_default().chunks_exact(dtype.size().unwrap_or(1));
    if wanted == DType::F32 {
        let fill = |to: &mut [f32]| to.iter_mut().zip(numbers).for_each(|(to, n)| *to = whole_number(dtype, n) as f32);
        return Tensor::filled_f32(packed.shape().to_vec(), fill).ok_or_else(memory);
    }
    let size = wanted.size().unwrap_or(1);
    let mut wrong = None;
    let storage = Storage::filled(packed.count().saturating_mul(size), |to| {
        for (index, (to, bytes)) in to.chunks_exact_mut(size).zip(numbers).enumerate() {
            match id(dtype, bytes).filter(|&id| wanted == DType::I64 || i32::try_from(id).is_ok()) {
                Some(id) => to.copy_from_slice(&id.to_le_bytes()[..size]),
                None => wrong = wrong.or(Some(index)),
            }
        }
    });
    match wrong {
        Some(index) => {
            Err(format!("holds a number, the one of index {index}, that is no whole number of {}", wanted.name()))
        }
        None => storage.and_then(|s| Tensor::packed(wanted, packed.shape().to_vec(), s)).ok_or_else(memory),
    }
}

fn is_whole(dtype: DType) -> bool {
    use DType::*;
    matches!(dtype, Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
}

/// A little-endian whole number of up to 8 bytes.
fn whole_number(dtype: DType, bytes: &[u8]) -> i128 {
    let signed = matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64);
    let negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [if negative { 0xFF } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    i128::from_le_bytes(wide)
}

/// The number as an id, if it is one.
fn id(dtype: DType, bytes: &[u8]) -> Option<i64> {
    if is_whole(dtype) {
        return i64::try_from(whole_number(dtype, bytes)).ok();
    }
    let mut single = [0.0f32];
    let real = match (dtype, bytes.try_into()) {
        (DType::F64, Ok(bytes)) => f64::from_le_bytes(bytes),
        _ => to_f32(dtype, bytes, &mut single).then_some(f64::from(single[0]))?,
    };
    (real.fract() == 0.0 && real.abs() < 9.0e18).then_some(real as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(dtype: DType, bytes: &[u8]) -> Tensor {
        let storage = Storage::copied(bytes).unwrap();
        Tensor::packed(dtype, vec![bytes.len() / dtype.size().unwrap()], storage).unwrap()
    }

    #[test]
    fn into_singles() {
        for (dtype, bytes, single) in [
            (DType::I8, &(-3i8).to_le_bytes()[..], -3.0),
            (DType::U8, &200u8.to_le_bytes(), 200.0),
            (DType::U64, &u64::MAX.to_le_bytes(), 18446744073709551615.0),
            (DType::I64, &16777217i64.to_le_bytes(), 16777216.0),
            (DType::F64, &0.1f64.to_le_bytes(), 0.1),
            (DType::F16, &0x3C00u16.to_le_bytes(), 1.0),
            (DType::Bool, &[1], 1.0),
        ] {
            assert_eq!(cast(&tensor(dtype, bytes), DType::F32).unwrap().as_f32().unwrap(), [single]);
        }
        assert!(cast(&tensor(DType::C64, &[0; 8]), DType::F32).is_err());
    }

    #[test]
    fn into_ids() {
        let ids = cast(&tensor(DType::F32, &7f32.to_le_bytes()), DType::I64).unwrap();
        assert_eq!(ids.packed_bytes().unwrap(), 7i64.to_le_bytes());
        let ids = cast(&tensor(DType::I64, &(-7i64).to_le_bytes()), DType::I32).unwrap();
        assert_eq!(ids.packed_bytes().unwrap(), (-7i32).to_le_bytes());
        for (dtype, bytes) in [
            (DType::F32, &0.5f32.to_le_bytes()[..]),
            (DType::F32, &f32::NAN.to_le_bytes()),
            (DType::F64, &1e300f64.to_le_bytes()),
            (DType::I64, &(1i64 << 40).to_le_bytes()),
        ] {
            assert!(cast(&tensor(dtype, bytes), DType::I32).is_err());
        }
    }
}
