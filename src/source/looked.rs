//! What of a reader's bytes has been looked at: each piece is fetched once and kept as long as the source. For formats whose
//! parts stand all over the file, as those of HDF5 do.

use super::reader::{self, Reader};
use crate::{
    faults::{Faults, Refused},
    tensor::Storage,
};
use elsa::sync::FrozenMap;
use std::{
    ops::Range,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// Pieces begin and end at multiples of this, but for the last.
pub(crate) const BLOCK: u64 = 16 << 10;

/// Pieces of a reader's bytes.
#[derive(Default)]
pub(super) struct Looked {
    /// By first byte and end.
    pieces: FrozenMap<(u64, u64), Box<Storage>>,
    held: AtomicU64,
    /// Everything, once pieces would hold more than they save.
    whole: OnceLock<Storage>,
}

impl Looked {
    /// The bytes of a range of the `length` that the reader has; the range must lie within.
    pub(super) fn look(
        &self,
        (reader, length): (&dyn Reader, u64),
        range: Range<u64>,
        faults: &mut Faults,
    ) -> Result<&[u8], Refused> {
        let outer = outer(&range, length);
        let (piece, first) = match (self.whole.get(), self.pieces.get(&(outer.start, outer.end))) {
            (Some(whole), _) => (whole, 0),
            (None, Some(piece)) => (piece, outer.start),
            (None, None) => self.fetch(reader, length, outer, faults)?,
        };
        Ok(place(&range, first).and_then(|place| piece.bytes().get(place)).unwrap_or_default())
    }

    /// The same to be kept, if it has been looked at.
    pub(super) fn part(&self, range: &Range<u64>, length: u64) -> Option<Storage> {
        let outer = outer(range, length);
        match self.whole.get() {
            Some(whole) => whole.part(place(range, 0)?),
            None => self.pieces.get(&(outer.start, outer.end))?.part(place(range, outer.start)?),
        }
    }

    fn fetch(
        &self,
        reader: &dyn Reader,
        length: u64,
        range: Range<u64>,
        faults: &mut Faults,
    ) -> Result<(&Storage, u64), Refused> {
        const SLACK: u64 = 8 << 20;
        let bytes = range.end - range.start;
        if self.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > SLACK.max(length / 8) {
            let whole = reader::exactly(reader, 0..length, faults)?;
            return Ok((self.whole.get_or_init(|| whole), 0));
        }
        let piece = reader::exactly(reader, range.clone(), faults)?;
        Ok((self.pieces.insert((range.start, range.end), Box::new(piece)), range.start))
    }
}

/// The piece in which a range lies.
fn outer(range: &Range<u64>, length: u64) -> Range<u64> {
    range.start / BLOCK * BLOCK..range.end.div_ceil(BLOCK).saturating_mul(BLOCK).min(length)
}

/// Where a range stands in memory whose first byte is that of place `first`.
pub(super) fn place(range: &Range<u64>, first: u64) -> Option<Range<usize>> {
    let from = |at: u64| usize::try_from(at.checked_sub(first)?).ok();
    Some(from(range.start)?..from(range.end)?)
}
