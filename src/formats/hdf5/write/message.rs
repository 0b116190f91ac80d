//! Object headers, put together message by message: whole ones of the second version, and further pieces of either.

use super::{super::cursor::UNDEFINED, encode};
use crate::formats::hdf5::{
    Target,
    header::{ATTRIBUTE, ATTRIBUTE_INFO, DATATYPE, FILL, GROUP_INFO, LAYOUT, LINK, LINK_INFO, SPACE},
};
use hdf5_reader::checksum::jenkins_lookup3;

/// Order of creation is tracked and indexed.
const TRACKED: u8 = 3;

/// The longest body of a message in a header.
pub(super) const LONGEST: usize = u16::MAX as usize;

/// What a header is a piece of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All of one of the second version.
    Whole,
    /// A further piece of one of the second version.
    Continued,
    /// A piece of one of the first version.
    Old,
}

impl Form {
    /// Bytes before the body of a message.
    pub fn head(self, tracked: bool) -> usize {
        match self {
            Form::Old => 8,
            _ if tracked => 6,
            _ => 4,
        }
    }
}

/// A header that grows.
pub(super) struct Header {
    form: Form,
    tracked: bool,
    messages: Vec<u8>,
    count: usize,
}

impl Header {
    /// A header without messages; `tracked`: whether its attributes keep their order.
    pub fn new(tracked: bool) -> Header {
        Header::within(Form::Whole, tracked)
    }

    /// A piece of one.
    pub fn within(form: Form, tracked: bool) -> Header {
        Header { form, tracked, messages: Vec::new(), count: 0 }
    }

    /// Adds a message. The first version fills bodies up to a multiple of 8 bytes.
    pub fn push(&mut self, kind: u16, flags: u8, order: u16, body: &[u8]) {
        self.count += 1;
        if self.form == Form::Old {
            self.messages.extend(kind.to_le_bytes());
            self.messages.extend((body.len().next_multiple_of(8) as u16).to_le_bytes());
            self.messages.extend([flags, 0, 0, 0]);
            self.messages.extend(body);
            return self.pad(self.messages.len().next_multiple_of(8));
        }
        self.messages.push(kind as u8);
        self.messages.extend((body.len() as u16).to_le_bytes());
        self.messages.push(flags);
        if self.tracked {
            self.messages.extend(order.to_le_bytes());
        }
        self.messages.extend(body);
    }

    /// Fills up with noughts to so many bytes.
    pub fn pad(&mut self, length: usize) {
        self.messages.resize(length, 0);
    }

    /// The messages so far.
    pub fn messages(&self) -> &[u8] {
        &self.messages
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What makes it a group of `count` links.
    pub fn group(&mut self, tracked: bool, count: usize) {
        let mut body = vec![0, if tracked { TRACKED } else { 0 }];
        if tracked {
            body.extend((count as u64).to_le_bytes());
        }
        let none = UNDEFINED.to_le_bytes();
        body.extend([none, none].concat());
        body.extend(if tracked { &none[..] } else { &[] });
        self.push(LINK_INFO, 0, 0, &body);
        self.push(GROUP_INFO, 0, 0, &[0, 0]);
    }

    /// A link to the object at an address or a soft one; `order` if the group keeps it.
    pub fn link(&mut self, name: &[u8], order: Option<u64>, target: &Target) {
        const KIND: u8 = 0x08;
        const ORDER: u8 = 0x04;
        const CHARACTERS: u8 = 0x10;
        const UTF8: u8 = 1;
        const SOFT: u8 = 1;
        let width = if name.len() <= usize::from(u8::MAX) { 0 } else { 1 };
        let mut body = vec![1, CHARACTERS | width | if order.is_some() { ORDER } else { 0 }];
        if let (Target::Soft(_), [_, flags]) = (target, body.as_mut_slice()) {
            *flags |= KIND;
            body.push(SOFT);
        }
        body.extend(order.iter().flat_map(|&order| order.to_le_bytes()));
        body.push(UTF8);
        body.extend(&(name.len() as u16).to_le_bytes()[..1 + usize::from(width)]);
        body.extend(name);
        match target {
            Target::Object(address) => body.extend(address.to_le_bytes()),
            Target::Soft(to) => {
                body.extend((to.as_bytes().len() as u16).to_le_bytes());
                body.extend(to.as_bytes());
            }
            // Only links of the old groups and new ones come here.
            Target::External(_) | Target::Other(_) => return,
        }
        self.push(LINK, 0, 0, &body);
    }

    /// What makes it a dataset of `length` bytes at an address.
    pub fn dataset(&mut self, space: &[u8], datatype: &[u8], (address, length): (u64, u64)) {
        const CONSTANT: u8 = 1;
        // Space is taken late, the fill value is written if one is set, and none is.
        const DEFAULT_FILL: [u8; 2] = [3, 0x0A];
        self.push(SPACE, 0, 0, space);
        self.push(DATATYPE, CONSTANT, 0, datatype);
        self.push(FILL, CONSTANT, 0, &DEFAULT_FILL);
        let mut layout = vec![3, 1];
        layout.extend(address.to_le_bytes());
        layout.extend(length.to_le_bytes());
        self.push(LAYOUT, 0, 0, &layout);
    }

    /// Where attributes are that do not stand in the header: heap, index by name, index by order. Of a header that keeps
    /// their order it stands there in any case.
    pub fn attributes(&mut self, count: usize, dense: Option<[u64; 3]>) {
        if !self.tracked && dense.is_none() {
            return;
        }
        let [heap, names, orders] = dense.unwrap_or([UNDEFINED; 3]);
        let mut body = vec![0, if self.tracked { TRACKED } else { 0 }];
        if self.tracked {
            body.extend((count as u16).to_le_bytes());
        }
        body.extend([heap.to_le_bytes(), names.to_le_bytes()].concat());
        if self.tracked {
            body.extend(orders.to_le_bytes());
        }
        self.push(ATTRIBUTE_INFO, 0, 0, &body);
    }

    /// An attribute, as [`attribute`] makes it.
    pub fn attribute(&mut self, order: usize, body: &[u8]) {
        self.push(ATTRIBUTE, 0, order as u16, body);
    }

    /// The whole header or piece with its checksum.
    pub fn done(self) -> Vec<u8> {
        const ATTRIBUTES_TRACKED: u8 = 0x0C;
        const FOUR_BYTES: u8 = 2;
        match self.form {
            Form::Whole => {}
            Form::Continued => return sealed([b"OCHK", self.messages.as_slice()].concat()),
            Form::Old => return self.messages,
        }
        let mut out = b"OHDR\x02".to_vec();
        out.push(FOUR_BYTES | if self.tracked { ATTRIBUTES_TRACKED } else { 0 });
        out.extend((self.messages.len() as u32).to_le_bytes());
        out.extend(self.messages);
        sealed(out)
    }
}

/// The same bytes with their checksum behind them.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = jenkins_lookup3(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The body of an attribute message of the third version.
pub(super) fn attribute(name: &str, space: &super::super::Space, datatype: &[u8], value: &[u8]) -> Vec<u8> {
    const UTF8: u8 = 1;
    let space = encode::space(space);
    let mut body = vec![3, 0];
    for length in [name.len() + 1, datatype.len(), space.len()] {
        body.extend((length as u16).to_le_bytes());
    }
    body.push(UTF8);
    body.extend(name.as_bytes());
    body.push(0);
    body.extend([datatype, &space, value].concat());
    body
}
