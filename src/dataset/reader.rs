//! Puts batches together: the examples that are next, out of the files they lie in, changed as asked.

use super::batch::{Batch, Top};
use super::file::File;
use super::sequence::{Run, Sequence};
use super::transform::Ready;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::tensor::{Storage, Tensor};

/// What makes batches, on whatever thread.
pub(super) struct Reader {
    pub files: Vec<File>,
    pub tops: Vec<Top>,
    pub sequence: Sequence,
    pub batch: usize,
    /// For each top what is done to it, in order.
    pub transforms: Vec<Vec<Ready>>,
    /// The file that was read last, with its numbers.
    pub open: Option<(usize, Vec<Tensor>)>,
}

impl Reader {
    /// The next batch.
    pub fn next(&mut self, faults: &mut Faults) -> Result<Batch, Refused> {
        // A file that claims more than it holds is found out before there is room for a batch of it.
        let mut next = self.sequence.next(self.batch);
        if let Some(run) = &next {
            self.load(run.file, faults)?;
        }
        let mut made: Vec<Storage> = Vec::new();
        for top in &self.tops {
            let storage = top.bytes(self.batch).and_then(|length| Storage::filled(length, |_| ()));
            made.push(storage.ok_or_else(|| faults.refuse(no_memory(top)))?);
        }
        let mut first = 0;
        while let Some(run) = next {
            self.load(run.file, faults)?;
            self.copy(&run, first, &mut made);
            first += run.examples.len();
            next = if first < self.batch { self.sequence.next(self.batch - first) } else { None };
        }
        let epoch = self.sequence.epoch();
        let mut tensors = Vec::new();
        for ((top, transforms), mut storage) in self.tops.iter().zip(&self.transforms).zip(made) {
            if let Some(bytes) = storage.bytes_mut() {
                transforms.iter().for_each(|transform| transform.apply(bytes, top.dtype));
            }
            let shape = [self.batch].into_iter().chain(top.shape.iter().copied()).collect();
            let tensor = Tensor::packed(top.dtype, shape, storage);
            tensors.push(tensor.ok_or_else(|| faults.refuse(no_memory(top)))?);
        }
        Ok(Batch { tops: tensors, epoch })
    }

    /// Reads a file, unless it is the one that was read last.
    fn load(&mut self, place: usize, faults: &mut Faults) -> Result<(), Refused> {
        if self.open.as_ref().is_none_or(|(file, _)| *file != place) {
            self.open = None;
            let read = self.files.get(place).map_or(Ok(Vec::new()), |file| file.read(faults))?;
            self.open = Some((place, read));
        }
        Ok(())
    }

    /// Copies the examples of a run, whose file is loaded, behind the first ones of a batch.
    fn copy(&self, run: &Run, first: usize, made: &mut [Storage]) {
        let Some((_, tensors)) = &self.open else { return };
        for ((top, tensor), storage) in self.tops.iter().zip(tensors).zip(made) {
            let (Some(each), Some(from)) = (top.bytes(1), tensor.packed_bytes()) else { continue };
            let Some(to) = storage.bytes_mut() else { continue };
            for (place, example) in run.examples.iter().enumerate() {
                let place = first + place;
                let from = from.get(example * each..(example + 1) * each);
                if let (Some(to), Some(from)) = (to.get_mut(place * each..(place + 1) * each), from) {
                    to.copy_from_slice(from);
                }
            }
        }
    }
}

fn no_memory(top: &Top) -> Fault {
    let message = format!("There is no memory for a batch of '{}'.", quoted_str(&top.name));
    Fault::new(Code::Memory, message).path(&top.name)
}
