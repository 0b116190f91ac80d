//! Object headers: the messages that say what an object is. Both versions, all continuations, checksums verified.
//!
//! Each message keeps its creation index, which orders the attributes of one header.

use super::{
    cursor::Cursor,
    image::Image,
    wrong::{Read, Wrong},
};
use crate::faults::Code;
use hdf5_reader::checksum::jenkins_lookup3;
use std::collections::HashSet;

/// A message of an object header.
#[derive(Clone)]
pub(super) struct Message<'a> {
    /// Its number in the format, e.g. [`DATATYPE`].
    pub kind: u16,
    /// Whether its body only says where it is kept.
    pub shared: bool,
    /// What the file says of it, that among it.
    pub flags: u8,
    /// When it was made among its like, where that is tracked; else 0.
    pub order: u16,
    body: &'a [u8],
    place: u64,
}

impl<'a> Message<'a> {
    /// A walk over its body.
    pub fn walk(&self) -> Cursor<'a> {
        Cursor::new(self.body, self.place)
    }

    /// Where its body begins in the source.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Its body.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }
}

/// Room that nothing fills.
pub(super) const NOTHING: u16 = 0x00;
pub(super) const SPACE: u16 = 0x01;
pub(super) const LINK_INFO: u16 = 0x02;
pub(super) const DATATYPE: u16 = 0x03;
pub(super) const OLD_FILL: u16 = 0x04;
pub(super) const FILL: u16 = 0x05;
pub(super) const LINK: u16 = 0x06;
pub(super) const EXTERNAL: u16 = 0x07;
pub(super) const LAYOUT: u16 = 0x08;
pub(super) const GROUP_INFO: u16 = 0x0A;
pub(super) const FILTERS: u16 = 0x0B;
pub(super) const ATTRIBUTE: u16 = 0x0C;
pub(super) const CONTINUATION: u16 = 0x10;
pub(super) const SYMBOL_TABLE: u16 = 0x11;
pub(super) const ATTRIBUTE_INFO: u16 = 0x15;

/// An object header.
pub(super) struct Header<'a> {
    /// All messages, in the file's order.
    pub messages: Vec<Message<'a>>,
    /// Whether the messages carry creation indices.
    pub tracked: bool,
    /// Bytes that were read for it.
    pub bytes: u64,
    /// Whether it is of the second version.
    pub new: bool,
    /// Its first piece: how many bytes stand before the messages, and how many bytes of messages there are.
    pub room: (u64, u64),
}

impl<'a> Header<'a> {
    /// Reads the header at an address; refuses more than `most` bytes.
    pub fn read(image: &'a Image, address: u64, most: u64) -> Read<Header<'a>> {
        /// No prefix is longer.
        const PREFIX: u64 = 64;
        let mut cursor = image.walk(address, PREFIX, "an object header")?;
        let mut header = Header { messages: Vec::new(), tracked: false, bytes: 0, new: false, room: (0, 0) };
        let new = cursor.clone().take(4)? == b"OHDR";
        let (start, length) = match new {
            true => second(&mut header, &mut cursor)?,
            false => first(&mut cursor)?,
        };
        let head = start.saturating_sub(image.place(address));
        (header.new, header.room) = (new, (head, length));
        let mut pieces = vec![(address, head, length)];
        let mut seen = HashSet::new();
        while let Some((piece, skip, length)) = pieces.pop() {
            if !seen.insert(piece) {
                return Err(Wrong::damaged(image.place(piece), "its object header continues in a circle"));
            }
            let sum = if new { 4 } else { 0 };
            let all = skip.checked_add(length).and_then(|all| all.checked_add(sum));
            let all = all.filter(|&all| header.bytes.saturating_add(all) <= most).ok_or_else(|| {
                Wrong::with(Code::Limit, image.place(piece), format!("its object header is longer than {most} bytes"))
            })?;
            header.bytes += all;
            let bytes = image.slice(piece, all, "its object header")?;
            let place = image.place(piece);
            if new {
                verify(bytes, place)?;
            }
            let end = bytes.len() - sum as usize;
            let body = bytes.get(skip as usize..end).unwrap_or_default();
            let found = header.messages.len();
            messages(&mut header, Cursor::new(body, place + skip), new)?;
            for message in header.messages.get(found..).unwrap_or_default() {
                if message.kind == CONTINUATION && !message.shared {
                    let mut walk = message.walk();
                    let (address, length) = (walk.u64()?, walk.u64()?);
                    // The signature and the checksum of the second version belong to the length.
                    let inner = if new { length.checked_sub(8) } else { Some(length) };
                    let inner = inner.ok_or_else(|| Wrong::damaged(message.place, "a continuation has no room"))?;
                    if new {
                        image
                            .walk(address, 4, "a continuation of its object header")?
                            .expect(b"OCHK", "continuation")?;
                    }
                    pieces.push((address, if new { 4 } else { 0 }, inner));
                }
            }
        }
        Ok(header)
    }

    /// The first message of a kind.
    pub fn find(&self, kind: u16) -> Option<&Message<'a>> {
        self.messages.iter().find(|message| message.kind == kind)
    }
}

