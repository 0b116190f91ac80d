//! What looks at a whole axis for each number: softmax, its logarithm, and division by the length.
//!
//! An axis whose numbers are neighbours goes sixteen of them at a time, whose sums are joined at the end; any other goes
//! number by number, sixteen neighbours of each side by side.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
    sums::{Gathered, Sums, filled},
};

/// Along an axis. Input: `x`, seen as `[…, length, inner]`.
#[derive(Clone, Debug)]
pub struct Along {
    /// Length of the axis.
    pub length: usize,
    /// Numbers from one place of the axis to the next.
    pub inner: usize,
    /// What is computed.
    pub what: Reach,
}

/// What an [`Along`] computes.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// `exp(x − max) / Σ`.
    Softmax,
    /// Its logarithm.
    LogSoftmax,
    /// `x / max(‖x‖₂, epsilon)`.
    Unit {
        /// Smallest divisor.
        epsilon: f32,
    },
}

/// Runs it; the part consists of whole stretches of `length·inner`.
#[inline(always)]
pub fn along<V: Vector, S: Sums<V>>(along: &Along, part: Part<'_>) {
    let stretch = along.length * along.inner;
    let x = &part.inputs[0][part.at..];
    for (out, x) in part.out.chunks_exact_mut(stretch).zip(x.chunks_exact(stretch)) {
        if along.inner == 1 {
            neighbours::<V, S>(along.what, x, out);
        } else {
            for first in (0..along.inner).step_by(LANES) {
                let lanes = LANES.min(along.inner - first);
                columns::<V, S>(along, &x[first..], lanes, &mut out[first..]);
            }
        }
    }
}

/// An axis of neighbours.
#[inline(always)]
fn neighbours<V: Vector, S: Sums<V>>(what: Reach, x: &[f32], out: &mut [f32]) {
    let mut sums = Gathered::<S>::new();
    let strips = || x.chunks(LANES);
    if let Reach::Unit { epsilon } = what {
        for x in strips() {
            let x = load(x);
            sums.add_each::<V>(x, x);
        }
        let divisor = divisor(sums.all().joined(), epsilon);
        for (x, out) in strips().zip(out.chunks_mut(LANES)) {
            store(load::<V>(x).div(divisor), out);
        }
        return;
    }
    let lowest = f32::NEG_INFINITY;
    let mut most = V::splat(lowest);
    for x in strips() {
        most = filled::<V>(x, lowest).max(most);
    }
    let mut lanes = [0.0; LANES];
    most.store(&mut lanes);
    let most = V::splat(lanes.into_iter().fold(lowest, |most, x| if x > most { x } else { most }));
    for x in strips() {
        let x = S::exp(less(x, most));
        sums.add(x);
    }
    let total = sums.all().joined();
    for (x, out) in strips().zip(out.chunks_mut(LANES)) {
        store(answer(what, less(x, most), total), out);
    }
}

/// What is less than the largest number by how much; where there are no numbers, its exponential is nought.
#[inline(always)]
fn less<V: Vector>(x: &[f32], most: V) -> V {
    filled::<V>(x, f32::NEG_INFINITY).sub(most)
}

/// An axis whose numbers lie `inner` apart, of up to sixteen neighbours.
#[inline(always)]
fn columns<V: Vector, S: Sums<V>>(along: &Along, x: &[f32], lanes: usize, out: &mut [f32]) {
    let mut sums = Gathered::<S>::new();
    let places = || (0..along.length).map(|place| place * along.inner);
    if let Reach::Unit { epsilon } = along.what {
        for at in places() {
            let x = load(&x[at..][..lanes]);
            sums.add_each::<V>(x, x);
        }
        let divisor = divisor(sums.all(), epsilon);
        for at in places() {
            store(load::<V>(&x[at..][..lanes]).div(divisor), &mut out[at..][..lanes]);
        }
        return;
    }
    let mut most = V::splat(f32::NEG_INFINITY);
    for at in places() {
        most = load::<V>(&x[at..][..lanes]).max(most);
    }
    for at in places() {
        let x = S::exp(load::<V>(&x[at..][..lanes]).sub(most));
        sums.add(x);
    }
    let total = sums.all();
    for at in places() {
        let x = load::<V>(&x[at..][..lanes]).sub(most);
        store(answer(along.what, x, total), &mut out[at..][..lanes]);
    }
}

/// The softmax of `x`, from which the largest number has been taken away, or its logarithm.
#[inline(always)]
fn answer<V: Vector, S: Sums<V>>(what: Reach, x: V, total: S) -> V {
    match what {
        Reach::LogSoftmax => S::less_log(x, total),
        _ => S::shares(S::exp(x), total),
    }
}

/// The root of a sum of squares, at least `epsilon`.
#[inline(always)]
fn divisor<V: Vector, S: Sums<V>>(squares: S, epsilon: f32) -> V {
    V::splat(epsilon).max(squares.rounded().sqrt())
}
