//! Element types as the header has them.

/// What one number is. An open set: an unknown one is "unknown", not an error of the caller.
pub type pon_dtype = i32;

/// No element type, or one this library does not know.
pub const PON_DTYPE_NONE: pon_dtype = 0;
/// IEEE 754 single precision.
pub const PON_DTYPE_F32: pon_dtype = 1;
/// IEEE 754 double precision.
pub const PON_DTYPE_F64: pon_dtype = 2;
/// IEEE 754 half precision.
pub const PON_DTYPE_F16: pon_dtype = 3;
/// The upper half of a single.
pub const PON_DTYPE_BF16: pon_dtype = 4;
/// Signed whole number of 8 bits.
pub const PON_DTYPE_I8: pon_dtype = 5;
/// Signed whole number of 16 bits.
pub const PON_DTYPE_I16: pon_dtype = 6;
/// Signed whole number of 32 bits.
pub const PON_DTYPE_I32: pon_dtype = 7;
/// Signed whole number of 64 bits.
pub const PON_DTYPE_I64: pon_dtype = 8;
/// Whole number of 8 bits.
pub const PON_DTYPE_U8: pon_dtype = 9;
/// Whole number of 16 bits.
pub const PON_DTYPE_U16: pon_dtype = 10;
/// Whole number of 32 bits.
pub const PON_DTYPE_U32: pon_dtype = 11;
/// Whole number of 64 bits.
pub const PON_DTYPE_U64: pon_dtype = 12;
/// A byte that is 0 or 1.
pub const PON_DTYPE_BOOL: pon_dtype = 13;
/// Two singles: real and imaginary part.
pub const PON_DTYPE_C64: pon_dtype = 14;
/// Two doubles: real and imaginary part.
pub const PON_DTYPE_C128: pon_dtype = 15;
/// 8-bit float, 4 bits of exponent, finite.
pub const PON_DTYPE_F8_E4M3: pon_dtype = 16;
/// 8-bit float, 5 bits of exponent.
pub const PON_DTYPE_F8_E5M2: pon_dtype = 17;
/// 8 bits of exponent alone.
pub const PON_DTYPE_F8_E8M0: pon_dtype = 18;
/// 8-bit float, 4 bits of exponent, no negative nought.
pub const PON_DTYPE_F8_E4M3FNUZ: pon_dtype = 19;
/// 8-bit float, 5 bits of exponent, no negative nought.
pub const PON_DTYPE_F8_E5M2FNUZ: pon_dtype = 20;
/// 4-bit float, two in a byte.
pub const PON_DTYPE_F4: pon_dtype = 21;
/// 6-bit float, 2 bits of exponent, four in three bytes.
pub const PON_DTYPE_F6_E2M3: pon_dtype = 22;
/// 6-bit float, 3 bits of exponent, four in three bytes.
pub const PON_DTYPE_F6_E3M2: pon_dtype = 23;
/// 8-bit float, 3 bits of exponent.
pub const PON_DTYPE_F8_E3M4: pon_dtype = 24;
/// 8-bit float, 4 bits of exponent, with infinities.
pub const PON_DTYPE_F8_E4M3_IEEE: pon_dtype = 25;
/// 8-bit float, 4 bits of exponent with the bias 11, no negative nought.
pub const PON_DTYPE_F8_E4M3B11FNUZ: pon_dtype = 26;
/// 4-bit float, one in a byte: its low bits.
pub const PON_DTYPE_F4_E2M1: pon_dtype = 27;
/// Signed whole number of 4 bits, one in a byte: its low bits.
pub const PON_DTYPE_I4: pon_dtype = 28;
/// Whole number of 4 bits, one in a byte.
pub const PON_DTYPE_U4: pon_dtype = 29;
/// Signed whole number of 2 bits, one in a byte: its low bits.
pub const PON_DTYPE_I2: pon_dtype = 30;
/// Whole number of 2 bits, one in a byte.
pub const PON_DTYPE_U2: pon_dtype = 31;

use super::{
    failure::{Answer, Failure},
    handle,
    status::pon_status,
    text::pon_str,
};
use crate::{faults::Code, tensor::DType};

/// The element type of a number of the caller.
pub fn of(number: pon_dtype, name: &'static str) -> Answer<DType> {
    DType::from_number(number).ok_or(Failure::of(Code::Value, name))
}

/// Tells the bits and the name of an element type; unknown ones are PON_E_VALUE.
/// Owns: `name` is static.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_VALUE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dtype_info(dtype: pon_dtype, bits: *mut u32, name: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (bits, name) = unsafe { (handle::out(bits, "bits")?, handle::out(name, "name")?) };
        let dtype = of(dtype, "dtype")?;
        bits.write(dtype.bits() as u32);
        name.write(pon_str::fixed(dtype.c_name()));
        Ok(())
    })
}
