//! What is found over boxes number by number: products, and places of the largest.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
    window::{Boxes, Span, along, offset, place, places, visit},
};

/// Over boxes of an input; channels (numbers of the last axis, which no box extends over) go side by side. Input: `x`.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The axes, slowest first; at most [`super::AXES`].
    pub axes: Vec<Boxes>,
    /// Length of the last axis.
    pub channels: usize,
    /// Numbers of one example of the input.
    pub each: usize,
    /// What is found.
    pub what: Folded,
}

/// What a [`Fold`] finds in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folded {
    /// The product, in singles and in the order of the box.
    Product,
    /// The number, within the box, of the largest, the first of several; NaN is passed over.
    Place,
}

/// Runs it, sixteen channels side by side; the part consists of whole places.
#[inline(always)]
pub fn fold<V: Vector>(fold: &Fold, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], fold.channels);
    let places = places(&fold.axes);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let place = &place(&fold.axes, number % places)[..fold.axes.len()];
        let base = number / places * fold.each;
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let base = base + strip * LANES;
            let found: V = match fold.what {
                Folded::Product => product(x, place, base, out.len()),
                Folded::Place => place_of_most(x, place, base, out.len()),
            };
            store(found, out);
        }
    }
}

#[inline(always)]
fn product<V: Vector>(x: &[f32], place: &[(Span, usize)], base: usize, width: usize) -> V {
    let mut product = V::splat(1.0);
    visit!(place, base, at => product = product.mul(load(&x[at..][..width])));
    product
}

#[inline(always)]
fn place_of_most<V: Vector>(x: &[f32], place: &[(Span, usize)], base: usize, width: usize) -> V {
    let (mut most, mut found, mut number) = (V::splat(f32::NEG_INFINITY), V::splat(0.0), 0.0);
    visit!(place, base, at => {
        let x: V = load(&x[at..][..width]);
        found = most.less(x, V::splat(number), found);
        most = most.less(x, x, most);
        number += 1.0;
    });
    found
}
