//! The bytes of a file as HDF5 addresses them: from the superblock on, past a user block.

use super::{
    cursor::{Cursor, UNDEFINED},
    wrong::{Read, Wrong},
};
use crate::{faults::Code, tensor::Storage};

/// The whole file; addresses count from `base`.
pub(super) struct Image {
    whole: Storage,
    base: usize,
}

impl Image {
    /// The file behind a user block of `base` bytes; none if it is shorter.
    pub fn new(whole: Storage, base: usize) -> Option<Image> {
        (base <= whole.len()).then_some(Image { whole, base })
    }

    /// All bytes from address nought on.
    pub fn bytes(&self) -> &[u8] {
        self.whole.bytes().get(self.base..).unwrap_or_default()
    }

    /// All bytes of the source.
    pub fn whole(&self) -> &[u8] {
        self.whole.bytes()
    }

    /// How many bytes the source has.
    pub fn length(&self) -> u64 {
        self.whole.len() as u64
    }

    /// The bytes before the superblock.
    pub fn user_block(&self) -> &[u8] {
        self.whole.bytes().get(..self.base).unwrap_or_default()
    }

    /// The byte of the source that has this address.
    pub fn place(&self, address: u64) -> u64 {
        address.saturating_add(self.base as u64)
    }

    /// The bytes at an address.
    pub fn slice(&self, address: u64, length: u64, what: &str) -> Read<&[u8]> {
        let range = self.range(address, length, what)?;
        Ok(self.whole.bytes().get(range).unwrap_or_default())
    }

    /// The same, to be kept; copies nothing.
    pub fn part(&self, address: u64, length: u64, what: &str) -> Read<Storage> {
        let range = self.range(address, length, what)?;
        self.whole.part(range).ok_or_else(|| Wrong::damaged(self.place(address), format!("{what} lies outside")))
    }

    /// A walk from an address to the end of the file.
    pub fn walk(&self, address: u64, what: &str) -> Read<Cursor<'_>> {
        let length = (self.bytes().len() as u64).checked_sub(address);
        let length = length.ok_or_else(|| self.outside(address, what))?;
        Ok(Cursor::new(self.slice(address, length, what)?, self.place(address)))
    }

    fn range(&self, address: u64, length: u64, what: &str) -> Read<std::ops::Range<usize>> {
        let start = usize::try_from(address).ok().and_then(|start| start.checked_add(self.base));
        let end = start.and_then(|start| start.checked_add(usize::try_from(length).ok()?));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.whole.len() => Ok(start..end),
            _ => Err(self.outside(address, what)),
        }
    }

    fn outside(&self, address: u64, what: &str) -> Wrong {
        if address == UNDEFINED {
            return Wrong::damaged(None, format!("{what} has no place in the file"));
        }
        let says = format!("{what} lies beyond the file's {} bytes", self.length());
        Wrong::with(Code::Truncated, self.place(address), says)
    }
}
