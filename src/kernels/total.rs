//! The type a sum is gathered in, and the one order in which every sum is taken.
//!
//! Singles for the standard precision, doubles for the exact one. Terms are gathered in blocks of [`BLOCK`], the blocks
//! then one after another: a long sum of singles stays accurate, and its order follows from its length alone.

use std::ops::AddAssign;

/// Terms gathered before they join the total.
pub const BLOCK: usize = 64;

/// A number that sums are gathered in.
pub trait Total: Copy + Default + AddAssign + Send + Sync + 'static {
    /// Whether every operation is rounded to a single where the exact precision says so.
    const EXACT: bool;
    /// A term.
    fn of(term: f32) -> Self;
    /// The term `a·b`.
    fn product(a: f32, b: f32) -> Self;
    /// The sum, rounded to a single.
    fn round(self) -> f32;
    /// The natural logarithm of the sum, not rounded further than the type asks.
    fn ln(self) -> f64;
    /// `e^x` in this type's precision, for sums of exponentials.
    fn exp(x: f32) -> Self;
}

impl Total for f32 {
    const EXACT: bool = false;
    fn of(term: f32) -> f32 {
        term
    }
    fn product(a: f32, b: f32) -> f32 {
        a * b
    }
    fn round(self) -> f32 {
        self
    }
    fn ln(self) -> f64 {
        f64::from(self).ln()
    }
    fn exp(x: f32) -> f32 {
        x.exp()
    }
}

impl Total for f64 {
    const EXACT: bool = true;
    fn of(term: f32) -> f64 {
        f64::from(term)
    }
    fn product(a: f32, b: f32) -> f64 {
        f64::from(a) * f64::from(b)
    }
    fn round(self) -> f32 {
        self as f32
    }
    fn ln(self) -> f64 {
        f64::ln(self)
    }
    fn exp(x: f32) -> f64 {
        f64::from(x).exp()
    }
}

/// The sum of `term(x)` over a row.
#[inline(always)]
pub fn sum<T: Total>(row: &[f32], term: impl Fn(f32) -> T + Copy) -> T {
    let mut total = T::default();
    for block in row.chunks(BLOCK) {
        let mut lanes = [T::default(); 8];
        let mut eights = block.chunks_exact(8);
        for eight in &mut eights {
            add(&mut lanes, eight, term);
        }
        add(&mut lanes, eights.remainder(), term);
        for lane in lanes {
            total += lane;
        }
    }
    total
}

#[inline(always)]
fn add<T: Total>(lanes: &mut [T; 8], numbers: &[f32], term: impl Fn(f32) -> T) {
    for (lane, &x) in lanes.iter_mut().zip(numbers) {
        *lane += term(x);
    }
}

/// Adds terms one at a time in blocks of [`BLOCK`], for sums whose terms do not lie in a row.
#[derive(Clone, Copy)]
pub struct Lanes<T, const N: usize> {
    totals: [T; N],
    block: [T; N],
    count: usize,
}

impl<T: Total, const N: usize> Lanes<T, N> {
    /// Nothing yet.
    pub fn new() -> Lanes<T, N> {
        Lanes { totals: [T::default(); N], block: [T::default(); N], count: 0 }
    }

    /// Adds a term to each lane; fewer terms than lanes leave the last lanes as they are.
    #[inline(always)]
    pub fn add(&mut self, terms: impl Iterator<Item = T>) {
        for (sum, term) in self.block.iter_mut().zip(terms) {
            *sum += term;
        }
        self.count += 1;
        if self.count == BLOCK {
            self.flush();
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for (total, block) in self.totals.iter_mut().zip(&mut self.block) {
            *total += std::mem::take(block);
        }
        self.count = 0;
    }

    /// The sums.
    #[inline(always)]
    pub fn finish(mut self) -> [T; N] {
        self.flush();
        self.totals
    }
}
