//! Convolutions and their transposes in the standard precision, over an input that has its border already: tiles of places by
//! panels of channels, straight from the input.
//!
//! A transposed convolution of stride `s` is `s` convolutions per axis, its phases: the places `p`, `p + s`, … of the output
//! see the same numbers of the window, one place of the input further each time. A convolution is one phase.
//!
//! Order of summation: the terms of a place in the order of its window, in blocks of equal length of at most [`BLOCK`], the
//! blocks one after another, then the bias. It follows from the layer's sizes alone.

use super::{
    Part,
    after::{After, follow, load, store},
    isa::{All, LANES, Lanes, Vector},
    rows::Rows,
    tile::Panel,
};

/// Most terms of a block: its panel stays in the nearest cache, together with the rows of a tile.
const BLOCK: usize = 320;

/// Most places taken at a time: what a panel needs of them stays in the second cache.
const PLACES: usize = 192;

/// Bytes of the input that the places taken at a time should stay below.
const NEAR: usize = 192 << 10;

/// Inputs: `x`, the phases' panels one after another, bias `[columns]` of all groups if there is one.
#[derive(Clone, Debug)]
pub struct Direct {
    /// Places of one example of the output, slowest axis first.
    pub counts: [usize; 3],
    /// Places of the output from one of a phase to the next: the strides of a transposed convolution, else ones.
    pub strides: [usize; 3],
    /// Numbers of the input from one place of a phase to the next.
    pub steps: [usize; 3],
    /// Numbers of one example of the input.
    pub each: usize,
    /// Columns of a group.
    pub columns: usize,
    /// Groups of columns.
    pub groups: usize,
    /// Numbers of the input from one group to the next.
    pub group_step: usize,
    /// The phases.
    pub phases: Vec<Phase>,
    /// Where the columns of a place lie in the output.
    pub rows: Rows,
}

/// Places that see the same numbers of the window.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The first place of the output.
    pub first: [usize; 3],
    /// Numbers of the input from where a place's row starts to each of its terms.
    pub taps: Vec<u32>,
}

/// Columns of all panels of a group: sixteen for each, eight for the last if no more are left.
pub fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LANES / 2)
}

impl Direct {
    /// Places of the phase among `from..to` of all examples: `each(place, start of its row)` until it is false; the place to
    /// go on from.
    #[inline(always)]
    fn walk(&self, phase: &Phase, from: usize, to: usize, mut each: impl FnMut(usize, usize) -> bool) -> usize {
        let [a, b, c] = self.counts;
        let within = [from / (b * c) % a, from / c % b, from % c];
        // The first place of the phase that is no earlier.
        let (mut at, mut exact, mut example) = ([0; 3], true, from / (a * b * c));
        for axis in 0..3 {
            let past = within[axis].saturating_sub(phase.first[axis]);
            at[axis] = if exact { past.div_ceil(self.strides[axis]) } else { 0 };
            exact &= within[axis] >= phase.first[axis] && past % self.strides[axis] == 0;
        }
        let place = |at: usize, axis: usize| phase.first[axis] + at * self.strides[axis];
        loop {
            if place(at[0], 0) >= a {
                (example, at) = (example + 1, [0; 3]);
            }
            if place(at[1], 1) >= b {
                at = [at[0] + 1, 0, 0];
                continue;
            }
            let line = ((example * a + place(at[0], 0)) * b + place(at[1], 1)) * c;
            let base = example * self.each + at[0] * self.steps[0] + at[1] * self.steps[1];
            let (mut column, mut start) = (place(at[2], 2), base + at[2] * self.steps[2]);
            while column < c {
                if line + column >= to {
                    return to;
                }
                if !each(line + column, start) {
                    return line + column;
                }
                (column, start) = (column + self.strides[2], start + self.steps[2]);
            }
            at = [at[0], at[1] + 1, 0];
        }
    }

