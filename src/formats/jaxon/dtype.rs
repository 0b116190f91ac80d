//! The element types of JAX's arrays: their names there, and what a file keeps them as.

use crate::tensor::DType;

/// Name, element type, and the type that the file has.
const TYPES: [(&str, DType, DType); 28] = {
    use DType::*;
    [
        ("bool", Bool, Bool),
        ("int8", I8, I8),
        ("int16", I16, I16),
        ("int32", I32, I32),
        ("int64", I64, I64),
        ("uint8", U8, U8),
        ("uint16", U16, U16),
        ("uint32", U32, U32),
        ("uint64", U64, U64),
        ("float16", F16, F16),
        ("float32", F32, F32),
        ("float64", F64, F64),
        ("complex64", C64, C64),
        ("complex128", C128, C128),
        ("bfloat16", BF16, F32),
        ("float8_e3m4", F8E3M4, F16),
        ("float8_e4m3", F8E4M3Ieee, F16),
        ("float8_e4m3fn", F8E4M3, F16),
        ("float8_e4m3fnuz", F8E4M3Fnuz, F16),
        ("float8_e4m3b11fnuz", F8E4M3B11Fnuz, F16),
        ("float8_e5m2", F8E5M2, F16),
        ("float8_e5m2fnuz", F8E5M2Fnuz, F16),
        ("float8_e8m0fnu", F8E8M0, F16),
        ("float4_e2m1fn", F4E2M1, F16),
        ("int2", I2, I8),
        ("int4", I4, I8),
        ("uint2", U2, U8),
        ("uint4", U4, U8),
    ]
};

/// The element type of a name of JAX's.
pub fn jax_type(name: &str) -> Option<DType> {
    TYPES.iter().find(|(known, ..)| *known == name).map(|(_, dtype, _)| *dtype)
}

/// JAX's name of an element type; none if JAX has no such type.
pub fn jax_name(dtype: DType) -> Option<&'static str> {
    TYPES.iter().find(|(_, known, _)| *known == dtype).map(|(name, ..)| *name)
}

/// What the file keeps numbers of an element type as; none if JAX has no such type.
pub fn stored(dtype: DType) -> Option<DType> {
    TYPES.iter().find(|(_, known, _)| *known == dtype).map(|(.., stored)| *stored)
}
