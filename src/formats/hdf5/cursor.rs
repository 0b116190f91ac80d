//! A walk over bytes of the file that never leaves them. Everything in HDF5 is little-endian but for numbers of data.

use super::wrong::{Read, Wrong};

/// A place in some bytes; `first` is where they begin in the source.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    first: u64,
}

/// The address that stands for none.
pub(super) const UNDEFINED: u64 = u64::MAX;

impl<'a> Cursor<'a> {
    /// A walk from the first of `bytes`.
    pub fn new(bytes: &'a [u8], first: u64) -> Cursor<'a> {
        Cursor { bytes, at: 0, first }
    }

    /// The byte of the source that comes next.
    pub fn place(&self) -> u64 {
        self.first.saturating_add(self.at as u64)
    }

    /// How many bytes have been walked over.
    pub fn walked(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let Some(taken) = taken else {
            let says = format!("{count} bytes are wanted where {} are left", self.left());
            return Err(Wrong::damaged(self.place(), says));
        };
        self.at += count;
        Ok(taken)
    }

    /// Walks over bytes.
    pub fn skip(&mut self, count: usize) -> Read<()> {
        self.take(count).map(|_| ())
    }

    /// The next bytes, which must be these.
    pub fn expect(&mut self, word: &[u8], what: &str) -> Read<()> {
        let place = self.place();
        match self.take(word.len())? == word {
            true => Ok(()),
            false => Err(Wrong::damaged(place, format!("there is no {what} here"))),
        }
    }

    /// A whole number of `width` bytes, at most 8.
    pub fn uint(&mut self, width: usize) -> Read<u64> {
        Ok(self.take(width)?.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
    }

    /// One byte.
    pub fn u8(&mut self) -> Read<u8> {
        Ok(self.uint(1)? as u8)
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Read<u16> {
        Ok(self.uint(2)? as u16)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Read<u32> {
        Ok(self.uint(4)? as u32)
    }

    /// Eight bytes, an address among them.
    pub fn u64(&mut self) -> Read<u64> {
        self.uint(8)
    }

    /// Text up to a NUL, which is walked over.
    pub fn text(&mut self) -> Read<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            return Err(Wrong::damaged(self.place(), "a text has no end"));
        };
        let text = self.take(length)?;
        self.skip(1)?;
        Ok(text)
    }
}
