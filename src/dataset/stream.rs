//! Numbers that are drawn: a stream from a seed, and orders from a stream.

/// An endless stream of numbers from a seed (SplitMix64): the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(u64);

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Stream {
        Stream(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, 1.
    pub fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 * STEP
    }

    /// A normal number, by the method of Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Puts items into a drawn order: from the last place down, each changes with place `bits·(places up to it) / 2⁶⁴`.
pub(super) fn shuffle<T>(items: &mut [T], bits: &mut dyn FnMut() -> u64) {
    for place in (1..items.len()).rev() {
        let other = (u128::from(bits()) * (place as u128 + 1)) >> 64;
        items.swap(place, other as usize);
    }
}
