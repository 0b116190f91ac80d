//! Small files that would become large, or never end: each refused before it costs anything.

use super::{dump::dump, open_bytes, *};
#[cfg(test)]
use crate::capi::allocator::peak;
use crate::{
    faults::{Code, Text},
    tensor::{DType, Tensor},
};
use cpu_time::ThreadTime;

fn written(root: &Branch) -> Vec<u8> {
    let (mut out, mut faults) = (Vec::new(), Faults::default());
    let plan = Plan::of(root, &mut faults).unwrap();
    let put = &mut |piece: &[u8], _: &mut Faults| {
        out.extend(piece);
        Ok(())
    };
    plan.write(put, &mut faults).unwrap();
    out
}

/// Reads everything; the codes of what was refused.
pub fn cost(bytes: &[u8]) -> Vec<Code> {
    let before = ThreadTime::now();
    let (codes, held) = peak(|| {
        let mut faults = Faults::default();
        if let Ok(file) = open_bytes(bytes, &mut faults) {
            let _ = dump(&file, &mut faults);
        }
        faults.iter().map(|fault| fault.code).collect::<Vec<_>>()
    });
    assert!(before.elapsed().as_secs() < 2, "{:?}", before.elapsed());
    assert!(held <= 2 * bytes.len() as u64 + (16 << 20), "{held} bytes for {}", bytes.len());
    codes
}

fn text(length: usize) -> Text {
    "x".repeat(length).into()
}

/// Every lead becomes the first of its value.
fn alike(bytes: &mut [u8], at: usize, count: usize) {
    let first: [u8; 16] = bytes[at..at + 16].try_into().unwrap();
    (0..count).for_each(|i| bytes[at + 16 * i..at + 16 * (i + 1)].copy_from_slice(&first));
}

#[test]
fn one_text_many_times() {
    let mut root = Branch::new(false);
    let texts = std::iter::once(text(1 << 20)).chain((0..4000).map(|_| text(1))).collect();
    root.dataset("texts", Datum::long_texts(texts, true));
    let mut bytes = written(&root);
    assert_eq!(cost(&bytes), []);
    let mut faults = Faults::default();
    let file = open_bytes(&bytes, &mut faults).unwrap();
    let set = file.root(&mut faults).unwrap().find("texts", &mut faults).unwrap().unwrap();
    alike(&mut bytes, set.dataset().unwrap().offset().unwrap() as usize, 4001);
    assert_eq!(cost(&bytes), [Code::Hostile]);
}

#[test]
fn one_text_of_many_attributes() {
    let mut root = Branch::new(false);
    root.attribute("a", Datum::long_text(text(1 << 20), true));
    (0..2000).for_each(|i| root.attribute(format!("b{i}"), Datum::long_text(text(1 + i), true)));
    let mut bytes = written(&root);
    assert_eq!(cost(&bytes), []);
    let mut faults = Faults::default();
    let file = open_bytes(&bytes, &mut faults).unwrap();
    let attributes = file.root(&mut faults).unwrap().attributes(&mut faults).unwrap();
    let places: Vec<usize> = attributes.iter().map(|attribute| attribute.value().place() as usize).collect();
    let first: [u8; 16] = bytes[places[0]..places[0] + 16].try_into().unwrap();
    places.iter().for_each(|&place| bytes[place..place + 16].copy_from_slice(&first));
    let end = places.iter().max().unwrap() + 16;
    let sum = hdf5_reader::checksum::jenkins_lookup3(&bytes[48..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    let codes = cost(&bytes);
    assert!(codes.len() > 1900 && codes.iter().all(|code| *code == Code::Hostile), "{}", codes.len());
}

#[test]
fn deeper_than_the_limit() {
    let mut root = Branch::new(true);
    for _ in 0..200 {
        let mut outer = Branch::new(true);
        outer.group("g", root);
        root = outer;
    }
    assert_eq!(cost(&written(&root)), [Code::Limit]);
}

/// Every group links the next one twice: 2^60 ways to the last.
#[test]
fn groups_that_are_linked_twice() {
    let mut root = Branch::new(false);
    for _ in 0..60 {
        let mut outer = Branch::new(false);
        outer.group("a", root);
        outer.group("b", Branch::new(false));
        root = outer;
    }
    let mut bytes = written(&root);
    let headers: Vec<usize> = (0..bytes.len() - 4).filter(|&at| &bytes[at..at + 4] == b"OHDR").collect();
    for &at in &headers {
        let length = u32::from_le_bytes(bytes[at + 6..at + 10].try_into().unwrap()) as usize;
        let end = at + 10 + length;
        let link = |name: u8, bytes: &[u8]| (at..end).find(|&i| bytes[i..i + 3] == [1, 1, name]).map(|i| i + 3);
        if let (Some(a), Some(b)) = (link(b'a', &bytes), link(b'b', &bytes)) {
            bytes.copy_within(a..a + 8, b);
            let sum = hdf5_reader::checksum::jenkins_lookup3(&bytes[at..end]);
            bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        }
    }
    let codes = cost(&bytes);
    assert!(codes.len() == 60 && codes.iter().all(|code| *code == Code::Hostile), "{codes:?}");
}

/// Pieces of which there are more than the file has bytes, and axes longer than what is kept.
#[test]
fn axes_that_are_longer_than_the_file() {
    let chunked = std::fs::read(fixtures().join("chunks_earliest.h5")).unwrap();
    let shape = [7_u64.to_le_bytes(), 5_u64.to_le_bytes()].concat();
    let mut ran = 0;
    for length in [1_u64 << 20, 1 << 33, 1 << 62] {
        let mut bytes = chunked.clone();
        for at in 0..bytes.len() - 16 {
            if bytes[at..at + 16] == shape {
                bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
                ran += 1;
            }
        }
        assert!(!cost(&bytes).is_empty());
    }
    assert!(ran > 20, "{ran}");
    let mut root = Branch::new(false);
    let zeros = Tensor::packed(DType::U8, vec![9], Storage::filled(9, |_| ()).unwrap()).unwrap();
    root.dataset("x", Datum::numbers(zeros, Bools::Bits).unwrap());
    assert_eq!(cost(&written(&root)), []);
}
