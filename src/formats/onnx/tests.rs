//! Files as a writer of protobuf would write them, and as none would.

use super::*;
use crate::{
    faults::{Code, Faults, Refused},
    limits::Limits,
    source::Source,
    tensor::{DType, Storage, Tensor},
};
use std::{fs, path::Path};

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn whole(field: u64, number: u64) -> Vec<u8> {
    [varint(field << 3), varint(number)].concat()
}

fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

/// A model whose graph has these fields.
fn model(graph: &[u8]) -> Vec<u8> {
    [whole(1, 9), bytes(8, &whole(2, 17)), bytes(7, graph)].concat()
}

/// An initialiser of two by two numbers of an element type.
fn tensor(element: u64, rest: &[u8]) -> Vec<u8> {
    let fields = [bytes(1, &[2, 2]), whole(2, element), bytes(8, b"w"), rest.to_vec()].concat();
    bytes(5, &fields)
}

fn memory(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

/// The first initialiser of a file.
fn first(source: &Source) -> (Result<Tensor, Refused>, Faults) {
    let (mut faults, limits, beside) = (Faults::default(), Limits::default(), Beside::default());
    let model = Model::read(source, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    let data = Data { model: &model, source, beside: &beside, limits: &limits };
    let read = data.tensor(&model.graph.initialisers[0], &mut faults);
    (read, faults)
}

fn singles() -> Vec<u8> {
    [1.0f32, -2.0, 3.5, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn numbers_are_read_from_every_field() {
    let doubles: Vec<u8> = [1.0f64, -2.0, 3.5, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let halves: Vec<u8> = [0x3C00u64, 0xC000, 0x4300, 0].into_iter().flat_map(varint).collect();
    let alone: Vec<u8> = singles().chunks(4).flat_map(|four| [varint(4 << 3 | 5), four.to_vec()].concat()).collect();
    let cut = [bytes(4, &singles()[..8]), bytes(4, &singles()[8..])].concat();
    for (element, rest) in [
        (1, bytes(9, &singles())),
        (1, bytes(4, &singles())),
        (1, alone),
        (1, cut),
        (11, bytes(10, &doubles)),
        (10, bytes(5, &halves)),
    ] {
        let source = memory(&model(&tensor(element, &rest)));
        let (read, faults) = first(&source);
        let read = read.unwrap_or_else(|_| panic!("{}", faults.text())).to_f32().unwrap();
        assert_eq!((read.shape(), read.as_f32().unwrap()), (&[2, 2][..], &[1.0, -2.0, 3.5, 0.0][..]));
    }
    let axes: Vec<u8> = [3, u64::MAX, 0, 1 << 40].into_iter().flat_map(varint).collect();
    let (read, _) = first(&memory(&model(&tensor(7, &bytes(7, &axes)))));
    let read = read.unwrap();
    let numbers = read.packed_bytes().unwrap().chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()));
    assert_eq!((read.dtype(), numbers.collect::<Vec<_>>()), (DType::I64, vec![3, -1, 0, 1 << 40]));
}

#[test]
fn raw_numbers_stay_where_they_lie() {
    let storage = model(&tensor(1, &bytes(9, &singles())));
    let source = memory(&storage);
    let whole = source.bytes(0..source.len(), &mut Faults::default()).unwrap();
    let (read, _) = first(&source);
    let at = read.unwrap().packed_bytes().unwrap().as_ptr() as usize - whole.bytes().as_ptr() as usize;
    assert_eq!(storage[at..at + 16], singles()[..]);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let short = bytes(9, &singles()[..12]);
    for (element, rest, code) in [
        (1, short, Code::Malformed),
        (1, Vec::new(), Code::Malformed),
        (8, bytes(6, b"text"), Code::Unsupported),
        (99, bytes(9, &singles()), Code::Unsupported),
        (1, [whole(14, 1), bytes(9, &singles())].concat(), Code::Malformed),
        (1, whole(14, 1), Code::Absent),
        (1, [bytes(9, &singles()), bytes(3, b"")].concat(), Code::Unsupported),
    ] {
        let (read, faults) = first(&memory(&model(&tensor(element, &rest))));
        assert_eq!(read.err(), Some(Refused(code)), "{}", faults.text());
        assert!(faults.text().starts_with("tensor 'w' "), "{}", faults.text());
    }
}

#[test]
fn files_beside_the_graph_stay_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(folder.path().join("away.bin"), singles()).unwrap();
    fs::write(inner.join("w.bin"), [vec![0; 8], singles()].concat()).unwrap();
    std::os::unix::fs::symlink(folder.path().join("away.bin"), inner.join("link.bin")).unwrap();
    let notes = |notes: &[(&str, &str)]| {
        let one =
            |(key, value): &(&str, &str)| bytes(13, &[bytes(1, key.as_bytes()), bytes(2, value.as_bytes())].concat());
        [whole(14, 1), notes.iter().flat_map(one).collect()].concat()
    };
    let away = folder.path().join("away.bin");
    let away = away.to_str().unwrap();
    let at = |path: &Path, stated: &[(&str, &str)]| {
        fs::write(path, model(&tensor(1, &notes(stated)))).unwrap();
        let source = Source::path(path, &Limits::default(), &mut Faults::default()).unwrap();
        let (read, faults) = first(&source);
        read.map(|tensor| tensor.to_f32().unwrap().as_f32().unwrap().to_vec())
            .map_err(|refused| (refused.0, faults.text()))
    };
    let path = inner.join("m.onnx");
    for good in
        [&[("location", "w.bin"), ("offset", "8"), ("length", "16")][..], &[("location", "./w.bin"), ("offset", "8")]]
    {
        assert_eq!(at(&path, good), Ok(vec![1.0, -2.0, 3.5, 0.0]));
    }
    for (bad, code) in [
        (&[("location", away)][..], Code::Hostile),
        (&[("location", "../away.bin")], Code::Hostile),
        (&[("location", "x/../../away.bin")], Code::Hostile),
        (&[("location", "link.bin")], Code::Hostile),
        (&[("location", "gone.bin")], Code::NotFound),
        (&[("location", "w.bin")], Code::Malformed),
        (&[("location", "w.bin"), ("length", "12")], Code::Truncated),
        (&[("location", "w.bin"), ("offset", "16"), ("length", "16")], Code::Truncated),
        (&[("location", "w.bin"), ("offset", "-8")], Code::Malformed),
        (&[("location", "w.bin"), ("offset", "99999999999999999999")], Code::Overflow),
        (&[("location", "w.bin"), ("location", "w.bin")], Code::Duplicate),
    ] {
        let (found, text) = at(&path, bad).unwrap_err();
        assert_eq!(found, code, "{text}");
        assert!(text.starts_with("tensor 'w' "), "{text}");
    }
    let (read, faults) = first(&memory(&model(&tensor(1, &notes(&[("location", "w.bin")])))));
    assert!(read.is_err() && faults.text().contains("open it by its path"), "{}", faults.text());
}

#[test]
fn any_cut_is_refused_and_small_parts_are_bounded() {
    let whole_file = model(&[tensor(1, &bytes(9, &singles())), bytes(1, &bytes(4, b"Relu"))].concat());
    for end in 0..whole_file.len() {
        assert!(Model::read(&memory(&whole_file[..end]), &mut Faults::default()).is_err(), "cut at {end}");
    }
    let nodes = model(&[0x0A, 0].repeat(2_000_000));
    let mut faults = Faults::default();
    assert_eq!(Model::read(&memory(&nodes), &mut faults).err(), Some(Refused(Code::Limit)), "{}", faults.text());
}

#[test]
fn bodies_of_control_flow_are_not_entered() {
    let mut body = bytes(1, b"nonsense");
    for _ in 0..10_000 {
        body = bytes(6, &body);
    }
    let node = bytes(1, &[bytes(4, b"If"), bytes(5, &[bytes(1, b"then_branch"), body].concat())].concat());
    let read = Model::read(&memory(&model(&node)), &mut Faults::default()).unwrap();
    assert!(matches!(read.graph.nodes[0].attributes[0].setting, Setting::Other(_)));
}

#[test]
fn heads_are_told() {
    assert!(recognises(&model(b"")) && recognises(&whole(1, 900)[..]) == recognises(b"\x08\x84\x07"));
    for other in [&b"PK\x03\x04"[..], b"\x89HDF\r\n", b"{\"a\":1}", b"just a text\n", b"", b"\x08"] {
        assert!(!recognises(other), "{other:?}");
    }
}
