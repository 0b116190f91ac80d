//! A file that is there already, as the beginning of one that is written: its bytes as they are, but for a few places.

use super::plan::Put;
use crate::{
    faults::{Faults, Refused},
    formats::hdf5::{
        File, SIGNATURE,
        cursor::UNDEFINED,
        header::Header,
        wrong::{Read, Wrong},
    },
};

/// A file, and what stands in it instead of what it has.
pub(super) struct Base {
    pub file: File,
    /// Places in the source, in order and apart.
    changes: Vec<(u64, Vec<u8>)>,
}

impl Base {
    pub fn new(file: File) -> Base {
        Base { file, changes: Vec::new() }
    }

    /// The first address behind it at which something can stand.
    pub fn end(&self) -> u64 {
        self.file.end().next_multiple_of(8)
    }

    /// How many bytes stand before address nought.
    pub fn user_block(&self) -> u64 {
        self.file.place(0)
    }

    /// Takes changes; refuses those that meet, which only a damaged file leads to.
    pub fn change(&mut self, mut changes: Vec<(u64, Vec<u8>)>) -> Read<()> {
        changes.sort();
        let mut free = 0;
        for (place, bytes) in &changes {
            let end = place.saturating_add(bytes.len() as u64);
            if *place < free || end > self.file.place(self.file.end()) {
                return Err(Wrong::damaged(*place, "parts of it lie upon one another"));
            }
            free = end;
        }
        self.changes = changes;
        Ok(())
    }

    /// Gives all bytes up to [`Base::end`] to `put`.
    pub fn write(&self, put: &mut Put<'_>, faults: &mut Faults) -> Result<(), Refused> {
        const PIECE: u64 = 8 << 20;
        let (mut at, end) = (0, self.file.place(self.file.end()));
        let keep = |from: u64, to: u64, put: &mut Put<'_>, faults: &mut Faults| {
            let mut at = from;
            while at < to {
                let end = to.min(at + PIECE);
                put(self.file.image().source().bytes(at..end, faults)?.bytes(), faults)?;
                at = end;
            }
            Ok(())
        };
        for (place, bytes) in &self.changes {
            keep(at, *place, put, faults)?;
            put(bytes, faults)?;
            at = place + bytes.len() as u64;
        }
        keep(at, end, put, faults)?;
        let gap = self.end() - self.file.end();
        put([0; 8].get(..gap as usize).unwrap_or_default(), faults)
    }

    /// The superblock for a file that ends at another address, and its place in the source. Of the old versions the copy of
    /// what the root has is taken out. Refuses files with pages, free space or caches that would have to follow.
    pub fn superblock(&self, end: u64) -> Read<(u64, Vec<u8>)> {
        let image = self.file.image();
        let head = image.slice(0, SIGNATURE.len() as u64 + 1, "the superblock")?;
        let (old, base, beside, field, length) = match head.last() {
            Some(0) => (true, 24, 48, 40, 96),
            Some(1) => (true, 28, 52, 44, 100),
            _ => (false, 12, 20, 28, 48),
        };
        let mut bytes = image.slice(0, length as u64, "the superblock")?.to_vec();
        let beside = image.walk(beside, 8, "the superblock")?.u64()?;
        if beside != UNDEFINED && old {
            let says = "it is one of several files that make one, and nothing can be added to it";
            return Err(Wrong::unsupported(image.place(0), says));
        }
        if beside != UNDEFINED {
            const DRIVER_SPACE_CACHE: [u16; 3] = [0x14, 0x17, 0x18];
            let extension = Header::read(image, beside, image.length())?;
            if DRIVER_SPACE_CACHE.iter().any(|&kind| extension.find(kind).is_some()) {
                let says = "it keeps its space in pages or lists, so nothing can be added to it; copy it with h5repack";
                return Err(Wrong::unsupported(image.place(beside), says));
            }
        }
        let stated = end.saturating_add(image.walk(base, 8, "the superblock")?.u64()?);
        bytes.splice(field..field + 8, stated.to_le_bytes());
        if old {
            let cached = length - 24;
            bytes.splice(cached..cached + 4, [0; 4]);
        } else {
            bytes.truncate(length - 4);
            bytes = super::message::sealed(bytes);
        }
        Ok((image.place(0), bytes))
    }
}
