//! The archives a zip reader must be guarded against, and every way to cut or change a small one.

use super::*;
use crate::{
    faults::{Code, Faults, Refused},
    limits::Limits,
    source::Source,
    tensor::Storage,
};
use std::{fs, path::Path};

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/zip").join(name)).unwrap()
}

fn open(bytes: &[u8], faults: &mut Faults) -> Result<Zip, Refused> {
    let source = Source::memory(Storage::copied(bytes).unwrap());
    Zip::open(&source, &Limits::default(), faults)
}

/// Opens an archive and reads all of it.
fn read(bytes: &[u8], faults: &mut Faults) -> Result<Vec<(String, Vec<u8>)>, Refused> {
    let zip = open(bytes, faults)?;
    let all = zip.entries().iter().enumerate();
    all.map(|(i, entry)| Ok((entry.name.to_string(), zip.read(i, faults)?.bytes().to_vec()))).collect()
}

fn code(bytes: &[u8]) -> Option<(Code, String)> {
    let mut faults = Faults::default();
    let read = read(bytes, &mut faults);
    assert_eq!(read.is_err(), !faults.is_empty());
    faults.iter().next().map(|fault| (fault.code, fault.place.to_string()))
}

#[test]
fn ten_archives() {
    let mut faults = Faults::default();
    let plain = read(&fixture("1_plain.zip"), &mut faults).unwrap();
    let expected =
        [("archive/data.pkl", &b"PPPPPPPPPP"[..]), ("archive/version", b"3\n"), ("archive/data/0", b"AAAAAAAA")];
    assert_eq!(plain, expected.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())));
    assert_eq!(read(&fixture("5_suffix.zip"), &mut faults).unwrap(), plain);
    for (name, expected, place) in [
        ("2_dup.zip", Code::Duplicate, "archive/data/0"),
        ("3_case.zip", Code::Duplicate, "archive/DATA/0"),
        ("4_prefix.zip", Code::Malformed, ""),
        ("6_lie_deflate.zip", Code::Malformed, "archive/data/0"),
        ("7_lie_stored.zip", Code::Malformed, "archive/data/0"),
        ("8_bomb.zip", Code::Limit, "archive/data/0"),
        ("9_traverse.zip", Code::Hostile, "../../etc/x"),
        ("A_crc.zip", Code::Malformed, "archive/data/0"),
    ] {
        assert_eq!(code(&fixture(name)), Some((expected, place.to_owned())), "{name}");
    }
}

#[test]
fn names_are_found_in_either_case() {
    let mut faults = Faults::default();
    let zip = open(&fixture("1_plain.zip"), &mut faults).unwrap();
    assert_eq!(zip.find(b"archive/data/0"), Some(2));
    assert_eq!(zip.find(b"ARCHIVE/Data.PKL"), Some(0));
    assert_eq!(zip.find(b"archive/data"), None);
    assert_eq!(zip.place(2, &mut faults).unwrap().count(), 8);
}

#[test]
fn noughts_for_every_checksum_are_none() {
    let mut bytes = fixture("1_plain.zip");
    for (mark, field) in [(b"PK\x03\x04", 14), (b"PK\x01\x02", 16)] {
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(mark)).collect();
        assert_eq!(places.len(), 3);
        for at in places {
            bytes[at + field..at + field + 4].fill(0);
            // As long as one checksum is left, a nought is a wrong one.
            let last = mark == b"PK\x01\x02" && !bytes[at + 4..].windows(4).any(|window| window == mark);
            assert_eq!(code(&bytes).is_none(), last, "{at}");
        }
    }
}

#[test]
fn cut_and_changed_at_every_byte() {
    let whole = fixture("1_plain.zip");
    for length in 0..whole.len() {
        assert!(code(&whole[..length]).is_some(), "cut to {length}");
    }
    let good = read(&whole, &mut Faults::default()).unwrap();
    for at in 0..whole.len() {
        for change in [1u8, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let mut faults = Faults::default();
            if let Ok(read) = read(&bytes, &mut faults) {
                // What nobody looks at: versions, times, attributes, comments, and names, of which each stands twice.
                assert_eq!(read, good, "byte {at}");
            }
        }
    }
}

#[test]
fn an_empty_archive_has_no_entries() {
    let mut faults = Faults::default();
    let mut bytes = b"PK\x05\x06".to_vec();
    bytes.resize(22, 0);
    assert!(open(&bytes, &mut faults).unwrap().entries().is_empty());
    assert!(open(b"", &mut faults).is_err());
}
