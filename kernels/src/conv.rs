//! Convolutions and their transposes over one to three window axes.
//!
//! The window under each of a few places of the output is unfolded into a row (border places are noughts), the rows are
//! multiplied by the weights. A convolution of each channel by itself needs no rows.

use super::{
    Part,
    after::{load, store},
    gemm::Product,
    isa::{LANES, Vector},
    sums::{Gathered, Sums},
};
use std::ops::Range;

/// Places unfolded at a time: a whole number of tiles in every instruction set.
const PLACES: usize = 24;

/// One window axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Length in.
    pub input: usize,
    /// Length out.
    pub output: usize,
    /// Side length of the window.
    pub size: usize,
    /// Places from one window to the next.
    pub stride: usize,
    /// Places from one number of a window to the next.
    pub dilation: usize,
    /// Places added before the first.
    pub before: usize,
}

impl Axis {
    /// An axis of length one under a window of one: it fills up the axes to three.
    pub const ONE: Axis = Axis { input: 1, output: 1, size: 1, stride: 1, dilation: 1, before: 0 };

    /// The numbers of the window at a place that lie on no border.
    pub(super) fn seen(&self, place: usize) -> Range<usize> {
        let start = place * self.stride;
        let below = |end: usize| end.saturating_sub(start).div_ceil(self.dilation).min(self.size);
        below(self.before)..below(self.before + self.input)
    }

    /// Where a number of the window at a place lies that [`Axis::seen`] has.
    pub(super) fn at(&self, place: usize, tap: usize) -> usize {
        place * self.stride + tap * self.dilation - self.before
    }

    /// The places whose windows meet no border.
    pub(super) fn inside(&self) -> Range<usize> {
        let first = self.before.div_ceil(self.stride);
        let reach = (self.size.saturating_sub(1)).saturating_mul(self.dilation);
        let last = (self.before + self.input).checked_sub(reach + 1).map_or(0, |last| last / self.stride + 1);
        first..last.min(self.output).max(first)
    }
}

/// A convolution, or the transpose of one. Inputs: `x`, weight `[k…, inputs/groups, outputs]` (of a transpose too: the plan
/// turns them), bias `[outputs]` if there is one.
#[derive(Clone, Debug)]
pub struct Conv {
    /// The window axes, slowest first.
    pub axes: [Axis; 3],
    /// Channels in.
    pub inputs: usize,
    /// Channels out.
    pub outputs: usize,
    /// Groups of channels that see one another.
    pub groups: usize,
    /// Whether it is the transpose.
    pub transposed: bool,
}

impl Conv {
    /// Terms of each sum.
    pub fn terms(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product::<usize>() * (self.inputs / self.groups)
    }

    /// Numbers of working memory a thread needs.
    pub fn scratch(&self) -> usize {
        if self.is_depthwise() || self.is_pointwise() { 0 } else { PLACES * self.terms() }
    }

    /// Each channel by itself.
    pub fn is_depthwise(&self) -> bool {
        self.groups > 1 && self.inputs == self.groups && self.outputs == self.groups
    }

    /// A dense layer at every place.
    pub fn is_pointwise(&self) -> bool {
        let moves = |axis: &Axis| axis.size != 1 || axis.stride != 1 || axis.before != 0 || axis.input != axis.output;
        self.groups == 1 && !self.axes.iter().any(moves)
    }

    fn example(&self) -> usize {
        self.axes.iter().map(|axis| axis.input).product::<usize>() * self.inputs
    }

    /// The place of the input that number `tap` of the window at `place` lies on, if it is none of the border.
    fn under(&self, axis: usize, place: usize, tap: usize) -> Option<usize> {
        let axis = &self.axes[axis];
        let at = if self.transposed {
            let moved = (place + axis.before).checked_sub(tap * axis.dilation)?;
            (moved % axis.stride == 0).then_some(moved / axis.stride)?
        } else {
            (place * axis.stride + tap * axis.dilation).checked_sub(axis.before)?
        };
        (at < axis.input).then_some(at)
    }

    /// Example and place along each axis of a place of the whole output.
    fn place(&self, number: usize) -> (usize, [usize; 3]) {
        let [a, b, c] = self.axes.map(|axis| axis.output);
        (number / (a * b * c), [number / (b * c) % a, number / c % b, number % c])
    }

