//! The bytes of a file as HDF5 addresses them: from the superblock on, past a user block.

use super::{
    cursor::{Cursor, UNDEFINED},
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Faults},
    source::{BLOCK, Source},
    tensor::Storage,
};
use hdf5_reader::{
    error::{Error, Result as CrateResult},
    storage::{Storage as CrateStorage, StorageBuffer},
};
use std::{io, ops::Range, sync::Arc};

/// The whole file; addresses count from `base`. What is looked at is fetched, no more.
pub(super) struct Image {
    source: Source,
    base: u64,
}

impl Image {
    /// The file behind a user block of `base` bytes; none if it is shorter.
    pub fn new(source: Source, base: u64) -> Option<Image> {
        (base <= source.len()).then_some(Image { source, base })
    }

    /// All of it, the user block with it.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How many bytes the source has.
    pub fn length(&self) -> u64 {
        self.source.len()
    }

    /// How many bytes there are from address nought on.
    pub fn reach(&self) -> u64 {
        self.length() - self.base
    }

    /// The byte of the source that has this address.
    pub fn place(&self, address: u64) -> u64 {
        address.saturating_add(self.base)
    }

    /// The bytes at an address, to be looked at: what says where things are.
    pub fn slice(&self, address: u64, length: u64, what: &str) -> Read<&[u8]> {
        let range = self.range(address, length, what)?;
        let mut faults = Faults::default();
        self.source.look(range, &mut faults).map_err(|refused| Wrong::source(refused, &faults))
    }

    /// The bytes at an address, to be kept: what things hold. Copies nothing where the file is mapped.
    pub fn part(&self, address: u64, length: u64, what: &str) -> Read<Storage> {
        let range = self.range(address, length, what)?;
        let mut faults = Faults::default();
        self.source.bytes(range, &mut faults).map_err(|refused| Wrong::source(refused, &faults))
    }

    /// A walk over `most` bytes from an address, over fewer at the end of the file.
    pub fn walk(&self, address: u64, most: u64, what: &str) -> Read<Cursor<'_>> {
        let left = self.reach().checked_sub(address).ok_or_else(|| self.outside(address, what))?;
        Ok(Cursor::new(self.slice(address, left.min(most), what)?, self.place(address)))
    }

    /// Refuses an address that lies beyond the file.
    pub fn holds(&self, address: u64, what: &str) -> Read<()> {
        self.range(address, 0, what).map(drop)
    }

    fn range(&self, address: u64, length: u64, what: &str) -> Read<Range<u64>> {
        let start = address.checked_add(self.base);
        let end = start.and_then(|start| start.checked_add(length));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.length() => Ok(start..end),
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

/// Bytes as the crate takes them.
struct Owner(Storage);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl CrateStorage for Image {
    fn len(&self) -> u64 {
        self.reach()
    }

    fn read_range(&self, offset: u64, length: usize) -> CrateResult<StorageBuffer> {
        let wanted = length as u64;
        self.range(offset, wanted, "").map_err(|_| Error::OffsetOutOfBounds(offset))?;
        // What the source says goes through the crate as it is, see `Wrong::crates`.
        let failed = |wrong: Wrong| Error::Io(io::Error::other(wrong));
        if wanted <= BLOCK {
            // Fetched with what stands around it, where the next is likely to be.
            self.slice(offset, wanted, "").map_err(failed)?;
        }
        let part = self.part(offset, wanted, "").map_err(failed)?;
        StorageBuffer::from_shared_owner(Arc::new(Owner(part)), 0, length)
    }
}
