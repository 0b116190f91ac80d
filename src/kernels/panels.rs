//! Dense layers of the standard precision: rows times panels of sixteen columns, which lie `[terms][16]`.
//!
//! A tile is some rows by one panel, its sums stay in registers: 6 × 16 with AVX2 (twelve registers of sums, two of weights,
//! one of the input), 2 × 16 without. One row alone takes up to six panels at a time: as many streams of weights.
//!
//! Order of summation: terms in their order within blocks of equal length of at most [`BLOCK`], each block from nought, the
//! blocks one after another, then the bias: as other frameworks take short sums, whose answers are met to a few units in the
//! last place. It follows from the layer's sizes alone.

use super::{
    Part,
    after::{After, follow, load, store},
    isa::{LANES, Vector},
};
use crate::describe::Unary;

/// Most terms of a block: their panel stays in the nearest cache.
const BLOCK: usize = 256;

/// Most rows taken at a time: what a block of terms needs of them stays in the second cache.
const ROWS: usize = 132;

/// Most rows of a tile.
const TILE: usize = 6;

/// A dense layer. Inputs: `x`, weights in panels, bias `[columns]` if there is one.
#[derive(Clone, Debug)]
pub struct Panels {
    /// Terms of a sum.
    pub terms: usize,
    /// Columns of the output.
    pub columns: usize,
}

impl Panels {
    /// Numbers of working memory a thread uses well: rows of several blocks are copied together block by block.
    pub fn scratch(&self) -> usize {
        if self.terms > BLOCK { ROWS * self.step() } else { 0 }
    }

    /// Terms of a block.
    fn block(&self) -> usize {
        self.terms.div_ceil(self.terms.div_ceil(BLOCK).max(1))
    }

    /// From one row to the next of a block that is copied together: no power of two, for such rows push one another out of
    /// the cache.
    fn step(&self) -> usize {
        self.block().next_multiple_of(LANES) + LANES
    }
}

/// Runs it; the part may begin and end within a row, at multiples of sixteen numbers.
#[inline(always)]
pub fn panels<V: Vector>(sizes: &Panels, part: Part<'_>) {
    let (floor, after) = match part.after {
        [After::Map(Unary::Relu), rest @ ..] => (0.0, rest),
        all => (f32::NEG_INFINITY, all),
    };
    let (x, lines) = (part.inputs[0], bytemuck::cast_slice(part.inputs[1]));
    let mut layer = Layer { sizes, lines, bias: part.inputs.get(2).copied(), floor, after, at: part.at };
    // A division takes longer than a small layer.
    if part.at == 0 && part.out.len() == sizes.columns {
        return layer.row::<V>(&x[..sizes.terms], 0, part.out);
    }
    let (mut row, mut column) = (part.at / sizes.columns, part.at % sizes.columns);
    let mut rest = part.out;
    while !rest.is_empty() {
        let rows = if column > 0 { 0 } else { rest.len() / sizes.columns };
        let numbers = if rows > 0 { rows * sizes.columns } else { rest.len().min(sizes.columns - column) };
        let (out, later) = rest.split_at_mut(numbers);
        let x = &x[row * sizes.terms..][..rows.max(1) * sizes.terms];
        layer.at = row * sizes.columns + column;
        if rows > 1 {
            layer.rows::<V>(x, out, part.scratch);
        } else {
            layer.row::<V>(x, column, out);
        }
        (row, column, rest) = (row + rows.max(1), 0, later);
    }
}

/// What all tiles share.
struct Layer<'a> {
    sizes: &'a Panels,
    /// The panels.
    lines: &'a [[f32; LANES]],
    bias: Option<&'a [f32]>,
    /// Smaller sums become this.
    floor: f32,
    /// What follows then.
    after: &'a [After<'a>],
    /// Number of the first number of `out` within the whole output.
    at: usize,
}

