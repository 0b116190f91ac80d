//! What is written, read again by the reader here; and kept in `fixtures/hdf5/written.h5`, where h5py read it.

use super::super::{header::ATTRIBUTE_INFO, *};
use crate::{
    faults::{Code, Faults, Text},
    limits::Limits,
    source::Source,
    tensor::{DType, Storage, Tensor},
};

fn bytes(raw: &[u8]) -> Storage {
    Storage::copied(raw).unwrap()
}

fn numbers(dtype: DType, shape: &[usize]) -> Datum {
    let count: usize = shape.iter().product();
    let length = count * dtype.size().unwrap();
    let raw: Vec<u8> = (0..length).map(|i| if dtype == DType::Bool { i as u8 & 1 } else { i as u8 & 0x3F }).collect();
    Datum::numbers(Tensor::packed(dtype, shape.to_vec(), bytes(&raw)).unwrap(), Bools::Enum).unwrap()
}

fn text(text: &str) -> Datum {
    Datum::text(&text.into(), Padding::NulPadded, true).unwrap()
}

fn written(root: &Branch) -> Vec<u8> {
    let mut faults = Faults::default();
    planned(&Plan::of(root, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text())))
}

fn planned(plan: &Plan<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    plan.write(
        &mut |piece, _| {
            out.extend(piece);
            Ok(())
        },
        &mut Faults::default(),
    )
    .unwrap();
    assert_eq!(out.len() as u64, plan.length());
    out
}

fn read(bytes: &[u8]) -> File {
    let mut faults = Faults::default();
    let storage = Storage::copied(bytes).unwrap();
    File::open(&Source::memory(storage), &Limits::default(), &mut faults)
        .unwrap_or_else(|_| panic!("{}", faults.text()))
}

/// A tree with everything that can be written.
fn everything() -> Branch {
    let mut root = Branch::new(true);
    root.attribute("zebra", text("first"));
    root.attribute("ape", Datum::text(&"".into(), Padding::NulTerminated, true).unwrap());
    root.attribute("kind", Datum::text(&"Tuple".into(), Padding::NulTerminated, true).unwrap());
    root.attribute("keys", Datum::long_texts(vec!["L10".into(), "".into(), "L9".into(), "ü'/".into()], true));
    root.attribute("none", Datum::long_texts(Vec::new(), true));
    root.attribute("one", Datum::long_text("a line".into(), false));
    root.attribute("mark", numbers(DType::F64, &[0]));
    root.attribute("refs", Datum::references(vec!["/b".into(), "/".into(), "/g/inner".into()]));
    for dtype in DType::ALL {
        if Datatype::of(*dtype, Bools::Enum).is_some() {
            root.dataset(dtype.name(), numbers(*dtype, &[2, 3]));
        }
    }
    root.dataset(
        "bits",
        Datum::numbers(Tensor::packed(DType::Bool, vec![3], bytes(&[1, 0, 1])).unwrap(), Bools::Bits).unwrap(),
    );
    root.dataset("b", numbers(DType::I64, &[]));
    root.dataset("nothing", numbers(DType::F32, &[3, 0]));
    let opaque = Datatype::Opaque { bytes: 3, tag: Text::default() };
    root.dataset("opaque", Datum::raw(opaque, Space::Scalar, bytes(&[1, 0, 0])).unwrap());
    let empty = Datatype::Text { bytes: 1, padding: Padding::NulPadded, utf8: true };
    root.dataset("null", Datum::null(empty).unwrap());
    root.dataset("texts", Datum::long_texts((0..300).map(|i| Text::from(format!("text {i}"))).collect(), true));
    let mut dataset = Branch::new(true);
    dataset.dataset("x", numbers(DType::F32, &[4]));
    if let Some((_, Node::Dataset { attributes, tracked, .. })) = dataset.members.first_mut() {
        *tracked = true;
        attributes.push(("dtype".into(), text("bfloat16")));
    }
    root.group("g", dataset);
    let mut inner = Branch::new(false);
    inner.dataset("z", numbers(DType::U8, &[1]));
    inner.dataset("a", numbers(DType::U8, &[1]));
    inner.attribute("z", numbers(DType::U8, &[1]));
    inner.attribute("a", numbers(DType::U8, &[1]));
    if let Some((_, Node::Group(group))) = root.members.last_mut() {
        group.group("inner", inner);
        group.group("empty", Branch::new(true));
    }
    let mut large = Branch::new(true);
    for name in ["z", "m", "a", "b"] {
        large.attribute(name, text(&name.repeat(if name == "m" { 70_000 } else { 3 })));
    }
    root.group("large", large);
    let mut many = Branch::new(true);
    (0..90).rev().for_each(|i| many.attribute(format!("attribute {i}"), numbers(DType::F64, &[2])));
    (0..90).rev().for_each(|i| many.dataset(format!("{i}"), numbers(DType::F32, &[1])));
    root.group("many", many);
    root
}

#[test]
fn all_of_it_comes_back() {
    let root = everything();
    let out = written(&root);
    assert_eq!(out, written(&root));
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hdf5/written.h5");
    if std::env::var_os("PONTIL_WRITE_GOLDENS").is_some() {
        std::fs::write(&kept, &out).unwrap();
    }
    assert!(std::fs::read(&kept).unwrap() == out, "other bytes are written: PONTIL_WRITE_GOLDENS=1, then hdf5_dump.py");
    let (file, mut faults) = (read(&out), Faults::default());
    same(&root, &file.root(&mut faults).unwrap(), &mut faults);
    assert!(faults.is_empty(), "{}", faults.text());
    let root = file.root(&mut faults).unwrap();
    let keys = root.attribute("keys", &mut faults).unwrap().unwrap();
    assert_eq!(*keys.value().path(), *"/@keys");
    let keys = keys.value().texts(&mut faults).unwrap();
    assert_eq!(keys, ["L10", "", "L9", "ü'/"].map(Text::from));
    let refs = root.attribute("refs", &mut faults).unwrap().unwrap().value().references(&mut faults).unwrap();
    let place = |path: &str, faults: &mut Faults| root.find(path, faults).unwrap().map(|object| object.address());
    assert_eq!(refs, [place("b", &mut faults), place("", &mut faults), place("g/inner", &mut faults)]);
}

