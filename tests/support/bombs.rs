//! PyTorch files that cost more than they are long, or would, if what they say were believed.

use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write;

/// A record of an archive: its name, what it holds, whether deflated, and the size it claims if not its own.
pub struct Record<'a> {
    name: &'a str,
    holds: &'a [u8],
    deflated: bool,
    claims: Option<u32>,
}

impl Record<'_> {
    /// The same, deflated.
    pub fn deflated(self) -> Self {
        Record { deflated: true, ..self }
    }
}

pub fn record<'a>(name: &'a str, holds: &'a [u8]) -> Record<'a> {
    Record { name, holds, deflated: false, claims: None }
}

/// An archive of these records besides a version, as PyTorch has it.
pub fn archive(records: &[Record<'_>]) -> Vec<u8> {
    let version = record("version", b"3\n");
    let all: Vec<&Record<'_>> = records.iter().chain([&version]).collect();
    zipped("archive/", &all)
}

/// An archive of these records within a folder.
pub fn zipped(folder: &str, records: &[&Record<'_>]) -> Vec<u8> {
    let (mut file, mut directory, mut count) = (Vec::new(), Vec::new(), 0u16);
    for record in records {
        let mut crc = Crc::new();
        crc.update(record.holds);
        let packed = if record.deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(record.holds).unwrap();
            encoder.finish().unwrap()
        } else {
            record.holds.to_vec()
        };
        let name = format!("{folder}{}", record.name);
        let size = record.claims.unwrap_or(record.holds.len() as u32);
        let method = if record.deflated { 8u16 } else { 0 };
        let mut common = [20u16, 0, method, 0, 0].map(u16::to_le_bytes).concat();
        common.extend([crc.sum(), packed.len() as u32, size].map(u32::to_le_bytes).concat());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        directory.extend(
            [&b"PK\x01\x02\x14\0"[..], &common, &[0; 10], &(file.len() as u32).to_le_bytes(), name.as_bytes()].concat(),
        );
        file.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), &packed].concat());
        count += 1;
    }
    let (start, length) = (file.len() as u32, directory.len() as u32);
    file.extend(directory);
    file.extend([&b"PK\x05\x06\0\0\0\0"[..], &count.to_le_bytes(), &count.to_le_bytes()].concat());
    file.extend([&length.to_le_bytes()[..], &start.to_le_bytes(), &[0; 2]].concat());
    file
}

/// An archive of a pickle alone.
fn pickle(pickle: &[u8]) -> Vec<u8> {
    archive(&[record("data.pkl", pickle)])
}

pub fn text(word: &str) -> Vec<u8> {
    [&b"X"[..], &(word.len() as u32).to_le_bytes(), word.as_bytes()].concat()
}

/// A flat tensor of singles over the whole of a storage.
fn tensor(key: &str, count: u32) -> Vec<u8> {
    let number = [&b"J"[..], &count.to_le_bytes()].concat();
    [
        &b"ctorch._utils\n_rebuild_tensor_v2\n(("[..],
        &text("storage"),
        b"ctorch\nFloatStorage\n",
        &text(key),
        &text("cpu"),
        &number,
        b"tQK\0",
        &number,
        b"\x85K\x01\x85\x89NtR",
    ]
    .concat()
}

/// Lists of two of the list before, `deep` of them, with `seed` at the bottom.
fn laughs(seed: &[u8], deep: u8) -> Vec<u8> {
    let mut bytes = [&b"}"[..], &text("x"), seed, b"q\0"].concat();
    for level in 0..deep {
        bytes.extend(
            [b'0', b']', b'(', b'h', level, b'h', level, b'e', b'q', level + 1].iter().filter(|&&byte| byte != b'0'),
        );
    }
    // Only the last list is kept: everything before lies below it on the stack.
    bytes.splice(0..1, *b"}q\xFF");
    bytes.extend([&b"h\xFF"[..], &text("x"), &[b'h', deep], b"s."].concat());
    bytes
}

