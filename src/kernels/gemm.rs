//! Rows times a matrix: under dense layers, convolutions and matrix products.

use super::total::{BLOCK, Total};

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

/// Rows that share a load of weights.
const ROWS: usize = 4;

impl Product<'_> {
    /// Computes it. Every sum runs in the order of its terms, in blocks, whatever the tile.
    #[inline(always)]
    pub fn run<T: Total>(&self, out: &mut [f32]) {
        let mut column = 0;
        if self.rows < ROWS {
            column = self.strips::<T, 32>(column, out);
        }
        column = self.strips::<T, 8>(column, out);
        column = self.strips::<T, 4>(column, out);
        self.strips::<T, 1>(column, out);
    }

    /// All strips of `C` columns that fit from `column` on; the column after them.
    #[inline(always)]
    fn strips<T: Total, const C: usize>(&self, mut column: usize, out: &mut [f32]) -> usize {
        while column + C <= self.columns {
            let mut row = 0;
            while row + ROWS <= self.rows {
                self.tile::<T, ROWS, C>(row, column, out);
                row += ROWS;
            }
            while row < self.rows {
                self.tile::<T, 1, C>(row, column, out);
                row += 1;
            }
            column += C;
        }
        column
    }

    #[inline(always)]
    fn tile<T: Total, const R: usize, const C: usize>(&self, row: usize, column: usize, out: &mut [f32]) {
        let rows: [&[f32]; R] = std::array::from_fn(|r| &self.x[(row + r) * self.x_step..][..self.terms]);
        let mut totals = [[T::default(); C]; R];
        let mut start = 0;
        while start < self.terms {
            let length = BLOCK.min(self.terms - start);
            let terms: [&[f32]; R] = rows.map(|row| &row[start..start + length]);
            let mut block = [[T::default(); C]; R];
            let lines = self.weight[start * self.weight_step + column..].chunks(self.weight_step);
            for (k, line) in lines.take(length).enumerate() {
                let Some(line) = line.first_chunk::<C>() else { break };
                for (sums, terms) in block.iter_mut().zip(&terms) {
                    let x = terms[k];
                    for (sum, &weight) in sums.iter_mut().zip(line) {
                        *sum += T::product(x, weight);
                    }
                }
            }
            for (totals, block) in totals.iter_mut().zip(&block) {
                for (total, &block) in totals.iter_mut().zip(block) {
                    *total += block;
                }
            }
            start += length;
        }
        for (r, totals) in totals.iter().enumerate() {
            let out = &mut out[(row + r) * self.out_step + column..][..C];
            for (out, total) in out.iter_mut().zip(totals) {
                *out = total.round();
            }
            if let Some(bias) = self.bias {
                for (out, bias) in out.iter_mut().zip(&bias[column..column + C]) {
                    *out += bias;
                }
            }
        }
    }
}
