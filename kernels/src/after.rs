//! What follows a layer number by number, done while the layer's sums are still at hand.

use super::isa::{LANES, Lanes, Vector};
use crate::Unary;

/// One of the operations that follow, in order, with operands of some kind; those of operands that lie alike lie alike.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum Follow<O> {
    /// A function.
    Map(Unary),
    /// `(x − mean)·scale + bias` per column.
    Affine([O; 3]),
    /// The number at the same place of another value.
    Add(O),
}

/// One of them with its numbers.
pub type After<'a> = Follow<&'a [f32]>;

impl<O: Copy> Follow<O> {
    /// Most that follow one layer.
    pub const MOST: usize = 4;

    /// The same operation with what `of` makes of its operands.
    #[inline(always)]
    pub fn with<P>(&self, of: impl Fn(O) -> P) -> Follow<P> {
        match self {
            Follow::Map(function) => Follow::Map(*function),
            Follow::Affine([mean, scale, bias]) => Follow::Affine([of(*mean), of(*scale), of(*bias)]),
            Follow::Add(other) => Follow::Add(of(*other)),
        }
    }
}

impl After<'_> {
    /// Those at the beginning that are done while sums are in registers, and the rest.
    pub fn light<'b, 'c>(after: &'b [After<'c>]) -> (&'b [After<'c>], &'b [After<'c>]) {
        let is_light = |after: &After<'_>| matches!(after, After::Affine(_) | After::Add(_) | After::Map(Unary::Relu));
        after.split_at(after.iter().take_while(|after| is_light(after)).count())
    }
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

/// What follows, operation by operation, for numbers side by side: the first lies at `at` in the whole output and in `column`
/// of a row of `columns`. The same operations as [`follow`].
#[inline(always)]
pub fn follow_all<V: Vector>(out: &mut [f32], after: &[After<'_>], at: usize, column: usize, columns: usize) {
    for after in after {
        match after {
            After::Map(function) => V::map(*function, out),
            After::Affine(_) => {
                let (first, rows) = out.split_at_mut(out.len().min(columns - column));
                for (row, column) in [(first, column)].into_iter().chain(rows.chunks_mut(columns).map(|row| (row, 0))) {
                    for (strip, out) in row.chunks_mut(LANES).enumerate() {
                        let after = std::slice::from_ref(after);
                        store(follow(load::<V>(out), after, 0, column + strip * LANES, out.len()), out);
                    }
                }
            }
            After::Add(other) => {
                for (out, other) in out.chunks_mut(LANES).zip(other[at..].chunks(LANES)) {
                    store(load::<V>(out).add(load(&other[..out.len()])), out);
                }
            }
        }
    }
}

/// What follows of [`After::light`], for numbers of any lanes: the same operations as [`follow`].
#[inline(always)]
pub fn lightly<L: Lanes>(mut x: L, after: &[After<'_>], at: usize, column: usize, width: usize) -> L {
    for after in after {
        x = match after {
            After::Map(_) => L::splat(0.0).max(x),
            After::Affine(numbers) => {
                let [mean, scale, bias] = numbers.map(|numbers| L::load(&numbers[column..][..width]));
                x.sub(mean).mul_add(scale, bias)
            }
            After::Add(other) => x.add(L::load(&other[at..][..width])),
        };
    }
    x
}
