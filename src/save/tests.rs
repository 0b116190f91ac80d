//! What is written against the reference writer, and what is left behind when writing fails.

use super::*;
use crate::{
    faults::{Code, Faults, Refused, Text},
    network::Entry,
    progress::Progress,
    tensor::{DType, Storage, Tensor},
};
use std::{collections::HashMap, fs, sync::Arc};

fn entry(path: &str, tensor: Tensor) -> Entry {
    Entry { path: path.into(), tensor, place: Text::default(), offset: None }
}

fn numbers() -> Vec<Entry> {
    let row = Tensor::filled_f32(vec![2, 3], |out| out.copy_from_slice(&[0., 1., 2., 3., 4., 5.])).unwrap();
    let eight = Storage::copied(&7i64.to_le_bytes()).unwrap();
    let count = Tensor::packed(DType::I64, vec![], eight).unwrap();
    vec![entry("b", row.permuted(&[1, 0]).unwrap()), entry("a", row), entry("count", count)]
}

fn written(entries: &[Entry]) -> (Vec<u8>, Result<(), Refused>) {
    let mut bytes = b"kept".to_vec();
    let result = safetensors(
        entries,
        &[("format", "pt")],
        Target::Bytes(&mut bytes),
        &Progress::default(),
        &mut Faults::default(),
    );
    (bytes, result)
}

#[test]
fn equal_to_the_reference_writer_wherever_it_goes() {
    let entries = numbers();
    let raw: Vec<Vec<u8>> =
        entries.iter().map(|e| e.tensor.to_packed().unwrap().packed_bytes().unwrap().to_vec()).collect();
    let views = entries.iter().zip(&raw).map(|(entry, bytes)| {
        let dtype = serde_json::from_str(&format!("\"{}\"", entry.tensor.dtype().name())).unwrap();
        let view = ::safetensors::tensor::TensorView::new(dtype, entry.tensor.shape().to_vec(), bytes).unwrap();
        (entry.path.as_str().unwrap().to_owned(), view)
    });
    let notes = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    let expected = ::safetensors::serialize(views, Some(notes)).unwrap();
    assert_eq!(written(&entries).0, [&b"kept"[..], &expected].concat());

    let mut pieces = Vec::new();
    let mut write = |at: u64, piece: &[u8]| {
        assert_eq!(at, pieces.len() as u64);
        pieces.extend_from_slice(piece);
        true
    };
    let (notes, progress) = ([("format", "pt")], Progress::default());
    safetensors(&entries, &notes, Target::Writer(&mut write), &progress, &mut Faults::default()).unwrap();
    assert_eq!(pieces, expected);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    fs::write(&path, "old").unwrap();
    safetensors(&entries, &notes, Target::Path(&path), &progress, &mut Faults::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    fs::write(&path, "old").unwrap();
    let stop = Progress { cancel: None, tell: Some(Arc::new(|done, total| done == total)) };
    let mut faults = Faults::default();
    let refused = safetensors(&numbers(), &[], Target::Path(&path), &stop, &mut faults).unwrap_err();
    assert_eq!(refused, Refused(Code::Stopped));
    assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"old".to_vec(), 1));
    let mut bytes = b"kept".to_vec();
    safetensors(&numbers(), &[], Target::Bytes(&mut bytes), &stop, &mut faults).unwrap_err();
    assert_eq!(bytes, b"kept");
    let mut fails = |at: u64, _: &[u8]| at == 0;
    let refused = safetensors(&numbers(), &[], Target::Writer(&mut fails), &Progress::default(), &mut faults);
    assert!(refused.is_err());
    for place in [folder.path().join("none/model"), folder.path().to_path_buf()] {
        assert!(safetensors(&numbers(), &[], Target::Path(&place), &Progress::default(), &mut faults).is_err());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_and_types_the_format_does_not_have() {
    let tensor = || numbers().remove(1).tensor;
    let complex = Tensor::packed(DType::C128, vec![0], Storage::filled(0, |_| ()).unwrap()).unwrap();
    let mut odd = entry("x", tensor());
    odd.path = Text::from_wtf8(b"a\xED\xB2\x80");
    let entries =
        [entry("a", tensor()), entry("a", tensor()), entry("__metadata__", tensor()), odd, entry("c", complex)];
    let mut faults = Faults::default();
    let mut bytes = Vec::new();
    let notes = [("k", "1"), ("k", "2")];
    safetensors(&entries, &notes, Target::Bytes(&mut bytes), &Progress::default(), &mut faults).unwrap_err();
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::KeyTwice, Code::Value, Code::Encoding, Code::Unsupported, Code::KeyTwice]);
}
