//! `(x − mean)·scale + bias` per channel: a batch normalisation of the standard precision, where no layer before takes it in.

use super::{
    Part,
    after::{After, follow, load, store},
    isa::{LANES, Vector},
};

/// Changes what the output holds. Inputs: mean, scale and bias, each `[features]`; or `x` before them.
#[derive(Clone, Debug)]
pub struct Affine {
    /// Length of the last axis.
    pub features: usize,
}

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn affine<V: Vector>(affine: &Affine, part: Part<'_>) {
    let (x, numbers) = match *part.inputs {
        [mean, scale, bias] => (None, [mean, scale, bias]),
        [x, mean, scale, bias] => (Some(&x[part.at..]), [mean, scale, bias]),
        _ => return,
    };
    let after = [After::Affine(numbers)];
    for (row, out) in part.out.chunks_exact_mut(affine.features).enumerate() {
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let (column, width) = (strip * LANES, out.len());
            let x = x.map_or(&*out, |x| &x[row * affine.features + column..][..width]);
            store(follow(load::<V>(x), &after, 0, column, width), out);
        }
    }
}
