//! Sixteen sums side by side, in singles for the standard precision, in doubles for the exact one.
//!
//! A kernel that is written over [`Sums`] serves both. Terms are gathered in blocks, the blocks then one after another: a
//! long sum of singles stays accurate, and its order follows from its length alone.

use super::{
    after::load,
    isa::{LANES, Vector, Wide},
};

/// Terms that a [`Gathered`] takes before they join the total.
pub const BLOCK: usize = 64;

/// Sixteen sums.
pub trait Sums<V: Vector>: Copy {
    /// Whether every operation is rounded to a single where the exact precision says so.
    const EXACT: bool;
    /// Rows of a tile whose sums stay in registers.
    const ROWS: usize;

    /// Nothing yet; also the terms of singles as they are added.
    fn of(terms: V) -> Self;
    /// Lane by lane.
    fn add(self, other: Self) -> Self;
    /// The same number in every lane.
    fn splat(x: f32) -> Self;
    /// Products of numbers that are singles added; sums of singles are rounded as the instruction set multiplies and adds.
    fn add_products(self, a: Self, b: Self) -> Self;
    /// `e^x`.
    fn exp(x: V) -> Self;
    /// The sum of all lanes in every lane: halves added, then halves of those.
    fn joined(self) -> Self;
    /// `factor` by the sums, rounded to singles once.
    fn shares(factor: Self, sums: Self) -> V;
    /// `x` less the logarithms of the sums, rounded to singles once.
    fn less_log(x: V, sums: Self) -> V;
    /// The sums, rounded to singles.
    fn rounded(self) -> V;

    /// Nothing yet.
    #[inline(always)]
    fn nought() -> Self {
        Self::of(V::splat(0.0))
    }
}

/// Sums of singles.
#[derive(Clone, Copy)]
pub struct Singles<V>(V);

/// Sums of doubles.
#[derive(Clone, Copy)]
pub struct Doubles<V: Vector>(V::Wide);

impl<V: Vector> Sums<V> for Singles<V> {
    const EXACT: bool = false;
    const ROWS: usize = V::ROWS;

    #[inline(always)]
    fn of(terms: V) -> Self {
        Singles(terms)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Singles(self.0.add(other.0))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Singles(V::splat(x))
    }
    #[inline(always)]
    fn add_products(self, a: Self, b: Self) -> Self {
        Singles(a.0.mul_add(b.0, self.0))
    }
    #[inline(always)]
    fn exp(x: V) -> Self {
        Singles(super::function::exp(x))
    }
    #[inline(always)]
    fn joined(self) -> Self {
        Singles(V::splat(self.0.total()))
    }
    #[inline(always)]
    fn shares(factor: Self, sums: Self) -> V {
        factor.0.div(sums.0)
    }
    #[inline(always)]
    fn less_log(x: V, sums: Self) -> V {
        x.sub(super::function::log(sums.0))
    }
    #[inline(always)]
    fn rounded(self) -> V {
        self.0
    }
}

impl<V: Vector> Sums<V> for Doubles<V> {
    const EXACT: bool = true;
    const ROWS: usize = V::WIDE_ROWS;

    #[inline(always)]
    fn of(terms: V) -> Self {
        Doubles(V::Wide::of(terms))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Doubles(self.0.add(other.0))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Doubles(V::Wide::splat(f64::from(x)))
    }
    #[inline(always)]
    fn add_products(self, a: Self, b: Self) -> Self {
        Doubles(a.0.mul_add(b.0, self.0))
    }
    #[inline(always)]
    fn exp(x: V) -> Self {
        Doubles(super::function::exp_in_doubles(V::Wide::of(x)))
    }
    #[inline(always)]
    fn joined(self) -> Self {
        Doubles(V::Wide::splat(self.0.total()))
    }
    #[inline(always)]
    fn shares(factor: Self, sums: Self) -> V {
        factor.0.div(sums.0).rounded()
    }
    #[inline(always)]
    fn less_log(x: V, sums: Self) -> V {
        V::Wide::of(x).sub(super::function::log_in_doubles(sums.0)).rounded()
    }
    #[inline(always)]
    fn rounded(self) -> V {
        self.0.rounded()
    }
}

/// Sums that take terms in blocks of [`BLOCK`], the blocks then one after another.
#[derive(Clone, Copy)]
pub struct Gathered<S> {
    total: S,
    block: S,
    count: usize,
}

impl<S: Copy> Gathered<S> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new<V: Vector>() -> Gathered<S>
    where
        S: Sums<V>,
    {
        Gathered { total: S::nought(), block: S::nought(), count: 0 }
    }

    /// A term for each lane.
    #[inline(always)]
    pub fn add<V: Vector>(&mut self, terms: S)
    where
        S: Sums<V>,
    {
        self.block = self.block.add(terms);
        self.count();
    }

    /// A product for each lane.
    #[inline(always)]
    pub fn add_each<V: Vector>(&mut self, a: V, b: V)
    where
        S: Sums<V>,
    {
        self.block = self.block.add_products(S::of(a), S::of(b));
        self.count();
    }

    #[inline(always)]
    fn count<V: Vector>(&mut self)
    where
        S: Sums<V>,
    {
        self.count += 1;
        if self.count == BLOCK {
            (self.total, self.block, self.count) = (self.total.add(self.block), S::nought(), 0);
        }
    }

    /// The sums.
    #[inline(always)]
    pub fn all<V: Vector>(self) -> S
    where
        S: Sums<V>,
    {
        self.total.add(self.block)
    }
}

/// The number of each lane.
static NUMBERS: [f32; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];

/// Sixteen numbers or fewer, `fill` where there are none.
#[inline(always)]
pub fn filled<V: Vector>(x: &[f32], fill: f32) -> V {
    if x.len() == LANES {
        return load(x);
    }
    V::load(&NUMBERS).less(V::splat(x.len() as f32), load(x), V::splat(fill))
}
