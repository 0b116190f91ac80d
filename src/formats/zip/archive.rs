//! An archive: its directory, checked as a whole, and its records, each checked when it is read.

use super::{
    end::end,
    entry::{Entry, HEADER, LISTED},
    inflate::inflate,
};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted},
    formats::{Budget, Loan},
    limits::Limits,
    source::Source,
    tensor::Storage,
};
use flate2::Crc;
use std::{cmp::Ordering, ops::Range};

/// A zip archive whose directory has been checked. Its records are read one by one.
pub struct Zip {
    source: Source,
    entries: Vec<Entry>,
    /// Numbers of the entries by name, upper and lower case alike.
    by_name: Vec<u32>,
    /// Where the directory begins: records end before.
    limit: u64,
    /// Whether checksums were kept: a writer may put noughts for all of them.
    summed: bool,
    /// What memory for all that is made of the archive is taken from.
    budget: Budget,
}

impl Zip {
    /// Whether a source that begins so is an archive; one without entries is nothing but its end record.
    pub fn begins(head: &[u8]) -> bool {
        head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
    }

    /// Reads the directory. All faults of it are found at once.
    pub fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Zip, Refused> {
        let mark = faults.mark();
        if !Zip::begins(source.head(4, faults)?.bytes()) {
            return Err(faults.refuse(Fault::new(Code::Malformed, "The file is no zip archive.").offset(0)));
        }
        let end = end(source, faults)?;
        let (start, length) = (end.directory.start, end.directory.end - end.directory.start);
        if length > limits.header_bytes || end.entries > limits.entries.min(u32::MAX as usize) as u64 {
            let message = format!(
                "The directory of the archive has {} entries in {length} bytes; the limits are `entries` {} and `header_bytes` {}.",
                end.entries, limits.entries, limits.header_bytes
            );
            return Err(faults.refuse(Fault::new(Code::Limit, message).offset(start)));
        }
        let directory = source.bytes(end.directory, faults)?;
        // Names are no longer than the directory, which a reader copies; orders are made of the entries, by place and by name.
        let (budget, copied) = (Budget::of(source.len()), source.copied(length));
        let room = |count: u64| count.checked_mul((size_of::<Entry>() + 2 * size_of::<&Entry>()) as u64);
        let taken = room(end.entries.min(length / LISTED as u64))
            .and_then(|room| budget.take(room.checked_add(length + copied)?));
        if taken.is_none() {
            let message = format!("The archive has {} entries, too many for its length.", end.entries);
            return Err(faults.refuse(Fault::new(Code::Limit, message).offset(start)));
        }
        let entries = listed(directory.bytes(), end.entries, start, faults)?;
        entries.iter().filter_map(Entry::fault).for_each(|fault| faults.push(fault));
        overlaps(&entries, start, faults);
        let by_name = names(&entries, faults);
        faults.refused_since(mark)?;
        budget.give(copied);
        let summed = entries.iter().any(|entry| entry.crc != 0);
        Ok(Zip { source: source.clone(), entries, by_name, limit: start, summed, budget })
    }

