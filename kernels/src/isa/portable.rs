//! Any processor: sixteen numbers in an array, which the compiler lays into what registers there are. A tile of 2 × 16 takes
//! eight of the sixteen registers of four that every x86-64 has. A multiplication and an addition round separately. Every
//! processor has what it is compiled for: that is what its calls rest on.

use super::{Vector, lanes::Eight, vector::LANES, wide::portable::Doubles};
use crate::Unary;

/// An array.
#[derive(Clone, Copy)]
pub struct Portable(pub(super) [f32; LANES]);

entries!(Portable);

impl Portable {
    #[inline(always)]
    fn each(self, f: impl Fn(f32) -> f32) -> Portable {
        Portable(self.0.map(f))
    }

    #[inline(always)]
    fn both(self, other: Portable, f: impl Fn(f32, f32) -> f32) -> Portable {
        Portable(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Vector for Portable {
    const ROWS: usize = 2;
    const WIDE_ROWS: usize = 1;
    type Wide = Doubles;
    type Half = Eight;

    reached!();

    #[inline(always)]
    fn splat(x: f32) -> Portable {
        Portable([x; LANES])
    }
    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Portable {
        Portable(*from)
    }
    #[inline(always)]
    fn load_part(from: &[f32]) -> Portable {
        let mut all = [0.0; LANES];
        all[..from.len()].copy_from_slice(from);
        Portable(all)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }
    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        to.copy_from_slice(&self.0[..to.len()]);
    }
    #[inline(always)]
    fn add(self, other: Portable) -> Portable {
        self.both(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Portable) -> Portable {
        self.both(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Portable) -> Portable {
        self.both(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Portable) -> Portable {
        self.both(other, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, factor: Portable, term: Portable) -> Portable {
        self.mul(factor).add(term)
    }
    #[inline(always)]
    fn sqrt(self) -> Portable {
        self.each(f32::sqrt)
    }
    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        self.both(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn min(self, other: Portable) -> Portable {
        self.both(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn largest(self, other: Portable) -> Portable {
        self.both(other, |a, b| if (b > a) | b.is_nan() { b } else { a })
    }
    #[inline(always)]
    fn less(self, other: Portable, then: Portable, or: Portable) -> Portable {
        Portable(std::array::from_fn(|i| if self.0[i] < other.0[i] { then.0[i] } else { or.0[i] }))
    }
    #[inline(always)]
    fn abs(self) -> Portable {
        self.each(f32::abs)
    }
    #[inline(always)]
    fn with_sign(self, other: Portable) -> Portable {
        self.both(other, f32::copysign)
    }
    #[inline(always)]
    fn round(self) -> Portable {
        // Adding and taking away 1.5·2²³ leaves no room for a fraction.
        self.each(|x| (x + 12_582_912.0) - 12_582_912.0)
    }
    #[inline(always)]
    fn power_of_two(self) -> Portable {
        // The same number's last bits are the whole number itself.
        self.each(|x| f32::from_bits((x + 12_582_912.0).to_bits().wrapping_add(127) << 23))
    }
    #[inline(always)]
    fn split(self) -> (Portable, Portable) {
        let exponent = |x: f32| (x.to_bits() >> 23) as i32 as f32 - 127.0;
        let significand = |x: f32| f32::from_bits(x.to_bits() & (u32::MAX >> 9) | 1.0f32.to_bits());
        (self.each(exponent), self.each(significand))
    }
    #[inline(always)]
    fn cut(self) -> Portable {
        self.each(|x| f32::from_bits(x.to_bits() & u32::MAX << 12))
    }
    #[inline(always)]
    fn total(self) -> f32 {
        let eight: [f32; 8] = std::array::from_fn(|i| self.0[i] + self.0[i + 8]);
        let four: [f32; 4] = std::array::from_fn(|i| eight[2 * i] + eight[2 * i + 1]);
        (four[0] + four[1]) + (four[2] + four[3])
    }
}
