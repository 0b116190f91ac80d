//! Which places of an axis a window covers.

use super::{Home, Work};
use crate::{
    describe::{Border, Divisor, Window},
    kernels::{self, AXES, Axis, Boxes, Folded, Kernel, Span},
    plan::step::Place,
};

/// How many numbers the largest box has, those of other channels left out.
pub(super) fn cost(axes: &[Boxes]) -> usize {
    let largest = |axis: &Boxes| axis.spans.iter().map(|span| span.count).max().unwrap_or(0);
    axes.iter().map(largest).fold(1, usize::saturating_mul)
}

/// A kernel that goes over boxes of `x` number by number.
pub(super) fn folded(
    x: &Home,
    axes: Vec<Boxes>,
    channels: usize,
    what: Folded,
    places: Vec<Place>,
) -> Option<(Kernel, Vec<Place>, Work)> {
    (axes.len() <= AXES).then_some(())?;
    let cost = cost(&axes);
    let fold = kernels::Fold { axes, channels, each: x.count(), what };
    Some((Kernel::Fold(fold), places, Work { grain: channels, cost }))
}

/// The window axes of a convolution, filled up to three with axes of one.
pub(super) fn axes(window: &Window, input: &[usize], output: &[usize]) -> Option<[Axis; 3]> {
    let Border::Explicit(border) = &window.border else { return None };
    let dims = window.size.len();
    let mut axes = [Axis::ONE; 3];
    for (i, axis) in axes.get_mut(3usize.checked_sub(dims)?..)?.iter_mut().enumerate() {
        (*window.stride.get(i)? > 0).then_some(())?;
        *axis = Axis {
            input: *input.get(i)?,
            output: *output.get(i)?,
            size: *window.size.get(i)?,
            stride: *window.stride.get(i)?,
            dilation: *window.dilation.get(i)?,
            before: border.get(i)?[0],
        };
    }
    Some(axes)
}

/// The boxes of a pool's windows.
pub(super) fn pool(window: &Window, divisor: Divisor, input: &[usize], output: &[usize]) -> Option<Vec<Boxes>> {
    let Border::Explicit(border) = &window.border else { return None };
    let spans = (0..window.size.len()).map(|i| {
        let (length, [before, after]) = (*input.get(i)?, *border.get(i)?);
        let (size, stride, step) = (*window.size.get(i)?, *window.stride.get(i)?, *window.dilation.get(i)?.max(&1));
        let covered = |place: usize| {
            let start = place * stride;
            // Numbers of the window below place `end`, counted from the first border place.
            let below = |end: usize| end.saturating_sub(start).div_ceil(step).min(size);
            let (skipped, inside) = (below(before), below(before + length));
            let divisor = match divisor {
                Divisor::Inside => inside - skipped,
                Divisor::Padded => below(before + length + after),
                Divisor::Window | Divisor::Fixed(_) => size,
            };
            let count = inside - skipped;
            let first = if count > 0 { start + skipped * step - before } else { 0 };
            Span { first, count, step, divisor }
        };
        Some((0..*output.get(i)?).map(covered).collect())
    });
    Some(boxes(spans.collect::<Option<_>>()?, input))
}

/// Boxes of window axes that stand before `rest` numbers each.
pub(super) fn boxes(spans: Vec<Vec<Span>>, shape: &[usize]) -> Vec<Boxes> {
    let strides = super::strides(shape);
    spans.into_iter().zip(strides).map(|(spans, stride)| Boxes::of(spans, stride)).collect()
}

/// Windows chosen so that there are `places` of them.
pub(super) fn adaptive(length: usize, places: usize) -> Vec<Span> {
    let cut = |place: usize| {
        let first = place * length / places;
        let count = ((place + 1) * length).div_ceil(places) - first;
        Span { first, count, step: 1, divisor: count }
    };
    (0..places).map(cut).collect()
}

/// One window over the whole axis.
pub(super) fn whole(length: usize) -> Vec<Span> {
    vec![Span { first: 0, count: length, step: 1, divisor: length }]
}

/// A window of `before` and `after` places around each place.
pub(super) fn around(length: usize, before: usize, after: usize) -> Vec<Span> {
    let near = |place: usize| {
        let first = place.saturating_sub(before);
        let count = place.saturating_add(after).saturating_add(1).min(length) - first;
        Span { first, count, step: 1, divisor: 1 }
    };
    (0..length).map(near).collect()
}

/// The boxes of a reduction over some axes, and the channels: the axes after the last reduced one.
pub(super) fn reduce(shape: &[usize], reduced: &[bool]) -> (Vec<Boxes>, usize) {
    let kept = reduced.iter().rev().take_while(|&&reduced| !reduced).count();
    let (outer, channels) = shape.split_at(shape.len() - kept);
    let channels = channels.iter().product();
    let mut axes: Vec<(usize, bool)> = Vec::new();
    for (&length, &reduced) in outer.iter().zip(reduced).filter(|(length, _)| **length != 1) {
        match axes.last_mut() {
            // Kept axes are left apart, which makes their tables short, unless they would be too many.
            Some((lengths, kind)) if *kind == reduced && (reduced || shape.len() > AXES) => *lengths *= length,
            _ => axes.push((length, reduced)),
        }
    }
    let spans = axes.iter().map(|&(length, reduced)| {
        if reduced {
            return whole(length);
        }
        (0..length).map(|first| Span { first, count: 1, step: 1, divisor: 1 }).collect()
    });
    let spans = spans.collect();
    let lengths: Vec<usize> = axes.iter().map(|axis| axis.0).chain([channels]).collect();
    (boxes(spans, &lengths), channels)
}
