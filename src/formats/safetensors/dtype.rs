//! The element types the format has, in the order of the reference, which is also the order writers sort by.

use crate::tensor::DType;

/// All types, the least aligned first.
pub(super) const ORDER: &[DType] = &[
    DType::Bool,
    DType::F4,
    DType::F6E2M3,
    DType::F6E3M2,
    DType::U8,
    DType::I8,
    DType::F8E5M2,
    DType::F8E4M3,
    DType::F8E8M0,
    DType::F8E4M3Fnuz,
    DType::F8E5M2Fnuz,
    DType::I16,
    DType::U16,
    DType::F16,
    DType::BF16,
    DType::I32,
    DType::U32,
    DType::F32,
    DType::C64,
    DType::F64,
    DType::I64,
    DType::U64,
];

/// The type of a name, if the format has it.
pub(super) fn from_name(name: &str) -> Option<DType> {
    DType::from_name(name).filter(|&dtype| has(dtype))
}

/// Whether the format has a type.
pub fn has(dtype: DType) -> bool {
    ORDER.contains(&dtype)
}
