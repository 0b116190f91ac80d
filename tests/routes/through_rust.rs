//! The corpus through the library's own Rust interface; what the routes of the other languages are held to.

use crate::{corpus::File, support::answers};
use pontil::{
    describe::{Layout, parse},
    faults::{Faults, Refused, Severity},
    import::{Import, ImportOptions},
    limits::Limits,
    params::{Kind, Layout as FlatLayout, NodeId, Params, Value},
    plan::Precision,
    source::{Reader, Source},
    tensor::Storage,
};
use std::fs;

/// FNV-1a of 64 bits.
pub struct Sum(u64);

impl Sum {
    fn new() -> Sum {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

struct Bytes(Vec<u8>);

impl Reader for Bytes {
    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        let left = self.0.get(usize::try_from(at).ok()?..).unwrap_or_default();
        let count = left.len().min(to.len());
        to[..count].copy_from_slice(&left[..count]);
        Some(count)
    }
}

fn source(file: &File, way: &str, faults: &mut Faults) -> Result<Source, Refused> {
    let bytes = || fs::read(&file.model).unwrap();
    match way {
        "path" => Source::path(&file.model, &Limits::default(), faults),
        "memory" => {
            let bytes = bytes();
            Ok(Source::memory(Storage::copied(&bytes).unwrap()))
        }
        _ => Source::reader(Box::new(Bytes(bytes())), &Limits::default(), faults),
    }
}

fn listing(import: &Import, faults: &mut Faults) -> Result<String, Refused> {
    let mut sum = Sum::new();
    for (at, listed) in import.entries().iter().enumerate() {
        let shape: Vec<String> = listed.shape.iter().map(usize::to_string).collect();
        sum.add(listed.path.as_bytes());
        sum.add(format!("\n{}\n{}\n", listed.dtype as i32, shape.join(",")).as_bytes());
        sum.add(import.tensor(at, faults)?.to_packed().unwrap().packed_bytes().unwrap());
    }
    Ok(format!("listing\t{}\t{:016x}", import.entries().len(), sum.0))
}

fn answered(file: &File, import: &Import, faults: &mut Faults) -> Result<String, Refused> {
    let network = import.network(faults)?;
    if file.inputs.is_empty() {
        return Ok("network".into());
    }
    let inputs: Vec<_> = file.inputs.iter().map(|(_, tensor)| tensor.clone()).collect();
    let mut sum = Sum::new();
    let got = answers::run(&network, Precision::Standard, &inputs).unwrap();
    let mut right = got.len() == file.outputs.len();
    for (answer, (_, output)) in got.iter().zip(&file.outputs) {
        answer.numbers.iter().for_each(|number| sum.add(&number.to_le_bytes()));
        right &= answers::distance(answer, output).is_ok_and(|distance| distance <= file.most);
    }
    Ok(format!("answers\t{:016x}\t{}", sum.0, if right { "right" } else { "wrong" }))
}

/// Kind, key, name of the type and how many children.
fn head(params: &Params, node: NodeId, sum: &mut Sum) {
    let kind = params.kind(node).unwrap_or(Kind::NotLoaded) as i32;
    sum.add(format!("{kind}\n").as_bytes());
    sum.add(params.key(node).unwrap().as_bytes());
    sum.add(b"\n");
    sum.add(params.type_name(node).map_or(&[], |name| name.as_bytes()));
    sum.add(format!("\n{}\n", params.children(node).len()).as_bytes());
}

/// A node, its value if that is no array, the head of what it refers to, its key if that is no text, its children.
fn walked(params: &Params, node: NodeId, sum: &mut Sum) {
    head(params, node, sum);
    match params.value(node) {
        Some(Value::Int(number)) => sum.add(number.to_string().as_bytes()),
        Some(Value::Bool(truth)) => sum.add(i32::from(*truth).to_string().as_bytes()),
        Some(Value::Real(number)) => sum.add(&number.to_le_bytes()),
        Some(Value::Text(text)) => sum.add(text.as_bytes()),
        Some(Value::BigInt(digits)) => sum.add(digits.as_bytes()),
        Some(Value::Reference(target)) => head(params, *target, sum),
        _ => {}
    }
    for next in params.key_tree(node).into_iter().chain(params.children(node).iter().copied()) {
        walked(params, next, sum);
    }
}

fn tree(params: &Params) -> String {
    let mut sum = Sum::new();
    walked(params, Params::ROOT, &mut sum);
    format!("tree\t{}\t{:016x}", params.count(), sum.0)
}

fn flattened(params: &Params, faults: &mut Faults) -> Result<String, Refused> {
    let layout = FlatLayout::of(params, Params::ROOT, faults)?;
    let flat = layout.flatten(params, Params::ROOT, faults)?;
    let mut sum = Sum::new();
    sum.add(flat.packed_bytes().unwrap());
    Ok(format!("set\t{}\t{}\t{:016x}", layout.count(), flat.dtype() as i32, sum.0))
}

fn lines(file: &File, way: &str, faults: &mut Faults, out: &mut Vec<String>) -> Result<(), Refused> {
    let words = match &file.words {
        Some(path) => Some(parse(&fs::read(path).unwrap(), &Limits::default(), faults)?),
        None => None,
    };
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (prefix, key) = (said(&file.strip_prefix), said(&file.key));
    let options = ImportOptions {
        network: words.as_ref(),
        strip_prefix: prefix.as_deref(),
        key: key.as_deref(),
        fold_weight_norm: file.fold,
        examples: if file.example.is_empty() { vec![] } else { vec![file.example.clone()] },
        layout: Layout::AsFile,
        ..ImportOptions::default()
    };
    let import = Import::open(&source(file, way, faults)?, options, faults)?;
    if file.wants != "set" {
        out.push(listing(&import, faults)?);
    }
    match file.wants {
        "network" => out.push(answered(file, &import, faults)?),
        "tree" | "set" => {
            let params = import.params(faults)?;
            out.push(tree(&params));
            if file.wants == "set" {
                out.push(flattened(&params, faults)?);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Bytes below a blank and backslashes as `\xNN`.
fn escaped(bytes: &[u8], into: &mut Vec<u8>) {
    for &byte in bytes {
        if byte < 0x20 || byte == b'\\' {
            into.extend(format!("\\x{byte:02x}").bytes());
        } else {
            into.push(byte);
        }
    }
}

/// The lines of all files.
pub fn all(files: &[File]) -> Vec<u8> {
    let mut text = Vec::new();
    for (file, way) in files.iter().flat_map(|file| ["path", "memory", "stream"].map(|way| (file, way))) {
        let (mut faults, mut out) = (Faults::default(), Vec::new());
        let refused = lines(file, way, &mut faults, &mut out).err();
        let head = format!("{}\t{way}\t", file.name);
        for line in out {
            text.extend(format!("{head}{line}\n").bytes());
        }
        let Some(Refused(code)) = refused else { continue };
        text.extend(format!("{head}refused\t{}\n", code.number()).bytes());
        for fault in faults.iter() {
            let severity = if fault.severity == Severity::Error { "error" } else { "warning" };
            text.extend(format!("{head}fault\t{}\t{}\t{severity}\t", fault.code.number(), fault.code.name()).bytes());
            escaped(fault.path.as_bytes(), &mut text);
            text.push(b'\t');
            escaped(fault.place.as_bytes(), &mut text);
            text.extend(format!("\t{}\t", fault.offset.map_or("-".into(), |offset| offset.to_string())).bytes());
            escaped(fault.message.as_bytes(), &mut text);
            text.push(b'\t');
            escaped(fault.arguments_json().as_bytes(), &mut text);
            text.push(b'\n');
        }
    }
    text
}
