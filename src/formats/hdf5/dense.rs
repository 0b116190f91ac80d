//! Links and attributes that are kept outside of the object header: a fractal heap, found through a B-tree.

use super::{
    cursor::{Cursor, UNDEFINED},
    image::Image,
    wrong::{Read, Wrong},
};
use hdf5_reader::{
    btree_v2::{BTreeV2Header, BTreeV2Record, collect_btree_v2_records_storage},
    fractal_heap::{FractalHeap, FractalHeapDirectBlockCache},
};

/// Addresses and lengths have 8 bytes; others were refused with the superblock.
pub(super) const WIDTH: u8 = 8;

/// One thing kept there: its creation order, if the tree tells it, and its message.
pub(super) struct Kept {
    pub order: Option<u64>,
    pub message: Vec<u8>,
    /// Where the heap begins in the source: the nearest place known for the message.
    pub place: u64,
}

/// Where such things are kept, as the messages of links and of attributes say it.
pub(super) struct Dense {
    /// Whether creation order is tracked.
    pub tracked: bool,
    heap: u64,
    names: u64,
}

impl Dense {
    /// Reads the message; `width` is that of the largest creation index.
    pub fn read(cursor: &mut Cursor<'_>, width: usize) -> Read<Dense> {
        let place = cursor.place();
        let (version, flags) = (cursor.u8()?, cursor.u8()?);
        if version != 0 {
            return Err(Wrong::unsupported(
                place,
                format!("it says where links or attributes are in version {version}"),
            ));
        }
        let tracked = flags & 1 != 0;
        cursor.skip(if tracked { width } else { 0 })?;
        Ok(Dense { tracked, heap: cursor.u64()?, names: cursor.u64()? })
    }

    /// Whether anything is kept there.
    pub fn is_used(&self) -> bool {
        self.heap != UNDEFINED
    }

    /// Everything kept, in the order of the names' hashes.
    pub fn all(&self, image: &Image, most: usize) -> Read<Vec<Kept>> {
        if self.heap == UNDEFINED || self.names == UNDEFINED {
            return Ok(Vec::new());
        }
        let place = image.place(self.heap);
        let wrong = |error: &_| Wrong::crates(place, "the heap of its links or attributes", error);
        image.holds(self.heap, "the heap of its links or attributes")?;
        image.holds(self.names, "the index of its links or attributes")?;
        let heap = FractalHeap::parse_at_storage(image, self.heap, WIDTH, WIDTH).map_err(|error| wrong(&error))?;
        if heap.io_filters_len != 0 {
            return Err(Wrong::unsupported(place, "the heap of its links or attributes is compressed"));
        }
        let tree = BTreeV2Header::parse_at_storage(image, self.names, WIDTH, WIDTH).map_err(|error| wrong(&error))?;
        let records = collect_btree_v2_records_storage(image, &tree, WIDTH, WIDTH, None, &[], None);
        let records = records.map_err(|error| wrong(&error))?;
        if records.len() > most {
            return Err(Wrong::with(
                crate::faults::Code::Limit,
                place,
                format!("it has more than {most} links or attributes, the limit `max_entries`"),
            ));
        }
        let mut cache = FractalHeapDirectBlockCache::default();
        let (mut kept, mut bytes) = (Vec::new(), 0);
        for record in records {
            let (order, id) = match record {
                BTreeV2Record::LinkNameHash { heap_id, .. } => (None, heap_id),
                BTreeV2Record::AttributeNameHash { heap_id, creation_order, flags, .. } => {
                    const SHARED: u8 = 0x02;
                    if flags & SHARED != 0 {
                        return Err(Wrong::unsupported(place, "an attribute lies in a table of shared messages"));
                    }
                    (Some(u64::from(creation_order)), heap_id)
                }
                _ => return Err(Wrong::damaged(place, "the index of its links or attributes is one of other things")),
            };
            let message = heap.get_object_storage_cached(&id, image, WIDTH, WIDTH, &mut cache);
            let message = message.map_err(|error| wrong(&error))?;
            bytes += message.len() as u64;
            if bytes > image.reach() {
                return Err(Wrong::damaged(place, "its links or attributes are longer than the file"));
            }
            kept.push(Kept { order, message, place });
        }
        Ok(kept)
    }
}
