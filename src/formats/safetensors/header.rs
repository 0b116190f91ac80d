//! The header: what tensors a file holds, and where.

use super::{
    cover::{Found, cover},
    entry::{Claim, claim},
    fields::Fields,
};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted_str},
    limits::Limits,
    source::Source,
    tensor::{DType, Tensor},
};
use serde_json::value::RawValue;
use std::{collections::HashSet, ops::Range};

/// The longest header of the format, in bytes.
const LONGEST: u64 = 100_000_000;

/// The field of the header that is no tensor.
pub(super) const NOTES: &str = "__metadata__";

/// Bytes of the header's length.
const PREFIX: u64 = 8;

/// A tensor of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its name.
    pub name: Text,
    /// Element type.
    pub dtype: DType,
    /// Shape, slowest axis first.
    pub shape: Vec<usize>,
    /// The bytes of the source that hold it.
    pub bytes: Range<u64>,
}

/// A file that has been checked from the first byte to the last, the numbers aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Safetensors {
    /// The notes of `__metadata__`, as written.
    pub notes: Vec<(Text, Text)>,
    /// The tensors, in the order of their bytes; those without bytes by name.
    pub tensors: Vec<Stored>,
}

impl Safetensors {
    /// Reads and checks the header. All faults are found at once, those of tensors in the order of their bytes.
    pub fn read(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Safetensors, Refused> {
        let mark = faults.mark();
        let header = header(source, limits, faults)?;
        let text = utf8(header.bytes(), faults)?;
        let fields =
            Fields::of(text, limits.entries.saturating_add(1)).map_err(|error| no_json(text, &error, faults))?;
        let tensors = fields.count - usize::from(fields.kept.iter().any(|(name, _)| name == NOTES));
        if tensors > limits.entries {
            let message = format!("The header names {tensors} tensors; the limit `entries` is {}.", limits.entries);
            return Err(faults.refuse(Fault::new(Code::Limit, message)));
        }
        let data = PREFIX + header.len() as u64..source.len();
        let mut file = Reading { text, data, limits, notes: Vec::new(), axes: 0, found: Vec::new() };
        let (mut claims, mut names) = (Vec::with_capacity(fields.kept.len()), HashSet::new());
        for (name, value) in &fields.kept {
            if file.found.len() >= limits.faults {
                break;
            }
            claims.extend(file.field(name, value, names.insert(name.as_str())));
        }
        drop(names);
        let claimed = file.found.len() < limits.faults && file.found.iter().all(|found| found.offsets_known);
        claims.sort_by(|a, b| (a.begin, a.end, a.name).cmp(&(b.begin, b.end, b.name)));
        if claimed {
            cover(&claims, &file.data, limits.faults, &mut file.found);
        }
        file.found.sort_by_key(|found| found.begin);
        file.found.into_iter().for_each(|found| faults.push(found.fault));
        faults.refused_since(mark)?;
        let first = file.data.start;
        let stored = |claim: Claim<'_>| Stored {
            name: claim.name.into(),
            dtype: claim.dtype,
            shape: claim.shape,
            bytes: first + claim.begin..first + claim.end,
        };
        Ok(Safetensors { notes: file.notes, tensors: claims.into_iter().map(stored).collect() })
    }

    /// The numbers of a tensor, in place where the source has them in memory.
    pub fn tensor(&self, index: usize, source: &Source, faults: &mut Faults) -> Result<Tensor, Refused> {
        let stored = &self.tensors[index];
        let storage = source.bytes(stored.bytes.clone(), faults)?;
        Tensor::packed(stored.dtype, stored.shape.clone(), storage).ok_or_else(|| {
            let message = "A tensor and its bytes do not fit, though the header has been checked.";
            faults.refuse(Fault::new(Code::Internal, message).place(stored.name.clone()))
        })
    }
}

/// What is known while the fields of a header are gone through.
pub(super) struct Reading<'a> {
    text: &'a str,
    /// The bytes of the source that hold numbers.
    pub(super) data: Range<u64>,
    pub(super) limits: &'a Limits,
    notes: Vec<(Text, Text)>,
    /// Axes of all tensors so far.
    pub(super) axes: usize,
    pub(super) found: Vec<Found>,
}

