//! Orders and epochs, held to the reference.

use super::sequence::Sequence;
use super::{Dataset, Options, Shuffle, Stream, Transform};
use crate::faults::{Code, Faults};
use crate::limits::Limits;
use crate::source::{Reader, Source};
use crate::tensor::{DType, Storage, Tensor};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};
use std::thread::{self, ThreadId};

fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/mocha"))
}

fn case(id: &str) -> Value {
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(fixtures().join("cases.json")).unwrap()).unwrap();
    whole["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap().clone()
}

/// Examples of a batch, counted over all files.
fn batch(sequence: &mut Sequence, sizes: &[usize], most: usize) -> Vec<usize> {
    let mut taken = Vec::new();
    while taken.len() < most {
        let run = sequence.next(most - taken.len()).unwrap();
        let before: usize = sizes[..run.file].iter().sum();
        taken.extend(run.examples.iter().map(|example| before + example));
    }
    taken
}

#[test]
fn batches_and_epochs_are_those_of_the_reference() {
    for id in ["data_hdf5_sequence", "data_memory_sequence", "data_batch_larger_than_set"] {
        let case = case(id);
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let sizes: Vec<usize> = match case["params"]["file_sizes"].as_array() {
            Some(sizes) => sizes.iter().map(number).collect(),
            None => vec![number(&case["params"]["n"])],
        };
        let most = number(&case["params"]["batch_size"]);
        let mut sequence = Sequence::new(sizes.clone(), None, None);
        for should in case["expected"]["batches"].as_array().unwrap() {
            let indices: Vec<usize> = should["indices"].as_array().unwrap().iter().map(number).collect();
            assert_eq!(batch(&mut sequence, &sizes, most), indices, "{id}");
            assert_eq!(Some(sequence.epoch()), should["epoch"].as_u64(), "{id}");
        }
    }
}

#[test]
fn every_epoch_of_a_shuffled_set_is_an_order_of_it() {
    for chunk in [None, Some(2)] {
        let mut stream = Stream::new(5);
        let sizes = vec![6];
        let mut sequence = Sequence::new(sizes.clone(), Some(Box::new(move || stream.bits())), chunk);
        let all: Vec<usize> = (0..6).flat_map(|_| batch(&mut sequence, &sizes, 4)).collect();
        assert!((0..6).all(|value| all.iter().filter(|taken| **taken == value).count() == 4), "{all:?}");
        let mut orders = Vec::new();
        for epoch in all.chunks(6) {
            let mut sorted = epoch.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
            orders.push(epoch.to_vec());
        }
        orders.dedup();
        assert!(orders.len() > 1, "the same order in each epoch");
    }
}

fn list(text: &str) -> Source {
    Source::memory(Storage::copied(text.as_bytes()).unwrap())
}

fn options(batch: usize) -> Options {
    Options { batch, folder: Some(fixtures()), ..Options::default() }
}

