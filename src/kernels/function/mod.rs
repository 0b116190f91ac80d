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
//! NaN passes everywhere. A setting that singles can not hold is computed with in doubles in both precisions.

mod double;
mod plain;
mod single;
#[cfg(test)]
mod tests;

use super::isa::{Vector, Wide};
use crate::describe::Unary;

pub(super) const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

/// A function in singles.
#[inline(always)]
pub fn single<V: Vector>(function: Unary, x: V) -> V {
    plain::apply(function, x).or_else(|| single::apply(function, x)).unwrap_or_else(|| double(function, x))
}

/// A function in doubles, rounded once.
#[inline(always)]
pub fn double<V: Vector>(function: Unary, x: V) -> V {
    plain::apply(function, x).unwrap_or_else(|| double::apply(function, V::Wide::of(x)).rounded())
}
