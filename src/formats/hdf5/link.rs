//! Links: the names in a group and what they lead to. Both kinds of group, small and large.

use super::{
    cursor::Cursor,
    dense::{Dense, WIDTH},
    file::File,
    header::{self, Header},
    image::Image,
    wrong::{Read, Wrong},
};
use crate::faults::{Code, Text, quoted};
use hdf5_reader::btree_v1::collect_btree_v1_leaves_storage;
use std::collections::HashSet;

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The object at an address of this file.
    Object(u64),
    /// A path in this file; such links are not followed.
    Soft(Text),
    /// Another file, by its name; such links are not followed.
    External(Text),
    /// A kind of link that only a plug-in knows.
    Other(u8),
}

/// A name in a group.
#[derive(Clone, Debug)]
pub struct Link {
    /// The name; never empty, free of `/` in files of sound writers.
    pub name: Text,
    /// What it leads to.
    pub target: Target,
    /// When it was made among its like, where the group tracks that.
    pub order: Option<u64>,
    /// Where the source keeps a copy of what it leads to beside it: in groups of the old kind.
    pub(super) cached: Option<u64>,
}

/// The links of a group and whether their order of creation is tracked, in no particular order.
pub(super) fn all(file: &File, header: &Header<'_>) -> Read<(Vec<Link>, bool)> {
    let most = file.limits().entries;
    let mut links = Vec::new();
    let mut tracked = false;
    if let Some(message) = header.find(header::LINK_INFO) {
        let dense = Dense::read(&mut message.walk(), usize::from(WIDTH))?;
        tracked = dense.tracked;
        for kept in dense.all(file.image(), most)? {
            links.push(one(&mut Cursor::new(&kept.message, kept.place))?);
        }
    }
    for message in header.messages.iter().filter(|message| message.kind == header::LINK) {
        links.push(one(&mut message.walk())?);
    }
    if let Some(message) = header.find(header::SYMBOL_TABLE) {
        let mut walk = message.walk();
        old(file.image(), (walk.u64()?, walk.u64()?), most, &mut links)?;
    }
    if links.len() > most {
        let says = format!("it has more than {most} links, the limit `max_entries`");
        return Err(Wrong::with(Code::Limit, None, says));
    }
    tracked &= links.iter().all(|link| link.order.is_some());
    let mut names = HashSet::with_capacity(links.len());
    if let Some(twice) = links.iter().find(|link| !names.insert(&link.name)) {
        let says = format!("the name '{}' stands in it twice", quoted(&twice.name));
        return Err(Wrong::with(Code::Duplicate, None, says));
    }
    Ok((links, tracked))
}

/// A link message.
fn one(cursor: &mut Cursor<'_>) -> Read<Link> {
    const ORDER: u8 = 0x04;
    const KIND: u8 = 0x08;
    const CHARACTERS: u8 = 0x10;
    let place = cursor.place();
    let (version, flags) = (cursor.u8()?, cursor.u8()?);
    if version != 1 {
        return Err(Wrong::unsupported(place, format!("a link is of version {version}")));
    }
    let kind = if flags & KIND != 0 { cursor.u8()? } else { 0 };
    let order = if flags & ORDER != 0 { Some(cursor.u64()?) } else { None };
    cursor.skip(usize::from(flags & CHARACTERS != 0))?;
    let length = cursor.uint(1 << (flags & 3))?;
    let length = usize::try_from(length).map_err(|_| Wrong::damaged(place, "a name is longer than the file"))?;
    let name = name(cursor.take(length)?, place)?;
    let target = match kind {
        0 => Target::Object(cursor.u64()?),
        1 | 64 => {
            let length = usize::from(cursor.u16()?);
            let text = cursor.take(length)?;
            match kind {
                1 => Target::Soft(Text::from_wtf8(text)),
                // A byte of flags, then the file and the path in it, each with a NUL behind.
                _ => Target::External(Text::from_wtf8(text.split(|&byte| byte == 0).nth(1).unwrap_or_default())),
            }
        }
        _ => Target::Other(kind),
    };
    Ok(Link { name, target, order, cached: None })
}

fn name(bytes: &[u8], place: u64) -> Read<Text> {
    match bytes.is_empty() || bytes.contains(&0) {
        true => Err(Wrong::damaged(place, "a link has no name, or one with a NUL")),
        false => Ok(Text::from_wtf8(bytes)),
    }
}

/// The links of a group of the old kind: a B-tree of symbol nodes, their names in a local heap.
fn old(image: &Image, (tree, heap): (u64, u64), most: usize, links: &mut Vec<Link>) -> Read<()> {
    /// Bytes before the entries of a node, bytes of an entry, bytes of the head of the heap.
    const HEAD: u64 = 8;
    const ENTRY: u64 = 40;
    const HEAP: u64 = 32;
    let place = image.place(tree);
    image.holds(tree, "the index of its links")?;
    let leaves = collect_btree_v1_leaves_storage(image, tree, WIDTH, WIDTH, None, &[], None);
    let leaves = leaves.map_err(|error| Wrong::crates(place, "the index of its links", &error))?;
    let mut walk = image.walk(heap, HEAP, "the heap of its names")?;
    walk.expect(b"HEAP", "heap of names")?;
    walk.skip(4)?;
    let length = walk.u64()?;
    walk.skip(8)?;
    let names = walk.u64()?;
    let names_place = image.place(names);
    let names = image.slice(names, length, "the heap of its names")?;
    let text = |offset: u64| -> Read<Text> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = names.get(offset..).ok_or_else(|| Wrong::damaged(names_place, "a name lies outside of its heap"))?;
        name(Cursor::new(rest, names_place.saturating_add(offset as u64)).text()?, names_place)
    };
    let mut seen = HashSet::new();
    for (_, node) in leaves {
        let node_place = image.place(node);
        if !seen.insert(node) {
            return Err(Wrong::damaged(node_place, "a node of its links stands in their index twice"));
        }
        let mut head = image.walk(node, HEAD, "a node of its links")?;
        head.expect(b"SNOD", "node of links")?;
        head.skip(2)?;
        let count = head.u16()?;
        let mut walk = image.walk(node, HEAD + ENTRY * u64::from(count), "a node of its links")?;
        walk.skip(HEAD as usize)?;
        for _ in 0..count {
            const SOFT: u32 = 2;
            let (offset, address) = (walk.u64()?, walk.u64()?);
            let cached = Some(walk.place());
            let kind = walk.u32()?;
            walk.skip(4)?;
            let soft = u64::from(walk.u32()?);
            walk.skip(12)?;
            let target = if kind == SOFT { Target::Soft(text(soft)?) } else { Target::Object(address) };
            links.push(Link { name: text(offset)?, target, order: None, cached });
            if links.len() > most {
                return Ok(());
            }
        }
    }
    Ok(())
}
