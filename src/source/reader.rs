//! Bytes that a host reads for us, of which nothing is believed.

use super::{Source, too_long};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text},
    limits::Limits,
    tensor::{Keeper, Storage},
};
use std::{ops::Range, sync::Arc};

/// What a host must give so that its bytes can be read. Called from the thread that reads, maybe from several at once.
pub trait Reader: Send + Sync {
    /// How many bytes there are; none if only reading to the end can tell.
    fn size(&self) -> Option<u64>;

    /// Writes bytes from place `at` on into `to` and says how many: fewer than it has room for is allowed, none is the
    /// end. None (no number) if it failed.
    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize>;

    /// A file beside this one, for formats of several files.
    fn neighbour(&self, name: &str) -> Option<Source> {
        let _ = name;
        None
    }
}

/// Memory grows by what has been read, at most this much or a quarter ahead.
const PIECE: usize = 1 << 20;

struct Read(Vec<u8>);

impl Keeper for Read {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Reads a range that must be there.
pub(super) fn exactly(reader: &dyn Reader, range: Range<u64>, faults: &mut Faults) -> Result<Storage, Refused> {
    let wanted = range.end - range.start;
    let bytes = read(reader, range.start, wanted, faults)?;
    if (bytes.len() as u64) < wanted {
        let end = range.start + bytes.len() as u64;
        let message = format!("The reader ended at byte {end}, before byte {} that it promised.", range.end);
        return Err(faults.refuse(Fault::new(Code::Truncated, message).offset(end)));
    }
    Ok(Storage::kept(Arc::new(Read(bytes))))
}

/// Reads all there is, at most what a source may hold.
pub(super) fn to_end(reader: &dyn Reader, limits: &Limits, faults: &mut Faults) -> Result<Storage, Refused> {
    let bytes = read(reader, 0, limits.file_bytes.saturating_add(1), faults)?;
    if bytes.len() as u64 > limits.file_bytes {
        return Err(too_long(&Text::default(), limits, faults));
    }
    Ok(Storage::kept(Arc::new(Read(bytes))))
}

/// Reads up to `most` bytes, fewer only at the end.
fn read(reader: &dyn Reader, from: u64, most: u64, faults: &mut Faults) -> Result<Vec<u8>, Refused> {
    let (mut bytes, mut done) = (Vec::new(), 0);
    while (done as u64) < most {
        let at = from + done as u64;
        let rest = usize::try_from(most - done as u64).unwrap_or(usize::MAX);
        let room = rest.min(PIECE);
        let ahead = done + rest.min(PIECE.max(done / 4));
        if bytes.capacity() - done < room && bytes.try_reserve_exact(ahead - bytes.len()).is_err() {
            let message = format!("There is no memory for more than the {done} bytes read so far.");
            return Err(faults.refuse(Fault::new(Code::Memory, message).offset(at)));
        }
        // What one answer leaves free is offered again: a reader that gives little at a time must not cost a piece each time.
        if bytes.len() < done + room {
            bytes.resize(done + room, 0);
        }
        match reader.read(at, &mut bytes[done..]) {
            Some(0) => break,
            Some(count) if count <= room => done += count,
            Some(count) => {
                let message = format!("The reader says it wrote {count} bytes at byte {at} where {room} have room.");
                return Err(faults.refuse(Fault::new(Code::Io, message).offset(at)));
            }
            None => {
                let message = format!("The reader failed at byte {at}.");
                return Err(faults.refuse(Fault::new(Code::Io, message).offset(at)));
            }
        }
    }
    bytes.truncate(done);
    Ok(bytes)
}
