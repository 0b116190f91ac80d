//! Rows times a matrix that is not packed: under matrix products, and under dense layers and convolutions of the exact
//! precision.
//!
//! Many rows share a strip of sixteen columns, of which [`BLOCK`] terms are copied together (as doubles where sums are such:
//! 16 KB, half the nearest cache). A tile is 2 × 16 doubles with AVX2 (eight of the sixteen registers for sums, four for
//! weights; a third row would spill) and with NEON, 6 × 16 with AVX-512; 6 × 16 singles. Few rows go line by line over 256
//! columns, so that weights are read as they lie.
//!
//! Order of summation: terms in their order within blocks of [`BLOCK`], each block from nought, the blocks one after another,
//! in both ways. The total is rounded to a single, then the bias is added.

use super::{
    after::{load, store},
    isa::{LANES, Vector, Work},
    sums::Sums,
};
use std::marker::PhantomData;

/// Terms of a block.
const BLOCK: usize = 128;

/// Rows that are few: copying would cost more than it saves.
const FEW: usize = 6;

/// Rows that use a copy, at most.
const ROWS: usize = 48;

/// Vectors of columns that few rows take at a time.
const VECTORS: usize = 16;

/// `out[r][c] = Σ_k x[r][k]·weight[k][c] (+ bias[c])`; rows of `x` and of `out` and lines of `weight` may lie apart.
pub struct Product<'a> {
    /// The first row of `x` starts here.
    pub x: &'a [f32],
    /// From one row of `x` to the next.
    pub x_step: usize,
    /// Terms of a sum.
    pub terms: usize,
    /// The first wanted column of the first line starts here.
    pub weight: &'a [f32],
    /// From one line of `weight` to the next.
    pub weight_step: usize,
    /// Added after the sum has been rounded.
    pub bias: Option<&'a [f32]>,
    /// Wanted rows.
    pub rows: usize,
    /// Wanted columns, at least one.
    pub columns: usize,
    /// From one row of `out` to the next.
    pub out_step: usize,
}

impl Product<'_> {
    /// Computes it.
    #[inline(always)]
    pub fn run<V: Vector, S: Sums<V>>(&self, out: &mut [f32]) {
        V::apart(Into { product: self, out, sums: PhantomData::<S> });
    }
}

/// A product, and where it goes.
struct Into<'a, S> {
    product: &'a Product<'a>,
    out: &'a mut [f32],
    sums: PhantomData<S>,
}

impl<V: Vector, S: Sums<V>> Work<V> for Into<'_, S> {
    type Answer = ();

    #[inline(always)]
    fn done(self) {
        let Into { product, out, .. } = self;
        if product.rows < FEW {
            for column in (0..product.columns).step_by(VECTORS * LANES) {
                for row in 0..product.rows {
                    product.line::<V, S>(row, column, out);
                }
            }
        } else {
            let mut copy = [S::nought(); BLOCK];
            for column in (0..product.columns).step_by(LANES) {
                for row in (0..product.rows).step_by(ROWS) {
                    product.strip::<V, S>(row, column, &mut copy, out);
                }
            }
        }
    }
}

