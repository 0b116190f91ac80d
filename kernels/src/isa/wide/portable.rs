//! Any processor: sixteen doubles in an array.

use super::{super::portable::Portable, LANES, Wide};

/// An array.
#[derive(Clone, Copy)]
pub struct Doubles([f64; LANES]);

/// Adding and taking away 1.5·2⁵² leaves no room for a fraction; the sum's last bits are the whole number itself.
const WHOLE: f64 = 6_755_399_441_055_744.0;

impl Doubles {
    #[inline(always)]
    fn each(self, f: impl Fn(f64) -> f64) -> Doubles {
        Doubles(self.0.map(f))
    }

    #[inline(always)]
    fn both(self, other: Doubles, f: impl Fn(f64, f64) -> f64) -> Doubles {
        Doubles(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Wide for Doubles {
    type Singles = Portable;

    #[inline(always)]
    fn splat(x: f64) -> Doubles {
        Doubles([x; LANES])
    }
    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Doubles {
        Doubles(*from)
    }
    #[inline(always)]
    fn lanes(self) -> [f64; LANES] {
        self.0
    }
    #[inline(always)]
    fn of(x: Portable) -> Doubles {
        Doubles(x.0.map(f64::from))
    }
    #[inline(always)]
    fn rounded(self) -> Portable {
        Portable(self.0.map(|x| x as f32))
    }
    #[inline(always)]
    fn add(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, factor: Doubles, term: Doubles) -> Doubles {
        self.mul(factor).add(term)
    }
    #[inline(always)]
    fn max(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn min(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn less(self, other: Doubles, then: Doubles, or: Doubles) -> Doubles {
        Doubles(std::array::from_fn(|i| if self.0[i] < other.0[i] { then.0[i] } else { or.0[i] }))
    }
    #[inline(always)]
    fn abs(self) -> Doubles {
        self.each(f64::abs)
    }
    #[inline(always)]
    fn with_sign(self, other: Doubles) -> Doubles {
        self.both(other, f64::copysign)
    }
    #[inline(always)]
    fn round(self) -> Doubles {
        self.each(|x| (x + WHOLE) - WHOLE)
    }
    #[inline(always)]
    fn power_of_two(self) -> Doubles {
        self.each(|x| f64::from_bits((x + WHOLE).to_bits().wrapping_add(1023) << 52))
    }
    #[inline(always)]
    fn split(self) -> (Doubles, Doubles) {
        let exponent = |x: f64| (x.to_bits() >> 52) as i32 as f64 - 1023.0;
        let significand = |x: f64| f64::from_bits(x.to_bits() & (u64::MAX >> 12) | 1.0f64.to_bits());
        (self.each(exponent), self.each(significand))
    }
    #[inline(always)]
    fn total(self) -> f64 {
        let mut x = self.0;
        for half in [8, 4, 2, 1] {
            for i in 0..half {
                x[i] += x[i + half];
            }
        }
        x[0]
    }
}
