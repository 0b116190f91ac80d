//! Floats of a byte or less, and whole numbers of less than a byte, each in a byte of its own. [`super::cast`] reads and
//! writes them by this.
//!
//! The forms are those of the Open Compute Project's formats for machine learning and of the Python package `ml_dtypes`,
//! whose rounding is kept: to the nearest, ties to even; what is too large becomes an infinity where there is one, else a
//! NaN, else the largest number.

use super::DType;

/// How a float of up to 8 bits is made.
struct Form {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    beyond: Beyond,
}

/// What stands beyond the numbers.
#[derive(Clone, Copy, PartialEq)]
enum Beyond {
    /// Infinities, then NaNs, as IEEE 754 has them.
    Infinity,
    /// A NaN where all bits are set.
    Nan,
    /// A NaN in the place of the negative nought.
    NegativeNought,
    /// Nothing.
    Nothing,
}

/// Bits of a whole number, and whether it has a sign.
fn whole(dtype: DType) -> Option<(u32, bool)> {
    Some(match dtype {
        DType::I2 => (2, true),
        DType::I4 => (4, true),
        DType::U2 => (2, false),
        DType::U4 => (4, false),
        _ => return None,
    })
}

fn form(dtype: DType) -> Option<Form> {
    use Beyond::*;
    let (exponent, mantissa, bias, beyond) = match dtype {
        DType::F8E4M3 => (4, 3, 7, Nan),
        DType::F8E4M3Ieee => (4, 3, 7, Infinity),
        DType::F8E3M4 => (3, 4, 3, Infinity),
        DType::F8E5M2 => (5, 2, 15, Infinity),
        DType::F8E4M3Fnuz => (4, 3, 8, NegativeNought),
        DType::F8E4M3B11Fnuz => (4, 3, 11, NegativeNought),
        DType::F8E5M2Fnuz => (5, 2, 16, NegativeNought),
        DType::F4E2M1 => (2, 1, 1, Nothing),
        _ => return None,
    };
    Some(Form { exponent, mantissa, bias, beyond })
}

/// Whether a type is one of these.
pub(super) fn has(dtype: DType) -> bool {
    whole(dtype).is_some() || form(dtype).is_some() || dtype == DType::F8E8M0
}

/// The number of a byte, exact.
pub(super) fn read(dtype: DType, byte: u8) -> f64 {
    if let Some((bits, signed)) = whole(dtype) {
        let shift = 8 - bits;
        return match signed {
            true => f64::from((byte << shift) as i8 >> shift),
            false => f64::from((byte << shift) >> shift),
        };
    }
    match form(dtype) {
        Some(form) => form.read(byte),
        None if byte == u8::MAX => f64::NAN,
        None => 2f64.powi(i32::from(byte) - 127),
    }
}

/// The byte of the number nearest to this one.
pub(super) fn write(dtype: DType, number: f64) -> u8 {
    if let Some((bits, signed)) = whole(dtype) {
        let (least, most) = match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        };
        let mask = ((1u16 << bits) - 1) as u8;
        return (number as i64).clamp(least, most) as u8 & mask;
    }
    match form(dtype) {
        Some(form) => form.write(number),
        None => power(number),
    }
}

/// The byte of the nearest power of two, of two as near the larger: that of an exponent alone.
fn power(number: f64) -> u8 {
    if !number.is_finite() || number <= 0.0 {
        return u8::MAX;
    }
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32 - 1023, bits & ((1 << 52) - 1));
    let up = fraction >= 1 << 51;
    u8::try_from((exponent + i32::from(up) + 127).max(0)).unwrap_or(u8::MAX)
}

impl Form {
    fn sign(&self) -> u8 {
        1 << (self.exponent + self.mantissa)
    }

    /// The largest code of a number, the sign left out.
    fn most(&self) -> u8 {
        let all = self.sign() - 1;
        match self.beyond {
            Beyond::Infinity => (all & !((1 << self.mantissa) - 1)) - 1,
            Beyond::Nan => all - 1,
            Beyond::NegativeNought | Beyond::Nothing => all,
        }
    }

    fn read(&self, byte: u8) -> f64 {
        let code = byte & (self.sign() - 1);
        let negative = byte & self.sign() != 0;
        let sign = if negative { -1.0 } else { 1.0 };
        if self.beyond == Beyond::NegativeNought && negative && code == 0 {
            return f64::NAN;
        }
        if code > self.most() {
            let infinite = self.beyond == Beyond::Infinity && code == self.most() + 1;
            return if infinite { sign * f64::INFINITY } else { f64::NAN };
        }
        let (exponent, mantissa) = (i32::from(code >> self.mantissa), f64::from(code & ((1 << self.mantissa) - 1)));
        let one = f64::from(1u32 << self.mantissa);
        let (exponent, fraction) = match exponent {
            0 => (1, mantissa / one),
            exponent => (exponent, 1.0 + mantissa / one),
        };
        sign * fraction * 2f64.powi(exponent - self.bias)
    }

