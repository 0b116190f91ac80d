//! The file PyTorch wrote before 1.6: five pickles one after the other, then the storages.

use super::{names::Names, storages::said};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    formats::{
        Budget, Loan,
        pickle::{Node, NodeId, Pickle, Setting},
    },
    limits::Limits,
    source::Source,
};
use std::{collections::HashMap, ops::Range};

/// The pickle of the number that such a file begins with.
pub(super) const MAGIC: &[u8] = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";

/// What the pickle of everything is called.
pub(super) const STATE: &str = "the state";

/// The version of the format; there was one.
const PROTOCOL: i64 = 1001;

/// What is kept of a storage while the others are looked for, its key left out.
const STORAGE: u64 = 256;

/// Bytes a pickle is looked for in first; the end of a pickle is only known when it has been read.
const WINDOW: u64 = 1 << 20;

/// What such a file says: its pickle, and where each storage lies.
pub(super) struct Legacy {
    pub pickle: Pickle,
    pub records: HashMap<Vec<u8>, Range<u64>>,
    /// What memory for all that is made of the file is taken from.
    pub budget: Budget,
}

impl Legacy {
    /// Reads the pickles, and finds the storages after them.
    pub fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Legacy, Refused> {
        if source.head(MAGIC.len() as u64, faults)?.bytes() != MAGIC {
            let message = "The file does not begin as files of PyTorch before 1.6 do.";
            return Err(faults.refuse(Fault::new(Code::Malformed, message).offset(0)));
        }
        let mut file = File { source, limits, budget: Budget::of(source.len()), at: MAGIC.len() as u64 };
        let (protocol, first) = file.pickle("the protocol", faults)?;
        if protocol.int(protocol.root()) != Some(PROTOCOL) {
            let message =
                format!("The file is of another protocol than {PROTOCOL}, the one there was before PyTorch 1.6.");
            return Err(faults.refuse(Fault::new(Code::Unsupported, message).offset(MAGIC.len() as u64)));
        }
        // What the machine that wrote it was like; numbers stand with their least byte first whatever it says.
        let (_, second) = file.pickle("the system", faults)?;
        let (pickle, _) = file.pickle(STATE, faults)?;
        let (keys, last) = file.pickle("the keys of the storages", faults)?;
        let records = file.storages(&pickle, &keys, faults)?;
        file.budget.give(first + second + last);
        Ok(Legacy { pickle, records, budget: file.budget })
    }
}

struct File<'a> {
    source: &'a Source,
    limits: &'a Limits,
    budget: Budget,
    /// Byte of the source at which the next part begins.
    at: u64,
}

impl File<'_> {
    /// The next pickle, read in windows that grow until it ends within one, and how much memory was taken from the budget
    /// for the last of them, which lives as long as the pickle does.
    fn pickle(&mut self, what: &str, faults: &mut Faults) -> Result<(Pickle, u64), Refused> {
        let place = Text::from(what);
        let most = (self.source.len() - self.at).min(self.limits.header_bytes);
        let mut window = WINDOW.min(most);
        loop {
            let (copied, mut loan) = (self.source.copied(window), Loan::of(&self.budget));
            loan.take(copied).ok_or_else(|| {
                let message = format!("There is no memory for {copied} bytes in which {what} may end.");
                faults.refuse(Fault::new(Code::Limit, message).offset(self.at))
            })?;
            let bytes = self.source.bytes(self.at..self.at + window, faults)?;
            let (offset, budget) = (Some(self.at), &self.budget);
            let setting = Setting { place: &place, offset, budget, world: &Names, limits: self.limits };
            let mut found = Faults::default();
            match Pickle::read(&bytes, &setting, &mut found) {
                Ok(pickle) => {
                    loan.keep();
                    self.at += pickle.end() as u64;
                    return Ok((pickle, copied));
                }
                Err(Refused(Code::Truncated)) if window < most => window = window.saturating_mul(8).min(most),
                Err(refused) => {
                    faults.append(found);
                    return Err(refused);
                }
            }
        }
    }

    /// Where each storage lies, in the order of `keys`: a count of 8 bytes, then the numbers.
    fn storages(
        &mut self,
        pickle: &Pickle,
        keys: &Pickle,
        faults: &mut Faults,
    ) -> Result<HashMap<Vec<u8>, Range<u64>>, Refused> {
        // How many bytes a number takes is said where the storage is spoken of alone.
        let mut sizes: HashMap<&[u8], usize> = HashMap::new();
        for node in 0..pickle.count() as NodeId {
            if let Node::Persistent(id) = pickle.node(node) {
                if let Ok(said) = said(pickle, id) {
                    sizes.insert(said.key, said.dtype.size().unwrap_or_default());
                }
            }
        }
        let mut records = HashMap::new();
        for &key in keys.elements(keys.root()).unwrap_or_default() {
            let key = keys.text(key).unwrap_or_default();
            let shown = quoted(&Text::from_wtf8(key));
            let Some(&size) = sizes.get(key) else {
                let message = format!("The storage '{shown}' is in the file, and nothing says of what type it is.");
                return Err(faults.refuse(Fault::new(Code::Malformed, message).offset(self.at)));
            };
            let bytes = self.counted(size, faults).ok_or_else(|| {
                let message = format!("The storage '{shown}' does not end before the file does.");
                faults.refuse(Fault::new(Code::Truncated, message).offset(self.at))
            })?;
            self.at = bytes.end;
            if self.budget.take(STORAGE + key.len() as u64).is_none() {
                let message = format!("The storage '{shown}' is one more than a file of this length may have.");
                return Err(faults.refuse(Fault::new(Code::Limit, message).offset(self.at)));
            }
            records.insert(key.to_vec(), bytes);
        }
        Ok(records)
    }

    /// The bytes of the storage that begins here.
    fn counted(&self, size: usize, faults: &mut Faults) -> Option<Range<u64>> {
        let start = self.at.checked_add(8).filter(|start| *start <= self.source.len())?;
        let count = self.source.bytes(self.at..start, faults).ok()?;
        let count = u64::from_le_bytes(count.bytes().try_into().ok()?);
        let end = start.checked_add(count.checked_mul(size as u64)?)?;
        (end <= self.source.len()).then_some(start..end)
    }
}
