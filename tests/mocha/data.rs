//! Data sets as they should not be: files that differ, are empty, vanish or name themselves, and batches without measure.

use crate::{
    case::{Case, storage, tensor},
    support::files::fixtures,
};
use pontil::{
    dataset::{Dataset, Options, Shuffle},
    faults::{Code, Faults},
    limits::Limits,
    mocha::Blob,
    save::{self, Target},
    source::Source,
    tensor::DType,
};
use serde_json::json;
use std::{fs, path::Path, thread};

/// A file of `data` and `label`, with so many examples of a shape, counted from `first`.
fn write(path: &Path, first: usize, examples: usize, shape: &[usize]) {
    let whole: Vec<usize> = [examples].iter().chain(shape).copied().collect();
    let mut data = Blob::noughts(&whole).unwrap();
    let each = data.features().max(1);
    data.numbers.iter_mut().enumerate().for_each(|(place, number)| *number = (first + place / each) as f64);
    let label =
        Blob::new(vec![examples, 1], (first..first + examples).map(|example| example as f64).collect()).unwrap();
    let named = [("data".to_owned(), tensor(&data, DType::F32)), ("label".to_owned(), tensor(&label, DType::F32))];
    save::datasets(&named, Target::Path(path), &Default::default(), &mut Faults::default()).unwrap();
}

fn open(list: &str, folder: &Path, options: Options) -> Result<Dataset, (Vec<Code>, String)> {
    let mut faults = Faults::default();
    let source = Source::memory(storage(list.as_bytes()));
    let options = Options { folder: Some(folder.to_owned()), ..options };
    Dataset::open(&source, options, &mut faults)
        .map_err(|_| (faults.iter().map(|fault| fault.code).collect(), faults.text()))
}

fn batches(batch: usize) -> Options {
    Options { batch, ..Options::default() }
}

fn labels(set: &mut Dataset) -> Vec<f64> {
    Blob::of(&set.next(&mut Faults::default()).unwrap().tops[1]).unwrap().numbers
}

/// The list of the reference: its files, its first batch and where the second begins.
pub fn source_list(case: &Case) -> Result<(), String> {
    let (folder, expected) = (fixtures("mocha"), &case.0["expected"]);
    let text = fs::read_to_string(folder.join(case.0["params"]["source"].as_str().unwrap())).unwrap();
    // Where none of its files is, each is a fault.
    let nowhere = tempfile::tempdir().unwrap();
    let (codes, says) = open(&text, nowhere.path(), batches(1)).err().ok_or("it is read where no file is")?;
    let files = codes.iter().filter(|code| **code == Code::NotFound).count();
    assert_eq!(files, codes.len(), "{says}");
    let batch = case.0["params"]["batch_size"].as_u64().unwrap() as usize;
    let mut set = open(&text, &folder, batches(batch)).map_err(|(_, text)| text)?;
    let first = set.next(&mut Faults::default()).unwrap();
    let second = Blob::of(&set.next(&mut Faults::default()).unwrap().tops[0]).unwrap().numbers[0];
    let label: Vec<u64> = Blob::of(&first.tops[1]).unwrap().numbers.iter().map(|label| *label as u64).collect();
    let told = json!([files, label, first.tops[0].shape(), second]);
    let should = json!([
        expected["n_files"],
        expected["first_batch_label"],
        expected["data_shape_rowmajor"],
        expected["first_value_of_batch2"]
    ]);
    if told == should { Ok(()) } else { Err(format!("{told} instead of {should}")) }
}

