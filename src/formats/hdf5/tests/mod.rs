//! What is read, held against what h5py reads of the same files.

mod dump;

use super::*;
use crate::{
    faults::{Faults, Refused},
    limits::Limits,
    source::Source,
};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hdf5")
}

fn open(path: &Path, faults: &mut Faults) -> Result<File, Refused> {
    let source = Source::path(path, &Limits::default(), faults)?;
    File::open(&source, &Limits::default(), faults)
}

/// Every file with a text beside it says what h5py said of it.
#[test]
fn what_h5py_finds() {
    let folder = std::env::var_os("PONTIL_HDF5").map_or_else(fixtures, PathBuf::from);
    let (mut failed, mut ran) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = entry.unwrap().path();
        let Some(path) = text.to_str().and_then(|path| path.strip_suffix(".txt")) else { continue };
        let (expected, mut faults) = (std::fs::read_to_string(&text).unwrap(), Faults::default());
        ran += 1;
        let found = open(Path::new(path), &mut faults).and_then(|file| dump::dump(&file, &mut faults));
        let found = found.unwrap_or_default();
        if found != expected {
            let differs = found.lines().zip(expected.lines()).find(|(a, b)| a != b);
            failed.push(format!(
                "{path}:\n  {differs:?}\n  {}",
                faults.text().lines().take(4).collect::<Vec<_>>().join("\n  ")
            ));
        }
    }
    assert!(failed.is_empty(), "{} of {ran} differ:\n{}", failed.len(), failed.join("\n"));
    assert!(ran > 0);
}
