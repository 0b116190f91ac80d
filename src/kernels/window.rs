//! Maximum, mean and sum over boxes: pools of every kind and reductions over whole axes.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
    sums::{Gathered, Sums, filled},
};

/// Most axes of a box.
pub const AXES: usize = 8;

/// The places of one axis of the input that one place of the output covers; border places are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// From one to the next.
    pub step: usize,
    /// This axis's share of what a mean is divided by.
    pub divisor: usize,
}

/// An axis that boxes extend over.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// A span for each place of the output.
    pub spans: Vec<Span>,
    /// Numbers of the input from one place to the next.
    pub stride: usize,
}

/// What is taken of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The largest number, the first of several; NaN counts as largest; −∞ of an empty box.
    Max,
    /// The sum.
    Sum,
    /// The sum times the reciprocal of the divisors' product, or of a number of its own.
    Mean(Option<usize>),
}

/// Boxes of an input; channels (numbers of the last axis, which no box extends over) go side by side. Input: `x`.
#[derive(Clone, Debug)]
pub struct Window {
    /// The axes, slowest first; at most [`AXES`].
    pub axes: Vec<Boxes>,
    /// Length of the last axis.
    pub channels: usize,
    /// Numbers of one example of the input.
    pub each: usize,
    /// What is taken.
    pub take: Take,
}

/// A box at one place: spans with their strides.
pub(super) type Place = [(Span, usize); AXES];

/// The box at place `number` of one example.
pub(super) fn place(axes: &[Boxes], mut number: usize) -> Place {
    let mut place = [(Span::default(), 0); AXES];
    for (at, axis) in place[..axes.len()].iter_mut().zip(axes).rev() {
        *at = (axis.spans[number % axis.spans.len()], axis.stride);
        number /= axis.spans.len();
    }
    place
}

/// Places of one example's output.
pub(super) fn places(axes: &[Boxes]) -> usize {
    axes.iter().map(|axis| axis.spans.len()).product()
}

/// Runs `$each` for the offset of every number of a box, slowest axis first. A closure would not be compiled for the
/// instruction set.
macro_rules! visit {
    ($place:expr, $base:expr, $at:ident => $each:expr) => {{
        // The last three axes are the loops; of those before, which are rare, every place is found by itself.
        let place: &[(Span, usize)] = $place;
        let (before, last) = place.split_at(place.len().saturating_sub(3));
        let mut three = [(Span { count: 1, ..Span::default() }, 0); 3];
        three[3 - last.len()..].copy_from_slice(last);
        let [a, b, c] = &three;
        for number in 0..before.iter().map(|(span, _)| span.count).product() {
            let base = $base + offset(before, number);
            for i in 0..a.0.count {
                for j in 0..b.0.count {
                    let line = base + along(a, i) + along(b, j);
                    for k in 0..c.0.count {
                        let $at = line + along(c, k);
                        $each;
                    }
                }
            }
        }
    }};
}
pub(super) use visit;

/// Where number `number` of a box lies.
#[inline(always)]
pub(super) fn offset(place: &[(Span, usize)], mut number: usize) -> usize {
    let mut offset = 0;
    for axis in place.iter().rev() {
        offset += along(axis, number % axis.0.count);
        number /= axis.0.count;
    }
    offset
}

/// Where the number `tap` of a span lies.
#[inline(always)]
pub(super) fn along((span, stride): &(Span, usize), tap: usize) -> usize {
    (span.first + tap * span.step) * stride
}

/// Runs it, sixteen channels side by side; the part consists of whole places. Each total runs over the box in its order, in
/// blocks. One channel by itself goes sixteen places at a time where they are neighbours, sixteen totals joined at the end.
#[inline(always)]
pub fn window<V: Vector, S: Sums<V>>(window: &Window, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], window.channels);
    let places = places(&window.axes);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let place = &place(&window.axes, number % places)[..window.axes.len()];
        let divisor: usize = match window.take {
            Take::Mean(None) => place.iter().map(|(span, _)| span.divisor).product(),
            Take::Mean(Some(divisor)) => divisor,
            _ => 1,
        };
        let scale = V::splat(1.0 / divisor.max(1) as f32);
        let base = number / places * window.each;
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let base = base + strip * LANES;
            let taken = match (window.take, place.split_last()) {
                (Take::Max, Some((&(span, 1), rest))) if channels == 1 && span.step == 1 => {
                    line_most::<V>(x, rest, span, base)
                }
                (Take::Max, _) => most::<V>(x, place, base, out.len()),
                (_, Some((&(span, 1), rest))) if channels == 1 && span.step == 1 => {
                    line_sum::<V, S>(x, rest, span, base).mul(scale)
                }
                _ => sum::<V, S>(x, place, base, out.len()).mul(scale),
            };
            store(taken, out);
        }
    }
}

#[inline(always)]
fn most<V: Vector>(x: &[f32], place: &[(Span, usize)], base: usize, width: usize) -> V {
    let mut most = V::splat(f32::NEG_INFINITY);
    visit!(place, base, at => most = most.largest(load(&x[at..][..width])));
    most
}

#[inline(always)]
fn sum<V: Vector, S: Sums<V>>(x: &[f32], place: &[(Span, usize)], base: usize, width: usize) -> V {
    let mut sums = Gathered::<S>::new();
    visit!(place, base, at => sums.add(S::of(load(&x[at..][..width]))));
    sums.all().rounded()
}

/// The largest of lines of neighbours, in every lane; of numbers that are equal any.
#[inline(always)]
fn line_most<V: Vector>(x: &[f32], place: &[(Span, usize)], line: Span, base: usize) -> V {
    let mut most = V::splat(f32::NEG_INFINITY);
    visit!(place, base + line.first, at => {
        for x in x[at..][..line.count].chunks(LANES) {
            most = most.largest(filled(x, f32::NEG_INFINITY));
        }
    });
    let mut lanes = [0.0; LANES];
    most.store(&mut lanes);
    V::splat(lanes.into_iter().fold(f32::NEG_INFINITY, |most, x| if (x > most) | x.is_nan() { x } else { most }))
}

/// The sum over lines of neighbours.
#[inline(always)]
fn line_sum<V: Vector, S: Sums<V>>(x: &[f32], place: &[(Span, usize)], line: Span, base: usize) -> V {
    let mut sums = Gathered::<S>::new();
    visit!(place, base + line.first, at => {
        for x in x[at..][..line.count].chunks(LANES) {
            sums.add(S::of(load(x)));
        }
    });
    sums.all().joined().rounded()
}