impl<'a> Reading<'a> {
    fn field<'f>(&mut self, name: &'f str, value: &'a RawValue, first: bool) -> Option<Claim<'f>> {
        if !first {
            let sentence = "is written twice in the header, and only one of the two would be read.";
            let fault = Fault::new(Code::Duplicate, format!("'{}' {sentence}", quoted_str(name)));
            let fault = fault.path(name).place(name).offset(self.at(value));
            self.found.push(Found { fault, begin: None, offsets_known: true });
        } else if name == NOTES {
            self.note(value);
        }
        if name == NOTES { None } else { claim(self, name, value, first) }
    }

    /// The notes: text by text.
    fn note(&mut self, value: &'a RawValue) {
        if value.get() == "null" {
            return;
        }
        let Ok(fields) = Fields::of(value.get(), self.limits.entries) else {
            return self.bad_note("__metadata__ holds text by text only, and is no object.".into(), value);
        };
        if fields.count > self.limits.entries {
            return self
                .bad_note(format!("__metadata__ holds {} notes, more than the limit `entries`.", fields.count), value);
        }
        let mut keys = HashSet::new();
        for (key, value) in fields.kept {
            let shown = quoted_str(&key);
            match serde_json::from_str::<String>(value.get()) {
                _ if !keys.insert(key.clone()) => {
                    self.bad_note(
                        format!("__metadata__ holds '{shown}' twice, and only one of the two would be read."),
                        value,
                    );
                }
                Ok(text) => self.notes.push((key.into(), text.into())),
                Err(_) => {
                    let given = quoted_str(value.get());
                    self.bad_note(format!("__metadata__ holds text by text only, and '{shown}' is {given}."), value);
                }
            }
        }
    }

    fn bad_note(&mut self, message: String, value: &RawValue) {
        let fault = Fault::new(Code::Metadata, message).place(NOTES).offset(self.at(value));
        self.found.push(Found { fault, begin: None, offsets_known: true });
    }

    /// The byte of the source at which a value of the header stands.
    pub(super) fn at(&self, value: &RawValue) -> u64 {
        PREFIX + (value.get().as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize) as u64
    }
}

/// The bytes of the header.
fn header(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<crate::tensor::Storage, Refused> {
    let prefix = source.head(PREFIX, faults)?;
    let Ok(prefix) = <[u8; 8]>::try_from(prefix.bytes()) else {
        let message =
            format!("The file is {} bytes long and ends within the length of its header, which takes 8.", source.len());
        return Err(faults.refuse(Fault::new(Code::Truncated, message).offset(source.len())));
    };
    let length = u64::from_le_bytes(prefix);
    let most = limits.header_bytes.min(LONGEST);
    let fault = if length > most {
        Fault::new(Code::Limit, format!("The header is said to be {length} bytes long; at most {most} are read."))
    } else if length > source.len() - PREFIX {
        let there = source.len() - PREFIX;
        Fault::new(Code::Truncated, format!("The header is said to be {length} bytes long, and {there} bytes follow."))
    } else {
        return source.bytes(PREFIX..PREFIX + length, faults);
    };
    Err(faults.refuse(fault.offset(0).argument("length", Argument::Text(length.to_string().into()))))
}

fn utf8<'a>(bytes: &'a [u8], faults: &mut Faults) -> Result<&'a str, Refused> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = PREFIX + error.valid_up_to() as u64;
        faults.refuse(Fault::new(Code::Encoding, format!("The header is not UTF-8 at byte {at}.")).offset(at))
    })
}

fn no_json(text: &str, error: &serde_json::Error, faults: &mut Faults) -> Refused {
    // Lines and columns count from 1, columns in bytes.
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = PREFIX + (line + error.column().saturating_sub(1)).min(text.len()) as u64;
    let message = if error.is_data() {
        "The header is JSON, but no object.".to_owned()
    } else {
        // What the parser says of syntax holds no text of the file.
        format!("The header is not JSON: {error}.")
    };
    faults.refuse(Fault::new(Code::Malformed, message).offset(at))
}
