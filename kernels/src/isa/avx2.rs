//! AVX2 with FMA: two registers of eight. A tile of 6 × 16 takes twelve of the sixteen registers for sums.
//!
//! Values of [`Avx2`] are made nowhere but below the functions that `Isa` gives out only where the processor has both: that
//! is what each `unsafe` here rests on.

use super::{Vector, half::Half, vector::LANES, wide::avx2::Doubles};
use crate::Unary;
use std::arch::x86_64::*;

/// Two registers.
#[derive(Clone, Copy)]
pub struct Avx2(pub(super) __m256, pub(super) __m256);

entries!(Avx2, "avx2,fma");

/// Eight ones, eight noughts: a window of eight is the mask of the first `n` lanes.
static MASK: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The mask of the first `count` of eight lanes.
#[inline(always)]
pub(super) fn mask(count: usize) -> __m256i {
    // SAFETY: eight numbers from place `8 − min(count, 8)` lie within the sixteen.
    unsafe { _mm256_loadu_si256(MASK.as_ptr().add(8 - count.min(8)).cast()) }
}

/// Applies an intrinsic of two registers to both halves.
macro_rules! halves {
    ($f:ident($($x:expr),*)) => {
        // SAFETY: see the head of the file; the intrinsic works on registers alone.
        unsafe { Avx2($f($($x.0),*), $f($($x.1),*)) }
    };
}

impl Vector for Avx2 {
    const ROWS: usize = 6;
    const WIDE_ROWS: usize = 2;
    type Wide = Doubles;
    type Half = Half;

    reached!();

    #[inline(always)]
    fn fetch(at: &f32) {
        // SAFETY: a hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(at).cast()) }
    }
    #[inline(always)]
    fn splat(x: f32) -> Avx2 {
        // SAFETY: see the head of the file.
        let x = unsafe { _mm256_set1_ps(x) };
        Avx2(x, x)
    }
    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Avx2 {
        // SAFETY: sixteen numbers are there.
        unsafe { Avx2(_mm256_loadu_ps(from.as_ptr()), _mm256_loadu_ps(from.as_ptr().add(8))) }
    }
    #[inline(always)]
    fn load_part(from: &[f32]) -> Avx2 {
        // Where there are no more numbers, none of them are read from a place that is mapped: a masked load of another takes
        // hundreds of times as long.
        let second = from.get(8..).unwrap_or(&from[..0]);
        // SAFETY: a mask lets through as many lanes as there are numbers.
        unsafe {
            Avx2(
                _mm256_maskload_ps(from.as_ptr(), mask(from.len())),
                _mm256_maskload_ps(second.as_ptr(), mask(second.len())),
            )
        }
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        // SAFETY: sixteen numbers have room.
        unsafe {
            _mm256_storeu_ps(to.as_mut_ptr(), self.0);
            _mm256_storeu_ps(to.as_mut_ptr().add(8), self.1);
        }
    }
    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        // Whole pieces from eight down: a masked store takes many times as long on some processors.
        let (mut to, mut rest) = (to, self.0);
        if to.len() >= 8 {
            let (now, later) = to.split_at_mut(8);
            // SAFETY: eight numbers have room.
            unsafe { _mm256_storeu_ps(now.as_mut_ptr(), self.0) };
            (to, rest) = (later, self.1);
        }
        // SAFETY: see the head of the file.
        unsafe { part(rest, to) }
    }
    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        halves!(_mm256_add_ps(self, other))
    }
    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        halves!(_mm256_sub_ps(self, other))
    }
    #[inline(always)]
    fn mul(self, other: Avx2) -> Avx2 {
        halves!(_mm256_mul_ps(self, other))
    }
    #[inline(always)]
    fn div(self, other: Avx2) -> Avx2 {
        halves!(_mm256_div_ps(self, other))
    }
    #[inline(always)]
    fn mul_add(self, factor: Avx2, term: Avx2) -> Avx2 {
        halves!(_mm256_fmadd_ps(self, factor, term))
    }
    #[inline(always)]
    fn sqrt(self) -> Avx2 {
        halves!(_mm256_sqrt_ps(self))
    }
    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        halves!(_mm256_max_ps(self, other))
    }
    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        halves!(_mm256_min_ps(self, other))
    }
    #[inline(always)]
    fn largest(self, other: Avx2) -> Avx2 {
        let most = other.max(self);
        // SAFETY: see the head of the file.
        let nan = unsafe {
            Avx2(_mm256_cmp_ps::<_CMP_UNORD_Q>(other.0, other.0), _mm256_cmp_ps::<_CMP_UNORD_Q>(other.1, other.1))
        };
        halves!(_mm256_blendv_ps(most, other, nan))
    }
    #[inline(always)]
    fn less(self, other: Avx2, then: Avx2, or: Avx2) -> Avx2 {
        // SAFETY: see the head of the file.
        let below =
            unsafe { Avx2(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0), _mm256_cmp_ps::<_CMP_LT_OQ>(self.1, other.1)) };
        halves!(_mm256_blendv_ps(or, then, below))
    }
    #[inline(always)]
    fn abs(self) -> Avx2 {
        let sign = Avx2::splat(-0.0);
        halves!(_mm256_andnot_ps(sign, self))
    }
    #[inline(always)]
    fn with_sign(self, other: Avx2) -> Avx2 {
        let sign = Avx2::splat(-0.0);
        let sign = halves!(_mm256_and_ps(sign, other));
        halves!(_mm256_or_ps(self, sign))
    }
    #[inline(always)]
    fn round(self) -> Avx2 {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: see the head of the file.
        unsafe { Avx2(_mm256_round_ps::<NEAREST>(self.0), _mm256_round_ps::<NEAREST>(self.1)) }
    }
    #[inline(always)]
    fn power_of_two(self) -> Avx2 {
        // SAFETY: see the head of the file.
        unsafe { Avx2(power(self.0), power(self.1)) }
    }
    #[inline(always)]
    fn split(self) -> (Avx2, Avx2) {
        // SAFETY: see the head of the file.
        unsafe { (Avx2(exponent(self.0), exponent(self.1)), Avx2(significand(self.0), significand(self.1))) }
    }
    #[inline(always)]
    fn cut(self) -> Avx2 {
        // SAFETY: see the head of the file.
        let mask = Avx2::splat(f32::from_bits(u32::MAX << 12));
        halves!(_mm256_and_ps(self, mask))
    }
    #[inline(always)]
    fn total(self) -> f32 {
        // SAFETY: see the head of the file.
        unsafe {
            let eight = _mm256_add_ps(self.0, self.1);
            let two = _mm256_hadd_ps(eight, eight);
            let one = _mm256_hadd_ps(two, two);
            _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(one), _mm256_extractf128_ps::<1>(one)))
        }
    }
    #[inline(always)]
    fn totals([a, b, c, d, e, f, g, h]: [Avx2; 8]) -> [f32; 8] {
        let mut totals = [0.0; 8];
        // SAFETY: see the head of the file; eight numbers have room.
        unsafe {
            let neighbours = |a: Avx2, b: Avx2| _mm256_hadd_ps(_mm256_add_ps(a.0, a.1), _mm256_add_ps(b.0, b.1));
            let first = _mm256_hadd_ps(neighbours(a, b), neighbours(c, d));
            let second = _mm256_hadd_ps(neighbours(e, f), neighbours(g, h));
            let low = _mm256_permute2f128_ps::<0x20>(first, second);
            let high = _mm256_permute2f128_ps::<0x31>(first, second);
            _mm256_storeu_ps(totals.as_mut_ptr(), _mm256_add_ps(low, high));
        }
        totals
    }
}

