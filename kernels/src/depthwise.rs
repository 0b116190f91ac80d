//! Convolutions of each channel by itself, in the standard precision, straight from the input: numbers of a window that lie
//! on the border are left out.
//!
//! Tile: up to six neighbouring places of a line, whose windows meet no border along it, by sixteen channels: with AVX2 twelve
//! registers of sums, two of weights, the input from memory. Places at the ends of a line go one by one.
//!
//! Order of summation: the window's places in their order, one after another, then the bias.

use super::{
    Part,
    after::{After, follow, load, store},
    conv::Axis,
    isa::{LANES, Vector},
    rows::Rows,
    tile::each,
};
use std::ops::Range;

/// Most places of a tile.
const PLACES: usize = 6;

/// Most weights that are gone through for one tile after another: half the nearest cache.
const NEAR: usize = 4096;

/// Most numbers of a window along its first two axes.
const ROWS: usize = 64;

/// Inputs: `x`, weight `[window's places, channels]`, bias `[channels]` if there is one.
#[derive(Clone, Debug)]
pub struct Depthwise {
    /// The window axes, slowest first.
    pub axes: [Axis; 3],
    /// Length of the last axis.
    pub channels: usize,
    /// Where the channels of a place lie in the output.
    pub rows: Rows,
}

impl Depthwise {
    /// Whether `depthwise` knows windows of this size.
    pub fn knows(axes: &[Axis; 3]) -> bool {
        axes[0].size.saturating_mul(axes[1].size) <= ROWS && axes.iter().all(|axis| axis.dilation > 0)
    }
}

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn depthwise<V: Vector>(conv: &Depthwise, part: Part<'_>) {
    let [a, b, c] = &conv.axes;
    let channels = conv.channels;
    let each = a.input * b.input * c.input * channels;
    let weight = &part.inputs[1][..a.size * b.size * c.size * channels];
    let (mut rows, inside) = ([(0, 0); ROWS], c.inside());
    let step = conv.rows.step;
    let mut number = part.at / step;
    let (mut at, mut rest) = (part.at, part.out);
    while !rest.is_empty() {
        let first = number % c.output;
        let count = (c.output - first).min(rest.len() / step);
        let (out, later) = rest.split_at_mut(count * step);
        let (i, j) = (number / c.output / b.output % a.output, number / c.output % b.output);
        let mut seen = 0;
        for i_tap in a.seen(i) {
            for j_tap in b.seen(j) {
                let under = (a.at(i, i_tap) * b.input + b.at(j, j_tap)) * c.input;
                rows[seen] = (under * channels, (i_tap * b.size + j_tap) * c.size * channels);
                seen += 1;
            }
        }
        let line = Line {
            channels,
            out: conv.rows,
            axis: c,
            x: &part.inputs[0][number / c.output / b.output / a.output * each..][..each],
            weight,
            bias: part.inputs.get(2).copied(),
            rows: &rows[..seen],
            first,
            at,
            after: part.after,
        };
        line.run::<V>(inside.clone(), out);
        (number, at, rest) = (number + count, at + out.len(), later);
    }
}

/// Neighbouring places of a line.
struct Line<'a> {
    channels: usize,
    /// Where the channels of a place lie in the output.
    out: Rows,
    /// The axis of the line.
    axis: &'a Axis,
    /// The example.
    x: &'a [f32],
    weight: &'a [f32],
    bias: Option<&'a [f32]>,
    /// Where the lines of the input begin that the windows see, and the weights for them.
    rows: &'a [(usize, usize)],
    /// The first place.
    first: usize,
    /// Number of its first number within the whole output.
    at: usize,
    after: &'a [After<'a>],
}

