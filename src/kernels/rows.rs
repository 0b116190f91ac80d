//! Rows times packed weights: under convolutions of the standard precision.
//!
//! Weights lie in panels of sixteen columns, `[terms][16]`. A tile is some rows by one panel, its sums stay in
//! registers: 6 × 16 with AVX2, 2 × 16 without; one row alone takes up to six panels.
//!
//! Order of summation: terms in their order within blocks of at most [`BLOCK`], each block from nought, the blocks one after
//! another, then the bias. It follows from the layer's sizes alone.

use super::{
    Part,
    after::{follow, load, store},
    isa::{LANES, Vector},
};

/// Most terms of a block: their panel stays in the nearest cache.
pub const BLOCK: usize = 256;

/// Rows taken at a time: what a block of terms needs of them stays in the second cache.
const ROWS: usize = 120;

/// From one row to the next of a block that is copied together: no power of two, for such rows push one another out of the
/// cache.
const STEP: usize = BLOCK + LANES;

/// Working memory for rows of several blocks: a block of them is copied together where each is one stretch.
pub fn scratch(stretches: &[Stretch]) -> usize {
    let whole = stretches.iter().all(|stretch| stretch.ends);
    if whole && stretches.len() > 1 { ROWS * STEP } else { 0 }
}

/// Rows that are few: their starts are soon laid out.
const FEW: usize = 8;

/// Most rows times panels of a tile.
const TILE: usize = 6;

/// A stretch of a row.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Numbers from the start of the row.
    pub offset: usize,
    /// Terms.
    pub count: usize,
    /// Whether a block ends with it.
    pub ends: bool,
}

/// Cuts the stretches `(offset, count)` of a row to blocks.
pub fn stretches(of: impl IntoIterator<Item = (usize, usize)>) -> Vec<Stretch> {
    let mut made: Vec<Stretch> = Vec::new();
    let mut block = 0;
    for (mut offset, mut count) in of {
        while count > 0 {
            if block == BLOCK {
                made.last_mut().into_iter().for_each(|last| last.ends = true);
                block = 0;
            }
            let now = count.min(BLOCK - block);
            match made.last_mut() {
                Some(last) if block > 0 && last.offset + last.count == offset => last.count += now,
                _ => made.push(Stretch { offset, count: now, ends: false }),
            }
            (offset, count, block) = (offset + now, count - now, block + now);
        }
    }
    made.last_mut().into_iter().for_each(|last| last.ends = true);
    made
}

/// Rows of `x` times weights.
pub struct Rows<'a> {
    /// The stretches of a row.
    pub stretches: &'a [Stretch],
    /// Terms of a sum.
    pub terms: usize,
    /// The panels.
    pub weight: &'a [f32],
    /// Added to the sums.
    pub bias: Option<&'a [f32]>,
    /// From one row of the output to the next.
    pub out_step: usize,
    /// Column of the output that the first panel begins with.
    pub out_column: usize,
    /// From the beginning of a row of `part.out` to the first wanted column.
    pub skip: usize,
    /// The first wanted column of the panels, a multiple of sixteen.
    pub first: usize,
    /// The wanted columns.
    pub count: usize,
}

/// What a tile's sums are taken of.
struct Tile<'a> {
    x: &'a [f32],
    starts: &'a [usize],
    stretches: &'a [Stretch],
    lines: &'a [[f32; LANES]],
    terms: usize,
    line: usize,
    panels: usize,
}

/// Panels of the next tiles.
fn panels(rows: usize, left: usize) -> usize {
    match (rows, left) {
        (1, 6..) => 6,
        (1, 4..) => 4,
        (1, 2..) => 2,
        _ => 1,
    }
}