fn same(branch: &Branch, group: &Group, faults: &mut Faults) {
    attributes(&branch.attributes, branch.tracked, &group.attributes(faults).unwrap(), faults);
    let members = group.members(faults).unwrap().to_vec();
    let mut expected: Vec<&(String, Node)> = branch.members.iter().collect();
    if !branch.tracked {
        expected.sort_by(|a, b| a.0.cmp(&b.0));
    }
    assert_eq!(members.len(), expected.len());
    for (link, (name, node)) in members.iter().zip(expected) {
        assert_eq!(link.name, **name);
        match (group.open(link, faults).unwrap(), node) {
            (Object::Group(group), Node::Group(branch)) => same(branch, &group, faults),
            (Object::Dataset(set), Node::Dataset { datum: expected, attributes: all, tracked }) => {
                datum(expected, &set.value(faults).unwrap(), faults);
                attributes(all, *tracked, &set.attributes(faults).unwrap(), faults);
            }
            (found, _) => panic!("{found:?}"),
        }
    }
}

fn attributes(expected: &[(String, Datum)], tracked: bool, found: &[Attribute], faults: &mut Faults) {
    let mut expected: Vec<&(String, Datum)> = expected.iter().collect();
    if !tracked {
        expected.sort_by(|a, b| a.0.cmp(&b.0));
    }
    assert_eq!(found.len(), expected.len());
    for (attribute, (name, expected)) in found.iter().zip(expected) {
        assert_eq!(*attribute.name(), **name);
        datum(expected, attribute.value(), faults);
    }
}

fn datum(expected: &Datum, found: &Value, faults: &mut Faults) {
    assert_eq!((&expected.datatype, &expected.space), (found.datatype(), found.space()));
    match &expected.data {
        super::datum::Data::Bytes(bytes) => assert_eq!(bytes.bytes(), found.bytes()),
        super::datum::Data::Numbers(tensor) => assert_eq!(tensor.packed_bytes().unwrap(), found.bytes()),
        super::datum::Data::Texts(texts) => assert_eq!(*texts, found.texts(faults).unwrap()),
        super::datum::Data::Paths(paths) => assert_eq!(paths.len(), found.references(faults).unwrap().len()),
    }
}

#[test]
fn what_can_not_be_written() {
    let mut root = Branch::new(false);
    for name in ["", ".", "a/b", "a\0"] {
        root.dataset(name, numbers(DType::U8, &[1]));
    }
    root.group("twice", Branch::new(false));
    root.group("twice", Branch::new(false));
    root.attribute("x", text("1"));
    root.attribute("x", text("2"));
    let mut faults = Faults::default();
    assert!(Plan::of(&root, &mut faults).is_err());
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::KeyTwice, Code::Value, Code::Value, Code::Value, Code::Value, Code::KeyTwice]);
    let mut root = Branch::new(false);
    root.attribute("x", Datum::references(vec!["/none".into()]));
    let mut faults = Faults::default();
    assert!(Plan::of(&root, &mut faults).is_err());
    assert!(faults.text().contains("'/none'"), "{}", faults.text());
    assert!(Datum::raw(Datatype::Reference, Space::Scalar, bytes(&[0; 8])).is_none());
    assert!(Datum::raw(Datatype::Opaque { bytes: 3, tag: Text::default() }, Space::Scalar, bytes(&[0; 2])).is_none());
}

/// A header that keeps the order of attributes and has none yet gets a message that counts them with its first ones.
#[test]
fn first_attributes_are_counted() {
    let mut found = 0;
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files =
        ["hdf5/tracked_earliest.h5", "hdf5/tracked_latest.h5", "hdf5/written.h5", "julia/store/store_tracked.h5"];
    for name in files {
        let mut faults = Faults::default();
        let file = read(&std::fs::read(fixtures.join(name)).unwrap());
        let mut groups = vec![file.root(&mut faults).unwrap()];
        while let Some(group) = groups.pop() {
            for link in group.members(&mut faults).unwrap() {
                groups.extend(group.open(link, &mut faults).ok().and_then(|object| object.group().cloned()));
            }
            let header = file.header(group.address()).unwrap();
            if !header.tracked || header.find(ATTRIBUTE_INFO).is_some() {
                continue;
            }
            let mut branch = Branch::new(true);
            branch.attribute("second", text("2"));
            branch.attribute("first", text("1"));
            let (path, additions) = (group.path().clone(), [(group, branch)]);
            let file = read(&planned(&Plan::onto(&file, &additions, &mut Faults::default()).unwrap()));
            let object = file.root(&mut faults).unwrap().find(path.as_str().unwrap(), &mut faults).unwrap().unwrap();
            let group = object.group().unwrap();
            let header = file.header(group.address()).unwrap();
            let info = header.find(ATTRIBUTE_INFO).unwrap().body();
            assert_eq!((info[1] & 1, &info[2..4]), (1, &[2, 0][..]), "{name} {path:?}");
            let attributes = group.attributes(&mut faults).unwrap();
            let names: Vec<&Text> = attributes.iter().map(|attribute| attribute.name()).collect();
            assert!(*names[0] == *"second" && *names[1] == *"first" && names.len() == 2, "{names:?}");
            found += 1;
        }
    }
    assert!(found > 0);
}