/// Every file of this kind, with its name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let zeros = vec![0; 32 << 20];
    let one = tensor("0", 8 << 20);
    let deflated = |claims| {
        let storage = Record { name: "data/0", holds: &zeros, deflated: true, claims };
        archive(&[record("data.pkl", &[&b"}"[..], &text("x"), &one, b"s."].concat()), storage])
    };
    let mut all = vec![
        ("32 MiB of noughts", deflated(None)),
        ("32 MiB that claim to be 8 bytes", deflated(Some(8))),
        ("32 MiB that claim to be 4 GiB", deflated(Some(u32::MAX - 1))),
        ("laughs over nothing", pickle(&laughs(b"N", 200))),
        (
            "laughs over a tensor",
            archive(&[record("data.pkl", &laughs(&tensor("0", 2), 200)), record("data/0", &[0; 8])]),
        ),
        ("colliding keys", pickle(&colliding())),
        ("a long name over many others", pickle(&long_names())),
        ("a list within itself", pickle(b"]q\0h\0a.")),
        ("many storages", many_storages()),
        ("views of one storage", views()),
        ("names of one tensor", names()),
    ];
    for (name, nest) in
        [("lists", &b"]"[..]), ("marks", b"("), ("tuples", b"\x85"), ("dictionaries", b"}"), ("values", b"N")]
    {
        all.push((name, pickle(&[b"N", &nest.repeat(1_000_000)[..], b"."].concat())));
        all.push((name, pickle(&[b"]", &nest.repeat(400_000)[..], &b"a".repeat(400_000), b"."].concat())));
    }
    all
}

/// 80,000 keys that a hash of their length, their first or their last letters does not tell apart.
fn colliding() -> Vec<u8> {
    let mut bytes = b"}(".to_vec();
    for key in 0..80_000 {
        bytes.extend(text(&format!("key{key:08}end")));
        bytes.extend(b"K\0");
    }
    bytes.extend(b"u.");
    bytes
}

/// A name of 100,000 letters above 1,000 dictionaries, each of which would have it in its path.
fn long_names() -> Vec<u8> {
    let mut bytes = [&b"}"[..], &text(&"n".repeat(100_000)), b"}("].concat();
    for key in 0..1000 {
        bytes.extend(text(&key.to_string()));
        bytes.extend(b"]");
    }
    bytes.extend(b"us.");
    bytes
}

/// 200 deflated storages that are longer in all than the file.
fn many_storages() -> Vec<u8> {
    let zeros = vec![0; 1 << 20];
    let names: Vec<String> = (0..200).map(|at| format!("data/{at}")).collect();
    let mut data = b"}(".to_vec();
    for at in 0..200 {
        data.extend(text(&at.to_string()));
        data.extend(tensor(&at.to_string(), 1 << 18));
    }
    data.extend(b"u.");
    let mut records = vec![record("data.pkl", &data)];
    records.extend(names.iter().map(|name| Record { name, holds: &zeros, deflated: true, claims: None }));
    archive(&records)
}

/// A tensor of so many bytes, stored as they are.
pub fn stored(bytes: u32) -> Vec<u8> {
    let data = [&b"}"[..], &text("x"), &tensor("0", bytes / 4), b"s."].concat();
    archive(&[record("data.pkl", &data), record("data/0", &vec![0; bytes as usize])])
}

/// 100 views of one storage of 1 MiB.
fn views() -> Vec<u8> {
    let mut data = b"}(".to_vec();
    for at in 0..100 {
        data.extend(text(&at.to_string()));
        data.extend(tensor("0", 1 << 18));
    }
    data.extend(b"u.");
    archive(&[record("data.pkl", &data), record("data/0", &vec![0; 1 << 20])])
}

/// 30,000 names of one tensor of two numbers.
fn names() -> Vec<u8> {
    let mut data = [&b"}("[..], &text("0"), &tensor("0", 2), b"q\0"].concat();
    for at in 1..30_000 {
        data.extend(text(&at.to_string()));
        data.extend(b"h\0");
    }
    data.extend(b"u.");
    archive(&[record("data.pkl", &data), record("data/0", &[0; 8])])
}
