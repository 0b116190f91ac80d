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
use walk::{Bounds, Met, Place, walk};

/// The row of the archive, written since PyTorch 1.6.
pub(in crate::import) struct SinceZip;

/// The row of the file written before.
pub(in crate::import) struct BeforeZip;

/// What a tensor takes beside its place: what is listed of it, and how it lies in its storage.
const TENSOR: u64 = 256;

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
            file: source.len(),
            world: &names::Names,
            limits,
        };
        let pickle = Pickle::read(&bytes, &setting, faults)?;
        Checkpoint::open(source, place, pickle, Records::Archive(archive), options, faults)
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
        let Legacy { pickle, records } = Legacy::open(source, &options.limits, faults)?;
        Checkpoint::open(source, legacy::STATE.into(), pickle, Records::Plain(records), options, faults)
    }
}

/// A file whose pickle has been read.
struct Checkpoint {
    pickle: Pickle,
    storages: Storages,
    /// The value that is looked at: the root, or what the option `key` names.
    state: NodeId,
    bounds: Bounds,
    /// The tensors below it, with what is listed of each.
    stored: Vec<Stored>,
    entries: Vec<Listed>,
}

impl Checkpoint {
    /// Finds the tensors below the part that is looked at. All that can not be read are told at once, each in the record
    /// that speaks of it.
    fn open(
        source: &Source,
        record: Text,
        pickle: Pickle,
        records: Records,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let mark = faults.mark();
        let state = match options.key {
            Some(key) => state::under(&pickle, key, faults)?,
            None => pickle.root(),
        };
        let bounds = Bounds::of(source.len(), options.limits.depth);
        let (mut storages, mut stored, mut entries) = (Storages::new(source, records), Vec::new(), Vec::new());
        let mut axes = 0;
        let cost = |place: &Place<'_>| match state::is_tensor(&pickle, place.node) {
            true => TENSOR + place.kept(&pickle),
            false => place.passed(),
        };
        let walked = walk(&pickle, state, bounds, cost, |met| {
            let Met::Leaf(place) = met else { return Ok(()) };
            if !state::is_tensor(&pickle, place.node) {
                return Ok(());
            }
            let path = Text::from_wtf8(place.path);
            match rebuild::tensor(&pickle, &mut storages, place.node, &options.limits) {
                Ok(tensor) => {
                    axes += tensor.shape.len() as u64;
                    if axes.saturating_mul(size_of::<[usize; 3]>() as u64) > bounds.bytes {
                        return Err(about(
                            &path,
                            Code::Limit,
                            "has more axes than a file of this length may have.".into(),
                        ));
                    }
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
        Ok(Box::new(Checkpoint { pickle, storages, state, bounds, stored, entries }))
    }
}

impl Opened for Checkpoint {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        let mut found = Faults::default();
        self.stored[index].read(&self.storages, &mut found).inspect_err(|_| {
            let listed = &self.entries[index];
            found.iter().for_each(|fault| faults.push(fault.clone().path(listed.path.clone())));
        })
    }

    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        if state::is_state(&self.pickle, self.state) {
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
        tree::tree(&self.pickle, self.state, self.bounds, read, faults).map(Some)
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
