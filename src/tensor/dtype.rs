//! Element types.

use std::ffi::CStr;

macro_rules! dtypes {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $bits:literal, $name:literal;)*) => {
        /// What one number is. The discriminant is `pon_dtype` in the C header; names are those of safetensors, where it
        /// has them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum DType { $($(#[$doc])* $variant = $number,)* }

        impl DType {
            /// Every element type, in the order of their numbers.
            pub const ALL: &'static [DType] = &[$(DType::$variant),*];

            /// The name, e.g. `F32`.
            pub fn name(self) -> &'static str {
                match self { $(DType::$variant => $name,)* }
            }

            /// The same with a NUL after its end.
            pub fn c_name(self) -> &'static CStr {
                match self { $(DType::$variant => const {
                    match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) { Ok(name) => name, Err(_) => panic!() }
                },)* }
            }

            /// Bits of one number; some are no whole byte.
            pub fn bits(self) -> usize {
                match self { $(DType::$variant => $bits,)* }
            }

            /// The type of a number of the C header.
            pub fn from_number(number: i32) -> Option<DType> {
                match number { $($number => Some(DType::$variant),)* _ => None }
            }

            /// The type of a name, e.g. `F32`.
            pub fn from_name(name: &str) -> Option<DType> {
                match name { $($name => Some(DType::$variant),)* _ => None }
            }
        }
    };
}

dtypes! {
    /// IEEE 754 single precision.
    F32 = 1, 32, "F32";
    /// IEEE 754 double precision.
    F64 = 2, 64, "F64";
    /// IEEE 754 half precision.
    F16 = 3, 16, "F16";
    /// The upper half of a single.
    BF16 = 4, 16, "BF16";
    /// Signed whole number of 8 bits.
    I8 = 5, 8, "I8";
    /// Signed whole number of 16 bits.
    I16 = 6, 16, "I16";
    /// Signed whole number of 32 bits.
    I32 = 7, 32, "I32";
    /// Signed whole number of 64 bits.
    I64 = 8, 64, "I64";
    /// Whole number of 8 bits.
    U8 = 9, 8, "U8";
    /// Whole number of 16 bits.
    U16 = 10, 16, "U16";
    /// Whole number of 32 bits.
    U32 = 11, 32, "U32";
    /// Whole number of 64 bits.
    U64 = 12, 64, "U64";
    /// A byte that is 0 or 1.
    Bool = 13, 8, "BOOL";
    /// Two singles: real and imaginary part.
    C64 = 14, 64, "C64";
    /// Two doubles: real and imaginary part.
    C128 = 15, 128, "C128";
    /// 8-bit float, 4 bits of exponent, finite.
    F8E4M3 = 16, 8, "F8_E4M3";
    /// 8-bit float, 5 bits of exponent.
    F8E5M2 = 17, 8, "F8_E5M2";
    /// 8 bits of exponent alone.
    F8E8M0 = 18, 8, "F8_E8M0";
    /// 8-bit float, 4 bits of exponent, no negative nought.
    F8E4M3Fnuz = 19, 8, "F8_E4M3FNUZ";
    /// 8-bit float, 5 bits of exponent, no negative nought.
    F8E5M2Fnuz = 20, 8, "F8_E5M2FNUZ";
    /// 4-bit float, two in a byte.
    F4 = 21, 4, "F4";
    /// 6-bit float, 2 bits of exponent, four in three bytes.
    F6E2M3 = 22, 6, "F6_E2M3";
    /// 6-bit float, 3 bits of exponent, four in three bytes.
    F6E3M2 = 23, 6, "F6_E3M2";
    /// 8-bit float, 3 bits of exponent.
    F8E3M4 = 24, 8, "F8_E3M4";
    /// 8-bit float, 4 bits of exponent, with infinities.
    F8E4M3Ieee = 25, 8, "F8_E4M3_IEEE";
    /// 8-bit float, 4 bits of exponent with the bias 11, no negative nought.
    F8E4M3B11Fnuz = 26, 8, "F8_E4M3B11FNUZ";
    /// 4-bit float, one in a byte: its low bits.
    F4E2M1 = 27, 8, "F4_E2M1";
    /// Signed whole number of 4 bits, one in a byte: its low bits.
    I4 = 28, 8, "I4";
    /// Whole number of 4 bits, one in a byte.
    U4 = 29, 8, "U4";
    /// Signed whole number of 2 bits, one in a byte: its low bits.
    I2 = 30, 8, "I2";
    /// Whole number of 2 bits, one in a byte.
    U2 = 31, 8, "U2";
}

impl DType {
    /// Bytes of `count` numbers; none if that is no whole byte or no machine can hold it.
    pub fn bytes(self, count: usize) -> Option<usize> {
        let bits = count.checked_mul(self.bits())?;
        (bits % 8 == 0).then_some(bits / 8)
    }

    /// Whether its numbers become singles by [`super::to_f32`].
    pub fn is_real(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::F16 | DType::BF16)
    }

    /// Bytes of one number, if it is a whole number of bytes.
    pub fn size(self) -> Option<usize> {
        self.bytes(1)
    }
}
