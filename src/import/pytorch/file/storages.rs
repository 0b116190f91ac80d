//! The storages of a file: runs of numbers that tensors look at. Each is read when a tensor first needs it, once, and shared.

use super::{archive::Archive, names};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    formats::{
        Budget,
        pickle::{NodeId, Pickle},
    },
    source::Source,
    tensor::{DType, Storage},
};
use std::{
    collections::HashMap,
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// What is kept of a storage, its key left out.
const STORAGE: u64 = 320;

/// What is wrong with a tensor or a storage: the rest of a sentence that begins with its name.
pub(super) struct Wrong(pub Code, pub String);

/// A refusal of something whose name the caller knows.
pub(super) fn wrong<T>(code: Code, rest: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong(code, rest.into()))
}

/// Where the bytes of storages lie.
pub(super) enum Records {
    /// In the records of an archive.
    Archive(Archive),
    /// In the file itself, by key.
    Plain(HashMap<Vec<u8>, Range<u64>>),
}

/// A storage a pickle speaks of.
struct Known {
    key: Text,
    dtype: DType,
    count: usize,
    /// Number of the record, in an archive.
    record: Option<usize>,
    /// Where its bytes lie in the source, if they lie there as they are.
    bytes: Option<Range<u64>>,
    read: Mutex<Option<Storage>>,
}

/// What a persistent id says of a storage.
pub(super) struct Said<'a> {
    pub key: &'a [u8],
    pub dtype: DType,
    pub count: usize,
    /// First number and count of the part that is meant, where a file of the oldest kind says one.
    pub part: Option<(usize, usize)>,
}

/// The part of a storage that a tensor may look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Number of the storage.
    pub storage: usize,
    /// Type of its numbers.
    pub dtype: DType,
    /// First number.
    pub first: usize,
    /// How many numbers.
    pub count: usize,
}

/// All storages that have been spoken of.
pub(super) struct Storages {
    source: Source,
    records: Records,
    budget: Budget,
    known: Vec<Known>,
    by_key: HashMap<Vec<u8>, usize>,
}

impl Storages {
    /// The storages of `records`; memory for what is kept of them is taken from `budget`.
    pub fn new(source: &Source, records: Records, budget: Budget) -> Storages {
        Storages { source: source.clone(), records, budget, known: Vec::new(), by_key: HashMap::new() }
    }

    /// How many bytes the file has.
    pub fn file(&self) -> u64 {
        self.source.len()
    }

    /// The storage a persistent id means. It must be there, in the length its count and type want.
    pub fn part(&mut self, pickle: &Pickle, id: NodeId) -> Result<Part, Wrong> {
        let said = said(pickle, id)?;
        let storage = match self.by_key.get(said.key) {
            // Where there are no numbers, there may be any type of them.
            Some(&known) if self.known[known].count == 0 && said.count == 0 => known,
            Some(&known) if (self.known[known].dtype, self.known[known].count) != (said.dtype, said.count) => {
                let (known, key) = (&self.known[known], quoted(&Text::from_wtf8(said.key)));
                let (was, now) = (known.dtype.name(), said.dtype.name());
                let rest = format!(
                    "takes the storage '{key}' for {} of {now}, and before it was {} of {was}.",
                    said.count, known.count
                );
                return wrong(Code::Malformed, rest);
            }
            Some(&known) => known,
            None => self.know(&said)?,
        };
        let (first, count) = said.part.unwrap_or((0, said.count));
        if first.checked_add(count).is_none_or(|end| end > said.count) {
            let rest = format!("looks at {count} numbers from {first} on of a storage of {}.", said.count);
            return wrong(Code::Malformed, rest);
        }
        Ok(Part { storage, dtype: said.dtype, first, count })
    }

    fn know(&mut self, said: &Said<'_>) -> Result<usize, Wrong> {
        let key = Text::from_wtf8(said.key);
        let shown = quoted(&key);
        let Some(length) = said.dtype.bytes(said.count) else {
            return wrong(Code::Overflow, format!("has a storage of {} numbers, more than can be.", said.count));
        };
        let missing =
            || Wrong(Code::Absent, format!("has its numbers in the storage '{shown}', which the file does not hold."));
        let (record, bytes, there) = match &self.records {
            Records::Archive(archive) => {
                let record = archive.find(&[b"data/", said.key].concat()).ok_or_else(missing)?;
                let mut faults = Faults::default();
                let place = archive.zip.place(record, &mut faults).map_err(|Refused(code)| {
                    Wrong(code, format!("has its numbers in the storage '{shown}': {}", faults.text()))
                })?;
                let entry = &archive.zip.entries()[record];
                (Some(record), entry.is_stored().then_some(place), entry.size)
            }
            Records::Plain(ranges) => {
                let range = ranges.get(said.key).ok_or_else(missing)?.clone();
                let length = range.end - range.start;
                (None, Some(range), length)
            }
        };
        if there != length as u64 {
            let (count, dtype) = (said.count, said.dtype.name());
            let rest = format!(
                "has a storage '{shown}' of {count} numbers of {dtype}, {length} bytes, and the file holds {there} for it."
            );
            return wrong(Code::Truncated, rest);
        }
        if self.budget.take(STORAGE + 2 * said.key.len() as u64).is_none() {
            return wrong(Code::Limit, "has one storage more than a file of this length may have.");
        }
        self.known.push(Known { key, dtype: said.dtype, count: said.count, record, bytes, read: Mutex::new(None) });
        self.by_key.insert(said.key.to_vec(), self.known.len() - 1);
        Ok(self.known.len() - 1)
    }

