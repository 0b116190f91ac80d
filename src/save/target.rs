//! Where a file goes.

use super::replace::Replacement;
use crate::faults::{Code, Fault, Faults, Refused};
use std::path::Path;

/// Where a file goes.
pub enum Target<'a> {
    /// A path: written beside it, then put in its place, so that a reader sees the old file or the new one and never half.
    Path(&'a Path),
    /// Memory; added to what it holds.
    Bytes(&'a mut Vec<u8>),
    /// A host's writer, called with the place of each piece, from the first byte on without gaps; false if it failed.
    Writer(&'a mut dyn FnMut(u64, &[u8]) -> bool),
}

/// A target that is being written.
pub(super) enum Sink<'a> {
    File(Replacement),
    Bytes { bytes: &'a mut Vec<u8>, before: usize },
    Writer { write: &'a mut dyn FnMut(u64, &[u8]) -> bool, at: u64 },
}

impl<'a> Sink<'a> {
    /// Opens a target for `length` bytes.
    pub fn open(target: Target<'a>, length: u64, faults: &mut Faults) -> Result<Sink<'a>, Refused> {
        Ok(match target {
            Target::Path(path) => Sink::File(Replacement::beside(path, faults)?),
            Target::Bytes(bytes) => {
                let before = bytes.len();
                let room = usize::try_from(length).ok().and_then(|length| bytes.try_reserve_exact(length).ok());
                if room.is_none() {
                    let message = format!("There is no memory for the {length} bytes of the file.");
                    return Err(faults.refuse(Fault::new(Code::Memory, message)));
                }
                Sink::Bytes { bytes, before }
            }
            Target::Writer(write) => Sink::Writer { write, at: 0 },
        })
    }

    /// Writes the next bytes.
    pub fn write(&mut self, piece: &[u8], faults: &mut Faults) -> Result<(), Refused> {
        match self {
            Sink::File(file) => file.write(piece, faults),
            Sink::Bytes { bytes, .. } => {
                bytes.extend_from_slice(piece);
                Ok(())
            }
            Sink::Writer { write, at } => {
                if !write(*at, piece) {
                    let message = format!("The writer failed at byte {at}.");
                    return Err(faults.refuse(Fault::new(Code::Io, message).offset(*at)));
                }
                *at += piece.len() as u64;
                Ok(())
            }
        }
    }

    /// Puts a file in its place.
    pub fn finish(self, faults: &mut Faults) -> Result<(), Refused> {
        match self {
            Sink::File(file) => file.place(faults),
            Sink::Bytes { .. } | Sink::Writer { .. } => Ok(()),
        }
    }

    /// Takes back what was written, where that can be done.
    pub fn undo(self) {
        if let Sink::Bytes { bytes, before } = self {
            bytes.truncate(before);
        }
    }
}
