//! Datasets in pieces that were shuffled and compressed: the numbers.

use super::{fixtures, open};
use crate::{
    faults::Faults,
    tensor::{DType, Tensor},
};

fn tensor(name: &str) -> Tensor {
    let mut faults = Faults::default();
    let file = open(&fixtures().join("large/shuffled.h5"), &mut faults).unwrap();
    let object = file.root(&mut faults).unwrap().find(name, &mut faults).unwrap().unwrap();
    let read = object.dataset().unwrap().tensor(&mut faults);
    read.unwrap_or_else(|_| panic!("{}", faults.text()))
}

fn doubles(tensor: &Tensor) -> Vec<f64> {
    let wide = tensor.converted(DType::F64).unwrap();
    wide.packed_bytes().unwrap().chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// One million numbers `i % 7` in rows of a quarter each, in four pieces and in one.
#[test]
fn pieces_are_unshuffled() {
    for name in ["many", "one"] {
        let read = tensor(name);
        assert_eq!(read.shape(), [4, 1 << 18]);
        assert!(doubles(&read).iter().enumerate().all(|(place, &number)| number == (place % 7) as f64), "{name}");
    }
}

/// Pieces that reach beyond the dataset, with a checksum.
#[test]
fn pieces_at_the_edge() {
    let read = tensor("edge");
    assert_eq!(read.shape(), [4, 1000]);
    let expected = |place: usize| ((place / 1000 * (1 << 18) + place % 1000) % 7) as f64 + 0.5;
    assert!(doubles(&read).iter().enumerate().all(|(place, &number)| number == expected(place)));
}
