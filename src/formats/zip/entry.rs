//! One record of an archive, as the directory has it and as its own header has it.

use super::bytes::{u16_at, u32_at, u64_at};
use crate::faults::{Code, Fault, Text, quoted};
use std::ops::Range;

/// Bytes of an entry of the directory and of the header before a record, without name and extra fields.
pub(super) const LISTED: usize = 46;
pub(super) const HEADER: usize = 30;

/// Encrypted, encrypted more strongly, its header hidden.
const SECRET: u16 = 1 | 1 << 6 | 1 << 13;
/// Size and checksum follow the bytes.
const FOLLOWED: u16 = 1 << 3;

/// A record, as the directory lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name, raw; never used as a path.
    pub name: Text,
    /// How many bytes it holds.
    pub size: u64,
    pub(super) packed: u64,
    pub(super) crc: u32,
    pub(super) method: u16,
    /// Place of its header.
    pub(super) header: u64,
    flags: u16,
}

impl Entry {
    /// Reads an entry at the beginning of `bytes` and says how long it is; none if `bytes` do not begin with one.
    pub(super) fn listed(bytes: &[u8]) -> Option<(Entry, usize)> {
        bytes.starts_with(b"PK\x01\x02").then_some(())?;
        let (name, extra, comment) = (u16_at(bytes, 28)?, u16_at(bytes, 30)?, u16_at(bytes, 32)?);
        let extra_at = LISTED + usize::from(name);
        let comment_at = extra_at + usize::from(extra);
        let end = comment_at + usize::from(comment);
        bytes.get(..end)?;
        let mut wide = Wide::of(bytes.get(extra_at..comment_at)?);
        let size = wide.or(u32_at(bytes, 24)?)?;
        let packed = wide.or(u32_at(bytes, 20)?)?;
        let header = wide.or(u32_at(bytes, 42)?)?;
        let entry = Entry {
            name: Text::from_wtf8(bytes.get(LISTED..extra_at)?),
            size,
            packed,
            crc: u32_at(bytes, 16)?,
            method: u16_at(bytes, 10)?,
            header,
            flags: u16_at(bytes, 8)?,
        };
        Some((entry, end))
    }

    /// Whether its bytes stand as they are.
    pub fn is_stored(&self) -> bool {
        self.method == 0
    }

    /// What is wrong with it by itself.
    pub(super) fn fault(&self) -> Option<Fault> {
        if self.flags & SECRET != 0 {
            return Some(self.say(Code::Unsupported, "is encrypted; decrypt the archive first."));
        }
        if self.leads_away() {
            return Some(self.say(Code::Hostile, "is a name that leads out of the archive."));
        }
        if self.is_stored() && self.packed != self.size {
            let rest = format!("is said to hold {} bytes, and {} are stored.", self.size, self.packed);
            return Some(self.say(Code::Malformed, &rest));
        }
        if !matches!(self.method, 0 | 8) {
            let rest = format!("is packed by method {}; stored and deflated records are read.", self.method);
            return Some(self.say(Code::Unsupported, &rest));
        }
        None
    }

    /// Whether a program that used the name as a path would write somewhere else.
    fn leads_away(&self) -> bool {
        let name = self.name.as_bytes();
        name.is_empty()
            || name.contains(&0)
            || name.contains(&b'\\')
            || name.starts_with(b"/")
            || name.get(1) == Some(&b':')
            || name.split(|&byte| byte == b'/').any(|part| part == b"..")
    }

    /// Where the bytes of the record lie, from `header`, what stands at [`Entry::header`]; none if that is another record's.
    pub(super) fn bytes(&self, header: &[u8]) -> Option<Range<u64>> {
        header.starts_with(b"PK\x03\x04").then_some(())?;
        let (name, extra) = (usize::from(u16_at(header, 26)?), usize::from(u16_at(header, 28)?));
        let mut wide = Wide::of(header.get(HEADER + name..HEADER + name + extra)?);
        let size = wide.or(u32_at(header, 22)?)?;
        let packed = wide.or(u32_at(header, 18)?)?;
        let (crc, flags) = (u32_at(header, 14)?, u16_at(header, 6)?);
        let follows = flags & self.flags & FOLLOWED != 0;
        let told = |here: u64, listed: u64| here == listed || follows && here == 0;
        let agrees = header.get(HEADER..HEADER + name)? == self.name.as_bytes()
            && u16_at(header, 8)? == self.method
            && (flags ^ self.flags) & SECRET == 0
            && told(size, self.size)
            && told(packed, self.packed)
            && told(crc.into(), self.crc.into());
        let start = self.header.checked_add((HEADER + name + extra) as u64)?;
        agrees.then_some(start..start.checked_add(self.packed)?)
    }

    /// A fault of this record: `'name' …`.
    pub(super) fn say(&self, code: Code, rest: &str) -> Fault {
        Fault::new(code, format!("'{}' {rest}", quoted(&self.name))).place(self.name.clone()).offset(self.header)
    }
}

/// The extra field that holds what does not fit in 32 bits.
struct Wide<'a>(&'a [u8]);

impl<'a> Wide<'a> {
    fn of(mut extra: &'a [u8]) -> Wide<'a> {
        while let (Some(id), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
            let end = 4 + usize::from(length);
            if id == 1 {
                return Wide(extra.get(4..end).unwrap_or_default());
            }
            extra = extra.get(end..).unwrap_or_default();
        }
        Wide(&[])
    }

    /// The number itself, or the next of the field if it says that it stands there.
    fn or(&mut self, number: u32) -> Option<u64> {
        if number != u32::MAX {
            return Some(number.into());
        }
        let wide = u64_at(self.0, 0)?;
        self.0 = self.0.get(8..)?;
        Some(wide)
    }
}
