//! Dense layers of the standard precision: rows times panels of sixteen columns, which lie `[terms][16]`.
//!
//! A tile is some rows by one panel, its sums stay in registers: 6 × 16 with AVX2 (twelve registers of sums, two of weights,
//! one of the input), 2 × 16 without. One row alone takes as many panels at a time: as many streams of weights.
//!
//! One row of a layer of one panel has no other sums to gather meanwhile: its terms go in two sums by turns, in every tile.
//!
//! Order of summation: terms in their order within blocks of equal length of at most [`BLOCK`] (in a layer of one panel those
//! of even and those of odd number by themselves, then both added), each block from nought, the blocks one after another,
//! then the bias: as other frameworks take short sums, whose answers are met to a few units in the last place. It follows
//! from the layer's sizes alone.

use super::{
    Part,
    after::{After, follow_all, load, store},
    isa::{LANES, Vector, Work},
};
use crate::Unary;

/// Most terms of a block: their panel stays in the nearest cache.
const BLOCK: usize = 256;

/// Most rows taken at a time: what a block of terms needs of them stays in the second cache.
const ROWS: usize = 264;

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
        // Two divisions take longer than a small layer.
        if self.terms <= BLOCK { self.terms } else { self.terms.div_ceil(self.terms.div_ceil(BLOCK)) }
    }

    /// Whether its terms go in two sums.
    fn is_narrow(&self) -> bool {
        self.columns <= LANES
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

/// The sum of what has been gathered by turns.
#[inline(always)]
fn both<V: Vector, const C: usize>(sums: [V; C]) -> V {
    if C == 2 { sums[0].add(sums[1]) } else { sums[0] }
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
        if self.sizes.is_narrow() {
            self.strip::<V, 1, 2>(x, first, out);
            return self.follow::<V>(first, 0, out);
        }
        let most = V::ROWS.min(TILE);
        let mut done = 0;
        while done < panels {
            let left = panels - done;
            let now = if left <= most { left } else { left.div_ceil(left.div_ceil(most)) };
            let (column, end) = (first + done * LANES, out.len().min((done + now) * LANES));
            let out = &mut out[done * LANES..end];
            match now {
                6 if V::ROWS >= 6 => self.strip::<V, 6, 1>(x, column, out),
                5 if V::ROWS >= 5 => self.strip::<V, 5, 1>(x, column, out),
                4 if V::ROWS >= 4 => self.strip::<V, 4, 1>(x, column, out),
                3 if V::ROWS >= 3 => self.strip::<V, 3, 1>(x, column, out),
                2 => self.strip::<V, 2, 1>(x, column, out),
                _ => self.strip::<V, 1, 1>(x, column, out),
            }
            done += now;
        }
        self.follow::<V>(first, 0, out);
    }

    /// One row, `P` panels, terms in `C` sums by turns.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    fn strip<V: Vector, const P: usize, const C: usize>(&self, x: &[f32], column: usize, out: &mut [f32]) {
        let mut panels: [&[[f32; LANES]]; P] = [&[]; P];
        for p in 0..P {
            panels[p] = self.panel(column + p * LANES);
        }
        let mut totals = [V::splat(0.0); P];
        let block = self.sizes.block();
        let mut start = 0;
        while start < x.len() {
            let x = &x[start..x.len().min(start + block)];
            let mut lines = panels;
            for p in 0..P {
                lines[p] = &panels[p][start..][..x.len()];
            }
            let mut sums = [[V::splat(0.0); C]; P];
            let mut k = 0;
            while k + C <= x.len() {
                for c in 0..C {
                    let x = V::splat(x[k + c]);
                    for p in 0..P {
                        sums[p][c] = x.mul_add(V::load(&lines[p][k + c]), sums[p][c]);
                    }
                }
                k += C;
            }
            if k < x.len() {
                let x = V::splat(x[k]);
                for p in 0..P {
                    sums[p][0] = x.mul_add(V::load(&lines[p][k]), sums[p][0]);
                }
            }
            for p in 0..P {
                let sum = both(sums[p]);
                totals[p] = if start == 0 { sum } else { totals[p].add(sum) };
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
                    self.block::<V>(&block, out);
                }
                start += length;
                if ends {
                    break;
                }
            }
            self.follow::<V>(0, from * columns, out);
        }
    }

    /// All rows of a block of terms, one panel.
    #[inline(always)]
    fn block<V: Vector>(&self, block: &Block<'_>, out: &mut [f32]) {
        let columns = self.sizes.columns;
        let count = out.len() / columns;
        let narrow = self.sizes.is_narrow();
        let most = V::ROWS.min(TILE);
        let tiles = count.div_ceil(if narrow { most / 2 } else { most });
        // Divisions take longer than the tiles of a small layer.
        let (fewest, more, share) = (count / tiles, count % tiles, block.next.len().div_ceil(tiles));
        let mut row = 0;
        for tile in 0..tiles {
            let rows = fewest + usize::from(tile < more);
            block.next.iter().skip(tile * share).take(share).for_each(|line| V::fetch(&line[0]));
            let (x, out) = (&block.x[row * block.x_step..], &mut out[row * columns..(row + rows) * columns]);
            match rows {
                3 if narrow && V::ROWS >= 6 => self.tile::<V, 3, 2>(block, x, out),
                2 if narrow && V::ROWS >= 4 => self.tile::<V, 2, 2>(block, x, out),
                _ if narrow => self.tile::<V, 1, 2>(block, x, out),
                6 if V::ROWS >= 6 => self.tile::<V, 6, 1>(block, x, out),
                5 if V::ROWS >= 5 => self.tile::<V, 5, 1>(block, x, out),
                4 if V::ROWS >= 4 => self.tile::<V, 4, 1>(block, x, out),
                3 if V::ROWS >= 3 => self.tile::<V, 3, 1>(block, x, out),
                2 => self.tile::<V, 2, 1>(block, x, out),
                _ => self.tile::<V, 1, 1>(block, x, out),
            }
            row += rows;
        }
    }

    /// `R` rows, one panel, terms in `C` sums by turns.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    fn tile<V: Vector, const R: usize, const C: usize>(&self, block: &Block<'_>, x: &[f32], out: &mut [f32]) {
        let (lines, columns) = (block.lines, self.sizes.columns);
        let mut rows: [&[f32]; R] = [&[]; R];
        for r in 0..R {
            rows[r] = &x[r * block.x_step..][..lines.len()];
        }
        if !block.begins {
            // Rows of many columns lie far apart, where no processor looks ahead by itself.
            for r in 0..R {
                V::fetch(&out[r * columns + block.column]);
            }
        }
        let mut cut = [[V::splat(0.0); C]; R];
        let mut k = 0;
        while k + C <= lines.len() {
            for c in 0..C {
                let line = V::load(&lines[k + c]);
                for r in 0..R {
                    cut[r][c] = V::splat(rows[r][k + c]).mul_add(line, cut[r][c]);
                }
            }
            k += C;
        }
        if k < lines.len() {
            let line = V::load(&lines[k]);
            for r in 0..R {
                cut[r][0] = V::splat(rows[r][k]).mul_add(line, cut[r][0]);
            }
        }
        let mut sums = [V::splat(0.0); R];
        for r in 0..R {
            sums[r] = both(cut[r]);
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

    /// What follows, for numbers from a column of a row on; `at` is the first within what this part began with.
    #[inline(always)]
    fn follow<V: Vector>(&self, column: usize, at: usize, out: &mut [f32]) {
        if !self.after.is_empty() {
            V::apart(Following { layer: self, column, at, out });
        }
    }
}

/// Numbers that are followed by something: see [`Layer::follow`].
struct Following<'a, 'b> {
    layer: &'a Layer<'b>,
    column: usize,
    at: usize,
    out: &'a mut [f32],
}

impl<V: Vector> Work<V> for Following<'_, '_> {
    type Answer = ();

    #[inline(always)]
    fn done(self) {
        let Following { layer, column, at, out } = self;
        follow_all::<V>(out, layer.after, layer.at + at, column, layer.sizes.columns);
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
