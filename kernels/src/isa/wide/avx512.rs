//! AVX-512: two registers of eight doubles. What each `unsafe` rests on stands at the head of `isa/avx512.rs`.

use super::{super::avx512::Avx512, LANES, Wide};
use std::arch::x86_64::*;

/// Two registers.
#[derive(Clone, Copy)]
pub struct Doubles(__m512d, __m512d);

/// Applies a function of registers to both.
macro_rules! halves {
    ($f:expr; $($x:expr),*) => {{
        #[allow(unused_unsafe, reason = "functions among the intrinsics are safe")]
        // SAFETY: see the head of the file; the intrinsic works on registers alone.
        unsafe {
            Doubles($f($($x.0),*), $f($($x.1),*))
        }
    }};
}

impl Wide for Doubles {
    type Singles = Avx512;

    #[inline(always)]
    fn splat(x: f64) -> Doubles {
        // SAFETY: see the head of the file.
        let x = unsafe { _mm512_set1_pd(x) };
        Doubles(x, x)
    }
    #[inline(always)]
    fn load(from: &[f64; LANES]) -> Doubles {
        let at = from.as_ptr();
        // SAFETY: sixteen numbers are there.
        unsafe { Doubles(_mm512_loadu_pd(at), _mm512_loadu_pd(at.add(8))) }
    }
    #[inline(always)]
    fn lanes(self) -> [f64; LANES] {
        let mut lanes = [0.0; LANES];
        let at = lanes.as_mut_ptr();
        // SAFETY: sixteen numbers have room.
        unsafe {
            _mm512_storeu_pd(at, self.0);
            _mm512_storeu_pd(at.add(8), self.1);
        }
        lanes
    }
    #[inline(always)]
    fn of(Avx512(x): Avx512) -> Doubles {
        // SAFETY: see the head of the file.
        unsafe {
            let high = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(x)));
            Doubles(_mm512_cvtps_pd(_mm512_castps512_ps256(x)), _mm512_cvtps_pd(high))
        }
    }
    #[inline(always)]
    fn rounded(self) -> Avx512 {
        // SAFETY: see the head of the file.
        unsafe {
            let low = _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(self.0)));
            let high = _mm256_castps_pd(_mm512_cvtpd_ps(self.1));
            Avx512(_mm512_castpd_ps(_mm512_insertf64x4::<1>(low, high)))
        }
    }
    #[inline(always)]
    fn add(self, other: Doubles) -> Doubles {
        halves!(_mm512_add_pd; self, other)
    }
    #[inline(always)]
    fn sub(self, other: Doubles) -> Doubles {
        halves!(_mm512_sub_pd; self, other)
    }
    #[inline(always)]
    fn mul(self, other: Doubles) -> Doubles {
        halves!(_mm512_mul_pd; self, other)
    }
    #[inline(always)]
    fn div(self, other: Doubles) -> Doubles {
        halves!(_mm512_div_pd; self, other)
    }
    #[inline(always)]
    fn mul_add(self, factor: Doubles, term: Doubles) -> Doubles {
        halves!(_mm512_fmadd_pd; self, factor, term)
    }
    #[inline(always)]
    fn max(self, other: Doubles) -> Doubles {
        halves!(_mm512_max_pd; self, other)
    }
    #[inline(always)]
    fn min(self, other: Doubles) -> Doubles {
        halves!(_mm512_min_pd; self, other)
    }
    #[inline(always)]
    fn less(self, other: Doubles, then: Doubles, or: Doubles) -> Doubles {
        halves!(less; self, other, then, or)
    }
    #[inline(always)]
    fn abs(self) -> Doubles {
        halves!(_mm512_abs_pd; self)
    }
    #[inline(always)]
    fn with_sign(self, other: Doubles) -> Doubles {
        halves!(signed; self, other)
    }
    #[inline(always)]
    fn round(self) -> Doubles {
        halves!(_mm512_roundscale_pd::<8>; self)
    }
    #[inline(always)]
    fn power_of_two(self) -> Doubles {
        halves!(power; self)
    }
    #[inline(always)]
    fn split(self) -> (Doubles, Doubles) {
        (halves!(_mm512_getexp_pd; self), halves!(significand; self))
    }
    #[inline(always)]
    fn total(self) -> f64 {
        // SAFETY: see the head of the file.
        unsafe {
            let eight = _mm512_add_pd(self.0, self.1);
            let four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd::<1>(eight));
            let two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd::<1>(four));
            _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
        }
    }
}

#[inline(always)]
fn less(a: __m512d, b: __m512d, then: __m512d, or: __m512d) -> __m512d {
    // SAFETY: see the head of the file.
    unsafe { _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b), or, then) }
}

#[inline(always)]
fn signed(size: __m512d, sign: __m512d) -> __m512d {
    // SAFETY: see the head of the file.
    unsafe {
        let sign = _mm512_and_si512(_mm512_castpd_si512(sign), _mm512_set1_epi64(i64::MIN));
        _mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(size), sign))
    }
}

#[inline(always)]
fn power(x: __m512d) -> __m512d {
    // SAFETY: see the head of the file.
    unsafe { _mm512_scalef_pd(_mm512_set1_pd(1.0), x) }
}

#[inline(always)]
fn significand(x: __m512d) -> __m512d {
    // SAFETY: see the head of the file.
    unsafe { _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(x) }
}
