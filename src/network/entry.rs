//! Numbers on their way into a slot.

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    params::{Params, Value},
    tensor::{DType, Tensor},
};

/// Numbers with the path of the slot they are for, as a file or a host hands them over.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Dotted path of the slot.
    pub path: Text,
    /// The numbers.
    pub tensor: Tensor,
    /// Where they stand, in the file's own words (`line 3`, a tensor's name, a dataset's path).
    pub place: Text,
    /// Byte of the source at which they begin, if known.
    pub offset: Option<u64>,
}

impl Entry {
    /// `place: 'path' …`, with everything a program wants to know of the entry.
    pub(crate) fn fault(&self, code: Code, rest: &str) -> Fault {
        let place = if self.place.is_empty() { String::new() } else { format!("{}: ", quoted(&self.place)) };
        Fault::new(code, format!("{place}'{}' {rest}", quoted(&self.path)))
            .path(self.path.clone())
            .place(self.place.clone())
            .offset(self.offset)
    }

    /// The tensors of a tree by their dotted paths, in its order. A leaf that is no tensor is a fault.
    pub fn of_params(params: &Params, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
        let mark = faults.mark();
        let mut entries = Vec::new();
        for (node, path) in params.leaves() {
            match params.tensor(node) {
                Some(tensor) => {
                    let (tensor, place) = (tensor.clone(), Text::default());
                    entries.push(Entry { path, tensor, place, offset: None });
                }
                None => {
                    let kind = params.kind(node).map_or("nothing", |kind| kind.name());
                    let message = format!("'{}' is {kind}; a tensor is wanted.", quoted(&path));
                    faults.push(Fault::new(Code::Kind, message).path(path));
                }
            }
        }
        faults.refused_since(mark)?;
        Ok(entries)
    }

    /// A flat tree of entries: each path is one key, dots and all.
    pub fn to_params(entries: Vec<Entry>, faults: &mut Faults) -> Result<Params, Refused> {
        let mark = faults.mark();
        let mut params = Params::default();
        for entry in entries {
            let value = Value::Tensor(entry.tensor);
            if let Err(fault) = params.add(Params::ROOT, entry.path, value) {
                faults.push(fault.place(entry.place).offset(entry.offset));
            }
        }
        faults.refused_since(mark)?;
        Ok(params)
    }
}

/// The same without the numbers: what a file lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Dotted path.
    pub path: Text,
    /// Where it stands, in the file's own words.
    pub place: Text,
    /// Element type, as the file has it.
    pub dtype: DType,
    /// Shape, as the file has it.
    pub shape: Vec<usize>,
    /// How many bytes the numbers take.
    pub bytes: u64,
    /// Byte of the source at which they begin, if known.
    pub offset: Option<u64>,
}
