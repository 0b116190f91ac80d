//! Functions of one number, over vectors: in singles for the standard precision, in doubles rounded once for the exact one.
//!
//! Errors against the exact value, in units in the last place of the answer, over all singles and every instruction set
//! (`tests` holds them to it):
//!
//! | precision | functions | units |
//! |---|---|---|
//! | exact | all | 0.51 |
//! | standard | `exp`, `log`, `softsign`, `tanhShrink`, `power` | 2 |
//! | standard | `erf`, `sigmoid`, `logSigmoid`, `softplus` | 3 |
//! | standard | `tanh`, `silu`, `mish`, `elu`, `selu` | 4 |
//! | standard | `gelu` by erf | 6 |
//! | standard | the tanh formula of `gelu` | 4 of its argument's |
//! | standard | `hardSigmoid`, `hardSwish` | 2 of 1, 2 of the argument's |
//! | both | what is left chooses, or takes one operation | 0.5 |
//!
//! No vector passes through a closure here or in the kernels: closures are not compiled for the instruction set.
//! NaN passes everywhere. A setting that singles can not hold is computed with in doubles in both precisions.

mod double;
mod plain;
mod single;
#[cfg(test)]
mod tests;

pub use double::{exp as exp_in_doubles, log as log_in_doubles, power as power_in_doubles};
pub use single::{exp, log};

use super::isa::{LANES, Vector, Wide};
use crate::Unary;

pub(super) const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

/// A function in singles, of all lanes of these lines.
#[inline(always)]
pub fn singles<V: Vector>(function: Unary, lines: &mut [[f32; LANES]]) {
    if !single::apply::<V>(function, lines) {
        for line in lines {
            double(function, V::load(line)).store(line);
        }
    }
}

/// A function in doubles, rounded once.
#[inline(always)]
pub fn double<V: Vector>(function: Unary, x: V) -> V {
    match plain::apply(function, x) {
        Some(made) => made,
        None => double::apply(function, V::Wide::of(x)).rounded(),
    }
}