    /// Copies the window at `place` of channels `first..first + count` into a row.
    fn unfold(&self, x: &[f32], place: [usize; 3], first: usize, count: usize, row: &mut [f32]) {
        let [_, b, c] = self.axes;
        for (i, rows) in row.chunks_exact_mut(b.size * c.size * count).enumerate() {
            let Some(i) = self.under(0, place[0], i) else {
                rows.fill(0.0);
                continue;
            };
            for (j, rows) in rows.chunks_exact_mut(c.size * count).enumerate() {
                let Some(j) = self.under(1, place[1], j) else {
                    rows.fill(0.0);
                    continue;
                };
                let line = (i * b.input + j) * c.input;
                for (k, to) in rows.chunks_exact_mut(count).enumerate() {
                    match self.under(2, place[2], k) {
                        Some(k) => to.copy_from_slice(&x[(line + k) * self.inputs + first..][..count]),
                        None => to.fill(0.0),
                    }
                }
            }
        }
    }
}

/// Runs a convolution; the part consists of whole places.
#[inline(always)]
pub fn conv<V: Vector, S: Sums<V>>(conv: &Conv, part: Part<'_>) {
    if conv.is_depthwise() {
        return depthwise::<V, S>(conv, part);
    }
    let (x, weight) = (part.inputs[0], part.inputs[1]);
    let bias = part.inputs.get(2).copied();
    let first = part.at / conv.outputs;
    if conv.is_pointwise() {
        let product = Product {
            x: &x[first * conv.inputs..],
            x_step: conv.inputs,
            terms: conv.inputs,
            weight,
            weight_step: conv.outputs,
            bias,
            rows: part.out.len() / conv.outputs,
            columns: conv.outputs,
            out_step: conv.outputs,
        };
        return product.run::<V, S>(part.out);
    }
    let (terms, ins, outs) = (conv.terms(), conv.inputs / conv.groups, conv.outputs / conv.groups);
    for (tile, out) in part.out.chunks_mut(PLACES * conv.outputs).enumerate() {
        let rows = out.len() / conv.outputs;
        for group in 0..conv.groups {
            for row in 0..if terms > 0 { rows } else { 0 } {
                let (example, place) = conv.place(first + tile * PLACES + row);
                let to = &mut part.scratch[row * terms..(row + 1) * terms];
                conv.unfold(&x[example * conv.example()..], place, group * ins, ins, to);
            }
            let product = Product {
                x: part.scratch,
                x_step: terms,
                terms,
                weight: &weight[group * outs..],
                weight_step: conv.outputs,
                bias: bias.map(|bias| &bias[group * outs..]),
                rows,
                columns: outs,
                out_step: conv.outputs,
            };
            product.run::<V, S>(&mut out[group * outs..]);
        }
    }
}

#[inline(always)]
fn depthwise<V: Vector, S: Sums<V>>(conv: &Conv, part: Part<'_>) {
    let (x, weight) = (part.inputs[0], part.inputs[1]);
    let bias = part.inputs.get(2).copied();
    let (channels, first) = (conv.inputs, part.at / conv.outputs);
    let [a, b, c] = conv.axes;
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let (example, place) = conv.place(first + number);
        let x = &x[example * conv.example()..];
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let (channel, lanes) = (strip * LANES, out.len());
            let mut sums = Gathered::<S>::new();
            for (i, at_i) in (0..a.size).filter_map(|i| Some((i, conv.under(0, place[0], i)?))) {
                for (j, at_j) in (0..b.size).filter_map(|j| Some((j, conv.under(1, place[1], j)?))) {
                    for (k, at_k) in (0..c.size).filter_map(|k| Some((k, conv.under(2, place[2], k)?))) {
                        let x = &x[((at_i * b.input + at_j) * c.input + at_k) * channels + channel..][..lanes];
                        let weight = &weight[((i * b.size + j) * c.size + k) * channels + channel..][..lanes];
                        sums.add_each(load(x), load(weight));
                    }
                }
            }
            let mut sum = sums.all().rounded();
            if let Some(bias) = bias {
                sum = sum.add(load(&bias[channel..][..lanes]));
            }
            store(sum, out);
        }
    }
}
