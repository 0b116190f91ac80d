//! Upsampling between neighbours, over any number of window axes.

use super::{
    Part,
    total::{Lanes, Total},
    window::AXES,
};

/// Channels taken at a time.
const WIDTH: usize = 16;

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

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn linear<T: Total>(linear: &Linear, part: Part<'_>) {
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
        for (strip, out) in out.chunks_mut(WIDTH).enumerate() {
            let base = number / places * linear.each + strip * WIDTH;
            let mut sums = Lanes::<T, WIDTH>::new();
            for corner in 0..1usize << near.len() {
                let (mut at, mut weight) = (base, 1.0);
                for (axis, near) in near.iter().enumerate() {
                    let side = corner >> axis & 1;
                    at += near.skip[side];
                    weight *= near.weight[side];
                }
                if weight != 0.0 {
                    sums.add(x[at..][..out.len()].iter().map(|&x| T::product(x, weight)));
                }
            }
            for (out, total) in out.iter_mut().zip(sums.finish()) {
                *out = total.round();
            }
        }
    }
}
