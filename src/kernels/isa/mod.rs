//! The instruction sets that kernels are compiled for, and which of them a processor has.
//!
//! A kernel is written once over a [`Vector`]; each file here compiles all of them for one instruction set and gives them
//! out as one function, which the session reaches by pointer. The exact precision is compiled for any processor alone.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
mod vector;

use super::{Kernel, Part, Precision};
pub use vector::{LANES, Vector};

/// A kernel's function.
pub type Run = unsafe fn(&Kernel, Part<'_>);

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What every processor has.
    Portable,
    /// AVX2 and FMA of x86-64.
    Avx2,
}

impl Isa {
    /// All of them, the best last.
    pub const ALL: [Isa; 2] = [Isa::Portable, Isa::Avx2];

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
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 => false,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
        }
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
        Some(Kernels(match (isa, precision) {
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, Precision::Standard) => avx2::standard,
            (_, Precision::Standard) => portable::standard,
            (_, Precision::Exact) => portable::exactly,
        }))
    }

    /// Runs a kernel for a part of its output.
    pub fn run(self, kernel: &Kernel, part: Part<'_>) {
        // SAFETY: `of` has seen that the processor has the instruction set.
        unsafe { (self.0)(kernel, part) }
    }
}
