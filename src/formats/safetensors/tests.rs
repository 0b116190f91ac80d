//! The reader against the reference reader, hostile files and damaged ones; the writer against the reference writer.

use super::*;
use crate::{
    faults::{Code, Faults},
    limits::Limits,
    source::Source,
    tensor::{DType, Storage},
};
use std::{collections::HashMap, fs, path::Path};

fn memory(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

fn read(bytes: &[u8]) -> Result<Safetensors, Faults> {
    let mut faults = Faults::default();
    Safetensors::read(&memory(bytes), &Limits::default(), &mut faults).map_err(|_| faults)
}

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn codes(header: &str, data: &[u8]) -> Vec<Code> {
    read(&file(header, data)).unwrap_err().iter().map(|fault| fault.code).collect()
}

/// What the table of `fixtures/safetensors` says Pontil does: `reads` or the name of a code.
fn table() -> Vec<(String, Vec<u8>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/safetensors");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")).map(|line| {
        let name = line.split('`').next().unwrap().to_owned();
        let ours = line.trim_end_matches([' ', '|']).rsplit("| ").next().unwrap().trim_matches('`').to_owned();
        (name.clone(), fs::read(folder.join(name)).unwrap(), ours)
    });
    rows.collect()
}

#[test]
fn given_files() {
    assert_eq!(table().len(), 22);
    for (name, bytes, ours) in table() {
        let reference = safetensors::SafeTensors::deserialize(&bytes);
        match read(&bytes) {
            Ok(file) => {
                assert_eq!(ours, "reads", "{name}");
                assert_eq!(file.tensors.len(), reference.unwrap().len(), "{name}");
            }
            Err(faults) => {
                assert_eq!(ours, faults.iter().next().unwrap().code.name(), "{name}: {}", faults.text());
                assert_eq!(faults.len(), 1, "{name}: {}", faults.text());
                assert!(reference.is_err() || ours == "format.duplicate", "{name}");
            }
        }
    }
}

#[test]
fn every_damaged_byte_is_read_or_refused_as_the_reference_does() {
    let good = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/safetensors/01_plain")).unwrap();
    let mut tried = 0;
    let mut hold = |bytes: &[u8]| {
        tried += 1;
        let (ours, reference) = (read(bytes), safetensors::SafeTensors::deserialize(bytes));
        assert!(reference.is_ok() || ours.is_err(), "{}", String::from_utf8_lossy(bytes));
        let stricter =
            ours.as_ref().err().is_some_and(|faults| faults.iter().any(|fault| fault.code == Code::Duplicate));
        assert!(ours.is_ok() || reference.is_err() || stricter, "{}", String::from_utf8_lossy(bytes));
        for fault in ours.err().iter().flat_map(Faults::iter) {
            assert!(fault.message.chars().count() <= 1000 && !fault.message.chars().any(char::is_control));
        }
    };
    for at in 0..good.len() {
        hold(&good[..at]);
        for value in [0, 1, b'"', b'0', b'9', b'{', b'}', b']', b',', b'-', 0x7f, 0xff, good[at] ^ 1, good[at] ^ 0x80] {
            let mut bytes = good.clone();
            bytes[at] = value;
            hold(&bytes);
        }
    }
    assert!(tried > 2000);
}

