//! State dicts that PyTorch saves while testing, read as it reads them itself: names, types, shapes and bits.
//!
//! `PONTIL_PYTHON` names a Python with PyTorch; without it there is nothing to compare with.

#![allow(clippy::print_stdout)]

mod support;

use pontil::{
    faults::Faults,
    import::{Import, ImportOptions},
    limits::Limits,
    source::Source,
};
use std::{env, path::Path, process::Command};
use support::files;

/// How many state dicts are compared.
const COUNT: usize = 200;

#[test]
fn what_pytorch_saves_is_read_as_pytorch_reads_it() {
    let Some(python) = env::var_os("PONTIL_PYTHON") else {
        return println!("skipped: PONTIL_PYTHON names no Python with PyTorch");
    };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torch_saved.py");
    let made = Command::new(python).arg(script).arg(folder.path()).arg(COUNT.to_string()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut tensors = 0;
    for at in 0..COUNT {
        let told = files::json(&folder.path().join(format!("{at}.json")));
        tensors += same(&folder.path().join(format!("{at}.pt")), told.as_array().unwrap());
    }
    assert!(tensors > 4 * COUNT, "only {tensors} tensors");
}

/// Holds a file to what PyTorch says is in it.
fn same(file: &Path, told: &[serde_json::Value]) -> usize {
    let mut faults = Faults::default();
    let name = file.file_name().unwrap().to_string_lossy();
    let source = Source::path(file, &Limits::default(), &mut faults).unwrap();
    let import = Import::open(&source, ImportOptions::default(), &mut faults)
        .unwrap_or_else(|_| panic!("{name}: {}", faults.text()));
    assert_eq!(import.entries().len(), told.len(), "{name}");
    for (at, told) in told.iter().enumerate() {
        let tensor = import.tensor(at, &mut faults).unwrap_or_else(|_| panic!("{name}: {}", faults.text()));
        let listed = &import.entries()[at];
        let read = serde_json::json!([
            listed.path.as_str().unwrap(),
            tensor.dtype().name(),
            tensor.shape(),
            files::sum(&tensor)
        ]);
        assert_eq!(read, *told, "{name}");
    }
    told.len()
}
