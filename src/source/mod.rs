//! Where bytes come from: a file (mapped), memory, or a reader of the host.
//!
//! A [`Source`] gives any range of its bytes. Of a file or of memory that is a part of what is there already, and copies
//! nothing; a reader's bytes are fetched in pieces as they are asked for. Every format reads through it.
//!
//! A file stays mapped for as long as anything read from it lives: the caller must not shorten or rewrite it meanwhile
//! (replacing it by renaming another over it is harmless). Memory that is lent carries the same duty.

mod looked;
mod map;
mod path;
mod reader;

pub(crate) use looked::BLOCK;
pub use reader::Reader;

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    limits::Limits,
    tensor::Storage,
};
use looked::Looked;
use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Bytes to read from; cloning shares them. Any threads may read at once.
#[derive(Clone)]
pub struct Source(Arc<Inner>);

struct Inner {
    name: Text,
    bytes: Bytes,
    neighbours: Neighbours,
    limits: Limits,
}

enum Bytes {
    /// All of them, in place.
    Whole(Storage),
    /// To be asked for; the reader says how many there are.
    Asked { reader: Arc<dyn Reader>, length: u64, looked: Looked },
}

#[derive(Clone)]
enum Neighbours {
    None,
    Folder(PathBuf),
    Reader(Arc<dyn Reader>),
}

impl Source {
    /// A regular file, mapped. A folder, device or pipe is refused without being opened.
    pub fn path(path: &Path, limits: &Limits, faults: &mut Faults) -> Result<Source, Refused> {
        let (storage, folder) = path::open(path, limits, faults)?;
        let name = Text::from(path.to_string_lossy().into_owned());
        Ok(Source::new(name, Bytes::Whole(storage), Neighbours::Folder(folder), limits))
    }

    /// Bytes in memory.
    pub fn memory(storage: Storage) -> Source {
        Source::new(Text::default(), Bytes::Whole(storage), Neighbours::None, &Limits::default())
    }

    /// Bytes a host reads for us. If it does not know how many there are, all are read now, up to the limit of a source.
    pub fn reader(reader: Box<dyn Reader>, limits: &Limits, faults: &mut Faults) -> Result<Source, Refused> {
        let reader: Arc<dyn Reader> = reader.into();
        let bytes = match reader.size() {
            Some(length) if length > limits.file_bytes => return Err(too_long(&Text::default(), limits, faults)),
            Some(length) => Bytes::Asked { reader: reader.clone(), length, looked: Looked::default() },
            None => Bytes::Whole(reader::to_end(&*reader, limits, faults)?),
        };
        Ok(Source::new(Text::default(), bytes, Neighbours::Reader(reader), limits))
    }

    fn new(name: Text, bytes: Bytes, neighbours: Neighbours, limits: &Limits) -> Source {
        Source(Arc::new(Inner { name, bytes, neighbours, limits: *limits }))
    }

    /// The path as it was given; empty for memory and readers.
    pub fn name(&self) -> &Text {
        &self.0.name
    }

    /// How many bytes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        match &self.0.bytes {
            Bytes::Whole(storage) => storage.len() as u64,
            Bytes::Asked { length, .. } => *length,
        }
    }

    /// The bytes of a range. Copies nothing where they are in memory or mapped.
    pub fn bytes(&self, range: Range<u64>, faults: &mut Faults) -> Result<Storage, Refused> {
        if range.start > range.end || range.end > self.len() {
            return Err(self.short(&range, faults));
        }
        match &self.0.bytes {
            Bytes::Whole(storage) => {
                let found = looked::place(&range, 0).and_then(|place| storage.part(place));
                found.ok_or_else(|| self.short(&range, faults))
            }
            Bytes::Asked { reader, length, looked } => match looked.part(&range, *length) {
                Some(part) => Ok(part),
                None => reader::exactly(&**reader, range, faults),
            },
        }
    }

    /// The same to be looked at, not to be kept. What a reader gives is fetched once, with what stands around it, and held as
    /// long as the source: for what says where things are, not for what they hold.
    pub fn look(&self, range: Range<u64>, faults: &mut Faults) -> Result<&[u8], Refused> {
        if range.start > range.end || range.end > self.len() {
            return Err(self.short(&range, faults));
        }
        match &self.0.bytes {
            Bytes::Whole(storage) => {
                let found = looked::place(&range, 0).and_then(|place| storage.bytes().get(place));
                found.ok_or_else(|| self.short(&range, faults))
            }
            Bytes::Asked { reader, length, looked } => looked.look((&**reader, *length), range, faults),
        }
    }

    /// The same with all its bytes in place: those of a reader are read now, and it is asked for none of them any more.
    pub fn in_place(&self, faults: &mut Faults) -> Result<Source, Refused> {
        match &self.0.bytes {
            Bytes::Whole(_) => Ok(self.clone()),
            Bytes::Asked { length, .. } => {
                let bytes = Bytes::Whole(self.bytes(0..*length, faults)?);
                Ok(Source::new(self.0.name.clone(), bytes, self.0.neighbours.clone(), &self.0.limits))
            }
        }
    }

    /// How much memory reading so many bytes takes: none where they are in memory or mapped.
    pub fn copied(&self, bytes: u64) -> u64 {
        match self.0.bytes {
            Bytes::Whole(_) => 0,
            Bytes::Asked { .. } => bytes,
        }
    }

    /// The first bytes, at most `count`.
    pub fn head(&self, count: u64, faults: &mut Faults) -> Result<Storage, Refused> {
        self.bytes(0..count.min(self.len()), faults)
    }

    /// A file beside this one, by its name there: never one outside of this file's own folder.
    pub fn neighbour(&self, name: &str, faults: &mut Faults) -> Result<Source, Refused> {
        let shown = crate::faults::quoted_str(name);
        match &self.0.neighbours {
            Neighbours::Folder(folder) => {
                let path = path::beside(folder, name, faults)?;
                Source::path(&path, &self.0.limits, faults)
            }
            Neighbours::Reader(reader) => reader.neighbour(name).ok_or_else(|| {
                let message = format!("'{shown}', which belongs to this file, is not given by its reader.");
                faults.refuse(Fault::new(Code::NotFound, message).place(name))
            }),
            Neighbours::None => {
                let message = format!(
                    "'{shown}' belongs to this file, and bytes in memory have no neighbours: open it by its path."
                );
                Err(faults.refuse(Fault::new(Code::NotFound, message).place(name)))
            }
        }
    }

    fn short(&self, range: &Range<u64>, faults: &mut Faults) -> Refused {
        let message = format!("Bytes {} to {} are asked for, and there are {}.", range.start, range.end, self.len());
        faults.refuse(Fault::new(Code::Truncated, message).offset(self.len()))
    }
}

fn too_long(name: &Text, limits: &Limits, faults: &mut Faults) -> Refused {
    let what = if name.is_empty() { "The source".to_owned() } else { format!("'{}'", quoted(name)) };
    let message = format!("{what} is longer than {} bytes, the limit `file_bytes`.", limits.file_bytes);
    faults.refuse(Fault::new(Code::Limit, message).place(name.clone()))
}

#[cfg(test)]
mod tests;
