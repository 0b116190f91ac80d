//! `.safetensors` in and out: `input`, `input.1`, … and `output`, `output.1`, …

use super::{Array, Output, output::numbered};
use pontil::{
    faults::{Code, Fault, Faults, Refused, quoted},
    formats::safetensors::{Piece, write_head},
    import::{Import, ImportOptions},
    source::Source,
    tensor::DType,
};
use std::io;

/// The tensors named `input`, `input.1`, …, or the only one there is. `name` is that of the file, quoted.
pub fn read(source: &Source, name: &str, faults: &mut Faults) -> Result<Vec<Array>, Refused> {
    let options = ImportOptions { format: Some("safetensors"), ..ImportOptions::default() };
    let import = Import::open(source, options, faults)?;
    let entries = import.entries();
    let find = |number| entries.iter().position(|entry| entry.path == *numbered("input", number).as_str());
    let mut chosen: Vec<usize> = (0..).map_while(find).collect();
    if chosen.is_empty() && entries.len() == 1 {
        chosen.push(0);
    }
    if chosen.is_empty() {
        let some: Vec<String> = entries.iter().take(8).map(|entry| format!("'{}'", quoted(&entry.path))).collect();
        let there = if some.is_empty() { "none".into() } else { some.join(", ") };
        let message = format!("'{name}' holds no tensor `input` and not a single one that could be it, but {there}.");
        return Err(faults.refuse(Fault::new(Code::Value, message)));
    }
    let array = |index: usize| {
        let tensor = import.tensor(index, faults)?;
        Ok(Array { name: format!("'{}' of '{name}'", quoted(&entries[index].path)), tensor, rows: false })
    };
    chosen.into_iter().map(array).collect()
}

/// The bytes of a file that holds the outputs.
pub fn write(outputs: &[Output]) -> io::Result<Vec<u8>> {
    let mut pieces: Vec<Piece<'_>> = outputs.iter().map(piece).collect();
    let mut file = write_head(&mut pieces, &[]).ok_or(io::ErrorKind::InvalidInput)?;
    for piece in pieces {
        let numbers = outputs.iter().filter(|output| output.name == piece.name).flat_map(|output| &output.numbers);
        file.extend(numbers.flat_map(|number| number.to_le_bytes()));
    }
    Ok(file)
}

fn piece(output: &Output) -> Piece<'_> {
    let bytes = output.numbers.len() as u64 * 4;
    Piece { name: &output.name, dtype: DType::F32, shape: &output.shape, bytes }
}
