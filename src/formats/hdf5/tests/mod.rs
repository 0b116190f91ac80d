//! What is read, held against what h5py reads of the same files.

mod addresses;
mod bombs;
mod dump;
mod mutants;
mod mutate;
mod pieces;
mod readers;

use super::*;
use crate::{
    faults::{Faults, Refused},
    limits::Limits,
    source::Source,
    tensor::Storage,
};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hdf5")
}

fn open(path: &Path, faults: &mut Faults) -> Result<File, Refused> {
    let source = Source::path(path, &Limits::default(), faults)?;
    File::open(&source, &Limits::default(), faults)
}

fn open_bytes(bytes: &[u8], faults: &mut Faults) -> Result<File, Refused> {
    let storage = Storage::copied(bytes).unwrap();
    File::open(&Source::memory(storage), &Limits::default(), faults)
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

/// What is refused, by name, and hides nothing else.
#[test]
fn refused_by_name() {
    let mut faults = Faults::default();
    let file = open(&fixtures().join("refused.h5"), &mut faults).unwrap();
    let found = dump::dump(&file, &mut faults).unwrap();
    assert!(found.contains("/kept dataset F32 scalar bytes 4"), "{found}");
    assert!(found.contains("/soft link soft") && found.contains("/external link external"), "{found}");
    assert!(found.contains("/long dataset other(16) [2] bytes 32"), "{found}");
    let said = faults.text();
    for says in [
        "'/circle/again': two links lead to this group",
        "'/huge': it has 4398046511104 bytes, more than 68719476736, the limit `max_tensor_bytes`",
        "'/outside': its elements are kept in another file, which is never opened",
        "'/thrice': its pieces are compressed twice, which only bombs are",
        "'/virtual': it is a virtual dataset, made of others",
    ] {
        assert!(said.contains(says), "{says}\n{said}");
    }
    let root = file.root(&mut faults).unwrap();
    for (name, says) in
        [("soft", "it is a soft link to '/kept'"), ("external", "it is a link into another file, 'other.h5")]
    {
        let mut faults = Faults::default();
        assert!(root.member(name, &mut faults).is_err());
        assert!(faults.text().contains(says), "{}", faults.text());
        assert!(faults.iter().all(|fault| fault.offset.is_some() && fault.place == *format!("/{name}").as_str()));
    }
    let mut faults = Faults::default();
    assert!(root.member("long", &mut faults).unwrap().unwrap().dataset().unwrap().tensor(&mut faults).is_err());
    assert!(faults.text().contains("it holds a float of 80 bits"), "{}", faults.text());
}

/// A file cut short, one that is none, one with a hole where its end should be.
#[test]
fn files_that_are_cut_or_are_none() {
    let whole = std::fs::read(fixtures().join("julia_new.h5")).unwrap();
    for (bytes, says) in [
        (&whole[..whole.len() - 1], "the file is cut short: it should end at byte 6176, and has 6175"),
        (&whole[..20], "bytes are wanted where"),
        (&whole[1..], "the file is not HDF5"),
        (&[][..], "the file is not HDF5"),
    ] {
        let mut faults = Faults::default();
        assert!(open_bytes(bytes, &mut faults).is_err());
        assert!(faults.text().contains(says), "{}", faults.text());
    }
}

/// Numbers that lie side by side are not copied, and known by their place in the file.
#[test]
fn numbers_in_place() {
    let mut faults = Faults::default();
    let path = fixtures().join("block.h5");
    let file = open(&fixtures().join("numbers_earliest.h5"), &mut faults).unwrap();
    let set = file.root(&mut faults).unwrap().find("f4", &mut faults).unwrap().unwrap();
    let set = set.dataset().unwrap();
    let bytes = std::fs::read(fixtures().join("numbers_earliest.h5")).unwrap();
    let offset = set.offset().unwrap() as usize;
    let tensor = set.tensor(&mut faults).unwrap();
    assert_eq!(&bytes[offset..offset + 24], tensor.packed_bytes().unwrap());
    assert_eq!(tensor.to_f32().unwrap().as_f32().unwrap(), [-1.0, 2.0, 5.0, 8.0, 11.0, 14.0]);
    let turned = file.root(&mut faults).unwrap().find("f4be", &mut faults).unwrap().unwrap();
    let turned = turned.dataset().unwrap().tensor(&mut faults).unwrap();
    assert_eq!(turned.packed_bytes(), tensor.packed_bytes());
    let block = open(&path, &mut faults).unwrap();
    assert_eq!(block.place(0), 1024);
    let refs = block.root(&mut faults).unwrap().find("refs", &mut faults).unwrap().unwrap();
    let to = refs.dataset().unwrap().value(&mut faults).unwrap().references(&mut faults).unwrap();
    let any = block.object(to[0].unwrap(), &mut faults).unwrap();
    assert_eq!(any.dataset().unwrap().value(&mut faults).unwrap().texts(&mut faults).unwrap()[0], *"a");
}