    /// Byte of the source at which a storage begins, if it lies there as it is.
    pub fn offset(&self, storage: usize) -> Option<u64> {
        self.known[storage].bytes.as_ref().map(|bytes| bytes.start)
    }

    /// The bytes of a storage, least byte of each number first.
    pub fn read(&self, storage: usize, faults: &mut Faults) -> Result<Storage, Refused> {
        let known = &self.known[storage];
        let mut read = known.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = &*read {
            return Ok(bytes.clone());
        }
        let bytes = match (&self.records, known.record, &known.bytes) {
            (Records::Archive(archive), Some(record), _) => {
                let bytes = archive.zip.read(record, faults)?;
                if archive.big_endian && known.dtype.size() != Some(1) {
                    self.budget.take(bytes.len() as u64).ok_or_else(|| known.no_room(faults))?;
                    turned(&bytes, known.dtype).ok_or_else(|| known.no_room(faults))?
                } else {
                    bytes
                }
            }
            (_, _, Some(range)) => {
                let copied = self.source.copied(range.end - range.start);
                self.budget.take(copied).ok_or_else(|| known.no_room(faults))?;
                self.source.bytes(range.clone(), faults)?
            }
            _ => return Err(known.no_room(faults)),
        };
        Ok(read.insert(bytes).clone())
    }
}

impl Known {
    fn no_room(&self, faults: &mut Faults) -> Refused {
        let message = format!("There is no memory for the storage '{}'.", quoted(&self.key));
        faults.refuse(Fault::new(Code::Memory, message).place(self.key.clone()))
    }
}

/// What a persistent id says: `("storage", kind, key, location, count)`, in files before 1.6 followed by nothing or by
/// `(key, first, count)` of a part.
pub(super) fn said(pickle: &Pickle, id: NodeId) -> Result<Said<'_>, Wrong> {
    let parts = pickle.tuple(id).unwrap_or_default();
    match parts.first().and_then(|&word| pickle.text(word)) {
        Some(b"storage") => {}
        Some(word) => {
            let word = quoted(&Text::from_wtf8(word));
            return wrong(
                Code::Hostile,
                format!("has a persistent id of the word '{word}'; 'storage' is the one there is."),
            );
        }
        None => return wrong(Code::Malformed, "has a persistent id that does not begin with the word 'storage'."),
    }
    let &[_, kind, key, location, count, ref rest @ ..] = parts else {
        return wrong(Code::Malformed, format!("has a storage of {} parts; five are wanted.", parts.len()));
    };
    let dtype = match pickle.global(kind).map(|name| (name, names::storage(name))) {
        Some((_, Some(Some(dtype)))) => dtype,
        Some((name, Some(None))) => {
            return wrong(Code::Unsupported, format!("has a storage of quantised numbers, {}.", quoted_str(name)));
        }
        _ => return wrong(Code::Malformed, format!("has a storage whose kind is {}.", pickle.kind(kind))),
    };
    let Some(key) = pickle.text(key) else {
        return wrong(Code::Malformed, format!("has a storage whose key is {}; a text is wanted.", pickle.kind(key)));
    };
    if pickle.text(location).is_none() {
        return wrong(Code::Malformed, "has a storage whose location is no text.");
    }
    let Some(count) = whole(pickle, count) else {
        return wrong(Code::Malformed, "has a storage whose count is no whole number that can be.");
    };
    let part = match rest {
        [] => None,
        &[part] => match pickle.tuple(part) {
            Some(&[_, first, count]) => whole(pickle, first).zip(whole(pickle, count)),
            _ => None,
        },
        _ => return wrong(Code::Malformed, format!("has a storage of {} parts; five are wanted.", parts.len())),
    };
    Ok(Said { key, dtype, count, part })
}

/// A whole number from 0 on that this machine can count to.
pub(super) fn whole(pickle: &Pickle, id: NodeId) -> Option<usize> {
    pickle.int(id).and_then(|number| usize::try_from(number).ok())
}

/// Numbers with their bytes the other way round; the two parts of a complex number each by itself.
fn turned(bytes: &Storage, dtype: DType) -> Option<Storage> {
    let size = match dtype {
        DType::C64 => 4,
        DType::C128 => 8,
        other => other.size()?,
    };
    Storage::filled(bytes.len(), |to| {
        to.copy_from_slice(bytes.bytes());
        to.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    })
}
