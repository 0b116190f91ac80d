//! Where a dataset's elements are kept, and what was done to them on their way there.

use super::{
    cursor::{Cursor, UNDEFINED},
    filter::{self, Filter},
    header::{self, Header},
    image::Image,
    wrong::{Read, Wrong},
};
use crate::faults::Code;

/// How the elements are kept.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// In the object header.
    Within { address: u64, length: u64 },
    /// Side by side; without an address they were never written, and `fill` is one of them (nothing for noughts).
    Together { address: Option<u64>, length: Option<u64>, fill: Vec<u8> },
    /// In pieces.
    Chunked(Chunked),
}

/// A dataset in pieces of one shape.
#[derive(Clone, Debug)]
pub(super) struct Chunked {
    /// Lengths of a piece's axes.
    pub lengths: Vec<u32>,
    /// Where the index of the pieces is.
    pub address: u64,
    /// Of which kind it is.
    pub index: Index,
    /// What was done to each piece, in the order of writing.
    pub filters: Vec<Filter>,
    /// An element that was never written; nothing for noughts.
    pub fill: Vec<u8>,
}

/// How the pieces are found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// A B-tree of the first version.
    Tree,
    /// There is one piece; its length and skipped filters, if it was filtered.
    Single(Option<(u64, u32)>),
    /// The pieces stand side by side.
    Implicit,
    /// A table of fixed length.
    Fixed,
    /// A table that grows along one axis.
    Extensible,
    /// A B-tree of the second version.
    NewTree,
}

impl Layout {
    /// Reads the messages of a dataset whose elements have `size` bytes.
    pub fn read(image: &Image, header: &Header<'_>, size: usize) -> Read<Layout> {
        if let Some(message) = header.find(header::EXTERNAL) {
            let says = "its elements are kept in another file, which is never opened";
            return Err(Wrong::with(Code::Hostile, message.place(), says));
        }
        let filters = header.find(header::FILTERS).map(filter::read).transpose()?.unwrap_or_default();
        let Some(message) = header.find(header::LAYOUT) else {
            return Err(Wrong::damaged(None, "it does not say where its elements are"));
        };
        let place = message.place();
        let mut cursor = message.walk();
        let layout = match cursor.u8()? {
            1 | 2 => old(image, &mut cursor)?,
            3 => third(image, &mut cursor)?,
            4 | 5 => fourth(image, &mut cursor)?,
            version => return Err(Wrong::unsupported(place, format!("its layout is of version {version}"))),
        };
        Ok(match layout {
            Layout::Together { address, length, .. } => Layout::Together { address, length, fill: fill(header)? },
            Layout::Chunked(mut chunked) => {
                chunked.filters = filters;
                chunked.fill = fill(header)?;
                // The last length is the size of an element.
                if chunked.lengths.pop() != u32::try_from(size).ok() || chunked.lengths.contains(&0) {
                    return Err(Wrong::damaged(place, "its pieces are not made of its elements"));
                }
                Layout::Chunked(chunked)
            }
            within => within,
        })
    }
}

fn defined(address: u64) -> Option<u64> {
    (address != UNDEFINED).then_some(address)
}

fn lengths(cursor: &mut Cursor<'_>, axes: usize, width: usize) -> Read<Vec<u32>> {
    let place = cursor.place();
    let mut lengths = Vec::new();
    for _ in 0..axes {
        let length = cursor.uint(width)?;
        lengths.push(u32::try_from(length).map_err(|_| Wrong::damaged(place, "a piece is longer than HDF5 allows"))?);
    }
    Ok(lengths)
}

fn class(place: u64, class: u8) -> Wrong {
    match class {
        3 => Wrong::with(
            Code::Hostile,
            place,
            "it is a virtual dataset, made of others; copy its numbers into a plain one",
        ),
        _ => Wrong::damaged(place, format!("its layout is of the unknown class {class}")),
    }
}