impl Product<'_> {
    /// One row of up to 256 columns: four lines of weights at a time join the sums.
    #[inline(always)]
    fn line<V: Vector, S: Sums<V>>(&self, row: usize, column: usize, out: &mut [f32]) {
        let x = &self.x[row * self.x_step..][..self.terms];
        let width = (self.columns - column).min(VECTORS * LANES);
        let vectors = width.div_ceil(LANES);
        let mut totals = [S::nought(); VECTORS];
        for (block, x) in x.chunks(BLOCK).enumerate() {
            let mut sums = [S::nought(); VECTORS];
            let mut first = block * BLOCK * self.weight_step + column;
            let mut fours = x.chunks_exact(4);
            for x in &mut fours {
                let x = [S::splat(x[0]), S::splat(x[1]), S::splat(x[2]), S::splat(x[3])];
                for (vector, sum) in sums[..vectors].iter_mut().enumerate() {
                    let at = first + vector * LANES;
                    let lanes = LANES.min(width - vector * LANES);
                    let mut now = *sum;
                    now = now.add_products(x[0], self.weights(at, lanes));
                    now = now.add_products(x[1], self.weights(at + self.weight_step, lanes));
                    now = now.add_products(x[2], self.weights(at + 2 * self.weight_step, lanes));
                    *sum = now.add_products(x[3], self.weights(at + 3 * self.weight_step, lanes));
                }
                first += 4 * self.weight_step;
            }
            for &x in fours.remainder() {
                for (vector, sum) in sums[..vectors].iter_mut().enumerate() {
                    let lanes = LANES.min(width - vector * LANES);
                    *sum = sum.add_products(S::splat(x), self.weights(first + vector * LANES, lanes));
                }
                first += self.weight_step;
            }
            for vector in 0..vectors {
                totals[vector] = totals[vector].add(sums[vector]);
            }
        }
        for (vector, total) in totals[..vectors].iter().enumerate() {
            self.finish(*total, row, column + vector * LANES, out);
        }
    }

    /// `lanes` weights from `at` on.
    #[inline(always)]
    fn weights<V: Vector, S: Sums<V>>(&self, at: usize, lanes: usize) -> S {
        S::of(load(&self.weight[at..][..lanes]))
    }

    /// Up to [`ROWS`] rows of sixteen columns.
    #[inline(always)]
    fn strip<V: Vector, S: Sums<V>>(&self, row: usize, column: usize, copy: &mut [S; BLOCK], out: &mut [f32]) {
        let rows = (self.rows - row).min(ROWS);
        let lanes = LANES.min(self.columns - column);
        let mut totals = [S::nought(); ROWS];
        for first in (0..self.terms).step_by(BLOCK) {
            let terms = BLOCK.min(self.terms - first);
            for (term, to) in copy[..terms].iter_mut().enumerate() {
                *to = self.weights((first + term) * self.weight_step + column, lanes);
            }
            let copy = &copy[..terms];
            let mut done = 0;
            while done < rows {
                let (at, to) = ((row + done) * self.x_step + first, &mut totals[done..rows]);
                done += match to.len() {
                    6.. if S::ROWS >= 6 => self.tile::<V, S, 6>(at, copy, to),
                    2.. if S::ROWS >= 2 => self.tile::<V, S, 2>(at, copy, to),
                    _ => self.tile::<V, S, 1>(at, copy, to),
                };
            }
        }
        for (number, total) in totals[..rows].iter().enumerate() {
            self.finish(*total, row + number, column, out);
        }
    }

    /// A block of `R` rows that start at `at`, added to their totals; `R`.
    #[inline(always)]
    fn tile<V: Vector, S: Sums<V>, const R: usize>(&self, at: usize, copy: &[S], totals: &mut [S]) -> usize {
        let rows: [&[f32]; R] = std::array::from_fn(|r| &self.x[at + r * self.x_step..][..copy.len()]);
        let mut sums = [S::nought(); R];
        for (k, weight) in copy.iter().enumerate() {
            for r in 0..R {
                sums[r] = sums[r].add_products(S::splat(rows[r][k]), *weight);
            }
        }
        for r in 0..R {
            totals[r] = totals[r].add(sums[r]);
        }
        R
    }

    /// Rounds and stores the totals of sixteen columns or of those that are left.
    #[inline(always)]
    fn finish<V: Vector, S: Sums<V>>(&self, total: S, row: usize, column: usize, out: &mut [f32]) {
        let lanes = LANES.min(self.columns - column);
        let mut sum = total.rounded();
        if let Some(bias) = self.bias {
            sum = sum.add(load(&bias[column..][..lanes]));
        }
        store(sum, &mut out[row * self.out_step + column..][..lanes]);
    }
}
