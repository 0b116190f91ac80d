//! Numbers of a file into singles.

use super::DType;
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