    fn write(&self, number: f64) -> u8 {
        let sign = if number.is_sign_negative() { self.sign() } else { 0 };
        let all = self.sign() - 1;
        let nan = match self.beyond {
            Beyond::Infinity => sign | all & !((1 << (self.mantissa - 1)) - 1),
            Beyond::Nan => sign | all,
            Beyond::NegativeNought => self.sign(),
            Beyond::Nothing => self.sign() ^ sign,
        };
        if number.is_nan() {
            return nan;
        }
        let code = self.code(number.abs());
        match code.filter(|&code| code <= self.most()) {
            Some(0) if self.beyond == Beyond::NegativeNought => 0,
            Some(code) => sign | code,
            None => match self.beyond {
                Beyond::Infinity => sign | (self.most() + 1),
                Beyond::Nothing => sign | all,
                _ => nan,
            },
        }
    }

    /// The code of a number that is not negative, as if there were no end; none where it does not fit a byte.
    fn code(&self, number: f64) -> Option<u8> {
        if number.is_infinite() {
            return None;
        }
        let least = 1 - self.bias;
        let exponent = ((number.to_bits() >> 52) as i32 - 1023).max(least);
        if exponent > 64 {
            return None;
        }
        // Exact: a step is a power of two.
        let steps = number / 2f64.powi(exponent - self.mantissa as i32);
        let steps = steps.round_ties_even() as u32;
        let above = (exponent - least) as u32;
        u8::try_from((above << self.mantissa) + steps).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [DType; 13] = [
        DType::F8E4M3,
        DType::F8E4M3Ieee,
        DType::F8E3M4,
        DType::F8E5M2,
        DType::F8E4M3Fnuz,
        DType::F8E4M3B11Fnuz,
        DType::F8E5M2Fnuz,
        DType::F8E8M0,
        DType::F4E2M1,
        DType::I2,
        DType::I4,
        DType::U2,
        DType::U4,
    ];

    /// Every code of every type comes back as itself, a NaN as a NaN.
    #[test]
    fn every_number_comes_back() {
        for dtype in ALL {
            let bits = match dtype {
                DType::I2 | DType::U2 => 2,
                DType::I4 | DType::U4 | DType::F4E2M1 => 4,
                _ => 8,
            };
            for code in 0..=u8::MAX >> (8 - bits) {
                let number = read(dtype, code);
                match number.is_nan() {
                    true => assert!(read(dtype, write(dtype, number)).is_nan(), "{dtype:?} {code}"),
                    false => assert_eq!(write(dtype, number), code, "{dtype:?} {number}"),
                }
            }
        }
    }

    /// What ml_dtypes 0.6.0 says of every half: the sum of the bytes of all 65,536, by type.
    #[test]
    fn every_half_is_rounded_as_ml_dtypes_rounds_it() {
        let halves: Vec<f64> = (0..=u16::MAX).map(|bits| half::f16::from_bits(bits).to_f64()).collect();
        for (dtype, sum) in SUMS {
            let bytes: Vec<u8> = halves.iter().map(|&half| write(dtype, half)).collect();
            // FNV-1a of the bytes.
            let found = bytes
                .iter()
                .fold(0xCBF2_9CE4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
            assert_eq!(found, sum, "{dtype:?}");
        }
    }

    const SUMS: [(DType, u64); 9] = [
        (DType::F8E4M3, 0xBD57_1FCB_CD35_1AA5),
        (DType::F8E4M3Ieee, 0xF9E3_1C9F_19FB_6325),
        (DType::F8E3M4, 0xDE84_9E1A_D9C5_5E25),
        (DType::F8E5M2, 0xBD84_6AD2_7363_4325),
        (DType::F8E4M3Fnuz, 0x5BAA_F26B_4D46_D9A5),
        (DType::F8E4M3B11Fnuz, 0xDBF5_8453_DD7E_D9A5),
        (DType::F8E5M2Fnuz, 0xF336_D4E1_E12E_DDA5),
        (DType::F8E8M0, 0xF66E_04A4_93E7_7B06),
        (DType::F4E2M1, 0x93E6_0C1E_F55C_CD25),
    ];
}
