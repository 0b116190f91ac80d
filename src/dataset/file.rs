//! One file of a data set: a dataset for each top, all with as many examples.

use super::batch::Top;
use crate::faults::{Code, Fault, Faults, Refused, quoted, quoted_str};
use crate::formats::hdf5;
use crate::limits::Limits;
use crate::source::Source;
use crate::tensor::{DType, Tensor, shape_text};

/// Where the examples of some tops lie.
#[derive(Clone, Debug)]
pub(super) enum File {
    /// In datasets of an HDF5 file.
    Hdf5 {
        /// What the file is called in a message.
        shown: String,
        /// One a top.
        datasets: Vec<hdf5::Dataset>,
    },
    /// In memory.
    Memory(Vec<Tensor>),
}

/// A file with what it says of its tops.
pub(super) struct Told {
    pub file: File,
    pub tops: Vec<Top>,
    pub examples: usize,
}

/// Looks at the datasets of the tops of a file; nothing of their numbers is read. Every fault names the file.
pub(super) fn told(source: &Source, names: &[String], limits: &Limits, faults: &mut Faults) -> Result<Told, Refused> {
    let shown = shown(source);
    named(&shown, faults, |faults| looked(source, &shown, names, limits, faults))
}

/// Does something with a file, whose name is put before the message of every fault.
fn named<T>(shown: &str, faults: &mut Faults, with: impl FnOnce(&mut Faults) -> T) -> T {
    let before = faults.len();
    let done = with(faults);
    for fault in faults.iter_mut().skip(before) {
        fault.message = Fault::new(fault.code, format!("{shown}: {}", fault.message)).message;
    }
    done
}

fn looked(
    source: &Source,
    shown: &str,
    names: &[String],
    limits: &Limits,
    faults: &mut Faults,
) -> Result<Told, Refused> {
    let root = hdf5::File::open(source, limits, faults)?.root(faults)?;
    let mark = faults.mark();
    let (mut tops, mut datasets, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let found = root.member(name, faults)?;
        let Some(dataset) = found.as_ref().and_then(|object| object.dataset()) else {
            let message = format!("there is no dataset '{}'.", quoted_str(name));
            faults.push(Fault::new(Code::Absent, message).path(name).place("/"));
            continue;
        };
        let dtype = dataset.datatype().dtype();
        let shape = dataset.shape().and_then(<[usize]>::split_first);
        match (dtype, shape) {
            (Some(dtype @ (DType::F32 | DType::F64)), Some((examples, shape))) => {
                counts.push(*examples);
                tops.push(Top { name: name.clone(), shape: shape.to_vec(), dtype });
                datasets.push(dataset.clone());
            }
            (_, None) => {
                let message = format!("'{}' has no axis of examples.", quoted_str(name));
                faults.push(Fault::new(Code::Shape, message).path(name).place(dataset.path().clone()));
            }
            _ => {
                let message = format!("'{}' is neither F32 nor F64; labels are floats too.", quoted_str(name));
                faults.push(Fault::new(Code::DType, message).path(name).place(dataset.path().clone()));
            }
        }
    }
    if counts.windows(2).any(|pair| pair[0] != pair[1]) {
        let counts: Vec<String> =
            tops.iter().zip(&counts).map(|(top, n)| format!("{} {n}", quoted_str(&top.name))).collect();
        let message = format!("its datasets have unlike counts of examples: {}.", counts.join(", "));
        faults.push(Fault::new(Code::Shape, message).place("/"));
    }
    faults.refused_since(mark)?;
    Ok(Told {
        file: File::Hdf5 { shown: shown.to_owned(), datasets },
        tops,
        examples: counts.first().copied().unwrap_or(0),
    })
}

/// The fault of a file whose tops are not those of the first.
pub(super) fn unlike(source: &Source, first: &[Top], tops: &[Top]) -> Option<Fault> {
    let (a, b) = first.iter().zip(tops).find(|(a, b)| a != b)?;
    let message = format!(
        "{}: an example of '{}' is {} of {}, and {} of {} in the first file.",
        shown(source),
        quoted_str(&a.name),
        shape_text(&b.shape),
        b.dtype.name(),
        shape_text(&a.shape),
        a.dtype.name()
    );
    Some(Fault::new(Code::Shape, message).path(&a.name))
}

/// A file's name in a message.
fn shown(source: &Source) -> String {
    match source.name().as_bytes() {
        [] => "The file".to_owned(),
        _ => quoted(source.name()),
    }
}

impl File {
    /// The numbers of all its examples, packed: in place where the file keeps them side by side. Faults name the file.
    pub fn read(&self, faults: &mut Faults) -> Result<Vec<Tensor>, Refused> {
        match self {
            File::Memory(tensors) => Ok(tensors.clone()),
            File::Hdf5 { shown, datasets } => {
                named(shown, faults, |faults| datasets.iter().map(|dataset| dataset.tensor(faults)).collect())
            }
        }
    }
}
