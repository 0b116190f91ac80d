//! What PyTorch saves besides plain state dicts, read as PyTorch reads it: modules of every kind, optimisers, schedules,
//! checkpoints, values; and what can not be read, refused in words that help.
//!
//! `PONTIL_PYTHON` names a Python with PyTorch; without it there is nothing to compare with.

#![allow(clippy::print_stdout)]

mod support;

use pontil::{
    faults::Faults,
    import::{Import, ImportOptions},
    limits::Limits,
    params::{Kind, NodeId, Params, Value},
    source::Source,
};
use serde_json::{Value as Json, json};
use std::{env, path::Path, process::Command};
use support::files;

/// The least number of files that are compared.
const LEAST: usize = 300;

#[test]
fn what_pytorch_saves_is_a_tree_as_pytorch_reads_it() {
    let Some(python) = env::var_os("PONTIL_PYTHON") else {
        return println!("skipped: PONTIL_PYTHON names no Python with PyTorch");
    };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torch_trees.py");
    let made = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let told = files::within(folder.path(), "json");
    let failed: Vec<String> = told.iter().filter_map(|told| differs(told).err()).collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), told.len(), failed.join("\n"));
    assert!(told.len() >= LEAST, "only {} files", told.len());
}

/// Holds a file to what PyTorch says of it.
fn differs(told: &Path) -> Result<(), String> {
    let name = told.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let told_json = files::json(told);
    let mut faults = Faults::default();
    let tree = Source::path(&told.with_extension("pt"), &Limits::default(), &mut faults)
        .and_then(|source| Import::open(&source, ImportOptions::default(), &mut faults))
        .and_then(|import| import.params(&mut faults));
    match (tree, told_json["refused"].as_str()) {
        (Ok(tree), None) => same(&tree, &told_json).map_err(|differs| format!("{name}: {differs}")),
        (Ok(_), Some(words)) => Err(format!("{name} is read, and should be refused for {words}")),
        (Err(_), Some(words)) if faults.text().contains(words) => Ok(()),
        (Err(_), words) => Err(format!("{name} is refused, not for {words:?}: {}", faults.text())),
    }
}

fn same(tree: &Params, told: &Json) -> Result<(), String> {
    // A file that is one value alone is a tree of one child without a name.
    let alone = told
        .as_object()
        .is_some_and(|told| !["named", "list", "tuple", "set"].iter().any(|kind| told.contains_key(*kind)));
    let root = if alone { tree.children(Params::ROOT).first().copied() } else { Some(Params::ROOT) };
    equal(tree, root.ok_or("nothing is there")?, told)
}

/// Compares a node and all below it.
fn equal(tree: &Params, node: NodeId, told: &Json) -> Result<(), String> {
    let here = || tree.path(node).map_or(String::new(), |path| path.to_string());
    if let Some(value) = tree.value(node) {
        let read = leaf(value);
        return if read == *told { Ok(()) } else { Err(format!("'{}' is {read}, and was {told}", here())) };
    }
    let children = tree.children(node);
    let kind = match tree.kind(node) {
        Some(Kind::Named) => "named",
        Some(Kind::List) => "list",
        Some(Kind::Tuple) => "tuple",
        Some(Kind::Set) => "set",
        other => return Err(format!("'{}' is {other:?}", here())),
    };
    let parts = told[kind].as_array().ok_or_else(|| format!("'{}' is {kind}, and was {told}", here()))?;
    if parts.len() != children.len() {
        return Err(format!("'{}' has {} children, and had {}", here(), children.len(), parts.len()));
    }
    if kind == "set" {
        let mut read: Vec<String> = children.iter().map(|&child| written(tree, child).to_string()).collect();
        let mut there: Vec<String> = parts.iter().map(Json::to_string).collect();
        read.sort();
        there.sort();
        return if read == there { Ok(()) } else { Err(format!("'{}' is {read:?}, and was {there:?}", here())) };
    }
    for (&child, part) in children.iter().zip(parts) {
        let part = match kind {
            "named" => {
                let key = tree.key(child).map(|key| hex(key.as_bytes())).unwrap_or_default();
                if part[0] != key.as_str() {
                    return Err(format!("'{}' has the key {key}, and had {}", here(), part[0]));
                }
                &part[1]
            }
            _ => part,
        };
        equal(tree, child, part)?;
    }
    Ok(())
}

/// An element of a set, in the words of the script.
fn written(tree: &Params, node: NodeId) -> Json {
    match tree.value(node) {
        Some(value) => leaf(value),
        None => json!({ "tuple": tree.children(node).iter().map(|&child| written(tree, child)).collect::<Vec<_>>() }),
    }
}

/// A leaf, in the words of the script.
fn leaf(value: &Value) -> Json {
    let real = |number: f64| hex(&number.to_be_bytes());
    match value {
        Value::Tensor(tensor) => json!({ "tensor": [tensor.dtype().name(), tensor.shape(), files::sum(tensor)] }),
        Value::Int(number) => json!({ "int": number.to_string() }),
        Value::BigInt(digits) => json!({ "int": digits }),
        Value::Real(number) => json!({ "real": real(*number) }),
        Value::Complex(re, im) => json!({ "complex": [real(*re), real(*im)] }),
        Value::Text(text) => json!({ "text": hex(text.as_bytes()) }),
        Value::Bytes(bytes) => json!({ "bytes": hex(bytes) }),
        Value::Bool(flag) => json!({ "flag": flag }),
        Value::None => json!({ "none": null }),
        other => json!(format!("{other:?}")),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
