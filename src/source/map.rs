//! A file in memory, by the system's own means. The one place where a file is mapped.

use crate::tensor::Keeper;
use memmap2::Mmap;
use std::{fs::File, io};

/// The bytes of a mapped file.
pub(super) struct Mapped(Mmap);

impl Mapped {
    /// Maps all of a file, for reading.
    pub(super) fn of(file: &File) -> io::Result<Mapped> {
        // SAFETY: the map is private to this value and only ever read. What no process can rule out is that another one
        // shortens or rewrites the file meanwhile: then the bytes change under us, or the system ends the process on
        // touching what is gone. The documentation of `source` makes leaving the file alone the caller's duty. No check
        // on these bytes is relied on for memory safety after they are read a second time: sizes and places come from
        // the parsed header alone, and every access is bounds-checked against the length of the map.
        unsafe { Mmap::map(file) }.map(Mapped)
    }
}

impl Keeper for Mapped {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}
