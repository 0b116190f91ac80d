//! Functions of one number, of all numbers of a value.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
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
pub fn map<V: Vector>(map: &Map, part: Part<'_>, apply: impl Fn(Unary, V) -> V) {
    for (strip, out) in part.out.chunks_mut(LANES).enumerate() {
        let x = part.inputs.first().map_or(&*out, |x| &x[part.at + strip * LANES..][..out.len()]);
        store(apply(map.function, load(x)), out);
    }
}
