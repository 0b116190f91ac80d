//! The record at the end of an archive, which says where its directory lies; in both sizes.

use super::bytes::{u16_at, u32_at, u64_at};
use crate::{
    faults::{Code, Fault, Faults, Refused},
    source::Source,
};
use std::ops::Range;

/// Bytes of the end record, its comment left out.
const END: u64 = 22;
/// The longest comment, or whatever else stands after the end record.
const COMMENT: u64 = 0xFFFF;
/// Bytes of the pointer to the larger end record; it stands right before the smaller one.
const LOCATOR: u64 = 20;
/// Bytes of the larger end record.
const LARGE: u64 = 56;

/// What the end record says, checked against the length of the archive.
pub(super) struct End {
    /// How many entries the directory has.
    pub entries: u64,
    /// Where the directory lies.
    pub directory: Range<u64>,
}

/// An end record of either size.
#[derive(PartialEq)]
struct Record {
    /// Number of this disk, and of the one the directory begins on.
    disks: [u32; 2],
    /// Entries on this disk, and on all.
    entries: [u64; 2],
    size: u64,
    offset: u64,
}

/// Finds the last end record, and the larger one it stands for, if any.
pub(super) fn end(source: &Source, faults: &mut Faults) -> Result<End, Refused> {
    let start = source.len().saturating_sub(END + COMMENT);
    let tail = source.bytes(start..source.len(), faults)?;
    let found =
        tail.bytes().windows(END as usize).enumerate().rev().find(|(_, record)| record.starts_with(b"PK\x05\x06"));
    let Some((at, small)) = found.and_then(|(at, record)| Some((start + at as u64, Record::small(record)?))) else {
        let message = "The archive has no end record: it is cut short.";
        return Err(faults.refuse(Fault::new(Code::Truncated, message).offset(source.len())));
    };
    let (record, limit) = match larger(source, at, faults)? {
        Some((large, place)) if small.stands_for(&large) => (large, place),
        Some(_) => return Err(refuse(Code::Malformed, "The two end records of the archive do not agree.", at, faults)),
        None => (small, at),
    };
    if record.disks != [0, 0] || record.entries[0] != record.entries[1] {
        return Err(refuse(Code::Unsupported, "The archive is one of several parts; join them first.", at, faults));
    }
    let directory = record.offset.checked_add(record.size).map(|end| record.offset..end);
    let Some(directory) = directory.filter(|directory| directory.end <= limit) else {
        let message = "The directory of the archive does not lie before its end record: bytes are missing.";
        return Err(refuse(Code::Truncated, message, at, faults));
    };
    Ok(End { entries: record.entries[1], directory })
}

/// The larger end record before the smaller one at `at`, and where it begins.
fn larger(source: &Source, at: u64, faults: &mut Faults) -> Result<Option<(Record, u64)>, Refused> {
    let Some(start) = at.checked_sub(LOCATOR) else { return Ok(None) };
    let locator = source.bytes(start..at, faults)?;
    let locator = locator.bytes();
    if !locator.starts_with(b"PK\x06\x07") {
        return Ok(None);
    }
    let place = u64_at(locator, 8).filter(|place| place.checked_add(LARGE).is_some_and(|end| end <= start));
    let Some(place) = place else {
        return Err(refuse(Code::Malformed, "The zip64 end record lies outside of the archive.", start, faults));
    };
    let bytes = source.bytes(place..place + LARGE, faults)?;
    match Record::large(bytes.bytes()) {
        Some(record) => Ok(Some((record, place))),
        None => Err(refuse(Code::Malformed, "There is no zip64 end record where its locator says.", place, faults)),
    }
}

impl Record {
    fn small(bytes: &[u8]) -> Option<Record> {
        Some(Record {
            disks: [u16_at(bytes, 4)?.into(), u16_at(bytes, 6)?.into()],
            entries: [u16_at(bytes, 8)?.into(), u16_at(bytes, 10)?.into()],
            size: u32_at(bytes, 12)?.into(),
            offset: u32_at(bytes, 16)?.into(),
        })
    }

    fn large(bytes: &[u8]) -> Option<Record> {
        bytes.starts_with(b"PK\x06\x06").then_some(())?;
        Some(Record {
            disks: [u32_at(bytes, 16)?, u32_at(bytes, 20)?],
            entries: [u64_at(bytes, 24)?, u64_at(bytes, 32)?],
            size: u64_at(bytes, 40)?,
            offset: u64_at(bytes, 48)?,
        })
    }

    /// Whether each field of this smaller record is that of the larger one, or says that the larger one holds it.
    fn stands_for(&self, large: &Record) -> bool {
        let short = |small: u64, large: u64| small == large || small == 0xFFFF;
        let long = |small: u64, large: u64| small == large || small == 0xFFFF_FFFF;
        self.disks.iter().zip(large.disks).all(|(&small, large)| short(small.into(), large.into()))
            && self.entries.iter().zip(large.entries).all(|(&small, large)| short(small, large))
            && long(self.size, large.size)
            && long(self.offset, large.offset)
    }
}

fn refuse(code: Code, message: &str, at: u64, faults: &mut Faults) -> Refused {
    faults.refuse(Fault::new(code, message).offset(at))
}
