//! FILE, and the network in words that goes with it.

use crate::{answer::CALLERS, args::FileArgs, progress::Progress};
use pontil::{
    describe::{self, Description},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    import::{Import, ImportOptions, PytreeOptions},
    limits::Limits,
    source::Source,
};
use std::path::Path;

/// A file by its path. One that can not be opened at all is the caller's mistake.
pub fn source(path: &Path, faults: &mut Faults) -> Result<Source, Refused> {
    Source::path(path, &Limits::default(), faults)
        .map_err(|Refused(code)| if code == Code::Io { CALLERS } else { Refused(code) })
}

/// FILE with all that was said of it.
pub fn import(args: &FileArgs, faults: &mut Faults) -> Result<Import, Refused> {
    opened(args, false, faults)
}

/// The same to be looked at: what nobody knows what to make of is shown as it is.
pub fn listing(args: &FileArgs, faults: &mut Faults) -> Result<Import, Refused> {
    opened(args, true, faults)
}

fn opened(args: &FileArgs, keep: bool, faults: &mut Faults) -> Result<Import, Refused> {
    let description = args.network.as_deref().map(|path| described(path, faults)).transpose()?;
    let source = source(&args.file, faults)?;
    let options = ImportOptions {
        network: description.as_ref(),
        strip_prefix: args.strip_prefix.as_deref(),
        key: args.key.as_deref(),
        fold_weight_norm: args.fold_weight_norm,
        examples: args.example.iter().map(|shape| shape.0.clone()).collect(),
        flattened: args.flattened.iter().map(|(path, shape)| (path.clone(), shape.0.clone())).collect(),
        layout: args.layout.into(),
        loss: args.loss.as_deref(),
        lift_loss: args.lift_loss,
        stack: args.stack,
        keep_unknown_types: keep,
        pytree: PytreeOptions { allow_dill: keep, ..PytreeOptions::default() },
        progress: Progress::told("reading"),
        ..ImportOptions::default()
    };
    Import::open(&source, options, faults)
}

/// The layers, where the file or `--network` says them.
pub fn layers(import: &Import, faults: &mut Faults) -> Result<Option<Description>, Refused> {
    let mut found = Faults::default();
    let description = match import.description(&mut found) {
        Err(Refused(Code::State)) => return Ok(None),
        description => description,
    };
    faults.append(found);
    description.map(Some)
}

/// Names the file of `--network` in faults whose place is a line of it.
pub fn name_places(network: &Path, faults: &mut Faults) {
    let name = quoted_str(&network.to_string_lossy());
    for fault in faults.iter_mut() {
        let place = fault.place.as_str().filter(|place| place.starts_with("line "));
        if place.is_some_and(|place| fault.message.starts_with(place)) {
            fault.message = Fault::new(fault.code, format!("{name}, {}", fault.message)).message;
        }
    }
}

/// The network of `--network`.
pub fn described(path: &Path, faults: &mut Faults) -> Result<Description, Refused> {
    let source = source(path, faults)?;
    let text = source.bytes(0..source.len(), faults)?;
    describe::parse(text.bytes(), &Limits::default(), faults)
}
