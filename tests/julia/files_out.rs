//! Files that are written: against the samples, byte for byte the same again, and what is refused.
//!
//! What is written is compared with the samples object by object, by h5dump where it is there, and by h5py where
//! `PONTIL_PYTHON` names a Python that has it. `written.json` holds the sums of the bytes that agreed, so that a bare machine
//! tells the same; `PONTIL_WRITE_GOLDENS=1` writes it anew.
#![allow(clippy::print_stdout)]

use crate::{files, files_in::read, sets::*};
use pontil::{
    faults::{Code, Faults},
    import::{Import, ImportOptions},
    limits::Limits,
    params::{Kind, Params, Value},
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::{DType, Storage},
};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use std::{env, fs, path::Path, process::Command};

/// A set as a file.
pub fn written(set: &Params) -> Vec<u8> {
    let mut bytes = Vec::new();
    good(|faults| save::julia(set, Target::Bytes(&mut bytes), &Progress::default(), faults));
    bytes
}

fn source(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

/// A file in memory as a set; its types are kept as they are.
#[track_caller]
pub fn back(bytes: &[u8], key: Option<&str>) -> Params {
    good(|faults| {
        let options = ImportOptions { keep_unknown_types: true, key, ..ImportOptions::default() };
        Import::open(&source(bytes), options, faults)?.params(faults)
    })
}

/// The samples that are written again, each with its set: of the newest layout, a parameter set, of one element type.
fn again() -> Vec<(String, Params)> {
    let manifest = files::json(&files::fixtures("julia").join("manifest.json"));
    let taken = |(name, entry): (&String, &Json)| {
        let keep = ImportOptions { keep_unknown_types: true, ..ImportOptions::default() };
        let set = read(&files::fixtures("julia").join(format!("{name}.h5")), keep).0;
        (entry["layout"] == "nnp" && entry["tree"]["kind"] != "NamedTuple").then(|| Some((name.clone(), set?)))?
    };
    manifest.as_object().unwrap().iter().filter(|(name, _)| name.starts_with("nnp_")).filter_map(taken).collect()
}

#[test]
fn written_sets_are_the_samples() {
    let golden = files::fixtures("julia").join("written.json");
    let folder = tempfile::tempdir().unwrap();
    let (h5dump, mut sums) = (Command::new("h5dump").arg("--version").output().is_ok(), Map::new());
    for (name, set) in again() {
        let bytes = written(&set);
        same(&back(&bytes, None), &set);
        assert_eq!(written(&back(&bytes, None)), bytes, "{name}: not the same bytes again");
        if h5dump {
            let path = folder.path().join(format!("{name}.h5"));
            fs::write(&path, &bytes).unwrap();
            let sample = files::fixtures("julia").join(format!("{name}.h5"));
            assert_eq!(dumped(&path), dumped(&sample), "{name}");
        }
        sums.insert(name, json!(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
    }
    assert_eq!(sums.len(), 16);
    if env::var_os("PONTIL_WRITE_GOLDENS").is_some() && h5dump {
        fs::write(&golden, serde_json::to_string_pretty(&sums).unwrap() + "\n").unwrap();
    }
    assert_eq!(Json::Object(sums), files::json(&golden));
    if !h5dump {
        println!("skipped: h5dump is not installed");
    }
}

/// What h5dump says of a file, its name left out.
fn dumped(path: &Path) -> String {
    let output = Command::new("h5dump").arg(path).output().unwrap();
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn h5py_reads_them() {
    let Some(python) = env::var_os("PONTIL_PYTHON") else {
        return println!("skipped: PONTIL_PYTHON names no Python with h5py");
    };
    if !Command::new(&python).args(["-c", "import h5py"]).output().is_ok_and(|output| output.status.success()) {
        return println!("skipped: this Python has no h5py");
    }
    let script = "import h5py, json, sys\n\
        def walk(o):\n    \
        if isinstance(o, h5py.Dataset): return [str(o.dtype), list(o.shape)]\n    \
        return {'kind': o.attrs['kind'].decode(), 'keys': list(o.attrs['keys']), **{k: walk(o[k]) for k in o.attrs['keys']}}\n\
        print(json.dumps(walk(h5py.File(sys.argv[1], 'r'))))";
    let mut set = Params::new(Kind::Parameters);
    let layer = branch(&mut set, 0, "L1", Kind::Named);
    add(&mut set, layer, "W", array(&[20, 2], &[0.5; 40]));
    add(&mut set, layer, "a", number(1.5));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.h5");
    fs::write(&path, written(&set)).unwrap();
    let output = Command::new(python).args(["-c", script]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Json = serde_json::from_slice(&output.stdout).unwrap();
    let wanted = json!({"kind": "NetworkParameters", "keys": ["L1"],
        "L1": {"kind": "NamedTuple", "keys": ["W", "a"], "W": ["float64", [2, 20]], "a": ["float64", []]}});
    assert_eq!(read, wanted);
}

#[test]
fn every_element_type_of_julia() {
    use DType::*;
    for dtype in [F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool, C64, C128] {
        let mut set = Params::new(Kind::Parameters);
        let numbers = if dtype == Bool { [1., 0., 1.] } else { [1., 2., 3.] };
        add(&mut set, 0, "a", Value::Tensor(typed(dtype, &[3], &numbers)));
        add(&mut set, 0, "s", Value::Scalar(typed(dtype, &[], &numbers[..1])));
        same(&back(&written(&set), None), &set);
    }
    let mut set = Params::new(Kind::Parameters);
    add(&mut set, 0, "a", Value::Tensor(typed(BF16, &[3], &[1., 2., 3.])));
    let faults = refused(|faults| save::julia(&set, Target::Bytes(&mut Vec::new()), &Progress::default(), faults));
    assert_eq!((faults[0].code, faults[0].path.to_string()), (Code::DType, "/a".into()));
}

#[test]
fn flat_parameters_are_saved_as_the_set() {
    let mut set = Params::new(Kind::Parameters);
    add(&mut set, 0, "a", array(&[3], &[1., 2., 3.]));
    let flat = good(|faults| pontil::params::Flat::of(&set, faults));
    let loaded = back(&written(&good(|faults| flat.to_set(faults))), None);
    assert_eq!(doubles(good(|faults| pontil::params::Flat::of(&loaded, faults)).numbers()), [1., 2., 3.]);
}

#[test]
fn ten_layers_keep_their_order() {
    let mut set = Params::new(Kind::Parameters);
    for layer in 1..=10 {
        let branch = branch(&mut set, 0, &format!("L{layer}"), Kind::Named);
        add(&mut set, branch, "W", array(&[1], &[f64::from(layer)]));
    }
    let loaded = back(&written(&set), None);
    same(&loaded, &set);
    assert_eq!(numbers(&loaded, ""), (1..=10).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn many_numbers_are_not_too_many() {
    let mut set = Params::new(Kind::Parameters);
    let tuple = branch(&mut set, 0, "t", Kind::Tuple);
    for _ in 0..5000 {
        add(&mut set, tuple, "", number(1.0));
    }
    same(&back(&written(&set), None), &set);
}

#[test]
fn a_key_with_slashes_lies_in_groups() {
    let mut set = Params::new(Kind::Parameters);
    add(&mut set, 0, "a/b", array(&[1], &[1.]));
    add(&mut set, 0, "a/c", array(&[1], &[2.]));
    let bytes = written(&set);
    same(&back(&bytes, None), &set);
    assert_eq!(numbers(&back(&bytes, Some("/a")), "/c"), [2.]);
}

#[test]
fn what_julia_does_not_hold_is_all_said() {
    let mut set = example();
    add(&mut set, 0, "none", Value::None);
    add(&mut set, 0, "text", Value::Text("x".into()));
    branch(&mut set, 0, "list", Kind::List);
    add(&mut set, 0, ".", array(&[1], &[1.]));
    add(&mut set, 0, "L1/b", array(&[1], &[1.]));
    add(&mut set, 0, "single", Value::Tensor(typed(DType::F32, &[1], &[1.])));
    set.branch_of(0, "hollow", Kind::Structured, "Sym").unwrap();
    let mut bytes = b"kept".to_vec();
    let faults = refused(|faults| save::julia(&set, Target::Bytes(&mut bytes), &Progress::default(), faults));
    let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.to_string())).collect();
    let wanted = [
        (Code::Kind, "/none"),
        (Code::Kind, "/text"),
        (Code::Kind, "/list"),
        (Code::Value, "/."),
        (Code::KeyTwice, "/L1~1b"),
        (Code::NoPath, "/hollow"),
        (Code::Eltype, "/single"),
    ];
    assert_eq!(found, wanted.map(|(code, path)| (code, path.to_owned())));
    assert_eq!(bytes, b"kept");
    let tuple = Params::new(Kind::Tuple);
    let faults = refused(|faults| save::julia(&tuple, Target::Bytes(&mut Vec::new()), &Progress::default(), faults));
    assert_eq!(faults[0].code, Code::Kind);
}

#[test]
fn a_path_holds_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.h5");
    fs::write(&path, "old").unwrap();
    let mut set = example();
    add(&mut set, 0, "none", Value::None);
    let mut faults = Faults::default();
    save::julia(&set, Target::Path(&path), &Progress::default(), &mut faults).unwrap_err();
    assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"old".to_vec(), 1));
    good(|faults| save::julia(&example(), Target::Path(&path), &Progress::default(), faults));
    assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (written(&example()), 1));
}

#[test]
fn groups_of_one_file_and_of_one_that_is_there() {
    let (first, second) = (example(), example().converted(DType::F32).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.h5");
    let progress = Progress::default();
    let sets = [("/", &first), ("/runs/1", &second)];
    good(|faults| save::julia_groups(&sets, Target::Path(&path), &progress, faults));
    let open = |faults: &mut Faults| Source::path(&path, &Limits::default(), faults);
    let third = [("/runs/2", &first)];
    good(|faults| save::julia_into(&open(faults)?, &third, Target::Path(&path), &Limits::default(), &progress, faults));
    let bytes = fs::read(&path).unwrap();
    same(&back(&bytes, None), &first);
    same(&back(&bytes, Some("/runs/1")), &second);
    same(&back(&bytes, Some("runs/2")), &first);
    for group in ["/runs/2", "/", "/L1/W"] {
        let sets = [(group, &first)];
        let faults = refused(|faults| {
            save::julia_into(&open(faults)?, &sets, Target::Path(&path), &Limits::default(), &progress, faults)
        });
        assert!(faults.iter().all(|fault| fault.code == Code::KeyTwice), "{group}");
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
