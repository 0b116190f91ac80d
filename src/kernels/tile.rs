//! A tile of sums: some rows by one panel of columns, kept in registers over all its terms. Under the convolutions.
//!
//! A row is a place of an input and a list of distances, one for each term, which all rows share: no row is ever written out,
//! and stride, dilation and border cost nothing. Panels are sixteen columns wide, and eight where no more are left: with
//! AVX2 6 × 16 (twelve registers of sums, two of weights, one of the input) or 8 × 8.
//!
//! Order of summation: terms in their order within a block, each block from nought; the caller adds the blocks one after
//! another.

use super::{
    after::{After, lightly},
    isa::{LANES, Lanes, Vector, Work},
};
use std::{marker::PhantomData, mem::MaybeUninit};

/// Most rows of a tile.
const ROWS: usize = 8;

/// What all tiles of a panel share.
pub struct Panel<'a> {
    /// The distances of the terms.
    pub taps: &'a [u32],
    /// Their weights, `[terms][lanes]`.
    pub weight: &'a [f32],
    /// Terms of a block; of a panel of fewer columns than lanes all of them.
    pub block: usize,
    /// The panel's first column within a row of the output.
    pub column: usize,
    /// Columns that are stored.
    pub width: usize,
    /// Whether the sums of earlier blocks lie in the output already.
    pub goes_on: bool,
    /// Added to the sums of the last block.
    pub bias: Option<&'a [f32]>,
    /// What follows the last block, all of it light.
    pub after: &'a [After<'a>],
    /// Number of the first number of the output within the whole.
    pub at: usize,
}

/// Runs `$body` with `$row` from nought to `$rows − 1`, each time as a constant: a loop that the compiler leaves rolled would
/// move the sums to memory.
macro_rules! each {
    ($row:ident below $rows:ident $body:block) => {
        each!(@ $row $rows $body 0 1 2 3 4 5 6 7)
    };
    (@ $row:ident $rows:ident $body:block $($number:literal)*) => {{
        $({
            const $row: usize = $number;
            if $row < $rows $body
        })*
    }};
}

pub(super) use each;

impl Panel<'_> {
    /// Computes a row for each of `starts`, tile by tile, and stores each in the row of `out` that begins at its place of
    /// `outs`. `L` are all lanes of `V`, or half of them.
    ///
    /// # Safety
    /// Each start plus each distance lies within `x`.
    #[inline(always)]
    pub unsafe fn run<V: Vector, L: Lanes>(&self, x: &[f32], starts: &[usize], outs: &[usize], out: &mut [f32]) {
        V::apart(Tiles { panel: self, x, starts, outs, out, lanes: PhantomData::<L> });
    }
}

/// A panel's rows, within the input: see [`Panel::run`], which alone makes them.
struct Tiles<'a, L> {
    panel: &'a Panel<'a>,
    x: &'a [f32],
    starts: &'a [usize],
    outs: &'a [usize],
    out: &'a mut [f32],
    lanes: PhantomData<L>,
}

impl<V: Vector, L: Lanes> Work<V> for Tiles<'_, L> {
    type Answer = ();

    #[inline(always)]
    fn done(self) {
        let Tiles { panel, x, starts, outs, out, .. } = self;
        // Half a panel leaves room for two more rows.
        let most = (V::ROWS + (LANES - L::COUNT) / 4).min(ROWS);
        let (count, tiles) = (starts.len(), starts.len().div_ceil(most));
        for tile in 0..tiles {
            let (from, to) = (tile * count / tiles, (tile + 1) * count / tiles);
            // SAFETY: what the caller of `Panel::run` has promised.
            unsafe { panel.tile::<L>(most, x, &starts[from..to], &outs[from..to], out) };
        }
    }
}

