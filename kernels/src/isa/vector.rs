//! Sixteen singles side by side: the one shape all kernels of the standard precision are written for.
//!
//! Every instruction set does the same operations on the same sixteen lanes, so that an answer's bits depend on it only
//! where it fuses a multiplication with an addition (AVX2 does, `portable` does not).

use super::{Run, Wide, lanes::Lanes};
use crate::{Unary, entry::Entry};

/// Lanes of a `Vector`.
pub const LANES: usize = 16;

/// Sixteen singles. All methods are inlined into a function that is compiled for the instruction set.
pub trait Vector: Copy {
    /// Rows of a tile whose sums stay in registers.
    const ROWS: usize;
    /// The same where sums are doubles.
    const WIDE_ROWS: usize;
    /// The doubles of the same instruction set.
    type Wide: Wide<Singles = Self>;
    /// Half of it, eight singles.
    type Half: Lanes;

    /// Asks for the line of memory of a number that will be wanted soon, to the second cache; nothing where there is no such
    /// instruction.
    fn fetch(_: &f32) {}
    /// The same number in every lane.
    fn splat(x: f32) -> Self;
    /// Sixteen numbers.
    fn load(from: &[f32; LANES]) -> Self;
    /// At most sixteen numbers, then noughts.
    fn load_part(from: &[f32]) -> Self;
    /// All lanes.
    fn store(self, to: &mut [f32; LANES]);
    /// As many lanes as `to` takes.
    fn store_part(self, to: &mut [f32]);
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
    /// The root of each lane.
    fn sqrt(self) -> Self;
    /// `self` where it is greater than `other`, else `other`: a NaN in `other` passes.
    fn max(self, other: Self) -> Self;
    /// `self` where it is less than `other`, else `other`: a NaN in `other` passes.
    fn min(self, other: Self) -> Self;
    /// The larger, `self` where they are equal; NaN counts as largest.
    fn largest(self, other: Self) -> Self;
    /// `then` where `self < other`, else `or`.
    fn less(self, other: Self, then: Self, or: Self) -> Self;
    /// The sign taken away.
    fn abs(self) -> Self;
    /// The sign of `other` put on `self`, which has none.
    fn with_sign(self, other: Self) -> Self;
    /// The nearest whole number, even ones from the middle; of numbers below 2²² in size.
    fn round(self) -> Self;
    /// 2 to a whole power from −126 to 127.
    fn power_of_two(self) -> Self;
    /// Exponent and significand, from 1 to 2, of a positive number that is not subnormal.
    fn split(self) -> (Self, Self);
    /// The first twelve binary places of each lane, the others noughts: what their square takes all places of.
    fn cut(self) -> Self;
    /// The sum of all lanes: halves added, then of the eight left neighbours, then neighbours of those.
    fn total(self) -> f32;
    /// The same of eight vectors, with the same bits.
    #[inline(always)]
    fn totals(all: [Self; 8]) -> [f32; 8] {
        let mut totals = [0.0; 8];
        for (to, vector) in totals.iter_mut().zip(&all) {
            *to = vector.total();
        }
        totals
    }
    /// A function of the standard precision of all these lanes, which is compiled once for the instruction set and called.
    fn map_lines(function: Unary, lines: &mut [[f32; LANES]]);
    /// The same of all these numbers.
    #[inline(always)]
    fn map(function: Unary, numbers: &mut [f32]) {
        let (lines, rest) = numbers.as_chunks_mut();
        if !lines.is_empty() {
            Self::map_lines(function, lines);
        }
        if !rest.is_empty() {
            crate::after::store(crate::after::load::<Self>(rest).function(function), rest);
        }
    }
    /// The same of each lane.
    #[inline(always)]
    fn function(self, function: Unary) -> Self {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes);
        Self::map_lines(function, std::slice::from_mut(&mut lanes));
        Self::load(&lanes)
    }
    /// The function of a kernel.
    fn entry<E: Entry<Self>>() -> Run;
    /// Does a piece of work by a call of it.
    fn apart<W: Work<Self>>(work: W) -> W::Answer;
}

/// A piece of work that is compiled by itself for an instruction set, not inlined where it is done. It holds no vectors: they
/// would pass through memory.
pub trait Work<V> {
    /// What comes of it; no vectors either.
    type Answer;

    /// Does it; to be inlined.
    fn done(self) -> Self::Answer;
}
