//! The global heap: where texts and sequences of any length are kept.

use super::{
    image::Image,
    wrong::{Read, Wrong},
};
use crate::tensor::Storage;
use std::collections::{HashMap, hash_map::Entry};

/// The collections that one value leads to; each is looked through once.
#[derive(Default)]
pub(super) struct Heaps(HashMap<u64, HashMap<u32, (u64, u64)>>);

impl Heaps {
    /// The bytes of an object; copies nothing. `place` is where the value stands that leads to it.
    pub fn object(&mut self, image: &Image, collection: u64, object: u32, place: u64) -> Read<Storage> {
        let objects = match self.0.entry(collection) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(objects(image, collection)?),
        };
        match objects.get(&object) {
            Some(&(address, length)) => image.part(address, length, "a text or sequence"),
            None => Err(Wrong::damaged(place, format!("object {object} of the heap it leads to is not there"))),
        }
    }
}

/// Address and length of every object of a collection, by number.
fn objects(image: &Image, collection: u64) -> Read<HashMap<u32, (u64, u64)>> {
    const HEAD: u64 = 16;
    const WHAT: &str = "a heap of texts or sequences";
    let mut walk = image.walk(collection, HEAD, WHAT)?;
    walk.expect(b"GCOL", "heap of texts or sequences")?;
    walk.skip(4)?;
    let length = walk.u64()?;
    image.slice(collection, length, WHAT)?;
    let mut walk = image.walk(collection, length, WHAT)?;
    walk.skip(HEAD as usize)?;
    let mut objects = HashMap::new();
    let mut at = HEAD;
    // Object 0 is the free space at the end.
    while at.saturating_add(HEAD) <= length {
        let place = image.place(collection.saturating_add(at));
        let number = walk.u16()?;
        walk.skip(6)?;
        let bytes = walk.u64()?;
        if number == 0 {
            break;
        }
        let room = bytes.checked_next_multiple_of(8).filter(|&room| room <= length - at - HEAD);
        let room = room.ok_or_else(|| Wrong::damaged(place, "an object is longer than its heap"))?;
        objects.insert(u32::from(number), (collection + at + HEAD, bytes));
        at += HEAD + room;
        walk.skip(room as usize)?;
    }
    Ok(objects)
}
