//! Object headers of the second version, put together message by message.

use super::{super::cursor::UNDEFINED, encode};
use crate::formats::hdf5::header::{
    ATTRIBUTE, ATTRIBUTE_INFO, DATATYPE, FILL, GROUP_INFO, LAYOUT, LINK, LINK_INFO, SPACE,
};
use hdf5_reader::checksum::jenkins_lookup3;

/// Order of creation is tracked and indexed.
const TRACKED: u8 = 3;

/// The longest body of a message in a header.
pub(super) const LONGEST: usize = u16::MAX as usize;

/// A header that grows.
pub(super) struct Header {
    tracked: bool,
    messages: Vec<u8>,
}

impl Header {
    /// A header without messages; `tracked`: whether its attributes keep their order.
    pub fn new(tracked: bool) -> Header {
        Header { tracked, messages: Vec::new() }
    }

    fn push(&mut self, kind: u16, flags: u8, order: u16, body: &[u8]) {
        self.messages.push(kind as u8);
        self.messages.extend((body.len() as u16).to_le_bytes());
        self.messages.push(flags);
        if self.tracked {
            self.messages.extend(order.to_le_bytes());
        }
        self.messages.extend(body);
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

    /// A link to the object at an address; `order` if the group keeps it.
    pub fn link(&mut self, name: &str, order: Option<usize>, address: u64) {
        const ORDER: u8 = 0x04;
        const CHARACTERS: u8 = 0x10;
        const UTF8: u8 = 1;
        let width = if name.len() <= usize::from(u8::MAX) { 0 } else { 1 };
        let mut body = vec![1, CHARACTERS | width | if order.is_some() { ORDER } else { 0 }];
        body.extend(order.iter().flat_map(|&order| (order as u64).to_le_bytes()));
        body.push(UTF8);
        body.extend(&(name.len() as u16).to_le_bytes()[..1 + usize::from(width)]);
        body.extend(name.as_bytes());
        body.extend(address.to_le_bytes());
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

    /// The whole header with its checksum.
    pub fn done(self) -> Vec<u8> {
        const ATTRIBUTES_TRACKED: u8 = 0x0C;
        const FOUR_BYTES: u8 = 2;
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