/// Shuffled by both ways: each example as often as the others, and each epoch an order of all.
pub fn shuffled(case: &Case) -> Result<(), String> {
    let number = |name: &str| case.0["params"][name].as_u64().unwrap() as usize;
    let (n, batch) = (number("n"), number("batch_size"));
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("one"), 0, n, &[]);
    for chunk in [None, Some(number("async_chunk_size"))] {
        let options = Options { shuffle: Some(Shuffle::Seed(3)), chunk, ..batches(batch) };
        let mut set = open("one", folder.path(), options).map_err(|(_, text)| text)?;
        let all: Vec<f64> = (0..n).flat_map(|_| labels(&mut set)).collect();
        let times = |value: usize| all.iter().filter(|label| **label == value as f64).count() as u64;
        let should = case.0["expected"]["after_n_forwards_each_value_count"].as_u64().unwrap();
        let whole = |epoch: &[f64]| (0..n).all(|value| epoch.contains(&(value as f64)));
        if !(0..n).all(|value| times(value) == should) || !all.chunks(n).all(whole) {
            return Err(format!("{chunk:?}: {all:?}"));
        }
    }
    Ok(())
}

#[test]
fn files_that_do_not_fit_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, examples, shape) in [("a", 3, &[2, 2][..]), ("b", 2, &[2, 3]), ("none", 0, &[2, 2]), ("empty", 4, &[0])]
    {
        write(&at.join(name), 0, examples, shape);
    }
    fs::write(at.join("nothing"), "").unwrap();
    fs::write(at.join("list"), "a\nlist\n").unwrap();
    let refused = |list: &str, options: Options| open(list, at, options).map(|_| ()).unwrap_err();
    let (codes, text) = refused("a\nb\nnothing\nlist\nmissing\n.", batches(1));
    assert_eq!(codes.len(), 5, "{text}");
    for name in ["b", "nothing", "list", "missing"] {
        assert!(text.contains(&format!("{}", at.join(name).display())), "{name}: {text}");
    }
    assert_eq!(refused("none\nnone", batches(1)).0, [Code::Absent]);
    assert_eq!(refused("a", batches(usize::MAX)).0, [Code::Value, Code::Limit]);
    let few = Limits { session_bytes: 1000, ..Limits::default() };
    assert_eq!(refused("a", Options { limits: few, ..batches(51) }).0, [Code::Limit]);
    assert!(open("a", at, Options { limits: few, ..batches(50) }).is_ok());

    let mut set = open("none\na\nnone", at, batches(2)).unwrap();
    assert_eq!([labels(&mut set), labels(&mut set)], [[0.0, 1.0], [2.0, 0.0]]);
    let mut set = open("empty", at, batches(3)).unwrap();
    assert_eq!(set.next(&mut Faults::default()).unwrap().tops[0].shape(), [3, 0]);
}

#[test]
fn files_may_vanish_once_the_set_is_open() {
    let folder = tempfile::tempdir().unwrap();
    for (name, first) in [("a", 0), ("b", 3)] {
        write(&folder.path().join(name), first, 3, &[2]);
    }
    for ahead in [0, 2] {
        let mut set = open("a\nb", folder.path(), Options { ahead, ..batches(3) }).unwrap();
        assert_eq!(labels(&mut set), [0.0, 1.0, 2.0]);
        fs::rename(folder.path().join("b"), folder.path().join("away")).unwrap();
        assert_eq!(labels(&mut set), [3.0, 4.0, 5.0]);
        assert_eq!(labels(&mut set), [0.0, 1.0, 2.0]);
        fs::rename(folder.path().join("away"), folder.path().join("b")).unwrap();
    }
}

#[test]
fn a_batch_far_larger_than_the_set() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("one"), 7, 1, &[]);
    let mut set = open("one", folder.path(), batches(1 << 20)).unwrap();
    assert!(labels(&mut set).iter().all(|label| *label == 7.0));
    assert_eq!(set.epoch(), 1 << 20);
}

#[test]
fn eight_threads_read_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    for (name, first, examples) in [("a", 0, 3), ("b", 3, 2), ("c", 5, 6)] {
        write(&folder.path().join(name), first, examples, &[4]);
    }
    let read = |ahead| {
        let mut set = open("a\nb\nc", folder.path(), Options { ahead, ..batches(5) }).unwrap();
        (0..40).flat_map(|_| labels(&mut set)).collect::<Vec<f64>>()
    };
    let should = read(0);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || read(number % 3))).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), should));
    });
}
