//! AVX2 with FMA: one register of eight, the half of a vector. What makes its `unsafe` sound is said in `avx2.rs`.

use super::{
    avx2::{mask, part, take},
    lanes::Lanes,
};
use std::arch::x86_64::*;

/// One register.
#[derive(Clone, Copy)]
pub struct Half(__m256);

impl Lanes for Half {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(x: f32) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_set1_ps(x) })
    }
    #[inline(always)]
    unsafe fn read(from: *const f32) -> Half {
        // SAFETY: what the caller has promised.
        Half(unsafe { _mm256_loadu_ps(from) })
    }
    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: what the caller has promised.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Half {
        // SAFETY: a mask lets through as many lanes as there are numbers.
        Half(unsafe { _mm256_maskload_ps(from.as_ptr(), mask(from.len())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let mut to = to;
        // SAFETY: `take` gives out as much room as is stored.
        unsafe {
            if let Some(all) = take(&mut to, 8) {
                return _mm256_storeu_ps(all, self.0);
            }
            part(self.0, to);
        }
    }
    #[inline(always)]
    fn add(self, other: Half) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_add_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Half) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn mul(self, other: Half) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn mul_add(self, factor: Half, term: Half) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }
    #[inline(always)]
    fn max(self, other: Half) -> Half {
        // SAFETY: see the head of the file.
        Half(unsafe { _mm256_max_ps(self.0, other.0) })
    }
}