#[test]
fn faults_come_all_at_once_in_the_order_of_the_bytes() {
    let header = r#"{"__metadata__":{"a":1,"b":"x","b":"y"},
        "late":{"dtype":"F32","shape":[3],"data_offsets":[8,16]},
        "early":{"dtype":"Q1","shape":[2],"data_offsets":[0,8]},
        "hole":{"dtype":"F32","shape":[1],"data_offsets":[20,24]}}"#;
    use Code::*;
    assert_eq!(codes(header, &[0; 26]), [Metadata, Metadata, DType, Malformed, Gap, Trailing]);
    let faults = read(&file(header, &[0; 26])).unwrap_err();
    let late = faults.iter().find(|fault| fault.place == *"late").unwrap();
    assert_eq!(late.message, "'late' is 3 of F32, 12 bytes, and has 8.");
    assert_eq!(late.offset, Some(8 + header.find(r#"{"dtype":"F32","shape":[3]"#).unwrap() as u64));
}

#[test]
fn fields() {
    use Code::*;
    let one = |entry: &str| codes(&format!(r#"{{"a":{entry}}}"#), &[0; 4]);
    assert_eq!(one("[]"), [Malformed]);
    assert_eq!(one("{}"), [Absent, Absent, Absent]);
    assert_eq!(one(r#"{"dtype":7,"shape":[1.0],"data_offsets":[0,4,4]}"#), [Malformed, Malformed, Malformed]);
    assert_eq!(one(r#"{"dtype":"C128","shape":[],"data_offsets":[0,4]}"#), [DType]);
    assert_eq!(one(r#"{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}"#), [Duplicate]);
    assert_eq!(one(r#"{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551616]}"#), [Malformed]);
    assert_eq!(one(r#"{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#), [Truncated]);
    assert_eq!(one(r#"{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,4]}"#), [Overflow]);
    assert!(read(&file(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":[[{}]]}}"#, &[0; 4])).is_ok());
    assert!(read(&file(r#"{"__metadata__":null}"#, &[])).is_ok());
    assert_eq!(codes(r#"{"__metadata__":[]}"#, &[]), [Metadata]);
    assert_eq!(codes(r#"{"__metadata__":{},"__metadata__":{}}"#, &[]), [Duplicate]);
    assert_eq!(codes("{} {}", &[]), [Malformed]);
    assert_eq!(codes("", &[]), [Malformed]);
}

#[test]
fn depth_and_width_cost_no_stack() {
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(codes(&deep, &[]), [Code::Malformed]);
    let wide = format!(r#"{{"a":{{"dtype":"F32","shape":[{}1],"data_offsets":[0,4]}}}}"#, "1,".repeat(2_000_000));
    assert_eq!(codes(&wide, &[0; 4]), [Code::Limit]);
}

#[test]
fn limits() {
    let bytes = file(r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#, &[0; 4]);
    let code = |limits: Limits| {
        let mut faults = Faults::default();
        Safetensors::read(&memory(&bytes), &limits, &mut faults).err().map(|refused| refused.0)
    };
    let header = bytes.len() as u64 - 12;
    let limits = Limits::default();
    for (exact, less) in [
        (Limits { header_bytes: header, ..limits }, Limits { header_bytes: header - 1, ..limits }),
        (Limits { tensor_bytes: 4, ..limits }, Limits { tensor_bytes: 3, ..limits }),
        (Limits { entries: 1, ..limits }, Limits { entries: 0, ..limits }),
    ] {
        assert_eq!(code(exact), None);
        assert_eq!(code(less), Some(Code::Limit));
    }
}

#[test]
fn types_empty_tensors_and_scalars_agree_with_the_reference_writer() {
    let sizes: Vec<(DType, usize)> =
        super::dtype::ORDER.iter().map(|&dtype| (dtype, dtype.bytes(8).unwrap())).collect();
    let data: Vec<Vec<u8>> = sizes.iter().map(|&(_, bytes)| (0..bytes as u8).collect()).collect();
    let names: Vec<String> =
        sizes.iter().map(|(dtype, _)| format!("t\"{}\u{e9}", dtype.name().to_lowercase())).collect();
    let empty: &[usize] = &[2, 0, 4];
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut views = Vec::new();
    for ((&(dtype, bytes), data), name) in sizes.iter().zip(&data).zip(&names) {
        pieces.push(Piece { name, dtype, shape: &[2, 4], bytes: bytes as u64 });
        let theirs: safetensors::Dtype = serde_json::from_str(&format!("\"{}\"", dtype.name())).unwrap();
        views.push((name.as_str(), safetensors::tensor::TensorView::new(theirs, vec![2, 4], data).unwrap()));
    }
    for (name, shape, data) in [("empty", empty, &[][..]), ("scalar", &[], &[1, 2, 3, 4])] {
        pieces.push(Piece { name, dtype: DType::F32, shape, bytes: data.len() as u64 });
        views.push((name, safetensors::tensor::TensorView::new(safetensors::Dtype::F32, shape.into(), data).unwrap()));
    }
    let by_name: HashMap<&str, &[u8]> = views.iter().map(|(name, view)| (*name, view.data())).collect();
    let mut ours = write_head(&mut pieces, &[("format", "pt")]).unwrap();
    pieces.iter().for_each(|piece| ours.extend_from_slice(by_name[piece.name]));
    let notes = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    assert_eq!(ours, safetensors::serialize(views.clone(), Some(notes)).unwrap());
    let file = read(&ours).unwrap();
    assert_eq!(file.notes, [("format".into(), "pt".into())]);
    assert_eq!(file.tensors.len(), views.len());
    for (index, stored) in file.tensors.iter().enumerate() {
        let tensor = file.tensor(index, &memory(&ours), &mut Faults::default()).unwrap();
        assert_eq!(tensor.packed_bytes().unwrap(), by_name[stored.name.as_str().unwrap()]);
    }
}

#[test]
fn three_gigabytes_open_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.safetensors");
    let count = 3u64 << 28;
    let header = format!(r#"{{"a":{{"dtype":"F32","shape":[{count}],"data_offsets":[0,{}]}}}}"#, count * 4);
    fs::write(&path, file(&header, &[])).unwrap();
    let length = 8 + header.len() as u64 + count * 4;
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
    let (mut faults, begun) = (Faults::default(), cpu_time::ThreadTime::now());
    let source = Source::path(&path, &Limits::default(), &mut faults).unwrap();
    let file = Safetensors::read(&source, &Limits::default(), &mut faults).unwrap();
    assert_eq!(file.tensor(0, &source, &mut faults).unwrap().count() as u64, count);
    assert!(begun.elapsed().as_millis() < 500);
    let tight = Limits { file_bytes: 1 << 31, ..Limits::default() };
    assert!(Source::path(&path, &tight, &mut faults).is_err());
}

#[test]
fn faults_and_axes_of_a_header_are_bounded() {
    let refused = |header: &str, limits: Limits| {
        let mut faults = Faults::default();
        let code = Safetensors::read(&memory(&file(header, &[])), &limits, &mut faults).unwrap_err().0;
        (code, faults.len())
    };
    let names: Vec<String> = (0..1000).map(|i| format!("\"{i}\":{{}}")).collect();
    let few = Limits { faults: 30, ..Limits::default() };
    assert_eq!(refused(&format!("{{{}}}", names.join(",")), few), (Code::Absent, 30));
    let shape = ["0"; 1000].join(",");
    let long = |i: usize| format!("\"{i}\":{{\"dtype\":\"F32\",\"shape\":[{shape}],\"data_offsets\":[0,0]}}");
    let many: Vec<String> = (0..8001).map(long).collect();
    assert_eq!(refused(&format!("{{{}}}", many.join(",")), Limits::default()), (Code::Limit, 1));
}
