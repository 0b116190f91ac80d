//! Maximum, mean and sum over boxes: pools of every kind and reductions over whole axes.
//!
//! Here is where boxes lie: the output is taken line by line, each place of a line differs from the one before along the last
//! axis alone. What is made of a box, with tiles and order of summation, stands in [`super::boxes`].

use super::{
    Part,
    boxes::{How, TAPS, Taps, long, one, side_by_side},
    isa::{LANES, Vector},
    rows::Rows,
    sums::Sums,
};
use std::ops::Range;

/// Most channels of a place that goes together with its neighbours though their boxes are apart.
const FEW: usize = 4;

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
    /// For each place how many from there on have spans that are alike, and lie as far apart as the first two.
    alike: Vec<usize>,
}

impl Boxes {
    /// Those of an axis.
    pub fn of(spans: Vec<Span>, stride: usize) -> Boxes {
        let mut alike = vec![1; spans.len()];
        for (place, pair) in spans.windows(2).enumerate().rev() {
            let next = alike[place + 1];
            let apart = |from: &Span, to: &Span| to.first.checked_sub(from.first);
            let first = apart(&pair[0], &pair[1]);
            let is_alike = first.is_some() && pair[1] == Span { first: pair[1].first, ..pair[0] };
            let goes_on = next > 1 && first == apart(&pair[1], &spans[place + 2]);
            if is_alike {
                alike[place] = if goes_on { next + 1 } else { 2 };
            }
        }
        Boxes { spans, stride, alike }
    }
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
    /// The axes, slowest first; at least one, at most [`AXES`].
    pub axes: Vec<Boxes>,
    /// Length of the last axis.
    pub channels: usize,
    /// Numbers of one example of the input.
    pub each: usize,
    /// What is taken.
    pub take: Take,
    /// Where the channels of a place lie in the output.
    pub rows: Rows,
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

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn window<V: Vector, S: Sums<V>>(window: &Window, part: Part<'_>) {
    let (axes, step) = (&window.axes, window.rows.step);
    let Some(last) = axes.last() else { return };
    let (places, length) = (places(axes), last.spans.len());
    let mut taps = Taps::new();
    let mut number = part.at / step;
    let mut rest = part.out;
    while !rest.is_empty() {
        let first = number % length;
        let count = (length - first).min(rest.len() / step);
        let (out, later) = rest.split_at_mut(count * step);
        let place = &mut place(axes, number % places)[..axes.len()];
        let x = &part.inputs[0][number / places * window.each..][..window.each];
        line::<V, S>(window, x, place, first..first + count, &mut taps, out);
        (number, rest) = (number + count, later);
    }
}

/// Neighbouring places of a line, whose boxes differ along the last axis alone.
#[inline(always)]
fn line<V: Vector, S: Sums<V>>(
    window: &Window,
    x: &[f32],
    place: &mut [(Span, usize)],
    numbers: Range<usize>,
    taps: &mut Taps,
    out: &mut [f32],
) {
    let (channels, Rows { step, start }) = (window.channels, window.rows);
    let last = place.len() - 1;
    let Boxes { spans, alike, .. } = &window.axes[last];
    let (before, stride) = (&place[..last], place[last].1);
    let rows: usize = before.iter().map(|(span, _)| span.count).product();
    let corner: usize = before.iter().map(|(span, stride)| span.first * stride).sum();
    let share: usize = before.iter().map(|(span, _)| span.divisor).product();
    let mut number = numbers.start;
    while number < numbers.end {
        let (span, at) = (spans[number], (number - numbers.start) * step + start);
        place[last].0 = span;
        let divisor = match window.take {
            Take::Mean(None) => share * span.divisor,
            Take::Mean(Some(divisor)) => divisor,
            _ => 1,
        };
        let how = How { most: window.take == Take::Max, scale: V::splat(1.0 / divisor.max(1) as f32) };
        let mut together = 1;
        if rows * span.count > TAPS || channels == 1 && span.step == 1 && spans.len() == 1 {
            long::<V, S>(&how, x, place, &mut out[at..][..channels]);
        } else {
            taps.list(place);
            let x = &x[corner + span.first * stride..];
            let many = alike[number].min(numbers.end - number);
            let apart = if many > 1 { (spans[number + 1].first - span.first) * stride } else { 0 };
            if channels < LANES && step == channels && many > 1 && (apart == channels || channels <= FEW) {
                together = many;
                let out = &mut out[at..][..many * channels];
                side_by_side::<V, S>(&how, x, taps, [channels, apart], out);
            } else {
                one::<V, S>(&how, x, taps, &mut out[at..][..channels]);
            }
        }
        number += together;
    }
}