    /// Places taken at a time, a multiple of a tile's rows where there is more than one tile.
    fn at_once(&self) -> usize {
        let places = self.counts.iter().product::<usize>().max(1);
        let bytes = (self.each / places).max(1) * 4;
        (NEAR / bytes).clamp(24, PLACES) / 24 * 24
    }
}

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn direct<V: Vector>(direct: &Direct, part: Part<'_>) {
    let Rows { step, start } = direct.rows;
    let (first, last) = (part.at / step, (part.at + part.out.len()) / step);
    let (mut starts, mut outs) = ([0; PLACES], [0; PLACES]);
    let at_once = direct.at_once();
    let mut weight = part.inputs[1];
    for phase in &direct.phases {
        let (now, later) = weight.split_at(phase.taps.len() * padded(direct.columns) * direct.groups);
        weight = later;
        let reach =
            phase.taps.iter().max().map_or(0, |&tap| tap as usize + 1) + (direct.groups - 1) * direct.group_step;
        let mut place = first;
        while place < last {
            let mut count = 0;
            place = direct.walk(phase, place, last, |place, from| {
                let fits = count < at_once;
                if fits {
                    (starts[count], outs[count]) = (from, (place - first) * step + start);
                    count += 1;
                }
                fits
            });
            let (starts, outs) = (&starts[..count], &outs[..count]);
            assert!(starts.iter().all(|start| start + reach <= part.inputs[0].len()), "rows within the input");
            let places = Places { direct, phase, weight: now, starts, outs };
            for group in 0..direct.groups {
                // SAFETY: just seen, for every group.
                unsafe { places.group::<V>(group, part.inputs, part.at, part.out, part.after) };
            }
        }
    }
}

/// Some places of a phase.
struct Places<'a> {
    direct: &'a Direct,
    phase: &'a Phase,
    weight: &'a [f32],
    starts: &'a [usize],
    outs: &'a [usize],
}

impl Places<'_> {
    /// All panels of a group.
    ///
    /// # Safety
    /// Every row lies within the input.
    #[inline(always)]
    unsafe fn group<V: Vector>(
        &self,
        group: usize,
        inputs: &[&[f32]],
        at: usize,
        out: &mut [f32],
        after: &[After<'_>],
    ) {
        let (columns, terms) = (self.direct.columns, self.phase.taps.len());
        let x = &inputs[0][group * self.direct.group_step..];
        let (early, late) = After::light(after);
        for first in (0..columns).step_by(LANES) {
            let left = columns - first;
            let column = group * columns + first;
            let lanes = if left > LANES / 2 { LANES } else { LANES / 2 };
            let panel = Panel {
                taps: &[],
                block: BLOCK,
                weight: &self.weight[(group * padded(columns) + first) * terms..][..lanes * terms],
                column,
                width: left.min(lanes),
                goes_on: false,
                bias: inputs.get(2).copied(),
                after: early,
                at,
            };
            // SAFETY: what the caller has promised.
            unsafe {
                if lanes == LANES {
                    self.panel::<V, All<V>>(&panel, x, out);
                } else {
                    self.panel::<V, V::Half>(&panel, x, out);
                }
            }
            for &row in if late.is_empty() { &[][..] } else { self.outs } {
                let out = &mut out[row + column..][..panel.width];
                let x = follow(load::<V>(out), late, at + row + column, column, panel.width);
                store(x, out);
            }
        }
    }

    /// All places of a panel, of which all terms are given.
    ///
    /// # Safety
    /// Every row lies within `x`.
    #[inline(always)]
    unsafe fn panel<V: Vector, L: Lanes>(&self, whole: &Panel<'_>, x: &[f32], out: &mut [f32]) {
        let taps = &self.phase.taps;
        let blocks = taps.len().div_ceil(BLOCK).max(1);
        let cut = |block: usize| block * taps.len() / blocks;
        for block in 0..blocks {
            let (from, to) = (cut(block), cut(block + 1));
            let ends = block + 1 == blocks;
            let panel = Panel {
                taps: &taps[from..to],
                weight: &whole.weight[from * L::COUNT..to * L::COUNT],
                goes_on: block > 0,
                bias: whole.bias.filter(|_| ends),
                after: if ends { whole.after } else { &[] },
                ..*whole
            };
            // SAFETY: what the caller has promised.
            unsafe { panel.run::<V, L>(x, self.starts, self.outs, out) };
        }
    }
}
