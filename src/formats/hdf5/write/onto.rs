//! A group of a file that is there already and gets further links and attributes: its header stays where it is and continues
//! in a new piece at the end of the file, which holds all it had and all that is new.

use super::message::{Form, Header, sealed};
use crate::formats::hdf5::{
    Group, Target,
    cursor::UNDEFINED,
    dense::{Dense, WIDTH},
    header::{ATTRIBUTE, ATTRIBUTE_INFO, CONTINUATION, LINK, LINK_INFO, NOTHING, SYMBOL_TABLE},
    link::{self, Link},
    wrong::{Read, Wrong},
};

/// The longest body of a message of the first version.
pub(super) const LONGEST_OLD: usize = 65_528;

/// A group and what its header keeps.
pub(super) struct Onto {
    /// The address of its header.
    pub address: u64,
    /// The creation order of the first new link, where it tracks that.
    pub links: Option<u64>,
    /// The creation index of the first new attribute.
    pub attributes: u16,
    /// Whether its header keeps the order of attributes and has no message that counts them.
    pub uncounted: bool,
    form: Form,
    tracked: bool,
    kept: Vec<Message>,
    /// The links of a group of the old kind, which becomes one of the new.
    old: Option<Vec<Link>>,
    /// The first piece of its header: its place in the source, the bytes before its messages, and how many follow.
    piece: (u64, Vec<u8>, usize),
    /// Where its parent keeps a copy of what it was.
    cached: Option<u64>,
}

struct Message {
    kind: u16,
    flags: u8,
    order: u16,
    body: Vec<u8>,
}

impl Onto {
    /// Reads a group that gets so many links and attributes more.
    pub fn read(group: &Group, links: usize, attributes: usize) -> Read<Onto> {
        let handle = group.handle();
        let (file, address) = (&handle.file, handle.address);
        let header = file.header(address)?;
        let (image, place) = (file.image(), file.place(address));
        let (head, length) = (header.room.0 as usize, header.room.1 as usize);
        let prefix = image.slice(address, header.room.0, "its object header")?.to_vec();
        let form = if header.new { Form::Continued } else { Form::Old };
        let mut onto = Onto {
            address,
            links: None,
            attributes: 0,
            uncounted: header.tracked && header.find(ATTRIBUTE_INFO).is_none(),
            form,
            tracked: header.tracked,
            kept: Vec::new(),
            old: None,
            piece: (place, prefix, length),
            cached: handle.cached,
        };
        if length < onto.lead() || head != onto.piece.1.len() || !header.new && length % 8 != 0 {
            return Err(Wrong::unsupported(place, "its header has no room for a link to more; choose another group"));
        }
        let mut last = None;
        for message in &header.messages {
            let (mut body, order) = (message.body().to_vec(), message.order);
            match message.kind {
                CONTINUATION | SYMBOL_TABLE => continue,
                LINK_INFO => {
                    let dense = Dense::read(&mut message.walk(), usize::from(WIDTH))?;
                    for kept in dense.all(image, file.limits().entries)? {
                        onto.keep(LINK, 0, 0, kept.message);
                    }
                    let mut walk = message.walk();
                    walk.skip(2)?;
                    onto.links = if dense.tracked { Some(walk.u64()?) } else { None };
                    more(&mut body, WIDTH, onto.links.map(|first| first.saturating_add(links as u64)));
                }
                ATTRIBUTE_INFO => {
                    let dense = Dense::read(&mut message.walk(), 2)?;
                    if dense.is_used() && attributes > 0 {
                        let says = "its attributes lie beside its header, and none can be added; choose another group";
                        return Err(Wrong::unsupported(message.place(), says));
                    }
                    if dense.tracked && !dense.is_used() {
                        let mut walk = message.walk();
                        walk.skip(2)?;
                        onto.attributes = walk.u16()?;
                        let next = u64::from(onto.attributes) + attributes as u64;
                        more(&mut body, 2, Some(next));
                    }
                }
                ATTRIBUTE => last = last.max(Some(order)),
                _ => {}
            }
            onto.keep(message.kind, message.flags, order, body);
        }
        if header.find(SYMBOL_TABLE).is_some() {
            onto.old = Some(link::all(file, &header)?.0);
        }
        onto.attributes = onto.attributes.max(last.map_or(0, |last| last.saturating_add(1)));
        const MOST: usize = u16::MAX as usize;
        let long = onto.kept.iter().any(|kept| kept.body.len() > LONGEST_OLD) || onto.old.iter().flatten().any(long);
        let all = onto.header().count() + links + attributes;
        // Some messages of room that nothing fills are counted too.
        if long || all > MOST - 8 || usize::from(onto.attributes) + attributes > MOST {
            return Err(Wrong::unsupported(place, "it holds as much as its header can count; choose another group"));
        }
        Ok(onto)
    }

    fn keep(&mut self, kind: u16, flags: u8, order: u16, body: Vec<u8>) {
        self.kept.push(Message { kind, flags, order, body });
    }

    /// The new piece, with what it had.
    pub fn header(&self) -> Header {
        let mut header = Header::within(self.form, self.tracked);
        for kept in &self.kept {
            header.push(kept.kind, kept.flags, kept.order, &kept.body);
        }
        if let Some(links) = &self.old {
            header.group(false, 0);
            links.iter().for_each(|link| header.link(link.name.as_bytes(), None, &link.target));
        }
        header
    }

    /// How many bytes the message takes that leads to the new piece.
    fn lead(&self) -> usize {
        self.form.head(self.tracked) + 16
    }

    /// What changes in the file, when a new piece of so many messages stands at an address.
    pub fn changes(&self, (address, length): (u64, u64), count: usize) -> Vec<(u64, Vec<u8>)> {
        let (place, prefix, room) = &self.piece;
        let mut header = Header::within(self.form, self.tracked);
        header.push(CONTINUATION, 0, 0, &[address.to_le_bytes(), length.to_le_bytes()].concat());
        let head = self.form.head(self.tracked);
        while let Some(left) = room.saturating_sub(header.messages().len()).checked_sub(head) {
            header.push(NOTHING, 0, 0, &vec![0; left.min(LONGEST_OLD)]);
        }
        let mut piece = prefix.clone();
        if self.form == Form::Old {
            // The count of all messages stands in the prefix.
            piece.splice(2..4, ((count + header.count()) as u16).to_le_bytes());
        }
        header.pad(*room);
        piece.extend(header.messages());
        let piece = if self.form == Form::Old { piece } else { sealed(piece) };
        let mut changes = vec![(*place, piece)];
        changes.extend(self.cached.map(|cached| (cached, vec![0; 4])));
        changes
    }
}

/// Whether a link of a group of the old kind is too long for a message.
fn long(link: &Link) -> bool {
    let to = if let Target::Soft(to) = &link.target { to.as_bytes().len() } else { 0 };
    link.name.as_bytes().len() + to > LONGEST_OLD - 32
}

/// Puts the next creation index into a body that says where links or attributes are kept, which is nowhere from now on.
fn more(body: &mut [u8], width: u8, next: Option<u64>) {
    let (head, rest) = body.split_at_mut(2.min(body.len()));
    let tracked = head.get(1).is_some_and(|flags| flags & 1 != 0);
    let width = if tracked { usize::from(width) } else { 0 };
    let (index, places) = rest.split_at_mut(width.min(rest.len()));
    if let Some(next) = next {
        index.iter_mut().zip(next.to_le_bytes()).for_each(|(to, from)| *to = from);
    }
    places.fill(UNDEFINED as u8);
}