    /// What memory for all that is made of the archive is taken from.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The records, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the record of this name, upper and lower case alike.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let place = self.by_name.binary_search_by(|&entry| {
            self.entries.get(entry as usize).map_or(Ordering::Less, |entry| folded(entry.name.as_bytes(), name))
        });
        self.by_name.get(place.ok()?).map(|&entry| entry as usize)
    }

    /// Where the bytes of a record lie in the source, packed as they are; its own header must say what the directory says.
    pub fn place(&self, index: usize, faults: &mut Faults) -> Result<Range<u64>, Refused> {
        let entry = &self.entries[index];
        let head = |length: u64, faults: &mut Faults| {
            let end = entry.header.saturating_add(length).min(self.limit).max(entry.header);
            self.source.bytes(entry.header..end, faults)
        };
        // Name and extra fields are as long as the header says, which is read first.
        let fixed = head(HEADER as u64, faults)?;
        let more = |at| super::bytes::u16_at(fixed.bytes(), at).map_or(0, u64::from);
        let header = head(HEADER as u64 + more(26) + more(28), faults)?;
        match entry.bytes(header.bytes()) {
            Some(bytes) if bytes.end <= self.limit => Ok(bytes),
            Some(_) => Err(faults.refuse(entry.say(Code::Truncated, "does not end before the archive's directory."))),
            None => {
                let rest = "is listed otherwise than the header before its bytes says.";
                Err(faults.refuse(entry.say(Code::Malformed, rest)))
            }
        }
    }

    /// The bytes of a record, checked: those of a stored one in place, those of a deflated one, or of any that a reader
    /// copies, in new memory, which is taken from the budget.
    pub fn read(&self, index: usize, faults: &mut Faults) -> Result<Storage, Refused> {
        let entry = &self.entries[index];
        let place = self.place(index, faults)?;
        let (copied, mut loan) = (self.source.copied(place.end - place.start), Loan::of(&self.budget));
        loan.take(copied).ok_or_else(|| {
            let left = self.budget.left();
            let rest = format!("takes {copied} bytes to be read, and {left} are left: open the archive by its path.");
            faults.refuse(entry.say(Code::Limit, &rest))
        })?;
        let packed = self.source.bytes(place, faults)?;
        let bytes = if entry.is_stored() {
            loan.keep();
            packed
        } else {
            self.afford(entry).and_then(|()| inflate(entry, packed.bytes())).map_err(|fault| faults.refuse(fault))?
        };
        if self.summed {
            let mut crc = Crc::new();
            crc.update(bytes.bytes());
            if crc.sum() != entry.crc {
                let rest = "does not have the checksum the archive keeps for it: its bytes were changed.";
                return Err(faults.refuse(entry.say(Code::Malformed, rest)));
            }
        }
        Ok(bytes)
    }

    /// Takes what a record holds from the budget.
    fn afford(&self, entry: &Entry) -> Result<(), Fault> {
        self.budget.take(entry.size).ok_or_else(|| {
            let rest = format!(
                "would be inflated to {} bytes, and of an archive of {} bytes no more than {} further ones are: write it without compression.",
                entry.size,
                self.source.len(),
                self.budget.left()
            );
            entry.say(Code::Limit, &rest)
        })
    }
}

/// The entries of a directory that begins at `start` of the source.
fn listed(directory: &[u8], count: u64, start: u64, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
    let room = usize::try_from(count).unwrap_or(usize::MAX).min(directory.len() / LISTED);
    let (mut entries, mut at) = (Vec::with_capacity(room), 0);
    while entries.len() < room {
        let Some((entry, length)) = directory.get(at..).and_then(Entry::listed) else { break };
        entries.push(entry);
        at += length;
    }
    if at != directory.len() || entries.len() as u64 != count {
        let message = format!(
            "The directory of the archive does not hold {count} entries: after {} there is none at byte {}.",
            entries.len(),
            start + at as u64
        );
        return Err(faults.refuse(Fault::new(Code::Malformed, message).offset(start + at as u64)));
    }
    Ok(entries)
}

/// Says which records begin within another, or end after `limit`, where the directory begins.
fn overlaps(entries: &[Entry], limit: u64, faults: &mut Faults) {
    let mut order: Vec<&Entry> = entries.iter().collect();
    order.sort_unstable_by_key(|entry| entry.header);
    let begins = order.iter().skip(1).map(|next| next.header).chain([limit]);
    for (entry, next) in order.iter().zip(begins) {
        let least = (HEADER + entry.name.as_bytes().len()) as u64;
        let end = entry.header.checked_add(least).and_then(|end| end.checked_add(entry.packed));
        if end.is_none_or(|end| end > next) {
            let rest = format!("does not end before byte {next}, where something else begins.");
            faults.push(entry.say(Code::Overlap, &rest));
        }
    }
}

/// The numbers of the entries by name; says which names stand twice.
fn names(entries: &[Entry], faults: &mut Faults) -> Vec<u32> {
    let name = |at: u32| entries.get(at as usize).map_or(&b""[..], |entry| entry.name.as_bytes());
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| folded(name(a), name(b)).then(a.cmp(&b)));
    for pair in order.windows(2) {
        let &[first, second] = pair else { continue };
        if folded(name(first), name(second)).is_eq() {
            let Some(entry) = entries.get(second as usize) else { continue };
            let before = entries.get(first as usize).map_or(String::new(), |entry| quoted(&entry.name));
            let rest = format!("stands in the archive already, as '{before}'; only one of the two would be read.");
            faults.push(entry.say(Code::Duplicate, &rest));
        }
    }
    order
}

/// Compares names, ASCII letters of either case alike.
fn folded(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase))
}
