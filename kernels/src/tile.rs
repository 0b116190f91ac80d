//! A tile of sums: some rows by one panel of columns, kept in registers over all its terms. Under the convolutions.
//!
//! A row is a place of an input and a list of distances, one for each term, which all rows share: no row is ever written out,
//! and stride, dilation and border cost nothing. Panels are sixteen columns wide, and eight where no more are left: with
//! AVX2 6 × 16 (twelve registers of sums, two of weights, one of the input) or 8 × 8.
//!
//! Order of summation: terms in their order within a block, each block from nought, the blocks one after another.

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
        let end = panel.column + panel.width;
        assert!(outs.iter().all(|at| at + end <= out.len()), "rows within the output");
        assert!(panel.weight.len() == panel.taps.len() * L::COUNT, "a line of weights for each term");
        assert!(panel.width == L::COUNT || panel.taps.len() <= panel.block, "one block of a panel with fewer columns");
        for tile in 0..tiles {
            let (from, to) = (tile * count / tiles, (tile + 1) * count / tiles);
            // SAFETY: what the caller of `Panel::run` has promised, and just seen of the rows of the output.
            unsafe { panel.tile::<L>(most, x, &starts[from..to], &outs[from..to], out) };
        }
    }
}

impl Panel<'_> {
    /// A tile of `starts.len()` rows, at most `most`, which is a constant.
    ///
    /// # Safety
    /// As [`Panel::run`]; and all columns of each of `outs` lie within `out`.
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
    ///
    /// # Safety
    /// As [`Panel::tile`].
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
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
            rows[r] = x.as_ptr().wrapping_add(starts[r]);
        }
        let column = self.column;
        let mut ends = [out.as_mut_ptr(); R];
        for r in 0..R {
            ends[r] = out.as_mut_ptr().wrapping_add(outs[r] + column);
        }
        let mut goes_on = self.goes_on;
        let mut sums = [L::splat(0.0); R];
        let (mut tap, mut weight, mut left) = (self.taps.as_ptr(), self.weight.as_ptr(), self.taps.len());
        loop {
            let count = left.min(self.block);
            // SAFETY: there are as many lines of weights as terms; the caller has promised the rest.
            unsafe {
                for _ in 0..count {
                    let (line, at) = (L::read(weight), *tap as usize);
                    for r in 0..R {
                        sums[r] = L::splat(*rows[r].add(at)).mul_add(line, sums[r]);
                    }
                    (tap, weight) = (tap.add(1), weight.add(L::COUNT));
                }
            }
            left -= count;
            if left == 0 {
                break;
            }
            // SAFETY: what the caller has promised of the rows of the output; panels of several blocks have all lanes.
            unsafe {
                if goes_on {
                    each!(ROW below R { sums[ROW] = L::read(ends[ROW]).add(sums[ROW]) });
                }
                each!(ROW below R { sums[ROW].write(ends[ROW]) });
            }
            (goes_on, sums) = (true, [L::splat(0.0); R]);
        }
        if self.width < L::COUNT {
            // SAFETY: a row of `to` holds as many numbers as there are lanes.
            each!(ROW below R { unsafe { sums[ROW].write(to.as_mut_ptr().cast::<f32>().add(ROW * LANES)) } });
            return false;
        }
        let at = self.at + column;
        if goes_on {
            // SAFETY: as above.
            each!(ROW below R { sums[ROW] = unsafe { L::read(ends[ROW]) }.add(sums[ROW]) });
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
        // SAFETY: as above.
        each!(ROW below R { unsafe { sums[ROW].write(ends[ROW]) } });
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
