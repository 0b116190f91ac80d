//! What is left out on purpose, what a host makes of objects, classes that it knows, and leaves that fill slots.

use crate::round::{kept, written};
use pontil::{
    capi::allocator::peak,
    describe,
    faults::{Code, Faults, Refused, Severity, Text},
    import::{Filter, Import, ImportOptions, PytreeOptions, Unmarshaled},
    limits::Limits,
    params::{Kind, Leaf, Params, Value},
    source::{Reader, Source},
    tensor::{DType, Tensor},
};
use std::{
    cell::RefCell,
    fs::File,
    io::{Seek, SeekFrom, Write},
    os::unix::fs::FileExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

fn opened(bytes: &[u8], pytree: PytreeOptions<'_>, faults: &mut Faults) -> Result<Params, Refused> {
    let options = ImportOptions { pytree, ..ImportOptions::default() };
    Import::open(&Source::memory(kept(bytes)), options, faults)?.params(faults)
}

fn numbers(count: usize) -> Value {
    let bytes: Vec<u8> = (0..count).flat_map(|n| (n as f32).to_le_bytes()).collect();
    Value::Tensor(Tensor::packed(DType::F32, vec![count], kept(&bytes)).unwrap())
}

/// `{a: [0, 1], b: {c: array, d: (ref to a)}}`
fn tree() -> Params {
    let mut tree = Params::default();
    let a = tree.branch(Params::ROOT, "a", Kind::List).unwrap();
    (0..2).for_each(|n| assert!(tree.add(a, "", Value::Int(n)).is_ok()));
    let b = tree.branch(Params::ROOT, "b", Kind::Named).unwrap();
    tree.add(b, "c", numbers(3)).unwrap();
    let d = tree.branch(b, "d", Kind::Tuple).unwrap();
    tree.add(d, "", Value::Reference(a)).unwrap();
    tree
}

fn file(tree: &Params) -> Vec<u8> {
    let mut faults = Faults::default();
    written(tree, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()))
}

#[test]
fn a_filter_is_asked_in_order_and_not_below_what_it_leaves_out() {
    let asked = RefCell::new(Vec::new());
    let wants = |path: &Text| {
        asked.borrow_mut().push(path.to_string());
        *path != *"/a"
    };
    let mut faults = Faults::default();
    let pytree = PytreeOptions { filter: Some(Filter(&wants)), ..PytreeOptions::default() };
    let read = opened(&file(&tree()), pytree, &mut faults).unwrap();
    // The list is read where it is referred to: the reference and its target are asked for by the place of the reference.
    let expected = ["", "/a", "/b", "/b/c", "/b/d", "/b/d/0", "/b/d/0", "/b/d/0/0", "/b/d/0/1"];
    assert_eq!(*asked.borrow(), expected);
    let kind = |path: &[u8]| read.find(Params::ROOT, path).and_then(|node| read.kind(node));
    assert_eq!(kind(b"/a"), Some(Kind::NotLoaded));
    assert_eq!(kind(b"/b/d/0"), Some(Kind::List));
    assert_eq!(kind(b"/b/c"), Some(Kind::Tensor));
}

#[test]
fn prefixes_keep_what_leads_to_them() {
    let mut faults = Faults::default();
    let pytree = PytreeOptions { prefixes: vec!["/b/c".into()], ..PytreeOptions::default() };
    let read = opened(&file(&tree()), pytree, &mut faults).unwrap();
    let kind = |path: &[u8]| read.find(Params::ROOT, path).and_then(|node| read.kind(node));
    assert_eq!((kind(b"/a"), kind(b"/b/d")), (Some(Kind::NotLoaded), Some(Kind::NotLoaded)));
    assert_eq!(kind(b"/b/c"), Some(Kind::Tensor));
    let pytree = PytreeOptions { prefixes: vec!["/b/x".into()], ..PytreeOptions::default() };
    assert_eq!(opened(&file(&tree()), pytree, &mut faults).unwrap_err(), Refused(Code::NoPath));
}

