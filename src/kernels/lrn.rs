//! Local response normalisation: over neighbouring channels, or over a window of places within each channel.

use super::{
    Part,
    total::{Lanes, Total, sum},
    window::{Boxes, place, places, visit},
};

/// `x / (k + alpha·total)^beta`. Input: `x`.
#[derive(Clone, Debug)]
pub struct Lrn {
    /// Length of the last axis.
    pub channels: usize,
    /// Over what the squares are gathered.
    pub over: Over,
    /// Weight of the total, divided by the window's places if it is a mean.
    pub alpha: f64,
    /// Exponent.
    pub beta: f64,
    /// Constant.
    pub k: f64,
}

/// The window of an [`Lrn`].
#[derive(Clone, Debug)]
pub enum Over {
    /// So many channels before and after.
    Channels {
        /// Before.
        before: usize,
        /// After.
        after: usize,
    },
    /// A box of places.
    Places(Vec<Boxes>),
}

/// Runs it; the part consists of whole places.
pub fn lrn<T: Total>(lrn: &Lrn, part: Part<'_>) {
    let (x, channels) = (part.inputs[0], lrn.channels);
    let normalised =
        |x: f32, total: T| (f64::from(x) / (lrn.k + lrn.alpha * f64::from(total.round())).powf(lrn.beta)) as f32;
    let square = |x: f32| T::of(x * x);
    for (number, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let number = part.at / channels + number;
        let row = &x[number * channels..][..channels];
        match &lrn.over {
            Over::Channels { before, after } => {
                for (channel, out) in out.iter_mut().enumerate() {
                    let near = channel.saturating_sub(*before)..channel.saturating_add(after + 1).min(channels);
                    *out = normalised(row[channel], sum(&row[near], square));
                }
            }
            Over::Places(axes) => {
                let places = places(axes);
                let at = &place(axes, number % places)[..axes.len()];
                let example = number / places * places * channels;
                for (channel, out) in out.iter_mut().enumerate() {
                    let mut squares = Lanes::<T, 1>::new();
                    visit(at, example + channel, &mut |at| squares.add(std::iter::once(square(x[at]))));
                    let [total] = squares.finish();
                    *out = normalised(row[channel], total);
                }
            }
        }
    }
}
