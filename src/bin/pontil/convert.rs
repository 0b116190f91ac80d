//! `pontil convert`: the numbers of one file, or a network, into another format.

use crate::{
    answer::Answer,
    args::{ConvertArgs, FormatArg as To},
    open,
    progress::Progress,
    skeleton,
};
use pontil::{
    faults::{Code, Fault, Faults, Refused, quoted, quoted_str},
    import::{Import, ImportOptions, PytreeOptions},
    network::Entry,
    params::{Kind, Params, Value},
    save::{self, Target},
};
use serde_json::json;
use std::path::Path;

/// Runs the command.
pub fn run(args: &ConvertArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let to = match args.format {
        Some(format) => format,
        None => ending(&args.to, faults)?,
    };
    if matches!(to, To::Onnx | To::Mocha) { network(args, to, faults) } else { numbers(args, to, faults) }
}

/// The numbers alone.
fn numbers(args: &ConvertArgs, to: To, faults: &mut Faults) -> Result<Answer, Refused> {
    if args.from.network.is_some() {
        let message =
            "--network goes with a file that ends in .onnx and with --format mocha: the others hold numbers alone.";
        return Err(faults.refuse(Fault::new(Code::Value, message)));
    }
    let source = open::source(&args.from.file, faults)?;
    let options = ImportOptions {
        key: args.from.key.as_deref(),
        strip_prefix: args.from.strip_prefix.as_deref(),
        keep_unknown_types: true,
        pytree: PytreeOptions { allow_dill: true, ..PytreeOptions::default() },
        progress: Progress::told("reading"),
        ..ImportOptions::default()
    };
    let import = Import::open(&source, options, faults)?;
    let notes: Vec<(String, String)> = import.notes().iter().filter_map(text).collect();
    let mut set = import.params(faults)?;
    if let Some((_, rows)) = notes.iter().find(|(key, _)| key == skeleton::NOTE) {
        set = skeleton::grown(rows, &set, faults)?;
    } else if to == To::Julia && set.kind(Params::ROOT) == Some(Kind::Named) {
        set.set_root(Kind::Parameters).map_err(|fault| faults.refuse(fault))?;
    }
    if args.split_names {
        set = split(&set, faults)?;
    }
    let turned = !args.keep_bytes && (import.format() == "julia") != (to == To::Julia);
    if turned {
        turn(&mut set, faults)?;
    }
    let tensors = set.leaves().len();
    let progress = Progress::told("writing");
    match to {
        To::Julia => save::julia(&set, Target::Path(&args.to), &progress, faults)?,
        To::Jaxon => save::jaxon(&set, Target::Path(&args.to), &progress, faults)?,
        To::Safetensors | To::Onnx | To::Mocha => {
            let rows = skeleton::rows(&set, faults)?;
            let entries = skeleton::entries(&set);
            let mut kept: Vec<(&str, &str)> =
                notes.iter().filter(|(key, _)| key != skeleton::NOTE).map(|(key, note)| (&**key, &**note)).collect();
            kept.extend(rows.as_deref().map(|rows| (skeleton::NOTE, rows)));
            save::safetensors(&entries, &kept, Target::Path(&args.to), &progress, faults)?;
        }
    }
    let name = quoted_str(&args.to.to_string_lossy());
    let said = if turned { "; axes turned, so that an index means the same" } else { "" };
    let text = format!("{name}: {tensors} leaves, from {}{said}", import.format());
    let json =
        json!({ "to": args.to.to_string_lossy(), "from_format": import.format(), "leaves": tensors, "turned": turned });
    Ok(Answer::new(text, json))
}

/// A network as ONNX, or its numbers as a model of Mocha.
fn network(args: &ConvertArgs, to: To, faults: &mut Faults) -> Result<Answer, Refused> {
    let import = open::import(&args.from, faults)?;
    let network = import.network(faults)?;
    let (target, progress) = (Target::Path(&args.to), Progress::told("writing"));
    match to {
        To::Mocha => save::mocha(&network, target, &progress, faults)?,
        _ => save::onnx(&network, &[], target, &progress, faults)?,
    }
    let (name, layers) = (quoted_str(&args.to.to_string_lossy()), network.graph().nodes.len());
    let text = format!("{name}: a network of {layers} layers, from {}", import.format());
    Ok(Answer::new(text, json!({ "to": args.to.to_string_lossy(), "from_format": import.format(), "layers": layers })))
}

fn text((key, note): &(pontil::faults::Text, pontil::faults::Text)) -> Option<(String, String)> {
    Some((key.as_str()?.to_owned(), note.as_str()?.to_owned()))
}

/// The format of a file that is to be, by its ending.
fn ending(path: &Path, faults: &mut Faults) -> Result<To, Refused> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("h5" | "hdf5") => Ok(To::Julia),
        Some("safetensors") => Ok(To::Safetensors),
        Some("onnx") => Ok(To::Onnx),
        _ => {
            let name = quoted_str(&path.to_string_lossy());
            let message = format!(
                "'{name}' ends in none of .safetensors, .h5 and .onnx, which are written; `--format` says what it is to be."
            );
            Err(faults.refuse(Fault::new(Code::Value, message)))
        }
    }
}

/// Turns the axes of all arrays into the opposite order: what was `w[i, j]` stays that in the other world.
fn turn(set: &mut Params, faults: &mut Faults) -> Result<(), Refused> {
    for leaf in set.numbered(Params::ROOT) {
        let Some(tensor) = set.tensor(leaf) else { continue };
        let turned = tensor.reversed().and_then(|turned| turned.to_packed());
        let path = set.path(leaf).unwrap_or_default();
        let fault = || Fault::new(Code::DType, format!("The axes of '{}' can not be turned.", quoted(&path)));
        let turned = turned.ok_or_else(|| faults.refuse(fault().path(path.clone())))?;
        set.set(leaf, Value::Tensor(turned)).map_err(|fault| faults.refuse(fault))?;
    }
    Ok(())
}

/// The leaves of a flat set in branches: each dot of a name goes one down.
fn split(set: &Params, faults: &mut Faults) -> Result<Params, Refused> {
    let mark = faults.mark();
    let mut made = Params::new(set.kind(Params::ROOT).unwrap_or(Kind::Named));
    for entry in Entry::of_params(set, faults)? {
        let name = String::from_utf8_lossy(entry.path.as_bytes()).into_owned();
        let (above, key) = name.rsplit_once('.').unwrap_or(("", &name));
        let mut branch = Ok(Params::ROOT);
        for part in above.split('.').filter(|part| !part.is_empty()) {
            branch = branch.and_then(|at| match made.child(at, &part.into()) {
                Some(child) => Ok(child),
                None => made.branch(at, part, Kind::Named),
            });
        }
        if let Err(fault) = branch.and_then(|branch| made.add(branch, key, Value::Tensor(entry.tensor))) {
            faults.push(fault.path(entry.path));
        }
    }
    faults.refused_since(mark)?;
    Ok(made)
}
