//! Runs the built program, and makes and reads the files it is given and writes.

use serde_json::{Value, json};
use std::{
    fs,
    process::{Command, Output},
};
use tempfile::TempDir;

pub const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo");

pub fn pontil(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pontil")).args(arguments).output().unwrap()
}

/// Runs the tool and gives exit code, standard output and standard error, of which no text may look like a defect.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = pontil(arguments);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    for sign in ["panicked", "RUST_BACKTRACE", "Err(", "Some("] {
        assert!(!out.contains(sign) && !err.contains(sign), "{arguments:?}: {out}{err}");
    }
    (output.status.code().unwrap(), out, err)
}

/// A run that succeeds, with what it printed.
pub fn good(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    out
}

/// A run that succeeds with `--json`, with the object it printed.
pub fn good_json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(&[arguments, &["--json"]].concat())).unwrap()
}

/// Refused with this exit code, in both forms; gives the faults.
pub fn refused(code: i32, arguments: &[&str]) -> Vec<Value> {
    let (text_code, out, err) = run(arguments);
    assert_eq!((text_code, out.as_str()), (code, ""), "{arguments:?}: {err}");
    assert!(!err.trim().is_empty(), "{arguments:?}");
    let (json_code, out, _) = run(&[arguments, &["--json"]].concat());
    assert_eq!(json_code, code, "{arguments:?}: {out}");
    let json: Value = serde_json::from_str(&out).unwrap();
    let faults = json["faults"].as_array().unwrap().clone();
    for fault in &faults {
        for key in ["code", "name", "severity", "path", "place", "offset", "message", "arguments"] {
            assert!(fault.get(key).is_some(), "{fault}");
        }
    }
    assert!(!faults.is_empty(), "{arguments:?}");
    faults
}

pub fn demo(name: &str) -> String {
    format!("{DEMO}/{name}")
}

/// A folder for the files of a test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.path().join(name), bytes).unwrap();
        self.path(name)
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// A tensor of a safetensors file as singles, with its shape.
pub fn tensor(path: &str, name: &str) -> (Vec<u64>, Vec<f32>) {
    let file = fs::read(path).unwrap();
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&file[8..8 + length]).unwrap();
    let entry = &header[name];
    let at = |index: usize| 8 + length + entry["data_offsets"][index].as_u64().unwrap() as usize;
    let numbers = file[at(0)..at(1)].chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    (serde_json::from_value(entry["shape"].clone()).unwrap(), numbers)
}

/// A safetensors file of these tensors: name, type, shape, bytes.
pub fn safetensors(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
    let (mut header, mut body) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let offsets = [body.len(), body.len() + bytes.len()];
        header.insert((*name).into(), json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }));
        body.extend(bytes);
    }
    let header = Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &body].concat()
}

pub fn npy(descr: &str, fortran: bool, shape: &str, body: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), body].concat()
}

pub fn singles(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The arguments of a prediction with the demo's network.
pub fn predict<'a>(input: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    static MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/model.safetensors");
    static NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/network.json");
    [&["predict", MODEL, "--network", NETWORK, "--input", input], more].concat()
}

/// What the demo's network answers for its passengers, printed as text.
pub fn answers() -> (Vec<f32>, Vec<f32>) {
    let io = demo("io.safetensors");
    let text = good(&predict(&io, &[]));
    (tensor(&io, "input").1, text.lines().map(|line| line.parse().unwrap()).collect())
}
