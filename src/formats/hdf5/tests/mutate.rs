//! Changes a file: bits, fields, blocks, addresses, its end; then sets the checksums right of what has some.

use hdf5_reader::checksum::jenkins_lookup3;

/// A file to be changed.
pub struct Mutator {
    bytes: Vec<u8>,
    /// Where structures with a checksum begin, and where the checksum stands that ends them.
    sealed: Vec<(usize, usize)>,
    /// Where structures of any kind begin.
    places: Vec<usize>,
    state: u64,
}

const WORDS: &[&[u8; 4]] = &[
    b"OHDR", b"OCHK", b"BTHD", b"BTLF", b"BTIN", b"FRHP", b"FHIB", b"FAHD", b"FADB", b"EAHD", b"EAIB", b"EADB",
    b"EASB", b"\x89HDF",
];
const PLAIN: &[&[u8; 4]] = &[b"TREE", b"SNOD", b"HEAP", b"GCOL", b"FHDB"];

impl Mutator {
    /// Finds the structures of a sound file.
    pub fn of(bytes: &[u8]) -> Mutator {
        const LONGEST: usize = 4096;
        let (mut sealed, mut places) = (Vec::new(), Vec::new());
        for start in 0..bytes.len().saturating_sub(4) {
            let word = &bytes[start..start + 4];
            if PLAIN.iter().any(|plain| *plain == word) {
                places.push(start);
            }
            if !WORDS.iter().any(|known| *known == word) {
                continue;
            }
            places.push(start);
            let end = (start + 8..bytes.len().saturating_sub(3).min(start + LONGEST))
                .find(|&end| bytes[end..end + 4] == jenkins_lookup3(&bytes[start..end]).to_le_bytes());
            sealed.extend(end.map(|end| (start, end)));
        }
        Mutator { bytes: bytes.to_vec(), sealed, places, state: 0 }
    }

    /// The file changed in a way that the seed tells.
    pub fn changed(&mut self, seed: u64) -> Vec<u8> {
        self.state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut bytes = self.bytes.clone();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes);
        }
        if self.below(10) > 0 {
            self.seal(&mut bytes);
        }
        bytes
    }

    /// The places where the address of a structure stands, each with the structures it could be led to instead.
    pub fn addresses(&self) -> Vec<(usize, Vec<u64>)> {
        let known: Vec<u64> = self.places.iter().map(|&place| place as u64).collect();
        let word = |at: usize| u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap());
        let leads = |at: &usize| word(*at) > 0 && known.contains(&word(*at));
        let others = |at| known.iter().copied().filter(|&other| other != word(at)).collect();
        (0..self.bytes.len().saturating_sub(7)).filter(leads).map(|at| (at, others(at))).collect()
    }

    /// The file with another address at a place.
    pub fn led(&self, at: usize, to: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[at..at + 8].copy_from_slice(&to.to_le_bytes());
        self.seal(&mut bytes);
        bytes
    }

    /// Sets the checksums right.
    fn seal(&self, bytes: &mut [u8]) {
        for &(start, end) in &self.sealed {
            if end + 4 <= bytes.len() {
                let sum = jenkins_lookup3(&bytes[start..end]);
                bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % bound.max(1)
    }

    /// Three of four times near the beginning of a structure.
    fn place(&mut self, length: usize) -> usize {
        match self.below(4) {
            0 => self.below(length),
            _ => {
                let near = self.below(self.places.len());
                let start = self.places.get(near).copied().unwrap_or_default();
                (start + self.below(160)) % length.max(1)
            }
        }
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        if length < 16 {
            return;
        }
        let at = self.place(length).min(length - 8);
        match self.below(12) {
            0..=3 => bytes[at] ^= 1 << self.below(8),
            4..=7 => {
                let width = 1 << self.below(4);
                let known = [
                    0,
                    1,
                    2,
                    7,
                    0x7F,
                    0x80,
                    0xFF,
                    0x100,
                    0xFFFF,
                    0x7FFF_FFFF,
                    0xFFFF_FFFF,
                    1 << 40,
                    u64::MAX >> 1,
                    u64::MAX,
                ];
                let pick = self.below(known.len() + 2);
                let value = known.get(pick).copied().unwrap_or((length as u64).wrapping_sub(pick as u64));
                bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
            8 => {
                let (from, count) = (self.place(length), 1 + self.below(64));
                let count = count.min(length - at).min(length - from);
                bytes.copy_within(from..from + count, at);
            }
            9 | 10 => {
                let to = self.below(self.places.len());
                let to = self.places.get(to).copied().unwrap_or_default() as u64;
                bytes[at..at + 8].copy_from_slice(&to.to_le_bytes());
            }
            _ => {
                let keep = if self.below(4) == 0 { self.below(length) } else { length - self.below(length.min(64)) };
                bytes.truncate(keep);
            }
        }
    }
}
