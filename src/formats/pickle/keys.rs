//! Keys of dictionaries: which are the same, and where each stands.
//!
//! The maps are ordered ones: no file can choose keys that collide, and what a map takes is known beforehand. A text is
//! looked up once, when it is read, and known by its node from then on.

use super::node::{Node, NodeId, Pickle};
use std::collections::{BTreeMap, btree_map::Entry};

/// Most elements of a tuple that is a key.
const ELEMENTS: usize = 256;

/// Most bytes an entry of the map of keys takes.
const ENTRY: usize = 56;

/// What tells two keys apart that are not the same node anyway.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A node of which there is one for each value: a text, nothing, a truth value.
    Same(NodeId),
    Int(i64),
    Real(u64),
    Tuple(Box<[Key]>),
}

/// The keys of all dictionaries of a pickle.
#[derive(Default)]
pub(super) struct Keys {
    /// The first node of each value that is a key and may have several nodes.
    first: BTreeMap<Key, NodeId>,
    /// Dictionary and key, and the place of the item.
    places: BTreeMap<(u32, NodeId), u32>,
}

impl Keys {
    /// The node that stands for a key in `made`, and how much memory was taken for it; none if it can be no key.
    pub fn known(&mut self, made: &Pickle, id: NodeId) -> Option<(NodeId, usize)> {
        let key = match made.tuple(id) {
            Some(elements) if elements.len() <= ELEMENTS => {
                Key::Tuple(elements.iter().map(|&element| scalar(made, element)).collect::<Option<_>>()?)
            }
            Some(_) => return None,
            None => scalar(made, id)?,
        };
        let length = match &key {
            Key::Same(id) => return Some((*id, 0)),
            // Its texts count too: they are written out wherever the key is shown.
            Key::Tuple(elements) => {
                let texts = made.tuple(id).unwrap_or_default().iter().filter_map(|&element| made.text(element));
                size_of_val(&elements[..]) + texts.map(<[u8]>::len).sum::<usize>()
            }
            Key::Int(_) | Key::Real(_) => 0,
        };
        match self.first.entry(key) {
            Entry::Occupied(first) => Some((*first.get(), 0)),
            Entry::Vacant(place) => Some((*place.insert(id), ENTRY + length)),
        }
    }

    /// Where the item of a key stands in a dictionary: `next` if it is new there.
    pub fn place(&mut self, dict: u32, key: NodeId, next: usize) -> usize {
        *self.places.entry((dict, key)).or_insert(next as u32) as usize
    }
}

/// Noughts of either sign are the same, and so are all NaNs, and a number with nothing behind the point and the whole one;
/// truth values and numbers are not.
fn scalar(made: &Pickle, id: NodeId) -> Option<Key> {
    Some(match made.node(id) {
        Node::None | Node::Bool(_) | Node::Text(_) => Key::Same(id),
        Node::Int(number) => Key::Int(number),
        Node::Real(number) if number as i64 as f64 == number && number.abs() < 9e15 => Key::Int(number as i64),
        Node::Real(number) if number.is_nan() => Key::Real(f64::NAN.to_bits()),
        Node::Real(number) => Key::Real(number.to_bits()),
        _ => return None,
    })
}
