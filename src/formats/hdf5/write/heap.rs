//! The global heap of a file that is written: all texts of any length, in collections of at least 4 KiB.

use crate::faults::Text;

/// Bytes before the objects of a collection, and before each object.
const HEAD: usize = 16;

/// The smallest collection libhdf5 takes.
const SMALLEST: usize = 4096;

/// A collection is closed when it has grown so far.
const CLOSED: usize = 1 << 16;

/// Texts on their way to the heap; each collection is what it will hold.
#[derive(Default)]
pub(super) struct Heap<'a> {
    collections: Vec<Collection<'a>>,
}

#[derive(Default)]
struct Collection<'a> {
    texts: Vec<&'a [u8]>,
    bytes: usize,
}

impl<'a> Heap<'a> {
    /// Takes a text in; says which collection and which object it became. An empty text becomes one too: without, libhdf5
    /// gives no text at all.
    pub fn add(&mut self, text: &'a Text) -> (usize, u32) {
        let bytes = text.as_bytes();
        let room = HEAD + bytes.len().next_multiple_of(8);
        let full = |last: &Collection<'_>| last.bytes + room > CLOSED || last.texts.len() >= usize::from(u16::MAX);
        if self.collections.last().is_none_or(full) {
            self.collections.push(Collection { texts: Vec::new(), bytes: HEAD });
        }
        let count = self.collections.len();
        let Some(last) = self.collections.last_mut() else { return (0, 0) };
        last.texts.push(bytes);
        last.bytes += room;
        (count - 1, last.texts.len() as u32)
    }

    /// How many bytes each collection takes.
    pub fn lengths(&self) -> impl Iterator<Item = u64> + '_ {
        self.collections.iter().map(|collection| collection.length() as u64)
    }

    /// The bytes of a collection.
    pub fn collection(&self, index: usize) -> Vec<u8> {
        let Some(collection) = self.collections.get(index) else { return Vec::new() };
        let length = collection.length();
        let mut out = Vec::with_capacity(length);
        out.extend(b"GCOL\x01\0\0\0");
        out.extend((length as u64).to_le_bytes());
        for (number, text) in (1_u16..).zip(&collection.texts) {
            out.extend(number.to_le_bytes());
            // References to it, which libhdf5 writes as none, and reserved bytes.
            out.extend([0; 6]);
            out.extend((text.len() as u64).to_le_bytes());
            out.extend(*text);
            out.resize(out.len().next_multiple_of(8), 0);
        }
        // The free space is object 0, its own head counted.
        let free = length - out.len();
        if free >= HEAD {
            out.extend([0; 8]);
            out.extend((free as u64).to_le_bytes());
        }
        out.resize(length, 0);
        out
    }
}

impl Collection<'_> {
    fn length(&self) -> usize {
        self.bytes.max(SMALLEST)
    }
}
