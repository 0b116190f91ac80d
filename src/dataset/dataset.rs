//! A data set that is open.

use super::ahead::Ahead;
use super::batch::{Batch, Top};
use super::file::{self, File, Told};
use super::list::sources;
use super::reader::Reader;
use super::sequence::{Bits, Sequence};
use super::stream::Stream;
use super::transform::{Ready, Transform};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::limits::Limits;
use crate::source::Source;
use crate::tensor::{DType, Tensor};
use std::path::PathBuf;

/// From where an order is drawn.
pub enum Shuffle {
    /// From the [`Stream`] of a seed.
    Seed(u64),
    /// From the host: each call gives 64 bits.
    Given(Box<dyn FnMut() -> u64 + Send>),
}

/// How a data set is read.
#[derive(Default)]
pub struct Options {
    /// Names of the datasets, one a top; none: `data` and `label`.
    pub tops: Vec<String>,
    /// Examples of a batch, from 1.
    pub batch: usize,
    /// Whether examples come in a drawn order.
    pub shuffle: Option<Shuffle>,
    /// Shuffles in chunks of so many examples, files anew in each epoch, as Mocha's asynchronous layer does it.
    pub chunk: Option<usize>,
    /// What is done to the tops of these names, in order.
    pub transforms: Vec<(String, Transform)>,
    /// Where the paths of the list begin; none: where the process works, as in Mocha.
    pub folder: Option<PathBuf>,
    /// How many batches a thread of the set's own keeps ready; 0: none, and no thread. It calls nothing of the host
    /// but its allocator: what a reader gives is read whole before.
    pub ahead: usize,
    /// What the set may cost.
    pub limits: Limits,
}

/// Examples, batch by batch and without end.
pub struct Dataset {
    tops: Vec<Top>,
    examples: u64,
    batch: usize,
    epoch: u64,
    reading: Reading,
}

enum Reading {
    Here(Box<Reader>),
    Ahead(Ahead),
}

/// Most examples of a batch.
const MOST: usize = 1 << 24;

/// Most batches that are kept ready.
const MOST_AHEAD: usize = 1024;

impl Dataset {
    /// Opens the files that a list names, or a single HDF5 file, and checks all of them: that every top is there, has the same
    /// shape and type in each, and that the tops of a file have as many examples.
    pub fn open(list: &Source, options: Options, faults: &mut Faults) -> Result<Dataset, Refused> {
        let names = names(&options);
        let mark = faults.mark();
        let mut told: Vec<Told> = Vec::new();
        // No function of the host is called on the thread that reads ahead.
        let list = if options.ahead > 0 { list.in_place(faults)? } else { list.clone() };
        for source in sources(&list, options.folder.as_deref(), &options.limits, faults)? {
            let Ok(one) = file::told(&source, &names, &options.limits, faults) else { continue };
            match told.first().and_then(|first| file::unlike(&source, &first.tops, &one.tops)) {
                Some(fault) => faults.push(fault),
                None => told.push(one),
            }
        }
        faults.refused_since(mark)?;
        Dataset::of(told, options, faults)
    }