#[inline(always)]
unsafe fn power(x: __m256) -> __m256 {
    // SAFETY: the caller is one of the methods above.
    unsafe {
        let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(x), _mm256_set1_epi32(127));
        _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent))
    }
}

#[inline(always)]
unsafe fn exponent(x: __m256) -> __m256 {
    // SAFETY: the caller is one of the methods above.
    unsafe {
        let exponent = _mm256_srli_epi32::<23>(_mm256_castps_si256(x));
        _mm256_sub_ps(_mm256_cvtepi32_ps(exponent), _mm256_set1_ps(127.0))
    }
}

#[inline(always)]
unsafe fn significand(x: __m256) -> __m256 {
    // SAFETY: the caller is one of the methods above.
    unsafe {
        let mask = _mm256_castsi256_ps(_mm256_set1_epi32((u32::MAX >> 9) as i32));
        _mm256_or_ps(_mm256_and_ps(x, mask), _mm256_set1_ps(1.0))
    }
}

/// Stores as many of the first lanes as `to` takes, fewer than eight, in whole pieces from four down.
#[inline(always)]
pub(super) unsafe fn part(x: __m256, mut to: &mut [f32]) {
    // SAFETY: `take` gives out as much room as is stored.
    unsafe {
        let mut four = _mm256_castps256_ps128(x);
        if let Some(now) = take(&mut to, 4) {
            _mm_storeu_ps(now, four);
            four = _mm256_extractf128_ps::<1>(x);
        }
        if let Some(now) = take(&mut to, 2) {
            now.cast::<f64>().write_unaligned(_mm_cvtsd_f64(_mm_castps_pd(four)));
            four = _mm_movehl_ps(four, four);
        }
        if let Some(now) = take(&mut to, 1) {
            _mm_store_ss(now, four);
        }
    }
}

/// Room for `count` numbers at the beginning of `to`, which goes on after them; none if there is less.
#[inline(always)]
pub(super) fn take(to: &mut &mut [f32], count: usize) -> Option<*mut f32> {
    if to.len() < count {
        return None;
    }
    let (now, later) = std::mem::take(to).split_at_mut(count);
    *to = later;
    Some(now.as_mut_ptr())
}