impl Rows<'_> {
    /// Computes `rows` rows into `part.out`; each starts at the next `start()` of the first input.
    #[inline(always)]
    pub fn run<V: Vector>(&self, rows: usize, mut start: impl FnMut() -> usize, part: &mut Part<'_>) {
        let lines: &[[f32; LANES]] = bytemuck::cast_slice(self.weight);
        let (first, last) = (self.first / LANES, (self.first + self.count).div_ceil(LANES));
        let blocks_of_rows = if rows <= ROWS { 1 } else { rows.div_ceil(ROWS) };
        let (mut few, mut many);
        let starts: &mut [usize] = if rows <= FEW {
            few = [0; FEW];
            &mut few
        } else {
            many = [0; ROWS];
            &mut many
        };
        let mut sums = [[0.0; LANES]; TILE];
        let copied = std::mem::take(&mut part.scratch);
        let mut row = 0;
        for block_of_rows in 0..blocks_of_rows {
            let now = if blocks_of_rows == 1 { rows } else { (rows - row) / (blocks_of_rows - block_of_rows) };
            starts[..now].iter_mut().for_each(|to| *to = start());
            let (mut stretch, mut line) = (0, 0);
            loop {
                let rest = &self.stretches[stretch..];
                let length = rest.iter().position(|stretch| stretch.ends).map_or(0, |at| at + 1);
                let block = &rest[..length];
                let ends = stretch + length == self.stretches.len();
                let copies = now > FEW && length == 1 && copied.len() >= now * STEP;
                let together = block.first().map(|one| [Stretch { offset: 0, ..*one }]);
                let (block, x) = match (&together, block) {
                    (Some(together), [one]) if copies => {
                        for (start, to) in starts[..now].iter().zip(copied.chunks_exact_mut(STEP)) {
                            to[..one.count].copy_from_slice(&part.inputs[0][start + one.offset..][..one.count]);
                        }
                        (&together[..], &*copied)
                    }
                    _ => (block, part.inputs[0]),
                };
                let mut panel = first;
                while panel < last {
                    let panels = panels(now, last - panel);
                    let mut done = 0;
                    let groups = now.div_ceil(V::ROWS);
                    for group in 0..groups {
                        let rows = if groups == now { 1 } else { (now - done) / (groups - group) };
                        let mut at = [0; FEW];
                        for (number, at) in at[..rows].iter_mut().enumerate() {
                            *at = if copies { (done + number) * STEP } else { starts[done + number] };
                        }
                        let tile = Tile {
                            x,
                            starts: &at[..rows],
                            stretches: block,
                            lines: lines.get(panel * self.terms..).unwrap_or_default(),
                            terms: self.terms,
                            line,
                            panels,
                        };
                        tile.blocks::<V>(&mut sums);
                        self.finish::<V>(&sums, [row + done, rows], [panel, panels], [stretch == 0, ends], part);
                        done += rows;
                    }
                    panel += panels;
                }
                line += block.iter().map(|stretch| stretch.count).sum::<usize>();
                stretch += length;
                if ends {
                    break;
                }
            }
            row += now;
        }
    }

    /// Joins a tile's sums with those of earlier blocks; after the last block come the bias and what follows.
    #[inline(always)]
    fn finish<V: Vector>(
        &self,
        sums: &[[f32; LANES]; TILE],
        [row, rows]: [usize; 2],
        [panel, panels]: [usize; 2],
        [begins, ends]: [bool; 2],
        part: &mut Part<'_>,
    ) {
        for (number, sums) in sums[..rows * panels].chunks_exact(panels).enumerate() {
            for (panel, sums) in (panel..).zip(sums) {
                let column = panel * LANES;
                let width = LANES.min(self.first + self.count - column);
                let at = (row + number) * self.out_step + self.skip + column - self.first;
                let out = &mut part.out[at..][..width];
                let mut sum = V::load(sums);
                if !begins {
                    sum = load::<V>(out).add(sum);
                }
                if ends {
                    let column = self.out_column + column;
                    if let Some(bias) = self.bias {
                        sum = sum.add(load(&bias[column..][..width]));
                    }
                    sum = follow(sum, part.after, part.at + at, column, width);
                }
                store(sum, out);
            }
        }
    }
}

#[expect(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
impl Tile<'_> {
    /// Block by block: the tile of the right size.
    #[inline(always)]
    fn blocks<V: Vector>(&self, sums: &mut [[f32; LANES]; TILE]) {
        match (self.starts.len(), self.panels) {
            (6, _) if V::ROWS >= 6 => self.sized::<V, 6, 1>(sums),
            (5, _) if V::ROWS >= 6 => self.sized::<V, 5, 1>(sums),
            (4, _) if V::ROWS >= 6 => self.sized::<V, 4, 1>(sums),
            (3, _) if V::ROWS >= 6 => self.sized::<V, 3, 1>(sums),
            (2, _) => self.sized::<V, 2, 1>(sums),
            (_, 6) => self.sized::<V, 1, 6>(sums),
            (_, 4) => self.sized::<V, 1, 4>(sums),
            (_, 2) => self.sized::<V, 1, 2>(sums),
            _ => self.sized::<V, 1, 1>(sums),
        }
    }

    #[inline(always)]
    fn sized<V: Vector, const R: usize, const P: usize>(&self, to: &mut [[f32; LANES]; TILE]) {
        let mut sums = [[V::splat(0.0); P]; R];
        let mut line = self.line;
        for stretch in self.stretches {
            let count = stretch.count;
            let mut rows = [&[][..]; R];
            for r in 0..R {
                rows[r] = &self.x[self.starts[r] + stretch.offset..][..count];
            }
            let mut panels = [&[][..]; P];
            for p in 0..P {
                panels[p] = &self.lines[p * self.terms + line..][..count];
            }
            for k in 0..count {
                let mut weights = [V::splat(0.0); P];
                for p in 0..P {
                    weights[p] = V::load(&panels[p][k]);
                }
                for r in 0..R {
                    let x = V::splat(rows[r][k]);
                    for p in 0..P {
                        sums[r][p] = x.mul_add(weights[p], sums[r][p]);
                    }
                }
            }
            line += count;
        }
        for r in 0..R {
            for p in 0..P {
                sums[r][p].store(&mut to[r * P + p]);
            }
        }
    }
}
