//! NEON of AArch64: eight registers of two doubles.

use super::{super::neon::Neon, LANES, Wide};
use std::arch::aarch64::*;

/// Eight registers.
#[derive(Clone, Copy)]
pub struct Doubles([float64x2_t; 8]);

impl Doubles {
    #[inline(always)]
    fn each(self, f: impl Fn(float64x2_t) -> float64x2_t) -> Doubles {
        Doubles(self.0.map(f))
    }

    #[inline(always)]
    fn both(self, other: Doubles, f: impl Fn(float64x2_t, float64x2_t) -> float64x2_t) -> Doubles {
        Doubles(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

/// Applies an intrinsic of registers alone.
macro_rules! call {
    ($($call:tt)*) => {{
        #[allow(unused_unsafe, reason = "some are safe to call")]
        // SAFETY: the target has NEON; what is read or written is said where it is called.
        unsafe { $($call)* }
    }};
}

impl Wide for Doubles {
    type Singles = Neon;

    #[inline(always)]
    fn splat(x: f64) -> Doubles {
        Doubles([call!(vdupq_n_f64(x)); 8])
    }
    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Doubles {
        // SAFETY: two numbers are there for each of eight registers.
        Doubles(std::array::from_fn(|i| call!(vld1q_f64(from[2 * i..2 * i + 2].as_ptr()))))
    }
    #[inline(always)]
    fn lanes(self) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        for (to, two) in lanes.chunks_exact_mut(2).zip(self.0) {
            // SAFETY: two numbers have room.
            call!(vst1q_f64(to.as_mut_ptr(), two));
        }
        lanes
    }
    #[inline(always)]
    fn of(Neon(a, b, c, d): Neon) -> Doubles {
        let low = |x: float32x4_t| call!(vcvt_f64_f32(vget_low_f32(x)));
        let high = |x: float32x4_t| call!(vcvt_high_f64_f32(x));
        Doubles([low(a), high(a), low(b), high(b), low(c), high(c), low(d), high(d)])
    }
    #[inline(always)]
    fn rounded(self) -> Neon {
        let [a, b, c, d, e, f, g, h] = self.0;
        let join = |low, high| call!(vcvt_high_f32_f64(vcvt_f32_f64(low), high));
        Neon(join(a, b), join(c, d), join(e, f), join(g, h))
    }
    #[inline(always)]
    fn add(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vaddq_f64(a, b)))
    }
    #[inline(always)]
    fn sub(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vsubq_f64(a, b)))
    }
    #[inline(always)]
    fn mul(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vmulq_f64(a, b)))
    }
    #[inline(always)]
    fn div(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vdivq_f64(a, b)))
    }
    #[inline(always)]
    fn mul_add(self, factor: Doubles, term: Doubles) -> Doubles {
        Doubles(std::array::from_fn(|i| call!(vfmaq_f64(term.0[i], self.0[i], factor.0[i]))))
    }
    #[inline(always)]
    fn max(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vbslq_f64(vcgtq_f64(a, b), a, b)))
    }
    #[inline(always)]
    fn min(self, other: Doubles) -> Doubles {
        self.both(other, |a, b| call!(vbslq_f64(vcltq_f64(a, b), a, b)))
    }
    #[inline(always)]
    fn less(self, other: Doubles, then: Doubles, or: Doubles) -> Doubles {
        let below = |i: usize| call!(vcltq_f64(self.0[i], other.0[i]));
        Doubles(std::array::from_fn(|i| call!(vbslq_f64(below(i), then.0[i], or.0[i]))))
    }
    #[inline(always)]
    fn abs(self) -> Doubles {
        self.each(|x| call!(vabsq_f64(x)))
    }
    #[inline(always)]
    fn with_sign(self, other: Doubles) -> Doubles {
        self.both(other, |size, sign| call!(vbslq_f64(vdupq_n_u64(1 << 63), sign, size)))
    }
    #[inline(always)]
    fn round(self) -> Doubles {
        self.each(|x| call!(vrndnq_f64(x)))
    }
    #[inline(always)]
    fn power_of_two(self) -> Doubles {
        self.each(|x| {
            let exponent = call!(vaddq_s64(vcvtq_s64_f64(x), vdupq_n_s64(1023)));
            call!(vreinterpretq_f64_s64(vshlq_n_s64::<52>(exponent)))
        })
    }
    #[inline(always)]
    fn split(self) -> (Doubles, Doubles) {
        let exponent = self.each(|x| {
            let bits = call!(vshrq_n_u64::<52>(vreinterpretq_u64_f64(x)));
            call!(vsubq_f64(vcvtq_f64_u64(bits), vdupq_n_f64(1023.0)))
        });
        (exponent, self.each(|x| call!(vbslq_f64(vdupq_n_u64(u64::MAX >> 12), x, vdupq_n_f64(1.0)))))
    }
    #[inline(always)]
    fn total(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        let four = |a, e, c, g| call!(vaddq_f64(vaddq_f64(a, e), vaddq_f64(c, g)));
        let two = call!(vaddq_f64(four(a, e, c, g), four(b, f, d, h)));
        call!(vgetq_lane_f64::<0>(two) + vgetq_lane_f64::<1>(two))
    }
}