impl<'a> Layer<'a> {
    /// The panel that begins with a column.
    #[inline(always)]
    fn panel(&self, column: usize) -> &'a [[f32; LANES]] {
        &self.lines[column / LANES * self.sizes.terms..][..self.sizes.terms]
    }

    /// The bias of sixteen columns or fewer; adding −0 changes nothing.
    #[inline(always)]
    fn bias<V: Vector>(&self, column: usize, width: usize) -> V {
        match self.bias {
            Some(bias) => load(&bias[column..][..width]),
            None => V::splat(-0.0),
        }
    }

    /// One row, from a column on.
    #[inline(always)]
    fn row<V: Vector>(&self, x: &[f32], first: usize, out: &mut [f32]) {
        let panels = out.len().div_ceil(LANES);
        let mut done = 0;
        while done < panels {
            let strips = (panels - done).div_ceil(TILE);
            let now = (panels - done).div_ceil(strips);
            let (column, end) = (first + done * LANES, out.len().min((done + now) * LANES));
            let out = &mut out[done * LANES..end];
            match now {
                6 => self.strip::<V, 6>(x, column, out),
                5 => self.strip::<V, 5>(x, column, out),
                4 => self.strip::<V, 4>(x, column, out),
                3 => self.strip::<V, 3>(x, column, out),
                2 => self.strip::<V, 2>(x, column, out),
                _ => self.strip::<V, 1>(x, column, out),
            }
            done += now;
        }
        self.follow::<V>(first, 0, out);
    }

    /// One row, `P` panels.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    fn strip<V: Vector, const P: usize>(&self, x: &[f32], column: usize, out: &mut [f32]) {
        let panels: [&[[f32; LANES]]; P] = std::array::from_fn(|p| self.panel(column + p * LANES));
        let mut totals = [V::splat(0.0); P];
        let block = self.sizes.block();
        let mut start = 0;
        while start < x.len() {
            let x = &x[start..x.len().min(start + block)];
            let lines: [&[[f32; LANES]]; P] = std::array::from_fn(|p| &panels[p][start..][..x.len()]);
            let mut sums = [V::splat(0.0); P];
            for k in 0..x.len() {
                let x = V::splat(x[k]);
                for p in 0..P {
                    sums[p] = x.mul_add(V::load(&lines[p][k]), sums[p]);
                }
            }
            for p in 0..P {
                totals[p] = if start == 0 { sums[p] } else { totals[p].add(sums[p]) };
            }
            start += x.len();
        }
        let floor = V::splat(self.floor);
        for p in 0..P {
            let width = LANES.min(out.len() - p * LANES);
            let sum = floor.max(totals[p].add(self.bias(column + p * LANES, width)));
            store(sum, &mut out[p * LANES..][..width]);
        }
    }

    /// Whole rows, more than one.
    #[inline(always)]
    fn rows<V: Vector>(&self, x: &[f32], out: &mut [f32], scratch: &mut [f32]) {
        let (terms, columns, block) = (self.sizes.terms, self.sizes.columns, self.sizes.block());
        let count = out.len() / columns;
        let chunks = count.div_ceil(ROWS);
        for chunk in 0..chunks {
            let (from, to) = (chunk * count / chunks, (chunk + 1) * count / chunks);
            let (x, out) = (&x[from * terms..to * terms], &mut out[from * columns..to * columns]);
            let step = self.sizes.step();
            let copies = block < terms && scratch.len() >= (to - from) * step;
            let mut start = 0;
            loop {
                let length = block.min(terms - start);
                let (x, x_step): (&[f32], usize) = if copies {
                    for (to, from) in scratch.chunks_exact_mut(step).zip(x.chunks_exact(terms)) {
                        to[..length].copy_from_slice(&from[start..start + length]);
                    }
                    (scratch, step)
                } else {
                    (&x[start..], terms)
                };
                let ends = start + length == terms;
                for column in (0..columns).step_by(LANES) {
                    let lines = &self.panel(column)[start..start + length];
                    let next = match column + LANES < columns {
                        true => &self.panel(column + LANES)[start..start + length],
                        false => &[],
                    };
                    let block = Block { x, x_step, lines, next, column, begins: start == 0, ends };
                    self.block::<V>(&block, from, out);
                }
                start += length;
                if ends {
                    break;
                }
            }
        }
    }

    /// All rows of a block of terms, one panel.
    #[inline(always)]
    fn block<V: Vector>(&self, block: &Block<'_>, first: usize, out: &mut [f32]) {
        let columns = self.sizes.columns;
        let count = out.len() / columns;
        let tiles = count.div_ceil(V::ROWS.min(TILE));
        let mut row = 0;
        for tile in 0..tiles {
            let rows = (count - row) / (tiles - tile);
            let share = block.next.len().div_ceil(tiles);
            block.next.iter().skip(tile * share).take(share).for_each(V::fetch);
            let (x, out) = (&block.x[row * block.x_step..], &mut out[row * columns..(row + rows) * columns]);
            match rows {
                6 if V::ROWS >= 6 => self.tile::<V, 6>(block, x, out),
                5 if V::ROWS >= 5 => self.tile::<V, 5>(block, x, out),
                4 if V::ROWS >= 4 => self.tile::<V, 4>(block, x, out),
                3 if V::ROWS >= 3 => self.tile::<V, 3>(block, x, out),
                2 => self.tile::<V, 2>(block, x, out),
                _ => self.tile::<V, 1>(block, x, out),
            }
            if block.ends && !self.after.is_empty() {
                for (number, out) in out.chunks_exact_mut(columns).enumerate() {
                    let width = LANES.min(columns - block.column);
                    let at = (first + row + number) * columns + block.column;
                    self.follow::<V>(block.column, at, &mut out[block.column..][..width]);
                }
            }
            row += rows;
        }
    }

    /// `R` rows, one panel.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    fn tile<V: Vector, const R: usize>(&self, block: &Block<'_>, x: &[f32], out: &mut [f32]) {
        let (lines, columns) = (block.lines, self.sizes.columns);
        let rows: [&[f32]; R] = std::array::from_fn(|r| &x[r * block.x_step..][..lines.len()]);
        let mut sums = [V::splat(0.0); R];
        for k in 0..lines.len() {
            let line = V::load(&lines[k]);
            for r in 0..R {
                sums[r] = V::splat(rows[r][k]).mul_add(line, sums[r]);
            }
        }
        let width = LANES.min(columns - block.column);
        let (bias, floor) = match block.ends {
            true => (self.bias(block.column, width), V::splat(self.floor)),
            false => (V::splat(-0.0), V::splat(f32::NEG_INFINITY)),
        };
        if width < LANES {
            let mut stored = [[0.0; LANES]; R];
            for r in 0..R {
                sums[r].store(&mut stored[r]);
            }
            for (sum, out) in stored.iter().zip(out.chunks_exact_mut(columns)) {
                let out = &mut out[block.column..];
                let before = if block.begins { V::splat(-0.0) } else { load(out) };
                store(floor.max(before.add(V::load(sum)).add(bias)), out);
            }
            return;
        }
        let out = &mut out[block.column..];
        for r in 0..R {
            let Some(out) = out.get_mut(r * columns..).and_then(|out| out.first_chunk_mut()) else { return };
            let before = if block.begins { V::splat(-0.0) } else { V::load(out) };
            floor.max(before.add(sums[r]).add(bias)).store(out);
        }
    }

    /// What follows, for numbers of one row from a column on; `at` is the first within what this part began with.
    #[inline(always)]
    fn follow<V: Vector>(&self, column: usize, at: usize, out: &mut [f32]) {
        if self.after.is_empty() {
            return;
        }
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let skipped = strip * LANES;
            let x = follow(load::<V>(out), self.after, self.at + at + skipped, column + skipped, out.len());
            store(x, out);
        }
    }
}

/// A block of terms of some rows, and one panel of it.
struct Block<'a> {
    /// The first row's terms begin here.
    x: &'a [f32],
    /// From one row to the next.
    x_step: usize,
    lines: &'a [[f32; LANES]],
    /// The lines of the panel after it, which are fetched meanwhile.
    next: &'a [[f32; LANES]],
    /// Column of the panel.
    column: usize,
    /// Whether it is the first block, and the last.
    begins: bool,
    ends: bool,
}