fn open(text: &str, options: Options) -> Result<Dataset, (String, Vec<Code>)> {
    let mut faults = Faults::default();
    let set = Dataset::open(&list(text), options, &mut faults);
    set.map_err(|_| (faults.text(), faults.iter().map(|fault| fault.code).collect()))
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    let doubles = tensor.converted(DType::F64).unwrap();
    doubles.packed_bytes().unwrap().chunks(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect()
}

#[test]
fn a_list_of_files_is_read_across_their_borders() {
    let text = std::fs::read_to_string(fixtures().join("files/source.txt")).unwrap();
    for ahead in [0, 3] {
        let mut set = open(&text, Options { ahead, ..options(3) }).unwrap();
        let shapes: Vec<&[usize]> = set.tops().iter().map(|top| top.shape.as_slice()).collect();
        assert_eq!((set.examples(), shapes), (8, vec![&[2, 3, 2][..], &[1][..]]));
        let mut epochs = Vec::new();
        for place in 0..8 {
            let batch = set.next(&mut Faults::default()).unwrap();
            assert_eq!(batch.tops[0].shape(), [3, 2, 3, 2]);
            let (data, label) = (numbers(&batch.tops[0]), numbers(&batch.tops[1]));
            for (row, label) in label.iter().enumerate() {
                let example = (place * 3 + row) % 8;
                assert_eq!((data[row * 12], *label), ((example * 12) as f64, (example % 4) as f64));
            }
            epochs.push(set.epoch());
        }
        assert_eq!(epochs, [0, 0, 1, 1, 1, 2, 2, 3], "{ahead} read ahead");
    }
}

#[test]
fn transforms_in_order() {
    let case = case("transformers");
    let blob = |value: &Value| {
        let shape = value["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
        let numbers: Vec<f64> = value["data"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let storage = Storage::copied(&bytes).unwrap();
        Tensor::packed(DType::F64, shape, storage).unwrap()
    };
    let (x, mean) = (blob(&case["inputs"]["x"]), blob(&case["inputs"]["mean"]));
    let scale = ("x".to_owned(), Transform::Scale(2.0));
    let less = ("x".to_owned(), Transform::SubMean(mean));
    for (transforms, name) in [(vec![scale.clone(), less.clone()], "y"), (vec![less, scale], "y_other_order")] {
        let options = Options { batch: 3, transforms, ..Options::default() };
        let mut set = Dataset::memory(vec![("x".into(), x.clone())], options, &mut Faults::default()).unwrap();
        let batch = set.next(&mut Faults::default()).unwrap();
        assert_eq!(numbers(&batch.tops[0]), numbers(&blob(&case["expected"][name])));
    }
    for file in ["files/mean_3d.hdf5", "files/mean_4d.hdf5"] {
        let mut faults = Faults::default();
        let source = Source::path(&fixtures().join(file), &Limits::default(), &mut faults).unwrap();
        let mean = Transform::mean_file(&source, &Limits::default(), &mut faults).unwrap();
        let options = Options { transforms: vec![("data".into(), mean)], ..options(2) };
        let mut set = open("files/data_a.hdf5", options).unwrap();
        assert_eq!(numbers(&set.next(&mut faults).unwrap().tops[0])[..3], [-1.5, -0.5, 0.5], "{file}");
    }
}

#[test]
fn the_same_stream_gives_the_same_order() {
    let first = |shuffle| {
        let mut set = open("files/data_a.hdf5", Options { shuffle: Some(shuffle), ..options(5) }).unwrap();
        numbers(&set.next(&mut Faults::default()).unwrap().tops[1])
    };
    let mut stream = Stream::new(9);
    assert_eq!(first(Shuffle::Seed(9)), first(Shuffle::Given(Box::new(move || stream.bits()))));
}

#[test]
fn refused_by_name() {
    for (text, options, codes, says) in [
        (" \n\t\n", options(1), vec![Code::Absent], "names no file"),
        ("files/nowhere.hdf5\nfiles/data_a.hdf5\nfiles/neither.hdf5", options(1), vec![Code::NotFound; 2], "nowhere"),
        ("files/data_a.hdf5", Options { tops: vec!["dada".into()], ..options(1) }, vec![Code::Absent], "dada"),
        ("files/data_a.hdf5", options(0), vec![Code::Value], "from 1"),
        ("files/data_a.hdf5\nfiles/model_nd.hdf5", options(1), vec![Code::Absent; 2], "model_nd"),
    ] {
        let Err((text, found)) = open(text, options) else { panic!("{text} is read") };
        assert_eq!(found, codes, "{text}");
        assert!(text.contains(says), "{text}");
    }
}

/// A host's reader that tells on which threads it was called and let go of, and fails when it is told to.
struct Watched {
    bytes: Vec<u8>,
    says_size: bool,
    fails: Arc<AtomicBool>,
    threads: Arc<Mutex<Vec<ThreadId>>>,
}

impl Watched {
    fn seen(&self) {
        self.threads.lock().unwrap().push(thread::current().id());
    }
}

impl Reader for Watched {
    fn size(&self) -> Option<u64> {
        self.seen();
        self.says_size.then_some(self.bytes.len() as u64)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        self.seen();
        let rest = self.bytes.get(at as usize..).filter(|_| !self.fails.load(Ordering::Relaxed))?;
        let count = rest.len().min(to.len());
        to[..count].copy_from_slice(&rest[..count]);
        Some(count)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.seen();
    }
}

#[test]
fn a_reader_of_the_host_is_called_on_its_own_thread() {
    let mut read = Vec::new();
    for (says_size, ahead) in [(true, 0), (true, 3), (false, 3)] {
        let threads = Arc::new(Mutex::new(Vec::new()));
        let bytes = std::fs::read(fixtures().join("lenet/digits.hdf5")).unwrap();
        let reader = Watched { bytes, says_size, fails: Arc::default(), threads: threads.clone() };
        let mut faults = Faults::default();
        let source = Source::reader(Box::new(reader), &Limits::default(), &mut faults).unwrap();
        let mut set = Dataset::open(&source, Options { ahead, ..options(3) }, &mut faults).unwrap();
        drop(source);
        let batches = [(); 4].map(|()| numbers(&set.next(&mut faults).unwrap().tops[0]));
        drop(set);
        read.push(batches);
        let here = thread::current().id();
        let threads = threads.lock().unwrap();
        assert!(threads.len() > 2 && threads.iter().all(|thread| *thread == here), "{ahead} ahead: {threads:?}");
    }
    assert!(read.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_reader_that_fails_is_told_as_one() {
    let bytes = std::fs::read(fixtures().join("lenet/digits.hdf5")).unwrap();
    let fails = Arc::new(AtomicBool::new(false));
    let reader = Watched { bytes, says_size: true, fails: fails.clone(), threads: Arc::default() };
    let mut faults = Faults::default();
    let source = Source::reader(Box::new(reader), &Limits::default(), &mut faults).unwrap();
    let mut set = Dataset::open(&source, options(3), &mut faults).unwrap();
    fails.store(true, Ordering::Relaxed);
    assert_eq!(set.next(&mut faults).unwrap_err().0, Code::Io);
    assert!(
        faults.text().contains("The file: '/data'") && faults.text().contains("reader failed"),
        "{}",
        faults.text()
    );
}

/// A file whose name is a part of what is said of every file, and one behind a user block.
#[test]
fn faults_name_their_file_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = folder.path().join("a");
    std::fs::write(&hidden, b"no file of HDF5").unwrap();
    let Err((text, codes)) = open("a", Options { folder: Some(folder.path().into()), ..options(1) }) else {
        panic!("it is read")
    };
    assert_eq!(codes, [Code::Unrecognised]);
    assert!(text.contains(&format!("{}:", hidden.display())), "{text}");

    let block = [vec![b'#'; 512], std::fs::read(fixtures().join("files/data_a.hdf5")).unwrap()].concat();
    let source = Source::memory(Storage::copied(&block).unwrap());
    let mut set = Dataset::open(&source, options(5), &mut Faults::default()).unwrap();
    assert_eq!(numbers(&set.next(&mut Faults::default()).unwrap().tops[1]), [0.0, 1.0, 2.0, 3.0, 0.0]);
}