impl Line<'_> {
    /// All places of the line that `out` is; the windows of those `inside` meet no border along it.
    #[inline(always)]
    fn run<V: Vector>(&self, inside: Range<usize>, out: &mut [f32]) {
        let channels = self.channels;
        let last = self.first + out.len() / self.out.step;
        let taps = self.weight.len() / channels;
        let block = (NEAR / taps.max(1) / LANES).max(1) * LANES;
        for first in (0..channels).step_by(block) {
            let columns = first..channels.min(first + block);
            let mut place = self.first;
            while place < last {
                let is_inside = inside.contains(&place);
                let together = if is_inside { (inside.end.min(last) - place).min(PLACES) } else { 1 };
                let seen = if is_inside { 0..self.axis.size } else { self.axis.seen(place) };
                match together {
                    _ if channels < LANES => {
                        for next in 0..together {
                            self.narrow::<V>(place + next, seen.clone(), out);
                        }
                    }
                    6 => self.strips::<V, 6>(place, seen, columns.clone(), out),
                    5 => self.strips::<V, 5>(place, seen, columns.clone(), out),
                    4 => self.strips::<V, 4>(place, seen, columns.clone(), out),
                    3 => self.strips::<V, 3>(place, seen, columns.clone(), out),
                    2 => self.strips::<V, 2>(place, seen, columns.clone(), out),
                    _ => self.strips::<V, 1>(place, seen, columns.clone(), out),
                }
                place += together;
            }
        }
    }

    /// `P` places from `place` on, which see the same numbers of the window, strip by strip of some channels.
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    #[inline(always)]
    fn strips<V: Vector, const P: usize>(
        &self,
        place: usize,
        seen: Range<usize>,
        columns: Range<usize>,
        out: &mut [f32],
    ) {
        let channels = self.channels;
        let (step, dilation) = (self.axis.stride * channels, self.axis.dilation * channels);
        let (mut under, mut number) = (0, 0);
        if !seen.is_empty() {
            (under, number) = (self.axis.at(place, seen.start) * channels, seen.start * channels);
            let reach = under + (seen.len() - 1) * dilation + (P - 1) * step + channels;
            let furthest = number + seen.len() * channels;
            let is_there =
                |&(x, weight): &(usize, usize)| x + reach <= self.x.len() && weight + furthest <= self.weight.len();
            assert!(self.rows.iter().all(is_there), "windows within the input");
        }
        let Rows { step: next, start } = self.out;
        let start = (place - self.first) * next + start;
        let (early, late) = After::light(self.after);
        for channel in columns.step_by(LANES) {
            // The last strip reaches back over channels that are done, to the same numbers.
            let channel = channel.min(channels - LANES);
            let mut sums = [V::splat(0.0); P];
            for &(x, weight) in self.rows {
                let mut x = self.x.as_ptr().wrapping_add(x + under + channel);
                let mut weight = self.weight.as_ptr().wrapping_add(weight + number + channel);
                for _ in seen.clone() {
                    // SAFETY: the furthest places are there, as just seen, and sixteen channels from this one on.
                    unsafe {
                        let factor = V::load(&*weight.cast());
                        for p in 0..P {
                            sums[p] = V::load(&*x.add(p * step).cast()).mul_add(factor, sums[p]);
                        }
                    }
                    (x, weight) = (x.wrapping_add(dilation), weight.wrapping_add(channels));
                }
            }
            if let Some(bias) = self.bias {
                let bias = load(&bias[channel..][..LANES]);
                each!(PLACE below P { sums[PLACE] = sums[PLACE].add(bias) });
            }
            let at = start + channel;
            if !early.is_empty() {
                each!(PLACE below P {
                    sums[PLACE] = follow(sums[PLACE], early, self.at + at + PLACE * next, channel, LANES);
                });
            }
            each!(PLACE below P { store(sums[PLACE], &mut out[at + PLACE * next..][..LANES]) });
            if !late.is_empty() {
                for place in 0..P {
                    let at = at + place * next;
                    let out = &mut out[at..][..LANES];
                    let made = follow(load::<V>(out), late, self.at + at, channel, LANES);
                    store(made, out);
                }
            }
        }
    }

    /// A place of fewer channels.
    #[inline(always)]
    fn narrow<V: Vector>(&self, place: usize, seen: Range<usize>, out: &mut [f32]) {
        let channels = self.channels;
        let mut sum = V::splat(0.0);
        for &(x, weight) in self.rows {
            for tap in seen.clone() {
                let factor = load(&self.weight[weight + tap * channels..][..channels]);
                sum = load::<V>(&self.x[x + self.axis.at(place, tap) * channels..][..channels]).mul_add(factor, sum);
            }
        }
        if let Some(bias) = self.bias {
            sum = sum.add(load(&bias[..channels]));
        }
        let start = (place - self.first) * self.out.step + self.out.start;
        store(follow(sum, self.after, self.at + start, 0, channels), &mut out[start..][..channels]);
    }
}
