//! Which examples come next, and how often the set has been gone through.
//!
//! Files come in the order of the list, examples in the order of the file. Shuffled, the order of the files is drawn once, and
//! that of the examples each time a file is begun. Shuffled in chunks, the order of the files is drawn for every epoch, for
//! each file that of its chunks, and in each chunk that of its examples.

use super::stream::shuffle;

/// Draws 64 bits.
pub(super) type Bits = Box<dyn FnMut() -> u64 + Send>;

/// The order of a data set.
pub(super) struct Sequence {
    /// Examples of each file.
    sizes: Vec<usize>,
    /// Files in their order.
    files: Vec<usize>,
    /// The place in `files`.
    at: usize,
    /// Examples taken from the file at that place.
    taken: usize,
    /// The order of the examples of the file that was begun; none if as in the file.
    drawn: Vec<usize>,
    bits: Option<Bits>,
    chunk: Option<usize>,
    epoch: u64,
}

/// Some examples of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    pub file: usize,
    pub examples: Vec<usize>,
}

impl Sequence {
    /// Files of so many examples each, not all of them empty; shuffled if there are bits to draw.
    pub fn new(sizes: Vec<usize>, mut bits: Option<Bits>, chunk: Option<usize>) -> Sequence {
        let mut files: Vec<usize> = (0..sizes.len()).filter(|&file| sizes[file] > 0).collect();
        if let (Some(bits), None) = (&mut bits, chunk) {
            shuffle(&mut files, bits);
        }
        Sequence { sizes, files, at: 0, taken: 0, drawn: Vec::new(), bits, chunk, epoch: 0 }
    }

    /// How often the last example has been taken.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The next examples, at most `most`, all of one file; none if there are no examples at all.
    pub fn next(&mut self, most: usize) -> Option<Run> {
        if self.taken == 0 {
            self.begin();
        }
        let file = *self.files.get(self.at)?;
        let size = self.sizes[file];
        let end = (self.taken + most).min(size);
        let examples = match self.bits {
            Some(_) => self.drawn[self.taken..end].to_vec(),
            None => (self.taken..end).collect(),
        };
        self.taken = end;
        if end == size {
            self.taken = 0;
            self.at += 1;
            if self.at == self.files.len() {
                self.at = 0;
                self.epoch += 1;
            }
        }
        Some(Run { file, examples })
    }

    /// Draws what is drawn before a file is begun.
    fn begin(&mut self) {
        let Some(bits) = &mut self.bits else { return };
        if self.at == 0 && self.chunk.is_some() {
            shuffle(&mut self.files, bits);
        }
        let Some(size) = self.files.get(self.at).map(|&file| self.sizes[file]) else { return };
        let each = self.chunk.unwrap_or(size).max(1);
        let mut chunks: Vec<usize> = (0..size).step_by(each).collect();
        shuffle(&mut chunks, bits);
        self.drawn.clear();
        for first in chunks {
            let begins = self.drawn.len();
            self.drawn.extend(first..(first + each).min(size));
            shuffle(&mut self.drawn[begins..], bits);
        }
    }
}
