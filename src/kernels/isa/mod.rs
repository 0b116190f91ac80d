//! The instruction sets that kernels are compiled for, and which of them a processor has.
//!
//! A kernel is written once over a [`Vector`] of singles and its [`Wide`] doubles; each file here compiles all of them for
//! one instruction set and gives them out as a function for each precision, which the session reaches by pointer.

/// The functions that a file gives out, all kernels inlined into them.
macro_rules! entries {
    ($vector:ty $(, $features:literal)?) => {
        /// Runs a kernel of the standard precision.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        pub unsafe fn standard(kernel: &$crate::kernels::Kernel, part: $crate::kernels::Part<'_>) {
            $crate::kernels::standard::<$vector>(kernel, part);
        }

        /// Runs a kernel of the exact precision.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        pub unsafe fn exact(kernel: &$crate::kernels::Kernel, part: $crate::kernels::Part<'_>) {
            $crate::kernels::exact::<$vector>(kernel, part);
        }

        /// A function of the standard precision.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        unsafe fn functions(function: $crate::describe::Unary, x: $vector) -> $vector {
            $crate::kernels::function::single(function, x)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod half;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod vector;
mod wide;

pub use lanes::{All, Lanes};
pub use vector::{LANES, Vector};
pub use wide::Wide;

use super::{Kernel, Part, Precision};
use std::ffi::CStr;

/// A kernel's function.
pub type Run = unsafe fn(&Kernel, Part<'_>);

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Isa {
    /// What every processor has.
    Portable = 1,
    /// AVX2 and FMA of x86-64.
    Avx2 = 2,
    /// The foundation of AVX-512 of x86-64.
    Avx512 = 3,
    /// NEON of AArch64.
    Neon = 4,
}

impl Isa {
    /// All of them, of two that a processor has the better one last.
    pub const ALL: [Isa; 4] = [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Neon];

    /// The best that this processor has.
    pub fn best() -> Isa {
        Isa::ALL.into_iter().rev().find(|isa| isa.is_here()).unwrap_or(Isa::Portable)
    }

    /// Whether this processor has it.
    pub fn is_here(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => is_x86_feature_detected!("avx512f"),
            Isa::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => false,
        }
    }

    /// Its name, with a NUL after the end.
    pub fn c_name(self) -> &'static CStr {
        match self {
            Isa::Portable => c"portable",
            Isa::Avx2 => c"avx2",
            Isa::Avx512 => c"avx512",
            Isa::Neon => c"neon",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or_default()
    }
}

/// Kernels of one precision compiled for one instruction set that this processor has.
#[derive(Clone, Copy)]
pub struct Kernels(Run);

impl Kernels {
    /// Those for a precision and an instruction set; none if the processor has it not.
    pub fn of(precision: Precision, isa: Isa) -> Option<Kernels> {
        if !isa.is_here() {
            return None;
        }
        let [standard, exact]: [Run; 2] = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => [avx2::standard, avx2::exact],
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => [avx512::standard, avx512::exact],
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => [neon::standard, neon::exact],
            _ => [portable::standard, portable::exact],
        };
        Some(Kernels(if precision == Precision::Exact { exact } else { standard }))
    }

    /// Runs a kernel for a part of its output.
    pub fn run(self, kernel: &Kernel, part: Part<'_>) {
        // SAFETY: `of` has seen that the processor has the instruction set.
        unsafe { (self.0)(kernel, part) }
    }
}
