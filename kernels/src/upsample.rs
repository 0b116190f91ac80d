//! Upsampling between neighbours, over any number of window axes.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
    sums::{Gathered, Sums},
    window::AXES,
};

/// The two neighbours of a place along one axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Between {
    /// Numbers of the input to skip to each.
    pub skip: [usize; 2],
    /// Weight of each.
    pub weight: [f32; 2],
}

/// Each number a mean of its neighbours. Input: `x`.
#[derive(Clone, Debug)]
pub struct Linear {
    /// For each window axis (at most [`AXES`]) its places.
    pub axes: Vec<Vec<Between>>,
    /// Length of the last axis.
    pub channels: usize,
    /// Numbers of one example of the input.
    pub each: usize,
}

/// Most corners of a place along all axes but the last.
const OUTER: usize = 1 << (AXES - 1);

/// Runs it, sixteen channels side by side, one register or two of sums; the part consists of whole places. The corners come in
/// the order of their number, whose last binary place is the first axis: those of a line share the part of it that the other
/// axes make.
#[inline(always)]
pub fn linear<V: Vector, S: Sums<V>>(linear: &Linear, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], linear.channels);
    let Some((last, outer)) = linear.axes.split_last() else { return };
    let lines = outer.iter().map(Vec::len).product::<usize>();
    let (mut around, mut corners) = ([(0, 1.0); OUTER], [(0, 0.0); 2 * OUTER]);
    let mut number = part.at / channels;
    let mut rest = part.out;
    while !rest.is_empty() {
        let first = number % last.len();
        let count = (last.len() - first).min(rest.len() / channels);
        let (out, later) = rest.split_at_mut(count * channels);
        let (example, mut line) = (number / last.len() / lines, number / last.len() % lines);
        around[0] = (example * linear.each, 1.0);
        let mut near = [Between::default(); AXES];
        for (near, axis) in near[..outer.len()].iter_mut().zip(outer).rev() {
            *near = axis[line % axis.len()];
            line /= axis.len();
        }
        for (axis, near) in near[..outer.len()].iter().enumerate() {
            for corner in 0..1 << axis {
                let (at, weight) = around[corner];
                around[corner] = (at + near.skip[0], weight * near.weight[0]);
                around[corner + (1 << axis)] = (at + near.skip[1], weight * near.weight[1]);
            }
        }
        let around = &around[..1 << outer.len()];
        for (near, out) in last[first..].iter().zip(out.chunks_exact_mut(channels)) {
            let mut seen = 0;
            for side in 0..2 {
                for &(at, weight) in around {
                    corners[seen] = (at + near.skip[side], weight * near.weight[side]);
                    seen += usize::from(corners[seen].1 != 0.0);
                }
            }
            place::<V, S>(x, &corners[..seen], out);
        }
        (number, rest) = (number + count, later);
    }
}

/// One place: the sum of its corners by their weights.
#[inline(always)]
fn place<V: Vector, S: Sums<V>>(x: &[f32], corners: &[(usize, f32)], out: &mut [f32]) {
    let (channels, mut channel) = (out.len(), 0);
    while channel < channels {
        // The last strip reaches back over channels that are done, to the same numbers.
        let width = LANES.min(channels);
        let from = channel.min(channels - width);
        let mut sums = Gathered::<S>::new();
        for &(at, weight) in corners {
            sums.add_each(V::splat(weight), load(&x[at + from..][..width]));
        }
        store(sums.all().rounded(), &mut out[from..][..width]);
        channel += LANES;
    }
}
