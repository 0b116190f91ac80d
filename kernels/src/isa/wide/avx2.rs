//! AVX2 with FMA: four registers of four doubles. What each `unsafe` rests on stands at the head of `isa/avx2.rs`.

use super::{super::avx2::Avx2, LANES, Wide};
use std::arch::x86_64::*;

/// Four registers.
#[derive(Clone, Copy)]
pub struct Doubles(__m256d, __m256d, __m256d, __m256d);

/// Applies a function of registers to all four.
macro_rules! quarters {
    ($f:expr; $($x:expr),*) => {{
        #[allow(unused_unsafe, reason = "functions among the intrinsics are safe")]
        // SAFETY: see the head of the file; the intrinsic works on registers alone.
        unsafe {
            Doubles($f($($x.0),*), $f($($x.1),*), $f($($x.2),*), $f($($x.3),*))
        }
    }};
}

impl Wide for Doubles {
    type Singles = Avx2;

    #[inline(always)]
    fn splat(x: f64) -> Doubles {
        // SAFETY: see the head of the file.
        let x = unsafe { _mm256_set1_pd(x) };
        Doubles(x, x, x, x)
    }
    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Doubles {
        let at = from.as_ptr();
        // SAFETY: sixteen numbers are there.
        unsafe {
            Doubles(
                _mm256_loadu_pd(at),
                _mm256_loadu_pd(at.add(4)),
                _mm256_loadu_pd(at.add(8)),
                _mm256_loadu_pd(at.add(12)),
            )
        }
    }
    #[inline(always)]
    fn lanes(self) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        let at = lanes.as_mut_ptr();
        // SAFETY: sixteen numbers have room.
        unsafe {
            _mm256_storeu_pd(at, self.0);
            _mm256_storeu_pd(at.add(4), self.1);
            _mm256_storeu_pd(at.add(8), self.2);
            _mm256_storeu_pd(at.add(12), self.3);
        }
        lanes
    }
    #[inline(always)]
    fn of(Avx2(low, high): Avx2) -> Doubles {
        // SAFETY: see the head of the file.
        unsafe {
            Doubles(
                _mm256_cvtps_pd(_mm256_castps256_ps128(low)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(low)),
                _mm256_cvtps_pd(_mm256_castps256_ps128(high)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(high)),
            )
        }
    }
    #[inline(always)]
    fn rounded(self) -> Avx2 {
        // SAFETY: see the head of the file.
        unsafe {
            Avx2(
                _mm256_set_m128(_mm256_cvtpd_ps(self.1), _mm256_cvtpd_ps(self.0)),
                _mm256_set_m128(_mm256_cvtpd_ps(self.3), _mm256_cvtpd_ps(self.2)),
            )
        }
    }
    #[inline(always)]
    fn add(self, other: Doubles) -> Doubles {
        quarters!(_mm256_add_pd; self, other)
    }
    #[inline(always)]
    fn sub(self, other: Doubles) -> Doubles {
        quarters!(_mm256_sub_pd; self, other)
    }
    #[inline(always)]
    fn mul(self, other: Doubles) -> Doubles {
        quarters!(_mm256_mul_pd; self, other)
    }
    #[inline(always)]
    fn div(self, other: Doubles) -> Doubles {
        quarters!(_mm256_div_pd; self, other)
    }
    #[inline(always)]
    fn mul_add(self, factor: Doubles, term: Doubles) -> Doubles {
        quarters!(_mm256_fmadd_pd; self, factor, term)
    }
    #[inline(always)]
    fn max(self, other: Doubles) -> Doubles {
        quarters!(_mm256_max_pd; self, other)
    }
    #[inline(always)]
    fn min(self, other: Doubles) -> Doubles {
        quarters!(_mm256_min_pd; self, other)
    }
    #[inline(always)]
    fn less(self, other: Doubles, then: Doubles, or: Doubles) -> Doubles {
        let below = quarters!(_mm256_cmp_pd::<_CMP_LT_OQ>; self, other);
        quarters!(_mm256_blendv_pd; or, then, below)
    }
    #[inline(always)]
    fn abs(self) -> Doubles {
        let sign = Doubles::splat(-0.0);
        quarters!(_mm256_andnot_pd; sign, self)
    }
    #[inline(always)]
    fn with_sign(self, other: Doubles) -> Doubles {
        let sign = Doubles::splat(-0.0);
        let sign = quarters!(_mm256_and_pd; sign, other);
        quarters!(_mm256_or_pd; self, sign)
    }
    #[inline(always)]
    fn round(self) -> Doubles {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        quarters!(_mm256_round_pd::<NEAREST>; self)
    }
    #[inline(always)]
    fn power_of_two(self) -> Doubles {
        quarters!(power; self)
    }
    #[inline(always)]
    fn split(self) -> (Doubles, Doubles) {
        (quarters!(exponent; self), quarters!(significand; self))
    }
    #[inline(always)]
    fn total(self) -> f64 {
        // SAFETY: see the head of the file.
        unsafe {
            let four = _mm256_add_pd(_mm256_add_pd(self.0, self.2), _mm256_add_pd(self.1, self.3));
            let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
            _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
        }
    }
}

#[inline(always)]
fn power(x: __m256d) -> __m256d {
    // SAFETY: see the head of the file. The last bits of a whole number and 1.5·2⁵² are the number itself.
    unsafe {
        let whole = _mm256_castpd_si256(_mm256_add_pd(x, _mm256_set1_pd(6_755_399_441_055_744.0)));
        _mm256_castsi256_pd(_mm256_slli_epi64::<52>(_mm256_add_epi64(whole, _mm256_set1_epi64x(1023))))
    }
}

#[inline(always)]
fn exponent(x: __m256d) -> __m256d {
    // SAFETY: see the head of the file. The exponent's bits under those of 2⁵² are 2⁵² and the exponent.
    unsafe {
        let bits = _mm256_castsi256_pd(_mm256_srli_epi64::<52>(_mm256_castpd_si256(x)));
        let shift = _mm256_set1_pd(4_503_599_627_370_496.0);
        _mm256_sub_pd(_mm256_sub_pd(_mm256_or_pd(bits, shift), shift), _mm256_set1_pd(1023.0))
    }
}

#[inline(always)]
fn significand(x: __m256d) -> __m256d {
    // SAFETY: see the head of the file.
    unsafe {
        let mask = _mm256_castsi256_pd(_mm256_set1_epi64x((u64::MAX >> 12) as i64));
        _mm256_or_pd(_mm256_and_pd(x, mask), _mm256_set1_pd(1.0))
    }
}
