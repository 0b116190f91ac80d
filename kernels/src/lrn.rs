//! Local response normalisation: over neighbouring channels, or over a window of places within each channel.

use super::{
    Part,
    after::{load, store},
    function::power_in_doubles,
    isa::{LANES, Vector, Wide},
    sums::{Gathered, Sums},
    window::{Boxes, Span, along, offset, place, places, visit},
};
use std::ops::RangeInclusive;

/// `x / (k + alpha·total)^beta`. Input: `x`.
#[derive(Clone, Debug)]
pub struct Lrn {
    /// Length of the last axis.
    pub channels: usize,
    /// Over what the squares are gathered.
    pub over: Over,
    /// Weight of the total, divided by the window's places if it is a mean.
    pub alpha: f64,
    /// Exponent.
    pub beta: f64,
    /// Constant.
    pub k: f64,
}

/// The window of an [`Lrn`].
#[derive(Clone, Debug)]
pub enum Over {
    /// So many channels before and after.
    Channels {
        /// Before.
        before: usize,
        /// After.
        after: usize,
    },
    /// A box of places.
    Places(Vec<Boxes>),
}

/// Runs it, sixteen channels side by side; the part consists of whole places. Each total of squares, which are rounded to
/// singles, runs over its window in order.
#[inline(always)]
pub fn lrn<V: Vector, S: Sums<V>>(lrn: &Lrn, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], lrn.channels);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let row = &x[number * channels..][..channels];
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let first = strip * LANES;
            let mut squares = Gathered::<S>::new();
            match &lrn.over {
                Over::Channels { before, after } => {
                    for shift in shifts(first, channels, *before, *after) {
                        take(&mut squares, shifted(row, first, shift, *before));
                    }
                }
                Over::Places(axes) => {
                    let places = places(axes);
                    let at = &place(axes, number % places)[..axes.len()];
                    let example = number / places * places * channels;
                    visit!(at, example + first, at => take(&mut squares, load::<V>(&x[at..][..out.len()])));
                }
            }
            let total = V::Wide::of(squares.all().rounded());
            let base = total.mul(V::Wide::splat(lrn.alpha)).add(V::Wide::splat(lrn.k));
            let x = V::Wide::of(load(&row[first..][..out.len()]));
            store(x.div(power_in_doubles(base, lrn.beta)).rounded(), out);
        }
    }
}

/// The square of each number, rounded to a single, as a term.
#[inline(always)]
fn take<V: Vector, S: Sums<V>>(squares: &mut Gathered<S>, x: V) {
    squares.add(S::of(x.mul(x)));
}

/// Shifts of a strip of channels that meet the window; a shift of `before` is the strip itself, and those that leave it no
/// channel are left out.
#[inline(always)]
fn shifts(first: usize, channels: usize, before: usize, after: usize) -> RangeInclusive<usize> {
    let last = before.saturating_add(after.min(channels - 1 - first));
    before.saturating_sub(first + LANES - 1)..=last
}

impl Lrn {
    /// Whether `across` knows it.
    pub fn is_across(&self) -> bool {
        matches!(self.over, Over::Channels { .. }) && [0.5, 0.75, 1.0].contains(&self.beta)
    }
}

/// Runs one over channels whose exponent is a root's, sixteen channels side by side; the part consists of whole places. Each
/// total runs over its channels in their order.
#[inline(always)]
pub fn across<V: Vector>(lrn: &Lrn, part: Part<'_>) {
    let Over::Channels { before, after } = lrn.over else { return };
    let (k, alpha) = (V::splat(lrn.k as f32), V::splat(lrn.alpha as f32));
    let x = &part.inputs[0][part.at..];
    for (row, out) in x.chunks_exact(lrn.channels).zip(part.out.chunks_exact_mut(lrn.channels)) {
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let first = strip * LANES;
            let mut total = V::splat(0.0);
            for shift in shifts(first, row.len(), before, after) {
                let near = shifted::<V>(row, first, shift, before);
                total = near.mul_add(near, total);
            }
            let base = total.mul_add(alpha, k);
            let root = base.sqrt();
            let divisor = match lrn.beta {
                0.5 => root,
                0.75 => root.mul(root.sqrt()),
                _ => base,
            };
            store(load::<V>(&row[first..][..out.len()]).div(divisor), out);
        }
    }
}

/// Sixteen channels from `first + shift − before` on; noughts where there are none.
#[inline(always)]
fn shifted<V: Vector>(row: &[f32], first: usize, shift: usize, before: usize) -> V {
    match (first + shift).checked_sub(before) {
        Some(start) => load(&row[start..row.len().min(start + LANES)]),
        None => {
            let missing = before - first - shift;
            let there = row.len().min(LANES - missing);
            let mut lanes = [0.0; LANES];
            lanes[missing..missing + there].copy_from_slice(&row[..there]);
            V::load(&lanes)
        }
    }
}
