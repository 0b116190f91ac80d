//! The bytes before the numbers, as the reference writer makes them.

use super::{dtype::ORDER, header::NOTES};
use crate::tensor::DType;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A tensor to be written.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Its name.
    pub name: &'a str,
    /// Element type.
    pub dtype: DType,
    /// Shape, slowest axis first.
    pub shape: &'a [usize],
    /// How many bytes it takes.
    pub bytes: u64,
}

/// Sorts `pieces` into the order in which their numbers follow (the most aligned type first, then by name) and gives the
/// length and the header that stand before them. `notes` are written in the order given. None if a type is not the format's
/// or the sizes can not be counted.
pub fn write_head(pieces: &mut [Piece<'_>], notes: &[(&str, &str)]) -> Option<Vec<u8>> {
    let rank = |dtype| ORDER.iter().position(|&other| other == dtype);
    if pieces.iter().any(|piece| rank(piece.dtype).is_none()) {
        return None;
    }
    pieces.sort_by(|a, b| rank(b.dtype).cmp(&rank(a.dtype)).then(a.name.cmp(b.name)));
    pieces.iter().try_fold(0u64, |end, piece| end.checked_add(piece.bytes))?;
    let mut header = serde_json::to_vec(&Header { pieces, notes }).ok()?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut head = (header.len() as u64).to_le_bytes().to_vec();
    head.append(&mut header);
    Some(head)
}

struct Header<'a> {
    pieces: &'a [Piece<'a>],
    notes: &'a [(&'a str, &'a str)],
}

struct Notes<'a>(&'a [(&'a str, &'a str)]);

#[derive(serde::Serialize)]
struct Field<'a> {
    dtype: &'a str,
    shape: &'a [usize],
    data_offsets: [u64; 2],
}

impl Serialize for Header<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if !self.notes.is_empty() {
            map.serialize_entry(NOTES, &Notes(self.notes))?;
        }
        let mut begin = 0;
        for piece in self.pieces {
            let data_offsets = [begin, begin + piece.bytes];
            map.serialize_entry(piece.name, &Field { dtype: piece.dtype.name(), shape: piece.shape, data_offsets })?;
            begin += piece.bytes;
        }
        map.end()
    }
}

impl Serialize for Notes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}
