//! AVX-512: one register of sixteen. A tile of 6 × 16 takes six of the 32 registers for sums.
//!
//! Values of [`Avx512`] are made nowhere but below the functions that `Isa` gives out only where the processor has AVX-512:
//! that is what each `unsafe` here rests on. Every build compiles this file; its tests run only where the processor has the
//! instructions, for no emulator of them is at hand.

use super::{Vector, half::Half, vector::LANES, wide::avx512::Doubles};
use crate::Unary;
use std::arch::x86_64::*;

/// One register.
#[derive(Clone, Copy)]
pub struct Avx512(pub(super) __m512);

entries!(Avx512, "avx512f");

/// The mask of the first `count` lanes.
#[inline(always)]
fn mask(count: usize) -> __mmask16 {
    u16::MAX.checked_shr(LANES.saturating_sub(count) as u32).unwrap_or(0)
}

/// Applies an intrinsic.
macro_rules! one {
    ($f:ident($($x:expr),*)) => {
        // SAFETY: see the head of the file; the intrinsic works on registers alone.
        unsafe { Avx512($f($($x.0),*)) }
    };
}

impl Vector for Avx512 {
    const ROWS: usize = 6;
    const WIDE_ROWS: usize = 6;
    type Wide = Doubles;
    type Half = Half;

    reached!();

    #[inline(always)]
    fn fetch(at: &f32) {
        // SAFETY: a hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(at).cast()) }
    }
    #[inline(always)]
    fn splat(x: f32) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe { _mm512_set1_ps(x) })
    }
    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Avx512 {
        // SAFETY: sixteen numbers are there.
        Avx512(unsafe { _mm512_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn load_part(from: &[f32]) -> Avx512 {
        // SAFETY: a mask lets through as many lanes as there are numbers.
        Avx512(unsafe { _mm512_maskz_loadu_ps(mask(from.len()), from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        // SAFETY: sixteen numbers have room.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        // SAFETY: a mask lets through as many lanes as have room.
        unsafe { _mm512_mask_storeu_ps(to.as_mut_ptr(), mask(to.len()), self.0) }
    }
    #[inline(always)]
    fn add(self, other: Avx512) -> Avx512 {
        one!(_mm512_add_ps(self, other))
    }
    #[inline(always)]
    fn sub(self, other: Avx512) -> Avx512 {
        one!(_mm512_sub_ps(self, other))
    }
    #[inline(always)]
    fn mul(self, other: Avx512) -> Avx512 {
        one!(_mm512_mul_ps(self, other))
    }
    #[inline(always)]
    fn div(self, other: Avx512) -> Avx512 {
        one!(_mm512_div_ps(self, other))
    }
    #[inline(always)]
    fn mul_add(self, factor: Avx512, term: Avx512) -> Avx512 {
        one!(_mm512_fmadd_ps(self, factor, term))
    }
    #[inline(always)]
    fn sqrt(self) -> Avx512 {
        one!(_mm512_sqrt_ps(self))
    }
    #[inline(always)]
    fn max(self, other: Avx512) -> Avx512 {
        one!(_mm512_max_ps(self, other))
    }
    #[inline(always)]
    fn min(self, other: Avx512) -> Avx512 {
        one!(_mm512_min_ps(self, other))
    }
    #[inline(always)]
    fn largest(self, other: Avx512) -> Avx512 {
        let most = other.max(self);
        // SAFETY: see the head of the file.
        Avx512(unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_UNORD_Q>(other.0, other.0), most.0, other.0) })
    }
    #[inline(always)]
    fn less(self, other: Avx512, then: Avx512, or: Avx512) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0), or.0, then.0) })
    }
    #[inline(always)]
    fn abs(self) -> Avx512 {
        one!(_mm512_abs_ps(self))
    }
    #[inline(always)]
    fn with_sign(self, other: Avx512) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe {
            let sign = _mm512_and_si512(_mm512_castps_si512(other.0), _mm512_set1_epi32(i32::MIN));
            _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(self.0), sign))
        })
    }
    #[inline(always)]
    fn round(self) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe { _mm512_roundscale_ps::<8>(self.0) })
    }
    #[inline(always)]
    fn power_of_two(self) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe { _mm512_scalef_ps(_mm512_set1_ps(1.0), self.0) })
    }
    #[inline(always)]
    fn split(self) -> (Avx512, Avx512) {
        // SAFETY: see the head of the file.
        let significand = unsafe { _mm512_getmant_ps::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self.0) };
        (one!(_mm512_getexp_ps(self)), Avx512(significand))
    }
    #[inline(always)]
    fn cut(self) -> Avx512 {
        // SAFETY: see the head of the file.
        Avx512(unsafe {
            _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(self.0), _mm512_set1_epi32(-1 << 12)))
        })
    }
    #[inline(always)]
    fn total(self) -> f32 {
        // SAFETY: see the head of the file.
        unsafe {
            let high = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0)));
            let eight = _mm256_add_ps(_mm512_castps512_ps256(self.0), high);
            let two = _mm256_hadd_ps(eight, eight);
            let one = _mm256_hadd_ps(two, two);
            _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(one), _mm256_extractf128_ps::<1>(one)))
        }
    }
}