    /// A data set of arrays in memory, one a top, the examples along their first axis.
    pub fn memory(arrays: Vec<(String, Tensor)>, options: Options, faults: &mut Faults) -> Result<Dataset, Refused> {
        let mark = faults.mark();
        let (mut tops, mut tensors, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (name, tensor) in arrays {
            let packed = tensor.to_packed().filter(|tensor| matches!(tensor.dtype(), DType::F32 | DType::F64));
            let shape = tensor.shape().split_first();
            let (Some(packed), Some((count, shape))) = (packed, shape) else {
                let message = format!("'{}' is neither F32 nor F64, or has no axis of examples.", quoted_str(&name));
                faults.push(Fault::new(Code::Value, message).path(&name));
                continue;
            };
            counts.push(*count);
            tops.push(Top { name, shape: shape.to_vec(), dtype: packed.dtype() });
            tensors.push(packed);
        }
        if counts.windows(2).any(|pair| pair[0] != pair[1]) {
            faults.push(Fault::new(Code::Value, "The arrays have unlike counts of examples."));
        }
        faults.refused_since(mark)?;
        let examples = counts.first().copied().unwrap_or(0);
        Dataset::of(vec![Told { file: File::Memory(tensors), tops, examples }], options, faults)
    }

    fn of(told: Vec<Told>, options: Options, faults: &mut Faults) -> Result<Dataset, Refused> {
        let mark = faults.mark();
        let mut misuse = |message: String| faults.push(Fault::new(Code::Value, message));
        if !(1..=MOST).contains(&options.batch) {
            misuse(format!("A batch has from 1 to {MOST} examples, and not {}.", options.batch));
        }
        if options.ahead > MOST_AHEAD {
            misuse(format!("At most {MOST_AHEAD} batches are read ahead, and not {}.", options.ahead));
        }
        if options.chunk == Some(0) {
            misuse("A chunk has at least one example.".to_owned());
        }
        let tops = told.first().map(|first| first.tops.clone()).unwrap_or_default();
        let bytes = batch_bytes(&tops, options.batch).and_then(|bytes| bytes.checked_mul(options.ahead as u64 + 1));
        if bytes.is_none_or(|bytes| bytes > options.limits.session_bytes) {
            let (batch, most) = (options.batch, options.limits.session_bytes);
            let message =
                format!("Batches of {batch} examples, those read ahead among them, take more than {most} bytes.");
            faults.push(Fault::new(Code::Limit, message));
        }
        let examples: u64 = told.iter().map(|told| told.examples as u64).sum();
        if examples == 0 {
            faults.push(Fault::new(Code::Absent, "The data set has no example."));
        }
        let mut transforms: Vec<Vec<Ready>> = vec![Vec::new(); tops.len()];
        for (name, transform) in &options.transforms {
            let place = tops.iter().position(|top| top.name == *name);
            match place.and_then(|place| Some((transforms.get_mut(place)?, tops.get(place)?))) {
                Some((transforms, top)) => match Ready::of(transform, top) {
                    Ok(ready) => transforms.push(ready),
                    Err(fault) => faults.push(fault),
                },
                None => {
                    let message = format!("There is no top '{}' that could be transformed.", quoted_str(name));
                    faults.push(Fault::new(Code::Value, message).path(name));
                }
            }
        }
        faults.refused_since(mark)?;
        let bits: Option<Bits> = options.shuffle.map(|shuffle| match shuffle {
            Shuffle::Given(bits) => bits,
            Shuffle::Seed(seed) => {
                let mut stream = Stream::new(seed);
                Box::new(move || stream.bits()) as Bits
            }
        });
        let (sizes, files) = told.into_iter().map(|told| (told.examples, told.file)).unzip();
        let sequence = Sequence::new(sizes, bits, options.chunk);
        let reader = Reader { files, tops: tops.clone(), sequence, batch: options.batch, transforms, open: None };
        let reading = match options.ahead {
            0 => Reading::Here(Box::new(reader)),
            count => Reading::Ahead(Ahead::new(reader, count, faults)?),
        };
        Ok(Dataset { tops, examples, batch: options.batch, epoch: 0, reading })
    }

    /// What each example has, in order.
    pub fn tops(&self) -> &[Top] {
        &self.tops
    }

    /// How many examples the set has.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// Examples of a batch.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// How often the last example of the set has been given.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The next batch. What is refused in reading ahead is refused when its batch is asked for.
    pub fn next(&mut self, faults: &mut Faults) -> Result<Batch, Refused> {
        let batch = match &mut self.reading {
            Reading::Here(reader) => reader.next(faults),
            Reading::Ahead(ahead) => ahead.next(faults),
        }?;
        self.epoch = batch.epoch;
        Ok(batch)
    }
}

/// Bytes of a batch of all tops.
fn batch_bytes(tops: &[Top], batch: usize) -> Option<u64> {
    tops.iter().try_fold(0u64, |total, top| total.checked_add(top.bytes(batch)? as u64))
}

fn names(options: &Options) -> Vec<String> {
    match options.tops.as_slice() {
        [] => ["data", "label"].map(str::to_owned).to_vec(),
        named => named.to_vec(),
    }
}
