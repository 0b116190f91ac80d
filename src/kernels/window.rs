//! Maximum, mean and sum over boxes: pools of every kind and reductions over whole axes.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
    total::{BLOCK, Lanes, Total},
};

/// Most axes of a box.
pub const AXES: usize = 8;

/// Channels taken at a time.
const WIDTH: usize = 16;

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

/// Calls `each` with the offset of every number of a box, slowest axis first.
pub(super) fn visit<F: FnMut(usize)>(place: &[(Span, usize)], base: usize, each: &mut F) {
    let Some((&(span, stride), rest)) = place.split_first() else { return each(base) };
    for tap in 0..span.count {
        visit(rest, base + (span.first + tap * span.step) * stride, each);
    }
}

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn window<T: Total>(window: &Window, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], window.channels);
    let places = places(&window.axes);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let place = &place(&window.axes, number % places)[..window.axes.len()];
        let base = number / places * window.each;
        for (strip, out) in out.chunks_mut(WIDTH).enumerate() {
            let base = base + strip * WIDTH;
            match window.take {
                Take::Max => largest(x, place, base, out),
                Take::Sum => total::<T>(x, place, base, out),
                Take::Mean(divisor) => {
                    total::<T>(x, place, base, out);
                    let divisor = divisor.unwrap_or_else(|| place.iter().map(|(span, _)| span.divisor).product());
                    let scale = 1.0 / divisor.max(1) as f32;
                    out.iter_mut().for_each(|out| *out *= scale);
                }
            }
        }
    }
}

/// Runs one of at most three axes, sixteen channels side by side; the part consists of whole places. Each total runs over
/// the box in its order, in blocks.
#[inline(always)]
pub fn boxes<V: Vector>(window: &Window, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], window.channels);
    let places = places(&window.axes);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let place = place(&window.axes, number % places);
        let mut spans = [(Span { count: 1, ..Span::default() }, 0); 3];
        spans[3 - window.axes.len()..].copy_from_slice(&place[..window.axes.len()]);
        let divisor: usize = match window.take {
            Take::Mean(None) => place[..window.axes.len()].iter().map(|(span, _)| span.divisor).product(),
            Take::Mean(Some(divisor)) => divisor,
            _ => 1,
        };
        let scale = V::splat(1.0 / divisor.max(1) as f32);
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let base = number / places * window.each + strip * LANES;
            let taken = match window.take {
                Take::Max => most::<V>(x, &spans, base, out.len()),
                _ => sum::<V>(x, &spans, base, out.len()).mul(scale),
            };
            store(taken, out);
        }
    }
}

/// Where the number `tap` of a span lies.
#[inline(always)]
fn along((span, stride): &(Span, usize), tap: usize) -> usize {
    (span.first + tap * span.step) * stride
}

#[inline(always)]
fn most<V: Vector>(x: &[f32], [a, b, c]: &[(Span, usize); 3], base: usize, width: usize) -> V {
    let mut most = V::splat(f32::NEG_INFINITY);
    for i in 0..a.0.count {
        for j in 0..b.0.count {
            let line = base + along(a, i) + along(b, j);
            for k in 0..c.0.count {
                most = most.largest(load(&x[line + along(c, k)..][..width]));
            }
        }
    }
    most
}

#[inline(always)]
fn sum<V: Vector>(x: &[f32], [a, b, c]: &[(Span, usize); 3], base: usize, width: usize) -> V {
    let (mut total, mut block, mut count) = (V::splat(0.0), V::splat(0.0), 0);
    for i in 0..a.0.count {
        for j in 0..b.0.count {
            let line = base + along(a, i) + along(b, j);
            for k in 0..c.0.count {
                block = block.add(load(&x[line + along(c, k)..][..width]));
                count += 1;
                if count == BLOCK {
                    (total, block, count) = (total.add(block), V::splat(0.0), 0);
                }
            }
        }
    }
    total.add(block)
}

#[inline(always)]
fn largest(x: &[f32], place: &[(Span, usize)], base: usize, out: &mut [f32]) {
    out.fill(f32::NEG_INFINITY);
    visit(place, base, &mut |at| {
        for (best, &x) in out.iter_mut().zip(&x[at..]) {
            if (x > *best) | (x.is_nan() & !best.is_nan()) {
                *best = x;
            }
        }
    });
}

#[inline(always)]
fn total<T: Total>(x: &[f32], place: &[(Span, usize)], base: usize, out: &mut [f32]) {
    let mut sums = Lanes::<T, WIDTH>::new();
    let count = out.len();
    visit(place, base, &mut |at| sums.add(x[at..][..count].iter().map(|&x| T::of(x))));
    for (out, total) in out.iter_mut().zip(sums.finish()) {
        *out = total.round();
    }
}
