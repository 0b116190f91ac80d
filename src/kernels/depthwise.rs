//! Convolutions of each channel by itself, in the standard precision: sixteen channels side by side, over an input that has
//! its border already. Each sum runs over the window's places in their order.

use super::{
    Part,
    after::{follow, load, store},
    isa::{LANES, Vector},
    places::Places,
};

/// Inputs: `x`, weight `[window's places, channels]`, bias `[channels]` if there is one.
#[derive(Clone, Debug)]
pub struct Depthwise {
    /// Numbers of the input from a window's start to each of its places.
    pub offsets: Vec<usize>,
    /// Length of the last axis.
    pub channels: usize,
    /// Where windows start.
    pub places: Places,
}

/// Runs it; the part consists of whole places.
#[inline(always)]
pub fn depthwise<V: Vector>(conv: &Depthwise, part: Part<'_>) {
    let (x, weight) = (part.inputs[0], part.inputs[1]);
    let bias = part.inputs.get(2).copied();
    let channels = conv.channels;
    let mut walk = conv.places.walk(part.at / channels);
    for (place, out) in part.out.chunks_exact_mut(channels).enumerate() {
        let start = walk.next();
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let (channel, width) = (strip * LANES, out.len());
            let mut sum = V::splat(0.0);
            for (number, offset) in conv.offsets.iter().enumerate() {
                let x = load::<V>(&x[start + offset + channel..][..width]);
                sum = x.mul_add(load(&weight[number * channels + channel..][..width]), sum);
            }
            if let Some(bias) = bias {
                sum = sum.add(load(&bias[channel..][..width]));
            }
            let at = part.at + place * channels + channel;
            store(follow(sum, part.after, at, channel, width), out);
        }
    }
}
