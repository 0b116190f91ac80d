//! What is written: read again it is the same tree, and Jaxon itself loads it as it loads the sample.
//!
//! `PONTIL_JAXON` names a Python that has Jaxon; without it only the library reads what it wrote.
#![allow(clippy::print_stdout)]

use crate::{
    files,
    samples::{read, samples},
    told,
};
use pontil::{
    faults::{Code, Faults, Refused, Text},
    import::{Import, ImportOptions, PytreeOptions},
    params::{Kind, Opaque, Params, Value},
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::{DType, Storage, Tensor},
};
use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
};

pub fn written(tree: &Params, faults: &mut Faults) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    save::jaxon(tree, Target::Bytes(&mut bytes), &Progress::default(), faults).map(|()| bytes)
}

pub fn kept(bytes: &[u8]) -> Storage {
    Storage::copied(bytes).unwrap()
}

pub fn back(bytes: &[u8], faults: &mut Faults) -> Result<Params, Refused> {
    let pytree = PytreeOptions { allow_dill: true, ..PytreeOptions::default() };
    let options = ImportOptions { keep_unknown_types: true, pytree, ..ImportOptions::default() };
    Import::open(&Source::memory(kept(bytes)), options, faults)?.params(faults)
}

/// Samples that Jaxon 2 has no types for, and those that name classes as Jaxon 1 does.
const OLDER: [&str; 2] = ["v1_mixed", "v1_slice_memoryview"];

fn readable() -> Vec<(String, Params)> {
    let mut all = Vec::new();
    for (name, entry) in samples() {
        if entry.get("tree").is_none() || name.starts_with("q_") {
            continue;
        }
        let mut faults = Faults::default();
        let tree = read(&files::fixtures("jaxon").join(format!("{name}.h5")), &mut faults);
        all.push((name, tree.unwrap_or_else(|_| panic!("{}", faults.text()))));
    }
    all
}