/// How much of mapped files this process has in memory, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssFile:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// A file of ten arrays of 50 MB, noughts that take no room on the disk.
fn large(path: &Path) -> u64 {
    const COUNT: usize = 50_000_000 / 4;
    let mut tree = Params::default();
    for index in 0..10 {
        let array = Tensor::zeroed(DType::F32, vec![COUNT]).unwrap();
        tree.add(Params::ROOT, format!("array{index}"), Value::Tensor(array)).unwrap();
    }
    let mut out = File::create(path).unwrap();
    let (mut faults, mut length) = (Faults::default(), 0);
    let mut write = |at: u64, piece: &[u8]| {
        length = at + piece.len() as u64;
        piece.iter().all(|&byte| byte == 0) || out.seek(SeekFrom::Start(at)).and_then(|_| out.write_all(piece)).is_ok()
    };
    let target = pontil::save::Target::Writer(&mut write);
    pontil::save::jaxon(&tree, target, &Default::default(), &mut faults).unwrap();
    out.set_len(length).unwrap();
    length
}

#[test]
fn of_five_hundred_megabytes_only_the_wanted_ones_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.h5");
    let length = large(&path);
    assert!(length > 500_000_000, "{length}");
    let mut faults = Faults::default();
    let source = Source::path(&path, &Limits::default(), &mut faults).unwrap();
    let pytree = PytreeOptions { prefixes: vec!["/array7".into()], ..PytreeOptions::default() };
    let options = ImportOptions { pytree, ..ImportOptions::default() };
    let before = resident();
    let import = Import::open(&source, options, &mut faults).unwrap();
    let read = import.params(&mut faults).unwrap();
    let listed = resident() - before;
    let wanted = read.find(Params::ROOT, b"/array7").and_then(|node| read.tensor(node)).unwrap();
    // Looking at the numbers is what brings their pages in.
    assert!(wanted.packed_bytes().unwrap().iter().all(|&byte| byte == 0));
    let read = resident() - before;
    assert!(listed < 4 << 20, "{listed} bytes read before the numbers were looked at");
    assert!((45 << 20..60 << 20).contains(&read), "{read} bytes read for 50,000,000");
    assert_eq!(import.entries().len(), 1);
}

/// A host's file, which counts what is read of it.
struct Counted {
    file: File,
    length: u64,
    bytes: Arc<AtomicU64>,
}

impl Reader for Counted {
    fn size(&self) -> Option<u64> {
        Some(self.length)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        let count = self.file.read_at(to, at).ok()?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Some(count)
    }
}

#[test]
fn of_a_reader_only_what_is_wanted_is_asked_for() {
    const WANTED: u64 = 50_000_000;
    const BESIDE: u64 = 256 << 10;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.h5");
    let length = large(&path);
    let bytes = Arc::new(AtomicU64::new(0));
    let counted = Counted { file: File::open(&path).unwrap(), length, bytes: bytes.clone() };
    let mut faults = Faults::default();
    let source = Source::reader(Box::new(counted), &Limits::default(), &mut faults).unwrap();
    let pytree = PytreeOptions { prefixes: vec!["/array7".into()], ..PytreeOptions::default() };
    let options = ImportOptions { pytree, ..ImportOptions::default() };
    let import = Import::open(&source, options, &mut faults).unwrap();
    let listed = bytes.load(Ordering::Relaxed);
    assert!(listed < BESIDE, "{listed} bytes read before the numbers");
    let (read, held) = peak(|| import.params(&mut faults).unwrap());
    let all = bytes.load(Ordering::Relaxed);
    assert!((WANTED..WANTED + BESIDE).contains(&all), "{all} bytes read for {WANTED}");
    assert!(held < WANTED + (16 << 20), "{held} bytes held for {WANTED}");
    let kind = |path: &[u8]| read.find(Params::ROOT, path).and_then(|node| read.kind(node));
    assert_eq!((kind(b"/array7"), kind(b"/array6")), (Some(Kind::Tensor), Some(Kind::NotLoaded)));
}

