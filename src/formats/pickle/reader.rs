//! The bytes of a pickle, one instruction after the other.

/// Bytes and the place of the next one.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> Option<u8> {
        self.fixed().map(|[byte]| byte)
    }

    pub fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(taken)
    }

    /// Two lines, a module and a name in it, without the last line's end; none if they are not there.
    pub fn names(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let mut ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        let end = ends.nth(1)?;
        self.at += end + 1;
        rest.get(..end)
    }
}
