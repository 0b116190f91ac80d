//! What follows a layer number by number, done while the layer's sums are still at hand.

use super::isa::{LANES, Vector};
use crate::describe::Unary;

/// One of the operations that follow, in order.
#[derive(Clone, Copy)]
pub enum After<'a> {
    /// A function.
    Map(Unary),
    /// `(x − mean)·scale + bias` per column.
    Affine([&'a [f32]; 3]),
    /// The number at the same place of another value.
    Add(&'a [f32]),
}

impl After<'_> {
    /// Most that follow one layer.
    pub const MOST: usize = 4;
}

/// Sixteen numbers or fewer.
#[inline(always)]
pub fn load<V: Vector>(from: &[f32]) -> V {
    match from.first_chunk::<LANES>() {
        Some(all) if from.len() == LANES => V::load(all),
        _ => V::load_part(from),
    }
}

/// Sixteen numbers or fewer.
#[inline(always)]
pub fn store<V: Vector>(x: V, to: &mut [f32]) {
    match <&mut [f32; LANES]>::try_from(&mut *to) {
        Ok(all) => x.store(all),
        Err(_) => x.store_part(to),
    }
}

/// A function of the standard precision. The most frequent one is too short to be called.
#[inline(always)]
pub fn mapped<V: Vector>(function: Unary, x: V) -> V {
    if function == Unary::Relu { V::splat(0.0).max(x) } else { x.function(function) }
}

/// What follows, for the `width` numbers from `column` on that lie at `at` in the whole output.
#[inline(always)]
pub fn follow<V: Vector>(mut x: V, after: &[After<'_>], at: usize, column: usize, width: usize) -> V {
    for after in after {
        x = match after {
            After::Map(function) => mapped(*function, x),
            After::Affine(numbers) => {
                let [mean, scale, bias] = numbers.map(|numbers| load(&numbers[column..][..width]));
                x.sub(mean).mul_add(scale, bias)
            }
            After::Add(other) => x.add(load(&other[at..][..width])),
        };
    }
    x
}
