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

/// Runs it, sixteen channels side by side; the part consists of whole places. The corners come in the
/// order of their number, whose last binary place is the first axis.
#[inline(always)]
pub fn linear<V: Vector, S: Sums<V>>(linear: &Linear, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], linear.channels);
    let places = linear.axes.iter().map(Vec::len).product::<usize>();
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let mut near = [Between::default(); AXES];
        let mut rest = number % places;
        for (near, axis) in near[..linear.axes.len()].iter_mut().zip(&linear.axes).rev() {
            *near = axis[rest % axis.len()];
            rest /= axis.len();
        }
        let near = &near[..linear.axes.len()];
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let base = number / places * linear.each + strip * LANES;
            let mut sums = Gathered::<S>::new();
            for corner in 0..1usize << near.len() {
                let (mut at, mut weight) = (base, 1.0);
                for (axis, near) in near.iter().enumerate() {
                    let side = corner >> axis & 1;
                    at += near.skip[side];
                    weight *= near.weight[side];
                }
                if weight != 0.0 {
                    sums.add_each(V::splat(weight), load(&x[at..][..out.len()]));
                }
            }
            store(sums.all().rounded(), out);
        }
    }
}