fn dataclass() -> Params {
    let mut tree = Params::new(Kind::List);
    let linear = tree.branch_of(Params::ROOT, "", Kind::Object, "dclass[m.Linear]").unwrap();
    tree.add(linear, "weight", Value::Int(1)).unwrap();
    tree.add(linear, "extra", Value::Int(2)).unwrap();
    tree.branch_of(Params::ROOT, "", Kind::Object, "own[v2]").unwrap();
    tree
}

#[test]
fn classes_that_the_host_knows() {
    let mut schema = Params::new(Kind::List);
    let class = schema.branch_of(Params::ROOT, "", Kind::Object, "m.Linear").unwrap();
    for (field, default) in [("weight", Value::NotLoaded), ("bias", Value::Int(7)), ("name", Value::NotLoaded)] {
        schema.add(class, field, default).unwrap();
    }
    let mut tree = dataclass();
    tree.remove(tree.children(Params::ROOT)[1]).unwrap();
    let bytes = file(&tree);
    let mut faults = Faults::default();
    let strict = PytreeOptions { schema: Some(&schema), ..PytreeOptions::default() };
    assert!(opened(&bytes, strict.clone(), &mut faults).is_err());
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::Unexpected, Code::Missing, Code::Missing]);

    let mut faults = Faults::default();
    let loose = PytreeOptions { allow_missing_fields: true, allow_unknown_fields: true, ..strict };
    let read = opened(&bytes, loose, &mut faults).unwrap();
    assert!(faults.len() == 3 && faults.iter().all(|fault| fault.severity == Severity::Warning));
    let object = read.children(Params::ROOT)[0];
    let fields: Vec<_> = read
        .children(object)
        .iter()
        .map(|&field| (read.key(field).unwrap().to_string(), read.kind(field).unwrap()))
        .collect();
    let expected = [("weight", Kind::Int), ("bias", Kind::Int), ("name", Kind::NotLoaded)];
    assert_eq!(fields, expected.map(|(name, kind)| (name.to_owned(), kind)));
}

#[test]
fn what_a_host_makes_of_objects() {
    let bytes = file(&dataclass());
    let mut faults = Faults::default();
    assert_eq!(opened(&bytes, PytreeOptions::default(), &mut faults).unwrap_err(), Refused(Code::Type));
    let host = |object: &Params| {
        Ok(match object.type_name(Params::ROOT).unwrap().as_str() {
            Some("own[v2]") => {
                Unmarshaled::Replaced(Leaf::Value(Value::Int(object.children(Params::ROOT).len() as i64)))
            }
            _ => Unmarshaled::Unknown,
        })
    };
    let pytree = PytreeOptions { unmarshal: Some(Arc::new(host)), ..PytreeOptions::default() };
    let read = opened(&bytes, pytree, &mut faults).unwrap();
    let kinds: Vec<_> = read.children(Params::ROOT).iter().map(|&child| read.kind(child).unwrap()).collect();
    assert_eq!(kinds, [Kind::Object, Kind::Int]);
    let nobody = |_: &Params| Ok(Unmarshaled::Unknown);
    let pytree = PytreeOptions { unmarshal: Some(Arc::new(nobody)), ..PytreeOptions::default() };
    assert_eq!(opened(&bytes, pytree, &mut faults).unwrap_err(), Refused(Code::Type));
}

