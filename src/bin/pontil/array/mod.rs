//! Arrays in and out of the tool: IN and OUT of `predict`, by the ending of their name.

mod cast;
mod npy;
mod output;
mod rows;
mod tensors;

pub use cast::cast;
pub use output::{Output, json_number};
pub use rows::shortest;

use crate::{answer::CALLERS, open};
use pontil::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    save::replace,
    tensor::Tensor,
};
use std::path::Path;

/// An array of a file.
pub struct Array {
    /// What a message calls it.
    pub name: String,
    /// Its numbers.
    pub tensor: Tensor,
    /// Whether it comes from rows of text, which know of no shape beyond their own.
    pub rows: bool,
}

/// The formats, told by the ending.
#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    /// NumPy's.
    Npy,
    /// Rows of text.
    Csv,
    /// Named tensors.
    Safetensors,
}

impl Format {
    /// The format of a file by the ending of its name.
    pub fn of(path: &Path, faults: &mut Faults) -> Result<Format, Refused> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("npy") => Ok(Format::Npy),
            Some("csv") => Ok(Format::Csv),
            Some("safetensors") => Ok(Format::Safetensors),
            _ => {
                let name = path.to_string_lossy();
                let message = format!("'{}' must end in .npy, .csv or .safetensors.", quoted_str(&name));
                Err(faults.refuse(Fault::new(Code::Value, message).place(name.as_ref())))
            }
        }
    }

    /// Refuses more outputs than a file of this format can hold.
    pub fn takes(self, outputs: usize, faults: &mut Faults) -> Result<(), Refused> {
        if outputs == 1 || self == Format::Safetensors {
            return Ok(());
        }
        let message = format!("The network has {outputs} outputs; .npy and .csv hold one, .safetensors any number.");
        faults.push(Fault::new(Code::Value, message));
        Err(CALLERS)
    }

    /// Writes the outputs as a file of this format: whole or not at all.
    pub fn write(self, path: &Path, outputs: &[Output], faults: &mut Faults) -> Result<(), Refused> {
        let written = match (self, outputs) {
            (Format::Npy, [output]) => match npy::write(&output.shape, &output.numbers) {
                Ok(bytes) => replace(path, &bytes, faults),
                Err(error) => {
                    let message = format!("No .npy can be made of the output: {error}.");
                    Err(faults.refuse(Fault::new(Code::Internal, message)))
                }
            },
            (Format::Csv, [output]) => replace(path, format!("{}\n", output.text()).as_bytes(), faults),
            _ => tensors::write(path, outputs, faults),
        };
        written.map_err(|_| CALLERS)
    }
}

/// The arrays of IN in the order of the inputs they are for. Whatever is wrong with it is the caller's mistake.
pub fn read(path: &Path, faults: &mut Faults) -> Result<Vec<Array>, Refused> {
    let format = Format::of(path, faults)?;
    let source = open::source(path, faults)?;
    let name = quoted_str(&path.to_string_lossy());
    if format == Format::Safetensors {
        return tensors::read(&source, &name, faults).map_err(|_| CALLERS);
    }
    let file = source.bytes(0..source.len(), faults).map_err(|_| CALLERS)?;
    let mut wrong = |line: Option<u64>, sentence: String| {
        let place = line.map(|line| format!("line {line}"));
        let comma = place.as_ref().map_or(String::new(), |place| format!(", {place},"));
        let fault = Fault::new(Code::Malformed, format!("'{name}'{comma} {sentence}."));
        faults.push(fault.place(place.unwrap_or_default()));
    };
    let tensor = match format {
        Format::Csv => rows::read(file.bytes(), &mut wrong),
        _ => npy::read(&file).map_err(|sentence| wrong(None, sentence)).ok(),
    };
    let array = |tensor| Array { name: format!("'{name}'"), tensor, rows: format == Format::Csv };
    tensor.map(|tensor| vec![array(tensor)]).ok_or(CALLERS)
}
