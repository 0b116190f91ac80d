//! The instruction sets that kernels are compiled for, and which of them a processor has.
//!
//! A kernel is written once over a [`Vector`] of singles and its [`Wide`] doubles; each file here compiles all of them for
//! one instruction set, each by itself, and gives them out by pointer. What is compiled together takes the compiler more than
//! its share of time, and what several kernels have in common is compiled once as a piece of [`Work`].

/// The functions of an instruction set, none of them inlined into who calls it: for each kernel, for a piece of work that
/// several kernels share, and for functions of one number.
macro_rules! entries {
    ($vector:ty $(, $features:literal)?) => {
        /// Runs a kernel.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        unsafe fn entry<E: $crate::entry::Entry<$vector>>(
            kernel: &$crate::Kernel,
            part: $crate::Part<'_>,
        ) {
            E::run(kernel, part);
        }

        /// Does a piece of work.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        unsafe fn apart<W: super::Work<$vector>>(work: W) -> W::Answer {
            work.done()
        }

        /// Functions of the standard precision.
        ///
        /// # Safety
        /// The processor has the instruction set.
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        unsafe fn functions(function: $crate::Unary, lines: &mut [[f32; super::LANES]]) {
            $crate::function::singles::<$vector>(function, lines);
        }
    };
}

/// The methods of [`Vector`] that reach them.
macro_rules! reached {
    () => {
        fn entry<E: $crate::entry::Entry<Self>>() -> super::Run {
            entry::<E>
        }
        #[inline(always)]
        fn apart<W: super::Work<Self>>(work: W) -> W::Answer {
            // SAFETY: see the head of the file.
            unsafe { apart(work) }
        }
        #[inline(always)]
        fn map_lines(function: Unary, lines: &mut [[f32; LANES]]) {
            // SAFETY: see the head of the file.
            unsafe { functions(function, lines) }
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
pub use vector::{LANES, Vector, Work};
pub use wide::Wide;

use super::{Kernel, Part, Precision, entry};
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

    /// The best that this processor has, of those whose kernels have been run: AVX-512 is taken on request alone.
    pub fn best() -> Isa {
        let run = |isa: &Isa| *isa != Isa::Avx512 && isa.is_here();
        Isa::ALL.into_iter().rev().find(run).unwrap_or(Isa::Portable)
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
pub struct Kernels(fn(&Kernel) -> Run);

impl Kernels {
    /// Those for a precision and an instruction set; none if the processor has it not.
    pub fn of(precision: Precision, isa: Isa) -> Option<Kernels> {
        if !isa.is_here() {
            return None;
        }
        Some(match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Kernels::compiled::<avx2::Avx2>(precision),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Kernels::compiled::<avx512::Avx512>(precision),
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => Kernels::compiled::<neon::Neon>(precision),
            _ => Kernels::compiled::<portable::Portable>(precision),
        })
    }

    fn compiled<V: Vector>(precision: Precision) -> Kernels {
        match precision {
            Precision::Standard => Kernels(entry::standard::<V>),
            Precision::Exact => Kernels(entry::exact::<V>),
        }
    }

    /// The function of a kernel, to be found once and called often.
    pub fn find(self, kernel: &Kernel) -> Found {
        Found((self.0)(kernel))
    }

    /// Runs a kernel for a part of its output.
    pub fn run(self, kernel: &Kernel, part: Part<'_>) {
        self.find(kernel).run(kernel, part);
    }
}

/// The function of a kernel.
#[derive(Clone, Copy)]
pub struct Found(Run);

impl Found {
    /// Runs the kernel it was found for, for a part of its output; for one of another kind it does nothing.
    pub fn run(self, kernel: &Kernel, part: Part<'_>) {
        // SAFETY: `Kernels::of` has seen that the processor has the instruction set.
        unsafe { (self.0)(kernel, part) }
    }
}
