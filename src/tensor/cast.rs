//! Numbers of one element type into another.

use super::{DType, small};
use half::{bf16, f16};

/// Widens F16 and BF16 exactly, rounds F64 to the nearest single (ties to even; too large gives an infinity), copies F32.
/// `bytes` are little-endian and packed, `out` as long as they are numbers. False, and nothing written, for another type.
pub fn to_f32(dtype: DType, bytes: &[u8], out: &mut [f32]) -> bool {
    fn each<const N: usize>(bytes: &[u8], out: &mut [f32], one: impl Fn([u8; N]) -> f32) {
        for (number, chunk) in out.iter_mut().zip(bytes.chunks_exact(N)) {
            if let Ok(chunk) = chunk.try_into() {
                *number = one(chunk);
            }
        }
    }
    match dtype {
        DType::F32 => each(bytes, out, f32::from_le_bytes),
        DType::F64 => each(bytes, out, |b| f64::from_le_bytes(b) as f32),
        DType::F16 => each(bytes, out, |b| f16::from_le_bytes(b).to_f32()),
        DType::BF16 => each(bytes, out, |b| bf16::from_le_bytes(b).to_f32()),
        _ => return false,
    }
    true
}

/// Whether [`cast`] takes these types: real floats and whole numbers of which each has bytes of its own, BOOL.
pub fn can(from: DType, to: DType) -> bool {
    let real = |dtype| {
        use DType::*;
        matches!(dtype, F32 | F64 | F16 | BF16 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | Bool)
            || small::has(dtype)
    };
    real(from) && real(to)
}

/// Writes each number of `from` (packed, little-endian) as the type `to`. To a float: nearest, ties to even. To a whole
/// number: towards 0, held within its range, NaN is 0. To BOOL: whether it is not 0. Both sides hold equally many; types
/// that [`can`] refuses write nothing.
pub fn cast(from: DType, bytes: &[u8], to: DType, out: &mut [u8]) {
    let (Some(size), Some(room), true) = (from.size(), to.size(), can(from, to)) else { return };
    for (number, place) in bytes.chunks_exact(size).zip(out.chunks_exact_mut(room)) {
        write(read(from, number), to, place);
    }
}

/// A number of any of the types, exact.
#[derive(Clone, Copy)]
enum Number {
    Real(f64),
    Whole(i128),
}

#[inline(always)]
fn read(dtype: DType, bytes: &[u8]) -> Number {
    macro_rules! number {
        ($type:ty, $one:expr) => {
            bytes.try_into().map_or(Number::Whole(0), |bytes| $one(<$type>::from_le_bytes(bytes)))
        };
    }
    match dtype {
        DType::F32 => number!(f32, |n| Number::Real(f64::from(n))),
        DType::F64 => number!(f64, Number::Real),
        DType::F16 => number!(f16, |n: f16| Number::Real(n.to_f64())),
        DType::BF16 => number!(bf16, |n: bf16| Number::Real(n.to_f64())),
        DType::I8 => number!(i8, |n| Number::Whole(i128::from(n))),
        DType::I16 => number!(i16, |n| Number::Whole(i128::from(n))),
        DType::I32 => number!(i32, |n| Number::Whole(i128::from(n))),
        DType::I64 => number!(i64, |n| Number::Whole(i128::from(n))),
        DType::U16 => number!(u16, |n| Number::Whole(i128::from(n))),
        DType::U32 => number!(u32, |n| Number::Whole(i128::from(n))),
        DType::U64 => number!(u64, |n| Number::Whole(i128::from(n))),
        DType::U8 | DType::Bool => number!(u8, |n| Number::Whole(i128::from(n))),
        _ => Number::Real(bytes.first().map_or(0.0, |&byte| small::read(dtype, byte))),
    }
}

