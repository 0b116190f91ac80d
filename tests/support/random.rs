//! Numbers by chance, the same at each run, and how many changed files a test tries.

/// A generator: SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; nought if that is nought.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from −2 to 2.
    pub fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 22) as f32 - 2.0
    }
}

/// How many changed files a test tries of each kind: as many as `PONTIL_MUTATIONS` says, else as many as is usual.
pub fn mutations(usual: usize) -> usize {
    std::env::var("PONTIL_MUTATIONS").map_or(usual, |count| count.parse().expect("PONTIL_MUTATIONS is a number"))
}