/// The prefix of version 1: where messages begin in the source, and how many bytes they have.
fn first(cursor: &mut Cursor<'_>) -> Read<(u64, u64)> {
    let place = cursor.place();
    let version = cursor.u8()?;
    if version != 1 {
        return Err(Wrong::damaged(place, "there is no object header here"));
    }
    cursor.skip(7)?;
    let length = cursor.u32()?;
    cursor.skip(4)?;
    Ok((cursor.place(), u64::from(length)))
}

/// The prefix of version 2; the same.
fn second(header: &mut Header<'_>, cursor: &mut Cursor<'_>) -> Read<(u64, u64)> {
    const TRACKED: u8 = 0x04;
    const PHASES: u8 = 0x10;
    const TIMES: u8 = 0x20;
    cursor.skip(4)?;
    let place = cursor.place();
    let (version, flags) = (cursor.u8()?, cursor.u8()?);
    if version != 2 {
        return Err(Wrong::unsupported(place, format!("its object header is of version {version}")));
    }
    header.tracked = flags & TRACKED != 0;
    cursor.skip(if flags & TIMES != 0 { 16 } else { 0 } + if flags & PHASES != 0 { 4 } else { 0 })?;
    let length = cursor.uint(1 << (flags & 3))?;
    Ok((cursor.place(), length))
}

/// The last four bytes must be the checksum of those before.
fn verify(bytes: &[u8], place: u64) -> Read<()> {
    let Some((covered, sum)) = bytes.split_last_chunk::<4>() else {
        return Err(Wrong::damaged(place, "its object header has no checksum"));
    };
    match jenkins_lookup3(covered) == u32::from_le_bytes(*sum) {
        true => Ok(()),
        false => Err(Wrong::damaged(place, "the checksum of its object header is wrong")),
    }
}

fn messages<'a>(header: &mut Header<'a>, mut cursor: Cursor<'a>, new: bool) -> Read<()> {
    const SHARED: u8 = 0x02;
    let smallest = match (new, header.tracked) {
        (false, _) => 8,
        (true, false) => 4,
        (true, true) => 6,
    };
    while cursor.left() >= smallest {
        let kind = if new { u16::from(cursor.u8()?) } else { cursor.u16()? };
        let (length, flags) = (cursor.u16()?, cursor.u8()?);
        let order = match (new, header.tracked) {
            (false, _) => cursor.skip(3).map(|()| 0)?,
            (true, false) => 0,
            (true, true) => cursor.u16()?,
        };
        let place = cursor.place();
        let body = cursor.take(usize::from(length))?;
        if kind != 0 {
            header.messages.push(Message { kind, shared: flags & SHARED != 0, flags, order, body, place });
        }
    }
    Ok(())
}

/// Where a shared message is kept: the address of another object's header.
pub(super) fn shared(cursor: &mut Cursor<'_>) -> Read<u64> {
    let place = cursor.place();
    let (version, kind) = (cursor.u8()?, cursor.u8()?);
    match (version, kind) {
        (1, _) => {
            cursor.skip(6)?;
            cursor.u64()
        }
        (2, _) | (3, 2) => cursor.u64(),
        (_, 1) => Err(Wrong::unsupported(place, "it uses a table of shared messages, which is not read; save it anew")),
        _ => Err(Wrong::damaged(place, "a shared message does not say where it is kept")),
    }
}