#[inline(always)]
fn write(number: Number, dtype: DType, place: &mut [u8]) {
    macro_rules! real {
        ($real:expr, $whole:expr) => {
            match number {
                Number::Real(n) => place.copy_from_slice(&$real(n).to_le_bytes()),
                Number::Whole(n) => place.copy_from_slice(&$whole(n).to_le_bytes()),
            }
        };
    }
    macro_rules! whole {
        ($type:ty) => {
            real!(|n| n as $type, |n: i128| n.clamp(<$type>::MIN.into(), <$type>::MAX.into()) as $type)
        };
    }
    match dtype {
        DType::F32 => real!(|n| n as f32, |n| n as f32),
        DType::F64 => real!(|n: f64| n, |n| n as f64),
        DType::F16 => real!(|n| f16::from_f32(odd(n)), |n| f16::from_f32(odd(n as f64))),
        DType::BF16 => real!(|n| bf16::from_f32(odd(n)), |n| bf16::from_f32(odd(n as f64))),
        DType::I8 => whole!(i8),
        DType::I16 => whole!(i16),
        DType::I32 => whole!(i32),
        DType::I64 => whole!(i64),
        DType::U8 => whole!(u8),
        DType::U16 => whole!(u16),
        DType::U32 => whole!(u32),
        DType::U64 => whole!(u64),
        DType::Bool => real!(|n| u8::from(n != 0.0), |n| u8::from(n != 0)),
        _ => place.fill(small::write(
            dtype,
            match number {
                Number::Real(n) => n,
                Number::Whole(n) => n as f64,
            },
        )),
    }
}

/// The single that stands for a double on its way to a narrower type, so that it is rounded there once: towards 0, with the
/// last bit set wherever something was left out. (`half` goes by the nearest single, or drops bits.)
fn odd(number: f64) -> f32 {
    let near = number as f32;
    if f64::from(near) == number || number.is_nan() {
        return near;
    }
    let beyond = f64::from(near.abs()) > number.abs();
    f32::from_bits((near.to_bits() - u32::from(beyond)) | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_types() {
        let from: Vec<u8> = [-1.5f32, 300.0, f32::NAN, 2.9].iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut out = [9; 4];
        cast(DType::F32, &from, DType::U8, &mut out);
        assert_eq!(out, [0, 255, 0, 2]);
        cast(DType::F32, &from, DType::I8, &mut out);
        assert_eq!(out.map(|n| n as i8), [-1, 127, 0, 2]);
        cast(DType::F32, &from, DType::Bool, &mut out);
        assert_eq!(out, [1, 1, 1, 1]);
        let mut wide = [0; 8];
        cast(DType::I64, &i64::MAX.to_le_bytes(), DType::F64, &mut wide);
        assert_eq!(f64::from_le_bytes(wide), 9_223_372_036_854_775_807.0);
        cast(DType::U64, &u64::MAX.to_le_bytes(), DType::I64, &mut wide);
        assert_eq!(i64::from_le_bytes(wide), i64::MAX);
        let mut half = [0; 2];
        cast(DType::F64, &1.000_488_281_250_1f64.to_le_bytes(), DType::F16, &mut half);
        assert_eq!(f16::from_le_bytes(half).to_bits(), 0x3C01);
        let to_half = |number: f64, dtype| {
            let mut half = [0; 2];
            cast(DType::F64, &number.to_le_bytes(), dtype, &mut half);
            u16::from_le_bytes(half)
        };
        let tie = 1.0 + 2f64.powi(-11);
        for (number, bits) in [(tie, 0x3C00), (tie - 1e-15, 0x3C00), (-tie - 1e-15, 0xBC01), (65519.99, 0x7BFF)] {
            assert_eq!(to_half(number, DType::F16), bits, "{number}");
        }
        for (number, bits) in [(65520.0, 0x7C00), (1e300, 0x7C00), (-1e-300, 0x8000), (2f64.powi(-25) * 1.000_000_1, 1)]
        {
            assert_eq!(to_half(number, DType::F16), bits, "{number}");
        }
        assert_eq!(to_half(1.0 + 2f64.powi(-8) + 1e-15, DType::BF16), 0x3F81);
        assert_eq!(to_half(1e300, DType::BF16), 0x7F80);
        assert!(!can(DType::C64, DType::F32) && !can(DType::F32, DType::F4));
    }
}
