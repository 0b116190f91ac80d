//! Functions of one number, of all numbers of a value.

use super::{
    Part,
    after::{load, store},
    function::{double, single},
    isa::{LANES, Vector},
    sums::Sums,
};
use crate::describe::Unary;

/// A function applied to every number. Input: `x`; or none, then it is what the output holds already.
#[derive(Clone, Debug)]
pub struct Map {
    /// Which.
    pub function: Unary,
}

/// Runs it, sixteen numbers at a time; any part.
#[inline(always)]
pub fn map<V: Vector, S: Sums<V>>(map: &Map, part: Part<'_>) {
    for (strip, out) in part.out.chunks_mut(LANES).enumerate() {
        let x = part.inputs.first().map_or(&*out, |x| &x[part.at + strip * LANES..][..out.len()]);
        let x = load::<V>(x);
        store(if S::EXACT { double(map.function, x) } else { single(map.function, x) }, out);
    }
}