/// Elements in the object header; `cursor` stands before them.
fn within(image: &Image, cursor: &mut Cursor<'_>, length: u64) -> Read<Layout> {
    let address = cursor.place() - image.place(0);
    cursor.skip(usize::try_from(length).unwrap_or(usize::MAX))?;
    Ok(Layout::Within { address, length })
}

fn tree(address: u64, lengths: Vec<u32>) -> Layout {
    Layout::Chunked(Chunked { lengths, address, index: Index::Tree, filters: Vec::new(), fill: Vec::new() })
}

fn old(image: &Image, cursor: &mut Cursor<'_>) -> Read<Layout> {
    let place = cursor.place();
    let (axes, kind) = (usize::from(cursor.u8()?), cursor.u8()?);
    cursor.skip(5)?;
    match kind {
        0 => {
            lengths(cursor, axes, 4)?;
            let length = u64::from(cursor.u32()?);
            within(image, cursor, length)
        }
        1 => Ok(Layout::Together { address: defined(cursor.u64()?), length: None, fill: Vec::new() }),
        2 => Ok(tree(cursor.u64()?, lengths(cursor, axes, 4)?)),
        other => Err(class(place, other)),
    }
}

fn third(image: &Image, cursor: &mut Cursor<'_>) -> Read<Layout> {
    let place = cursor.place();
    match cursor.u8()? {
        0 => {
            let length = u64::from(cursor.u16()?);
            within(image, cursor, length)
        }
        1 => {
            let address = defined(cursor.u64()?);
            Ok(Layout::Together { address, length: Some(cursor.u64()?), fill: Vec::new() })
        }
        2 => {
            let axes = usize::from(cursor.u8()?);
            Ok(tree(cursor.u64()?, lengths(cursor, axes, 4)?))
        }
        other => Err(class(place, other)),
    }
}

fn fourth(image: &Image, cursor: &mut Cursor<'_>) -> Read<Layout> {
    const FILTERED: u8 = 0x02;
    let mut ahead = cursor.clone();
    let place = ahead.place();
    if ahead.u8()? != 2 {
        return third(image, cursor);
    }
    let (flags, axes, width) = (ahead.u8()?, usize::from(ahead.u8()?), usize::from(ahead.u8()?));
    if !(1..=8).contains(&width) {
        return Err(Wrong::damaged(place, "the lengths of its pieces have no width"));
    }
    let lengths = lengths(&mut ahead, axes, width)?;
    let index = match ahead.u8()? {
        1 if flags & FILTERED != 0 => Index::Single(Some((ahead.u64()?, ahead.u32()?))),
        1 => Index::Single(None),
        2 => Index::Implicit,
        3 => ahead.skip(1).map(|()| Index::Fixed)?,
        4 => ahead.skip(5).map(|()| Index::Extensible)?,
        5 => ahead.skip(6).map(|()| Index::NewTree)?,
        other => return Err(Wrong::unsupported(place, format!("its pieces have an index of the kind {other}"))),
    };
    Ok(Layout::Chunked(Chunked { lengths, address: ahead.u64()?, index, filters: Vec::new(), fill: Vec::new() }))
}

/// The element that stands for those never written; nothing for noughts.
fn fill(header: &Header<'_>) -> Read<Vec<u8>> {
    const DEFINED: u8 = 0x20;
    if let Some(message) = header.find(header::FILL).filter(|message| !message.shared) {
        let mut cursor = message.walk();
        let version = cursor.u8()?;
        let defined = match version {
            3 => cursor.u8()? & DEFINED != 0,
            1 | 2 => {
                cursor.skip(2)?;
                let defined = cursor.u8()? != 0;
                defined || version == 1
            }
            _ => return Err(Wrong::unsupported(message.place(), format!("its fill value is of version {version}"))),
        };
        let length = if defined { cursor.u32()? } else { 0 };
        return Ok(cursor.take(length as usize)?.to_vec());
    }
    match header.find(header::OLD_FILL).filter(|message| !message.shared) {
        Some(message) => {
            let mut cursor = message.walk();
            let length = cursor.u32()?;
            Ok(cursor.take(length as usize)?.to_vec())
        }
        None => Ok(Vec::new()),
    }
}
