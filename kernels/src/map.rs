//! Functions of one number, of all numbers of a value.

use super::{
    Part,
    after::{load, store},
    function::double,
    isa::{LANES, Vector},
    sums::Sums,
};
use crate::Unary;

/// A function applied to every number. Input: `x`; or none, then it is what the output holds already.
#[derive(Clone, Debug)]
pub struct Map {
    /// Which.
    pub function: Unary,
}

/// Numbers that are copied before they are computed from: they stay in the nearest cache.
const STRETCH: usize = 2048;

/// Runs it, sixteen numbers at a time; any part.
#[inline(always)]
pub fn map<V: Vector, S: Sums<V>>(map: &Map, part: Part<'_>) {
    for (number, out) in part.out.chunks_mut(STRETCH).enumerate() {
        if let Some(x) = part.inputs.first() {
            out.copy_from_slice(&x[part.at + number * STRETCH..][..out.len()]);
        }
        if !S::EXACT {
            V::map(map.function, out);
            continue;
        }
        for out in out.chunks_mut(LANES) {
            store(double(map.function, load::<V>(out)), out);
        }
    }
}
