//! What was done to a piece of a dataset on its way into the file, undone: deflate, shuffle, Fletcher's checksum, N-bit,
//! scale and offset, LZF. Any other filter is refused by its number; none is ever loaded.

use super::{
    header::Message,
    lzf,
    wrong::{Read, Wrong},
};
use crate::faults::Code;
use hdf5_reader::filters::{deflate, fletcher32, nbit, scaleoffset, shuffle};
use std::borrow::Cow;

/// A filter and its settings.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    id: u16,
    values: Vec<u32>,
    place: u64,
}

const DEFLATE: u16 = 1;
const SHUFFLE: u16 = 2;
const FLETCHER: u16 = 3;
const SZIP: u16 = 4;
const N_BIT: u16 = 5;
const SCALE_OFFSET: u16 = 6;
const LZF: u16 = 32000;

/// The greatest ratio deflate can reach.
const RATIO: u64 = 1032;

/// Reads the message of a dataset's filters, in the order of writing.
pub(super) fn read(message: &Message<'_>) -> Read<Vec<Filter>> {
    if message.shared {
        return Err(Wrong::unsupported(message.place(), "its filters lie in a table of shared messages"));
    }
    let mut cursor = message.walk();
    let (version, count) = (cursor.u8()?, cursor.u8()?);
    match version {
        1 => cursor.skip(6)?,
        2 => {}
        _ => return Err(Wrong::unsupported(message.place(), format!("its filters are of version {version}"))),
    }
    let mut filters = Vec::new();
    for _ in 0..count {
        // The second version leaves the names of the format's own filters out.
        const NAMED: u16 = 256;
        let place = cursor.place();
        let id = cursor.u16()?;
        let name = if version == 1 || id >= NAMED { usize::from(cursor.u16()?) } else { 0 };
        cursor.skip(2)?;
        let settings = usize::from(cursor.u16()?);
        cursor.skip(if version == 1 { name.next_multiple_of(8) } else { name })?;
        let mut values = Vec::new();
        for _ in 0..settings {
            values.push(cursor.u32()?);
        }
        cursor.skip(if version == 1 && settings % 2 == 1 { 4 } else { 0 })?;
        filters.push(Filter { id, values, place });
    }
    filters.iter().try_for_each(known)?;
    let compressing = |filter: &&Filter| ![SHUFFLE, FLETCHER].contains(&filter.id);
    if let Some(second) = filters.iter().filter(compressing).nth(1) {
        return Err(Wrong::with(Code::Hostile, second.place, "its pieces are compressed twice, which only bombs are"));
    }
    Ok(filters)
}

fn known(filter: &Filter) -> Read<()> {
    match filter.id {
        DEFLATE | SHUFFLE | FLETCHER | N_BIT | SCALE_OFFSET | LZF => Ok(()),
        SZIP => Err(Wrong::unsupported(filter.place, "its pieces are compressed by szip, which is not read; use gzip")),
        id => {
            let says = format!("its pieces went through the filter {id}, a plug-in, which is not read; use gzip");
            Err(Wrong::unsupported(filter.place, says))
        }
    }
}

/// The most bytes that `kept` bytes can become.
pub(super) fn most(filters: &[Filter], kept: u64) -> u64 {
    const SLACK: u64 = 64;
    match filters.iter().any(|filter| ![SHUFFLE, FLETCHER].contains(&filter.id)) {
        true => kept.saturating_mul(RATIO).saturating_add(SLACK),
        false => kept,
    }
}

/// A piece with its filters undone, but for a shuffle that was the first of them: that is undone on the way to where the
/// elements go, so that a piece is not held once more for it.
pub(super) struct Undone<'a> {
    bytes: Cow<'a, [u8]>,
    /// Bytes of an element.
    size: usize,
    shuffled: bool,
}

impl<'a> Undone<'a> {
    /// Writes the elements from one of them on, as many as there is room for.
    pub fn write(&self, first: usize, to: &mut [u8]) {
        let (count, each) = (to.len() / self.size, self.bytes.len() / self.size);
        if !self.shuffled {
            if let Some(from) = self.bytes.get(first * self.size..(first + count) * self.size) {
                to.copy_from_slice(from);
            }
            return;
        }
        for (place, bytes) in self.bytes.chunks_exact(each.max(1)).enumerate() {
            let from = bytes.get(first..first + count).unwrap_or_default();
            to.iter_mut().skip(place).step_by(self.size).zip(from).for_each(|(to, from)| *to = *from);
        }
    }

    /// The elements in order, if nothing is left to be done to them.
    pub fn plain(self) -> Result<Cow<'a, [u8]>, Self> {
        if self.shuffled { Err(self) } else { Ok(self.bytes) }
    }
}

/// Undoes the filters, but for those whose bit is set in `skipped`: `length` bytes, of elements of `size` bytes.
pub(super) fn undo<'a>(
    filters: &[Filter],
    skipped: u32,
    kept: &'a [u8],
    (size, length): (usize, usize),
    place: u64,
) -> Read<Undone<'a>> {
    // Fletcher's checksums within the compressed bytes.
    let room = length.saturating_add(4 * filters.len());
    let (mut bytes, mut shuffled) = (Cow::Borrowed(kept), false);
    for (index, filter) in filters.iter().enumerate().rev() {
        if index < 32 && skipped >> index & 1 != 0 {
            continue;
        }
        let done = match filter.id {
            SHUFFLE if index == 0 => {
                shuffled = true;
                continue;
            }
            DEFLATE => deflate::decompress_with_limit(&bytes, room),
            SHUFFLE => Ok(shuffle::unshuffle(&bytes, size)),
            FLETCHER => fletcher32::verify_and_strip(&bytes),
            N_BIT => nbit::decompress_with_limit(&bytes, &filter.values, room),
            SCALE_OFFSET => scaleoffset::decompress_with_limit(&bytes, &filter.values, room),
            _ => {
                let done = lzf::decompress(&bytes, room);
                Ok(done.ok_or_else(|| Wrong::damaged(place, "a piece is no sound LZF"))?)
            }
        };
        bytes = Cow::Owned(done.map_err(|error| Wrong::crates(place, "a piece", &error))?);
    }
    match bytes.len() == length {
        true => Ok(Undone { bytes, size: size.max(1), shuffled }),
        false => Err(Wrong::damaged(place, format!("a piece has {} bytes where {length} are wanted", bytes.len()))),
    }
}