impl Panel<'_> {
    /// A tile of `starts.len()` rows, at most `most`, which is a constant.
    #[inline(always)]
    unsafe fn tile<L: Lanes>(&self, most: usize, x: &[f32], starts: &[usize], outs: &[usize], out: &mut [f32]) {
        let mut sums = MaybeUninit::<[[f32; LANES]; ROWS]>::uninit();
        // SAFETY: what the caller has promised.
        let stored = unsafe {
            match starts.len() {
                8 if most >= 8 => self.sized::<L, 8>(x, starts, outs, out, &mut sums),
                7 if most >= 7 => self.sized::<L, 7>(x, starts, outs, out, &mut sums),
                6 if most >= 6 => self.sized::<L, 6>(x, starts, outs, out, &mut sums),
                5 if most >= 5 => self.sized::<L, 5>(x, starts, outs, out, &mut sums),
                4 if most >= 4 => self.sized::<L, 4>(x, starts, outs, out, &mut sums),
                3 if most >= 3 => self.sized::<L, 3>(x, starts, outs, out, &mut sums),
                2 => self.sized::<L, 2>(x, starts, outs, out, &mut sums),
                _ => self.sized::<L, 1>(x, starts, outs, out, &mut sums),
            }
        };
        if !stored {
            for (row, &at) in outs.iter().enumerate() {
                // SAFETY: as many rows as `outs` has have just been written.
                let sum = unsafe { L::read(sums.as_ptr().cast::<f32>().add(row * LANES)) };
                self.part(sum, at, out);
            }
        }
    }

    /// A tile of `R` rows. True if it has been stored; else, where the panel has fewer columns than lanes, its sums are given
    /// out.
    #[inline(always)]
    unsafe fn sized<L: Lanes, const R: usize>(
        &self,
        x: &[f32],
        starts: &[usize],
        outs: &[usize],
        out: &mut [f32],
        to: &mut MaybeUninit<[[f32; LANES]; ROWS]>,
    ) -> bool {
        let mut rows = [x.as_ptr(); R];
        for r in 0..R {
            rows[r] = x[starts[r]..].as_ptr();
        }
        let mut goes_on = self.goes_on;
        let mut sums = [L::splat(0.0); R];
        let blocks = self.taps.chunks(self.block).zip(self.weight.chunks(self.block * L::COUNT));
        let last = self.taps.len().div_ceil(self.block);
        for (number, (taps, weight)) in (1..).zip(blocks) {
            sums = [L::splat(0.0); R];
            for (&tap, line) in taps.iter().zip(weight.chunks_exact(L::COUNT)) {
                // SAFETY: a line holds as many weights as there are lanes; the caller has promised the rest.
                unsafe {
                    let weight = L::read(line.as_ptr());
                    for r in 0..R {
                        sums[r] = L::splat(*rows[r].add(tap as usize)).mul_add(weight, sums[r]);
                    }
                }
            }
            if number < last {
                if goes_on {
                    each!(ROW below R { sums[ROW] = L::load(&out[outs[ROW] + self.column..][..L::COUNT]).add(sums[ROW]) });
                }
                each!(ROW below R { sums[ROW].store(&mut out[outs[ROW] + self.column..][..L::COUNT]) });
                goes_on = true;
            }
        }
        if self.width < L::COUNT {
            // SAFETY: a row of `to` holds as many numbers as there are lanes.
            each!(ROW below R { unsafe { sums[ROW].write(to.as_mut_ptr().cast::<f32>().add(ROW * LANES)) } });
            return false;
        }
        let (column, at) = (self.column, self.at + self.column);
        if goes_on {
            each!(ROW below R { sums[ROW] = L::load(&out[outs[ROW] + column..][..L::COUNT]).add(sums[ROW]) });
        }
        if let Some(bias) = self.bias {
            let bias = L::load(&bias[column..][..L::COUNT]);
            each!(ROW below R { sums[ROW] = sums[ROW].add(bias) });
        }
        for after in self.after {
            match after {
                After::Affine(numbers) => {
                    let [mean, scale, bias] = numbers.map(|numbers| L::load(&numbers[column..][..L::COUNT]));
                    each!(ROW below R { sums[ROW] = sums[ROW].sub(mean).mul_add(scale, bias) });
                }
                After::Add(other) => {
                    each!(ROW below R { sums[ROW] = sums[ROW].add(L::load(&other[at + outs[ROW]..][..L::COUNT])) });
                }
                After::Map(_) => each!(ROW below R { sums[ROW] = L::splat(0.0).max(sums[ROW]) }),
            }
        }
        each!(ROW below R { sums[ROW].store(&mut out[outs[ROW] + column..][..L::COUNT]) });
        true
    }

    /// Stores a row of fewer columns than lanes.
    #[inline(always)]
    fn part<L: Lanes>(&self, mut sum: L, row: usize, out: &mut [f32]) {
        let out = &mut out[row + self.column..][..self.width];
        if self.goes_on {
            sum = L::load(out).add(sum);
        }
        if let Some(bias) = self.bias {
            sum = sum.add(L::load(&bias[self.column..][..self.width]));
        }
        lightly(sum, self.after, self.at + row + self.column, self.column, self.width).store(out);
    }
}
