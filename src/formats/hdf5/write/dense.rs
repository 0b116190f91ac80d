//! Attributes beside the object header: a fractal heap that keeps each as a huge object, and its three indices.
//!
//! Every index is a B-tree of one leaf, however many records it has. Nothing is ever added to such a heap by us; libhdf5 can.

use super::message::sealed;
use crate::formats::hdf5::cursor::UNDEFINED;
use hdf5_reader::checksum::jenkins_lookup3;

/// The most attributes of one object: their creation index has 16 bits.
pub(super) const MOST: usize = u16::MAX as usize;

const HEAP: u64 = 146;
const TREE: u64 = 38;
const LEAF: u64 = 10;
const BY_ID: u64 = 24;
const BY_NAME: u64 = 17;
const BY_ORDER: u64 = 13;

/// Where the parts stand behind one another, from `at` on, for attribute messages of these lengths.
pub(super) struct Dense {
    at: u64,
    lengths: Vec<u64>,
}

impl Dense {
    /// Parts from `at` on.
    pub fn new(at: u64, lengths: Vec<u64>) -> Dense {
        Dense { at, lengths }
    }

    /// The addresses of the heap, of its index of huge objects, of those by name and by order, and of the first message.
    fn places(&self) -> [u64; 5] {
        let count = self.lengths.len() as u64;
        let tree = |record: u64| (TREE + LEAF + record * count).next_multiple_of(8);
        let ids = self.at + HEAP.next_multiple_of(8);
        let names = ids + tree(BY_ID);
        let orders = names + tree(BY_NAME);
        [self.at, ids, names, orders, orders + tree(BY_ORDER)]
    }

    /// Heap, index by name, index by order: what the header says of them.
    pub fn addresses(&self) -> [u64; 3] {
        let [heap, _, names, orders, _] = self.places();
        [heap, names, orders]
    }

    /// How many bytes all parts take.
    pub fn length(&self) -> u64 {
        let [.., first] = self.places();
        first - self.at + self.lengths.iter().map(|length| length.next_multiple_of(8)).sum::<u64>()
    }

    /// All parts, for attributes of these names and messages.
    pub fn bytes(&self, attributes: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
        let [_, ids, names, orders, mut next] = self.places();
        let mut out = Vec::new();
        let mut pad = |part: Vec<u8>| {
            out.extend(part);
            out.resize(out.len().next_multiple_of(8), 0);
        };
        pad(heap(ids, &self.lengths));
        let mut by_id = Vec::new();
        for (id, &length) in (1_u64..).zip(&self.lengths) {
            by_id.extend([next.to_le_bytes(), length.to_le_bytes(), id.to_le_bytes()].concat());
            next += length.next_multiple_of(8);
        }
        pad(tree(ids, 1, BY_ID, self.lengths.len(), &by_id));
        let mut sorted: Vec<(u32, &str, usize)> = attributes
            .iter()
            .enumerate()
            .map(|(order, (name, _))| (jenkins_lookup3(name.as_bytes()), *name, order))
            .collect();
        sorted.sort_unstable();
        let mut by_name = Vec::new();
        for (hash, _, order) in sorted {
            by_name.extend(id(order));
            by_name.push(0);
            by_name.extend((order as u32).to_le_bytes());
            by_name.extend(hash.to_le_bytes());
        }
        pad(tree(names, 8, BY_NAME, attributes.len(), &by_name));
        let mut by_order = Vec::new();
        for order in 0..attributes.len() {
            by_order.extend(id(order));
            by_order.push(0);
            by_order.extend((order as u32).to_le_bytes());
        }
        pad(tree(orders, 9, BY_ORDER, attributes.len(), &by_order));
        attributes.into_iter().for_each(|(_, message)| pad(message));
        out
    }
}

/// The heap's name for a huge object: seven bytes of its number.
fn id(order: usize) -> [u8; 8] {
    const HUGE: u8 = 0x10;
    let mut id = [0; 8];
    let (number, [first, rest @ ..]) = ((order as u64 + 1).to_le_bytes(), &mut id);
    *first = HUGE;
    rest.copy_from_slice(&number[..7]);
    id
}

/// The head of a fractal heap without a block; sizes are libhdf5's for attributes.
fn heap(ids: u64, lengths: &[u64]) -> Vec<u8> {
    const ID: u16 = 8;
    const LONGEST_MANAGED: u32 = 4096;
    const WIDTH: u16 = 4;
    const FIRST_BLOCK: u64 = 1024;
    const LARGEST_BLOCK: u64 = 64 << 10;
    const BITS: u16 = 40;
    let count = lengths.len() as u64;
    let none = UNDEFINED.to_le_bytes();
    let mut out = b"FRHP\0".to_vec();
    out.extend(ID.to_le_bytes());
    out.extend([0, 0, 2]);
    out.extend(LONGEST_MANAGED.to_le_bytes());
    out.extend((count + 1).to_le_bytes());
    out.extend(ids.to_le_bytes());
    // Free space in blocks, its manager, then size, allocation, place and count of managed objects.
    out.extend([[0; 8], none, [0; 8], [0; 8], [0; 8], [0; 8]].concat());
    out.extend(lengths.iter().sum::<u64>().to_le_bytes());
    out.extend(count.to_le_bytes());
    // Size and count of tiny objects.
    out.extend([0; 16]);
    out.extend(WIDTH.to_le_bytes());
    out.extend(FIRST_BLOCK.to_le_bytes());
    out.extend(LARGEST_BLOCK.to_le_bytes());
    out.extend(BITS.to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(none);
    out.extend([0, 0]);
    sealed(out)
}

/// The head of a B-tree at an address, its one leaf behind it.
fn tree(at: u64, kind: u8, record: u64, count: usize, records: &[u8]) -> Vec<u8> {
    let mut out = b"BTHD\0".to_vec();
    out.push(kind);
    out.extend(((LEAF + record * count as u64) as u32).to_le_bytes());
    out.extend((record as u16).to_le_bytes());
    // Depth, and how full a node is when it is split and joined.
    out.extend([0, 0, 100, 40]);
    out.extend((at + TREE).to_le_bytes());
    out.extend((count as u16).to_le_bytes());
    out.extend((count as u64).to_le_bytes());
    let mut out = sealed(out);
    let mut leaf = b"BTLF\0".to_vec();
    leaf.push(kind);
    leaf.extend(records);
    out.extend(sealed(leaf));
    out
}