/// Equinox keeps a weight as PyTorch does, outputs first; Flax as the library does, inputs first.
#[test]
fn leaves_fill_slots() {
    let words = |text: &str| describe::parse(text.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap();
    let torch =
        words(r#"{"style":"torch","layers":[{"id":"0","kind":"Linear","args":{"in_features":2,"out_features":3}}]}"#);
    let own = words(r#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":3}]}"#);
    let array = |shape: Vec<usize>, first: f32| {
        let count: usize = shape.iter().product();
        let bytes: Vec<u8> = (0..count).flat_map(|n| (first + n as f32).to_le_bytes()).collect();
        Value::Tensor(Tensor::packed(DType::F32, shape, kept(&bytes)).unwrap())
    };
    let mut tree = Params::object("dclass[m.Model]");
    let layers = tree.branch(Params::ROOT, "layers", Kind::List).unwrap();
    let linear = tree.branch_of(layers, "", Kind::Object, "dclass[equinox.nn.Linear]").unwrap();
    tree.add(linear, "weight", array(vec![3, 2], 0.0)).unwrap();
    tree.add(linear, "bias", array(vec![3], 10.0)).unwrap();
    tree.add(linear, "kernel", array(vec![2, 3], 0.0)).unwrap();
    tree.add(linear, "in_features", Value::Int(2)).unwrap();
    let bytes = file(&tree);
    let network = |description, weight: &str, faults: &mut Faults| {
        let slots = [(weight, "0.weight"), ("/layers/0/bias", "0.bias")];
        let slots = slots.map(|(path, slot)| (path.to_owned(), slot.to_owned())).to_vec();
        let pytree = PytreeOptions { slots, ..PytreeOptions::default() };
        let options = ImportOptions { network: Some(description), pytree, ..ImportOptions::default() };
        Import::open(&Source::memory(kept(&bytes)), options, faults)?.network(faults)
    };
    let mut faults = Faults::default();
    let equinox = network(&torch, "/layers/0/weight", &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    let flax = network(&own, "/layers/0/kernel", &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    assert_eq!(equinox.numbers()[0].to_packed().unwrap().as_f32().unwrap(), [0., 2., 4., 1., 3., 5.]);
    assert_eq!(flax.numbers()[0].to_packed().unwrap().as_f32().unwrap(), [0., 1., 2., 3., 4., 5.]);
    assert_eq!(network(&torch, "/layers/0/wait", &mut faults).err(), Some(Refused(Code::NoPath)));
    assert_eq!(network(&torch, "/layers/0/in_features", &mut faults).err(), Some(Refused(Code::Kind)));
    assert_eq!(network(&torch, "", &mut Faults::default()).err(), Some(Refused(Code::Kind)));
    // The whole may be the one array that is wanted.
    let own = words(r#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":3,"bias":false}]}"#);
    let pytree = PytreeOptions { slots: vec![("/".into(), "0.weight".into())], ..PytreeOptions::default() };
    let key = Some("/layers/0/kernel");
    let options = ImportOptions { network: Some(&own), key, pytree, ..ImportOptions::default() };
    let mut faults = Faults::default();
    let read = Import::open(&Source::memory(kept(&bytes)), options, &mut faults)
        .and_then(|import| import.network(&mut faults))
        .unwrap_or_else(|_| panic!("{}", faults.text()));
    assert_eq!(read.numbers()[0].to_packed().unwrap().as_f32().unwrap(), [0., 1., 2., 3., 4., 5.]);
}

/// The part of a tree that a key names is all there is, with what it shares.
#[test]
fn a_key_picks_the_root() {
    let bytes = file(&tree());
    let read = |key: &'static str, faults: &mut Faults| {
        let options = ImportOptions { key: Some(key), ..ImportOptions::default() };
        Import::open(&Source::memory(kept(&bytes)), options, faults)?.params(faults)
    };
    let mut faults = Faults::default();
    let b = read("/b", &mut faults).unwrap();
    let kind = |path: &[u8]| b.find(Params::ROOT, path).and_then(|node| b.kind(node));
    assert_eq!(
        (b.kind(Params::ROOT), kind(b"/c"), kind(b"/d/0")),
        (Some(Kind::Named), Some(Kind::Tensor), Some(Kind::List))
    );
    assert!(read("b", &mut faults).unwrap().difference(&b).is_none());
    assert_eq!(read("/a", &mut faults).unwrap().count(), 3);
    assert_eq!(read("", &mut faults).unwrap().count(), tree().count());
    assert_eq!(read("/b/x", &mut faults).unwrap_err(), Refused(Code::NoPath));
    assert_eq!(faults.iter().next().unwrap().path, *"/b/x");
}