#[test]
fn every_readable_sample_comes_back() {
    let mut failed = Vec::new();
    for (name, tree) in readable() {
        let mut faults = Faults::default();
        match written(&tree, &mut faults).and_then(|bytes| Ok((back(&bytes, &mut faults)?, bytes))) {
            Ok((again, bytes)) => {
                failed.extend(tree.difference(&again).map(|differs| format!("{name}: {}", differs.message)));
                if written(&again, &mut faults).ok() != Some(bytes) {
                    failed.push(format!("{name}: other bytes the second time"));
                }
            }
            Err(_) if name == "v1_slice_memoryview" => {
                let said = faults.text();
                assert!(said.contains("'/sl'") && said.contains("'/mv'"), "{said}");
            }
            Err(_) => failed.push(format!("{name}: {}", faults.text())),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A Python with Jaxon, if there is one, run on a script of these tests.
pub fn python(arguments: &[&Path]) -> Option<Output> {
    let Some(python) = env::var_os("PONTIL_JAXON") else {
        println!("skipped: PONTIL_JAXON names no Python with Jaxon");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jaxon/peer.py");
    Some(Command::new(python).arg(script).args(arguments).output().unwrap())
}

fn succeeded(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn jaxon_loads_what_is_written_as_it_loads_the_samples() {
    let folder = tempfile::tempdir().unwrap();
    for (name, tree) in readable().into_iter().filter(|(name, _)| !OLDER.contains(&name.as_str())) {
        let mut faults = Faults::default();
        let bytes = written(&tree, &mut faults).unwrap_or_else(|_| panic!("{name}: {}", faults.text()));
        fs::write(folder.path().join(format!("{name}.h5")), bytes).unwrap();
    }
    let samples = files::fixtures("jaxon");
    if let Some(output) = python(&[Path::new("compare"), &samples, folder.path()]) {
        succeeded(&output);
    }
}

/// How many trees Jaxon makes up.
const TREES: &str = "1000";

#[test]
fn random_trees_survive_jaxon_pontil_jaxon() {
    let folder = tempfile::tempdir().unwrap();
    let (made, again) = (folder.path().join("made"), folder.path().join("again"));
    [&made, &again].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
    let Some(output) = python(&[Path::new("make"), &made, Path::new(TREES)]) else { return };
    succeeded(&output);
    let mut ran = 0;
    for path in files::within(&made, "h5") {
        let mut faults = Faults::default();
        let bytes = read(&path, &mut faults).and_then(|tree| written(&tree, &mut faults));
        let bytes = bytes.unwrap_or_else(|_| panic!("{}: {}", path.display(), faults.text()));
        fs::write(again.join(path.file_name().unwrap()), bytes).unwrap();
        ran += 1;
    }
    assert_eq!(ran.to_string(), TREES);
    succeeded(&python(&[Path::new("compare"), &made, &again]).unwrap());
}

fn refused(tree: &Params) -> Vec<(Code, String)> {
    let mut faults = Faults::default();
    assert!(written(tree, &mut faults).is_err());
    faults.iter().map(|fault| (fault.code, fault.path.to_string())).collect()
}

#[test]
fn what_no_file_can_hold_is_said_by_node() {
    let mut tree = Params::default();
    let list = tree.branch(Params::ROOT, "list", Kind::List).unwrap();
    tree.add(list, "", Value::NotLoaded).unwrap();
    let set = tree.branch(Params::ROOT, "set", Kind::Set).unwrap();
    tree.branch(set, "", Kind::List).unwrap();
    tree.branch_of(Params::ROOT, "object", Kind::Object, "a:b").unwrap();
    let leaf = tree.add(Params::ROOT, "leaf", Value::Bytes(Box::default())).unwrap();
    tree.set_type(leaf, "memoryview").unwrap();
    let packed = Tensor::packed(DType::F4, vec![2], kept(&[0])).unwrap();
    tree.add(Params::ROOT, "four bits", Value::Tensor(packed)).unwrap();
    tree.branch_of(Params::ROOT, "structured", Kind::Structured, "X").unwrap();
    let far = Tensor::packed(DType::F8E8M0, vec![2], kept(&[127, 254])).unwrap();
    tree.add(Params::ROOT, "far", Value::Tensor(far)).unwrap();
    let opaque = Opaque { descr: Text::from("<O8"), shape: vec![], bytes: kept(&[0; 8]) };
    tree.add(Params::ROOT, "opaque", Value::Opaque(Box::new(opaque))).unwrap();
    let map = tree.branch(Params::ROOT, "map", Kind::Map).unwrap();
    tree.add(map, "", Value::None).unwrap();
    let said = refused(&tree);
    for (code, path) in [
        (Code::Kind, "/list/0"),
        (Code::Kind, "/set/0"),
        (Code::Type, "/object"),
        (Code::Type, "/leaf"),
        (Code::DType, "/four bits"),
        (Code::Kind, "/structured"),
        (Code::DType, "/opaque"),
        (Code::Value, "/far"),
        (Code::Missing, "/map/0"),
    ] {
        assert!(said.contains(&(code, path.to_owned())), "{path}: {said:?}");
    }

    let mut circle = Params::new(Kind::List);
    let inner = circle.branch(Params::ROOT, "", Kind::List).unwrap();
    circle.add(inner, "", Value::Reference(inner)).unwrap();
    assert_eq!(refused(&circle), [(Code::Circle, "/0/0".to_owned())]);
}

#[test]
fn keys_with_slashes_and_references_before_what_they_lead_to() {
    let mut tree = Params::default();
    let list = tree.branch(Params::ROOT, "a/b", Kind::List).unwrap();
    tree.add(list, "", Value::Int(1)).unwrap();
    tree.add(Params::ROOT, "c/d", Value::Int(2)).unwrap();
    let early = tree.add(Params::ROOT, "early", Value::None).unwrap();
    tree.add(Params::ROOT, "a key of more than fourteen", Value::Real(0.1)).unwrap();
    let late = tree.branch(Params::ROOT, "late", Kind::Tuple).unwrap();
    tree.set(early, Value::Reference(late)).unwrap();
    let mut faults = Faults::default();
    let bytes = written(&tree, &mut faults).unwrap();
    let again = back(&bytes, &mut faults).unwrap();
    // The first way to an object is where it stands.
    let told = |tree: &Params| told::plain(&told::tree(tree));
    let items = told(&again)["items"].clone();
    assert_eq!(items[2][1]["t"], "tuple", "{items}");
    assert_eq!(items[4][1]["ref"], 0, "{items}");
    assert_eq!(
        (&items[0], &items[1], &items[3]),
        (&told(&tree)["items"][0], &told(&tree)["items"][1], &told(&tree)["items"][3])
    );
}
