//! Files of `torch.save`: an archive since 1.6, and what there was before. Both hold one pickle, which says what there is and
//! how tensors look at storages; no numbers are read before they are asked for, and nothing is ever run.
//!
//! `archive` and `legacy` find the pickle and the storages, `names` says what a pickle may name, `walk` makes a tree of its
//! values, `state` finds the part that holds a network's numbers, `rebuild` makes tensors of what is said of them, `tree`
//! makes parameters of everything.

mod archive;
mod legacy;
mod names;
mod numpy;
mod rebuild;
mod state;
mod storages;
mod tree;
mod walk;

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    formats::{
        Budget,
        pickle::{NodeId, Pickle, Setting},
        zip::Zip,
    },
    import::{
        ImportOptions,
        format::{Format, Opened, Order},
    },
    network::Listed,
    params::{Params, Value},
    progress::Progress,
    source::Source,
    tensor::Tensor,
};
use archive::Archive;
use legacy::Legacy;
use rebuild::Stored;
use storages::{Records, Storages, Wrong};
use tree::Places;
use walk::{Bounds, Met, one_more, walk};

/// The row of the archive, written since PyTorch 1.6.
pub(in crate::import) struct SinceZip;

/// The row of the file written before.
pub(in crate::import) struct BeforeZip;

/// What a tensor takes wherever it is kept, listed, read or put into a tree of entries, its path and its axes left out; how
/// often its path is kept at most, and what an axis takes.
const TENSOR: u64 = 1000;
const PATHS: u64 = 8;
const AXIS: u64 = 48;

/// The pickle of an archive, in the archive's words.
const DATA: &str = "data.pkl";

impl Format for SinceZip {
    fn name(&self) -> &'static str {
        "pytorch"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        Zip::begins(head)
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let limits = &options.limits;
        let archive = Archive::open(source, limits, faults)?;
        let size = archive.zip.entries()[archive.pickle].size;
        if size > limits.header_bytes {
            let message = format!("{DATA} is {size} bytes long; the limit `header_bytes` is {}.", limits.header_bytes);
            return Err(faults.refuse(Fault::new(Code::Limit, message).place(DATA)));
        }
        let bytes = archive.zip.read(archive.pickle, faults)?;
        let place = Text::from(DATA);
        let offset = archive.zip.place(archive.pickle, faults)?.start;
        let stored = archive.zip.entries()[archive.pickle].is_stored();
        let setting = Setting {
            place: &place,
            offset: stored.then_some(offset),
            budget: archive.zip.budget(),
            world: &names::Names,
            limits,
        };
        let pickle = Pickle::read(&bytes, &setting, faults)?;
        let budget = archive.zip.budget().clone();
        let storages = Storages::new(source, Records::Archive(archive), budget.clone());
        Checkpoint::open(place, pickle, storages, budget, options, faults)
    }
}

impl Format for BeforeZip {
    fn name(&self) -> &'static str {
        "pytorch-legacy"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(legacy::MAGIC)
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let Legacy { pickle, records, budget } = Legacy::open(source, &options.limits, faults)?;
        let storages = Storages::new(source, Records::Plain(records), budget.clone());
        Checkpoint::open(legacy::STATE.into(), pickle, storages, budget, options, faults)
    }
}

/// A file whose pickle has been read.
struct Checkpoint {
    pickle: Pickle,
    storages: Storages,
    /// The value that is looked at: the root, or what the option `key` names.
    state: NodeId,
    bounds: Bounds,
    /// How much there is below it.
    places: Places,
    /// What memory for all that is made of the file is taken from.
    budget: Budget,
    /// The tensors below it, with what is listed of each.
    stored: Vec<Stored>,
    entries: Vec<Listed>,
    notes: Vec<(Text, Text)>,
}

impl Checkpoint {
    /// Finds the tensors below the part that is looked at. All that can not be read are told at once, each in the record
    /// that speaks of it.
    fn open(
        record: Text,
        pickle: Pickle,
        mut storages: Storages,
        budget: Budget,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let mark = faults.mark();
        let state = match options.key {
            Some(key) => state::under(&pickle, key, faults)?,
            None => pickle.root(),
        };
        let bounds = Bounds::of(storages.file(), &options.limits);
        let (mut stored, mut entries, mut places) = (Vec::new(), Vec::new(), Places::default());
        let walked = walk(&pickle, state, bounds, &budget, |met| {
            let place = match met {
                Met::End => return Ok(()),
                Met::Leaf(place) => place,
                Met::Branch(place, ..) => {
                    places.branches += 1;
                    place
                }
            };
            places.all += 1;
            places.keyed += usize::from(!place.key.is_empty());
            if !state::is_tensor(&pickle, place.node) {
                return Ok(());
            }
            budget.take(TENSOR + PATHS * place.path.len() as u64).ok_or_else(|| one_more(place.path))?;
            let path = Text::from_wtf8(place.path);
            match rebuild::tensor(&pickle, &mut storages, place.node, &options.limits) {
                Ok(tensor) => {
                    budget.take(AXIS * tensor.shape.len() as u64).ok_or_else(|| one_more(place.path))?;
                    entries.push(Listed {
                        place: within(options.key, &path),
                        path,
                        dtype: tensor.dtype,
                        shape: tensor.shape.clone(),
                        bytes: tensor.bytes(),
                        offset: tensor.offset(&storages),
                    });
                    stored.push(tensor);
                }
                Err(Wrong(code, rest)) => faults.push(about(&path, code, rest).place(record.clone())),
            }
            Ok(())
        });
        walked.map_err(|fault| faults.refuse(fault))?;
        faults.refused_since(mark)?;
        let notes = state::left_out(&pickle, state).into_iter().collect();
        Ok(Box::new(Checkpoint { pickle, storages, state, bounds, places, budget, stored, entries, notes }))
    }
}

impl Opened for Checkpoint {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        let mut found = Faults::default();
        self.stored[index].read(&self.storages, &mut found).inspect_err(|_| {
            let listed = &self.entries[index];
            found.iter().for_each(|fault| faults.push(fault.clone().path(listed.path.clone())));
        })
    }

    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        if state::is_flat(&self.pickle, self.state) {
            return Ok(None);
        }
        let total = self.entries.iter().map(|entry| entry.bytes).sum();
        let (mut next, mut done) = (0, 0);
        let read = |node: NodeId, faults: &mut Faults| {
            if !state::is_tensor(&self.pickle, node) {
                return Ok(None);
            }
            let Some(progress) = progress else { return Ok(Some(Value::NotLoaded)) };
            progress.at(done, total, faults)?;
            // The walk is the same as that of the listing.
            let index = next;
            next += 1;
            done += self.entries[index].bytes;
            self.tensor(index, faults).map(|tensor| Some(Value::Tensor(tensor)))
        };
        tree::tree(&self.pickle, self.state, self.bounds, self.places, &self.budget, read, faults).map(Some)
    }

    fn order(&self, faults: &mut Faults) -> Result<Order, Refused> {
        state::fits(&self.pickle, self.state, faults).map(|()| Order::Pytorch)
    }
}

/// Where a path stands in the file.
fn within(key: Option<&str>, path: &Text) -> Text {
    match key {
        Some(key) => Text::from_wtf8(&[key.as_bytes(), b".", path.as_bytes()].concat()),
        None => path.clone(),
    }
}

/// A fault of something by its path.
fn about(path: &Text, code: Code, rest: String) -> Fault {
    Fault::new(code, format!("'{}' {rest}", quoted(path))).path(path.clone())
}

#[cfg(test)]
mod tests;
