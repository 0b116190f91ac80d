//! NEON of AArch64, where every processor has it: four registers of four. A tile of 6 × 16 takes 24 of the 32 registers for
//! sums.

use super::{Vector, lanes::Eight, vector::LANES, wide::neon::Doubles};
use crate::Unary;
use std::arch::aarch64::*;

/// Four registers.
#[derive(Clone, Copy)]
pub struct Neon(pub(super) float32x4_t, pub(super) float32x4_t, pub(super) float32x4_t, pub(super) float32x4_t);

entries!(Neon, "neon");

/// Applies a function of registers to all four.
macro_rules! quarters {
    ($f:expr; $($x:expr),*) => {{
        #[allow(unused_unsafe, reason = "functions among the intrinsics are safe")]
        // SAFETY: the target has NEON; the intrinsic works on registers alone.
        unsafe {
            Neon($f($($x.0),*), $f($($x.1),*), $f($($x.2),*), $f($($x.3),*))
        }
    }};
}

impl Vector for Neon {
    const ROWS: usize = 6;
    const WIDE_ROWS: usize = 2;
    type Wide = Doubles;
    type Half = Eight;

    reached!();

    #[inline(always)]
    fn splat(x: f32) -> Neon {
        // SAFETY: the target has NEON.
        let x = unsafe { vdupq_n_f32(x) };
        Neon(x, x, x, x)
    }
    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Neon {
        let at = from.as_ptr();
        // SAFETY: sixteen numbers are there.
        unsafe { Neon(vld1q_f32(at), vld1q_f32(at.add(4)), vld1q_f32(at.add(8)), vld1q_f32(at.add(12))) }
    }
    #[inline(always)]
    fn load_part(from: &[f32]) -> Neon {
        let mut all = [0.0; LANES];
        all[..from.len()].copy_from_slice(from);
        Neon::load(&all)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        let at = to.as_mut_ptr();
        // SAFETY: sixteen numbers have room.
        unsafe {
            vst1q_f32(at, self.0);
            vst1q_f32(at.add(4), self.1);
            vst1q_f32(at.add(8), self.2);
            vst1q_f32(at.add(12), self.3);
        }
    }
    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        let mut all = [0.0; LANES];
        self.store(&mut all);
        to.copy_from_slice(&all[..to.len()]);
    }
    #[inline(always)]
    fn add(self, other: Neon) -> Neon {
        quarters!(vaddq_f32; self, other)
    }
    #[inline(always)]
    fn sub(self, other: Neon) -> Neon {
        quarters!(vsubq_f32; self, other)
    }
    #[inline(always)]
    fn mul(self, other: Neon) -> Neon {
        quarters!(vmulq_f32; self, other)
    }
    #[inline(always)]
    fn div(self, other: Neon) -> Neon {
        quarters!(vdivq_f32; self, other)
    }
    #[inline(always)]
    fn mul_add(self, factor: Neon, term: Neon) -> Neon {
        quarters!(vfmaq_f32; term, self, factor)
    }
    #[inline(always)]
    fn sqrt(self) -> Neon {
        quarters!(vsqrtq_f32; self)
    }
    #[inline(always)]
    fn max(self, other: Neon) -> Neon {
        quarters!(max; self, other)
    }
    #[inline(always)]
    fn min(self, other: Neon) -> Neon {
        quarters!(min; self, other)
    }
    #[inline(always)]
    fn largest(self, other: Neon) -> Neon {
        quarters!(largest; self, other)
    }
    #[inline(always)]
    fn less(self, other: Neon, then: Neon, or: Neon) -> Neon {
        quarters!(less; self, other, then, or)
    }
    #[inline(always)]
    fn abs(self) -> Neon {
        quarters!(vabsq_f32; self)
    }
    #[inline(always)]
    fn with_sign(self, other: Neon) -> Neon {
        quarters!(signed; self, other)
    }
    #[inline(always)]
    fn round(self) -> Neon {
        quarters!(vrndnq_f32; self)
    }
    #[inline(always)]
    fn power_of_two(self) -> Neon {
        quarters!(power; self)
    }
    #[inline(always)]
    fn split(self) -> (Neon, Neon) {
        (quarters!(exponent; self), quarters!(significand; self))
    }
    #[inline(always)]
    fn cut(self) -> Neon {
        quarters!(cut; self)
    }
    #[inline(always)]
    fn total(self) -> f32 {
        // SAFETY: the target has NEON.
        unsafe {
            let four = vpaddq_f32(vaddq_f32(self.0, self.2), vaddq_f32(self.1, self.3));
            let two = vpaddq_f32(four, four);
            vgetq_lane_f32::<0>(two) + vgetq_lane_f32::<1>(two)
        }
    }
}

#[inline(always)]
fn max(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vbslq_f32(vcgtq_f32(a, b), a, b) }
}

#[inline(always)]
fn min(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vbslq_f32(vcltq_f32(a, b), a, b) }
}

#[inline(always)]
fn largest(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON. What does not equal itself is NaN.
    unsafe { vbslq_f32(vceqq_f32(b, b), max(b, a), b) }
}

#[inline(always)]
fn less(a: float32x4_t, b: float32x4_t, then: float32x4_t, or: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vbslq_f32(vcltq_f32(a, b), then, or) }
}

#[inline(always)]
fn signed(size: float32x4_t, sign: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vbslq_f32(vdupq_n_u32(1 << 31), sign, size) }
}

#[inline(always)]
fn power(x: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vreinterpretq_f32_s32(vshlq_n_s32::<23>(vaddq_s32(vcvtq_s32_f32(x), vdupq_n_s32(127)))) }
}

#[inline(always)]
fn exponent(x: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vsubq_f32(vcvtq_f32_u32(vshrq_n_u32::<23>(vreinterpretq_u32_f32(x))), vdupq_n_f32(127.0)) }
}

#[inline(always)]
fn significand(x: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vbslq_f32(vdupq_n_u32(u32::MAX >> 9), x, vdupq_n_f32(1.0)) }
}

#[inline(always)]
fn cut(x: float32x4_t) -> float32x4_t {
    // SAFETY: the target has NEON.
    unsafe { vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(u32::MAX << 12))) }
}
