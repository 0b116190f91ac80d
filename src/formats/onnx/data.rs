//! The numbers of a tensor: where they lie in the file as they are, else made of the fields of their type.

use super::external::Beside;
use super::model::Model;
use super::tensor::Stored;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::formats::protobuf::{Runs, joined, varints};
use crate::limits::Limits;
use crate::source::Source;
use crate::tensor::{DType, Storage, Tensor, count, shape_text};

/// What numbers are read with: the model, the files beside it, the bounds.
pub struct Data<'a> {
    /// The decoded file.
    pub model: &'a Model,
    /// The file itself.
    pub source: &'a Source,
    /// Files beside it that are open.
    pub beside: &'a Beside,
    /// What may be read.
    pub limits: &'a Limits,
}

/// The shape, element type and bytes of a tensor that is sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// Its element type.
    pub dtype: DType,
    /// Lengths of its axes.
    pub shape: Vec<usize>,
    /// How many bytes its numbers take.
    pub bytes: u64,
}

impl Data<'_> {
    /// How many bytes the file has, and those beside it that have been opened.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.source.len().saturating_add(self.beside.length())).unwrap_or(usize::MAX)
    }

    /// What a tensor says of itself, and whether the graph holds as many numbers as that; a file beside it is not opened.
    pub fn check(&self, stored: &Stored) -> Result<Sound, Fault> {
        let fault = |code, message: String| Err(said(stored, Fault::new(code, message)));
        let dtype = match stored.dtype() {
            Ok(dtype) => dtype,
            Err(name) => return fault(Code::Unsupported, format!("is of {name}, which is not read")),
        };
        if stored.has_too_many_axes() {
            return fault(Code::Limit, "has more axes than any tensor".into());
        }
        let Ok(shape) = stored.lengths.iter().map(|&length| usize::try_from(length)).collect::<Result<Vec<_>, _>>()
        else {
            let lengths: Vec<String> = stored.lengths.iter().map(i64::to_string).collect();
            return fault(Code::Malformed, format!("has the shape {}; a length is never negative", lengths.join("x")));
        };
        let Some((count, bytes)) = count(&shape).and_then(|count| Some((count, dtype.bytes(count)? as u64))) else {
            return fault(
                Code::Overflow,
                format!("has the shape {}, whose bytes no machine can count", shape_text(&shape)),
            );
        };
        if bytes > self.limits.tensor_bytes {
            let most = self.limits.tensor_bytes;
            return fault(Code::Limit, format!("takes {bytes} bytes; the limit `tensor_bytes` is {most}"));
        }
        let place = &stored.place;
        if place.segmented {
            return fault(Code::Unsupported, "is cut into segments, which are not read".into());
        }
        if place.strings > 0 {
            return fault(Code::Unsupported, "holds texts, which are not read".into());
        }
        let (held, unit) = match (&place.raw, place.elsewhere) {
            (Some(_), true) => {
                return fault(
                    Code::Malformed,
                    "holds numbers and says that they lie in a file beside the graph".into(),
                );
            }
            (None, true) => return Ok(Sound { dtype, shape, bytes }),
            (Some(raw), false) => (raw.len() as u64, "bytes"),
            (None, false) => (self.typed(stored, dtype, count), "numbers"),
        };
        let wanted = if unit == "bytes" { bytes } else { count as u64 };
        if held != wanted {
            let shape = shape_text(&shape);
            let message = format!("is {shape} of {}, {wanted} {unit}, and holds {held}", dtype.name());
            return fault(Code::Malformed, message);
        }
        Ok(Sound { dtype, shape, bytes })
    }

    /// How many numbers the field of the type holds; no more than one past `most` are counted.
    fn typed(&self, stored: &Stored, dtype: DType, most: usize) -> u64 {
        let length = |runs: &Runs| runs.iter().map(|run| run.len() as u64).sum::<u64>();
        match field(stored, dtype) {
            Field::Packed(runs, size) => length(runs) / size as u64,
            Field::Wholes(runs) => varints(self.model.bytes.bytes(), runs).take(most.saturating_add(1)).count() as u64,
        }
    }

    /// The numbers of a tensor: a part of the file where they lie there as they are.
    pub fn tensor(&self, stored: &Stored, faults: &mut Faults) -> Result<Tensor, Refused> {
        let sound = self.check(stored).map_err(|fault| faults.refuse(fault))?;
        let storage = match self.storage(stored, &sound) {
            Ok(storage) => storage,
            Err(found) => {
                let mark = faults.mark();
                found.into_iter().for_each(|fault| faults.push(said(stored, fault)));
                return Err(faults.refused_since(mark).err().unwrap_or(Refused(Code::Internal)));
            }
        };
        Tensor::packed(sound.dtype, sound.shape, storage).ok_or_else(|| {
            let fault = Fault::new(Code::Malformed, "holds other than the bytes of its shape");
            faults.refuse(said(stored, fault))
        })
    }

    fn storage(&self, stored: &Stored, sound: &Sound) -> Result<Storage, Vec<Fault>> {
        let no_memory = || vec![Fault::new(Code::Memory, "has no room: there is no memory for it")];
        let place = &stored.place;
        if place.elsewhere {
            return self.beside.bytes(&place.external, sound.bytes, self.source);
        }
        let bytes = &self.model.bytes;
        if let Some(raw) = &place.raw {
            return bytes.part(raw.clone()).ok_or_else(no_memory);
        }
        let length = usize::try_from(sound.bytes).map_err(|_| no_memory())?;
        match field(stored, sound.dtype) {
            Field::Packed(runs, _) => match &runs[..] {
                [run] => bytes.part(run.clone()).ok_or_else(no_memory),
                _ => Storage::filled(length, |to| {
                    to.iter_mut().zip(joined(bytes.bytes(), runs)).for_each(|(to, byte)| *to = byte);
                })
                .ok_or_else(no_memory),
            },
            Field::Wholes(runs) => {
                let size = sound.dtype.size().unwrap_or(1);
                Storage::filled(length, |to| {
                    for (to, whole) in to.chunks_exact_mut(size).zip(varints(bytes.bytes(), runs)) {
                        to.copy_from_slice(whole.to_le_bytes().get(..size).unwrap_or_default());
                    }
                })
                .ok_or_else(no_memory)
            }
        }
    }
}

/// A field of numbers by its type.
enum Field<'a> {
    /// Numbers of so many bytes, as they are in memory.
    Packed(&'a Runs, usize),
    /// Whole numbers, one for each number; of a type of fewer bits the lower ones count.
    Wholes(&'a Runs),
}

/// The field in which a tensor of this element type is written.
fn field(stored: &Stored, dtype: DType) -> Field<'_> {
    let place = &stored.place;
    match dtype {
        DType::F32 | DType::C64 => Field::Packed(&place.floats, dtype.size().unwrap_or(4)),
        DType::F64 | DType::C128 => Field::Packed(&place.doubles, dtype.size().unwrap_or(8)),
        DType::I64 => Field::Wholes(&place.int64),
        DType::U64 | DType::U32 => Field::Wholes(&place.uint64),
        _ => Field::Wholes(&place.int32),
    }
}

/// A fault of a tensor, with its name before it.
fn said(stored: &Stored, fault: Fault) -> Fault {
    let name = quoted_str(&stored.name);
    let offset = fault.offset.unwrap_or(stored.offset);
    let message = format!("tensor '{name}' {}.", fault.message);
    Fault { message, ..fault }.path(&stored.name).place(&stored.name).offset(offset)
}
