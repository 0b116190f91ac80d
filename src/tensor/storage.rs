//! Bytes that outlive everyone who looks at them: owned, mapped, or lent by a host.

use bytemuck::{Pod, Zeroable};
use std::{fmt, ops::Range, sync::Arc};

/// Something that keeps bytes alive and in place, e.g. a mapped file.
pub trait Keeper: Send + Sync {
    /// All the bytes; the same slice at each call.
    fn bytes(&self) -> &[u8];

    /// The same to be written, if they are nobody else's.
    fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        None
    }
}

/// A counted range of immutable bytes; cloning copies nothing.
#[derive(Clone)]
pub struct Storage {
    keeper: Arc<dyn Keeper>,
    range: Range<usize>,
}

/// Owned memory comes in lines of 64 bytes, so that kernels may load aligned.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

struct Owned {
    lines: Vec<Line>,
    length: usize,
}

impl Keeper for Owned {
    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.length]
    }

    fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        Some(&mut bytemuck::cast_slice_mut(&mut self.lines)[..self.length])
    }
}

impl Storage {
    /// All the bytes of a keeper.
    pub fn kept(keeper: Arc<dyn Keeper>) -> Storage {
        let range = 0..keeper.bytes().len();
        Storage { keeper, range }
    }

    /// New memory of `length` bytes, aligned to 64, which `fill` writes (it starts as noughts); none if it can not be had.
    pub fn filled(length: usize, fill: impl FnOnce(&mut [u8])) -> Option<Storage> {
        let mut lines = Vec::new();
        let count = length.div_ceil(64);
        lines.try_reserve_exact(count).ok()?;
        lines.resize(count, Line([0; 64]));
        fill(&mut bytemuck::cast_slice_mut(&mut lines)[..length]);
        Some(Storage { keeper: Arc::new(Owned { lines, length }), range: 0..length })
    }

    /// A copy of bytes, aligned to 64; none if memory can not be had.
    pub fn copied(bytes: &[u8]) -> Option<Storage> {
        Storage::filled(bytes.len(), |to| to.copy_from_slice(bytes))
    }

    /// A part of it; none if the range does not lie within.
    pub fn part(&self, range: Range<usize>) -> Option<Storage> {
        let (start, end) = (self.range.start.checked_add(range.start)?, self.range.start.checked_add(range.end)?);
        (start <= end && end <= self.range.end).then(|| Storage { keeper: self.keeper.clone(), range: start..end })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.keeper.bytes()[self.range.clone()]
    }

    /// The bytes to be written: none if anyone else looks at them, or they are not memory of the library's own.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        let range = self.range.clone();
        Arc::get_mut(&mut self.keeper)?.bytes_mut()?.get_mut(range)
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({} bytes)", self.len())
    }
}
