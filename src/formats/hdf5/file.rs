//! An open HDF5 file: its superblock, and what may be spent on it.

use super::{
    group::Group,
    header::Header,
    image::Image,
    object::{Handle, Object},
    superblock,
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Faults, Refused, Text},
    limits::Limits,
    source::Source,
};
use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An HDF5 file; cloning shares it, any threads may read at once.
///
/// What may be spent on it is counted over all reads: 64 times its length (and 16 MiB) for headers, its length (and 1 MiB)
/// for texts and sequences of any length, each counted once for the place it stands at. A file opened anew starts anew.
#[derive(Clone)]
pub struct File(Arc<Inner>);

struct Inner {
    image: Image,
    root: u64,
    end: u64,
    limits: Limits,
    spent: Mutex<Spent>,
}

#[derive(Default)]
struct Spent {
    headers: u64,
    resolved: u64,
    /// Where resolved values stand, each counted once.
    places: HashSet<u64>,
    /// Each group that was opened through a link, with the group and name that led there.
    groups: HashMap<u64, (u64, Text)>,
}

/// The first bytes of every HDF5 file, behind a user block of 0, 512, 1024, … bytes.
pub const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

impl File {
    /// Opens a file: its superblock is read and its length checked against the end it states. Of a path nothing is copied;
    /// of a reader's bytes those are fetched that are looked at, and numbers when they are wanted.
    pub fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<File, Refused> {
        let (image, root, end) = superblock::read(source).map_err(|wrong| wrong.refuse(&Text::from("/"), faults))?;
        Ok(File(Arc::new(Inner { image, root, end, limits: *limits, spent: Mutex::default() })))
    }

    /// Whether a source is an HDF5 file at all: its signature stands at the beginning, or behind a user block.
    pub fn is_one(source: &Source, faults: &mut Faults) -> Result<bool, Refused> {
        let found = superblock::find(source).map_err(|wrong| wrong.refuse(&Text::from("/"), faults))?;
        Ok(found.is_some())
    }

    /// The group that holds all others, `/`.
    pub fn root(&self, faults: &mut Faults) -> Result<Group, Refused> {
        let handle = Handle::new(self.clone(), self.0.root, Text::from("/"), 0);
        let object = handle.open().and_then(|object| match object {
            Object::Group(group) => self.linked(self.0.root, self.0.root, &Text::default()).map(|()| group),
            _ => Err(Wrong::damaged(self.place(self.0.root), "the root is no group")),
        });
        object.map_err(|wrong| wrong.refuse(&Text::from("/"), faults))
    }

    /// The object at an address, as a reference names it. Its path is not known: `#` and the address stand for it.
    pub fn object(&self, address: u64, faults: &mut Faults) -> Result<Object, Refused> {
        let path = Text::from(format!("#{address}"));
        Handle::new(self.clone(), address, path.clone(), 0).open().map_err(|wrong| wrong.refuse(&path, faults))
    }

    /// The byte of the source that has this address.
    pub fn place(&self, address: u64) -> u64 {
        self.0.image.place(address)
    }

    /// The address behind the last byte that belongs to it.
    pub(super) fn end(&self) -> u64 {
        self.0.end
    }

    pub(super) fn image(&self) -> &Image {
        &self.0.image
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Reads an object header, and counts its bytes.
    pub(super) fn header(&self, address: u64) -> Read<Header<'_>> {
        const SLACK: u64 = 16 << 20;
        let most = self.image().length().saturating_mul(64).saturating_add(SLACK);
        let left = most.saturating_sub(self.spent().headers);
        let header = Header::read(self.image(), address, left.min(self.image().length()))?;
        self.spent().headers += header.bytes;
        Ok(header)
    }

    /// Counts the bytes of texts or sequences that the value at `place` leads to, a value once.
    pub(super) fn resolve(&self, place: u64, bytes: u64) -> Read<()> {
        self.within(place, bytes)?;
        let mut spent = self.spent();
        if spent.places.insert(place) {
            spent.resolved = spent.resolved.saturating_add(bytes);
        }
        Ok(())
    }

    /// Refuses what the value at `place` leads to if that is more than the file can hold.
    pub(super) fn within(&self, place: u64, bytes: u64) -> Read<()> {
        const SLACK: u64 = 1 << 20;
        let most = self.image().length().saturating_add(SLACK);
        let spent = self.spent();
        let before = if spent.places.contains(&place) { 0 } else { spent.resolved };
        match before.saturating_add(bytes) <= most {
            true => Ok(()),
            false => {
                let says = "its texts or sequences lead to more bytes than the file has, which no writer makes";
                Err(Wrong::with(Code::Hostile, place, says))
            }
        }
    }

    /// Notes that a link leads to a group: only one link may, or walking the file need not end.
    pub(super) fn linked(&self, group: u64, from: u64, name: &Text) -> Read<()> {
        let mut spent = self.spent();
        let known = spent.groups.entry(group).or_insert_with(|| (from, name.clone()));
        match known.0 == from && known.1 == *name {
            true => Ok(()),
            false => {
                let says = "two links lead to this group; save it with one, networks do not need more";
                Err(Wrong::with(Code::Hostile, self.place(group), says))
            }
        }
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.0.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "File({} bytes)", self.image().length())
    }
}
