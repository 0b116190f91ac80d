//! Sixteen doubles side by side: what totals and functions of the exact precision, and means of both, are gathered in.
//!
//! The product of two singles is exact in a double, so that a total's bits are the same whether an instruction set fuses a
//! multiplication with an addition or not.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;
pub(super) mod portable;

use super::{LANES, Vector};

/// Sixteen doubles. All methods are inlined into a function that is compiled for the instruction set.
pub trait Wide: Copy {
    /// The singles of the same instruction set.
    type Singles: Vector<Wide = Self>;

    /// The same number in every lane.
    fn splat(x: f64) -> Self;
    /// Sixteen numbers.
    fn load(from: &[f64; LANES]) -> Self;
    /// All lanes.
    fn lanes(self) -> [f64; LANES];
    /// Singles as doubles.
    fn of(x: Self::Singles) -> Self;
    /// Each lane rounded to the nearest single.
    fn rounded(self) -> Self::Singles;
    /// Lane by lane.
    fn add(self, other: Self) -> Self;
    /// Lane by lane.
    fn sub(self, other: Self) -> Self;
    /// Lane by lane.
    fn mul(self, other: Self) -> Self;
    /// Lane by lane.
    fn div(self, other: Self) -> Self;
    /// `self·factor + term`, rounded once where the instruction set can.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// `self` where it is greater than `other`, else `other`: a NaN in `other` passes.
    fn max(self, other: Self) -> Self;
    /// `self` where it is less than `other`, else `other`: a NaN in `other` passes.
    fn min(self, other: Self) -> Self;
    /// `then` where `self < other`, else `or`.
    fn less(self, other: Self, then: Self, or: Self) -> Self;
    /// The sign taken away.
    fn abs(self) -> Self;
    /// The sign of `other` put on `self`, which has none.
    fn with_sign(self, other: Self) -> Self;
    /// The nearest whole number, even ones from the middle; of numbers below 2⁵¹ in size.
    fn round(self) -> Self;
    /// 2 to a whole power from −1022 to 1023.
    fn power_of_two(self) -> Self;
    /// Exponent and significand, from 1 to 2, of a positive number that is not subnormal.
    fn split(self) -> (Self, Self);
    /// The sum of all lanes: halves added, then halves of those.
    fn total(self) -> f64;
}
