//! `.safetensors` in and out: `input`, `input.1`, … and `output`, `output.1`, …

use super::{Array, Output, output::numbered};
use pontil::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    import::{Import, ImportOptions},
    network::Entry,
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::Tensor,
};
use std::path::Path;

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

/// Puts a file that holds the outputs at `path`.
pub fn write(path: &Path, outputs: &[Output], faults: &mut Faults) -> Result<(), Refused> {
    let mut entries = Vec::with_capacity(outputs.len());
    for output in outputs {
        let numbers = Tensor::filled_f32(output.shape.clone(), |to| to.copy_from_slice(&output.numbers));
        let Some(tensor) = numbers else {
            let message = format!("There is no memory to write `{}`.", output.name);
            return Err(faults.refuse(Fault::new(Code::Memory, message)));
        };
        entries.push(Entry { path: (&output.name).into(), tensor, place: Text::default(), offset: None });
    }
    save::safetensors(&entries, &[], Target::Path(path), &Progress::default(), faults)
}
