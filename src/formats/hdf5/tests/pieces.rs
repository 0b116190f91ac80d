//! Datasets in pieces that were shuffled and compressed: the numbers, and the memory that reading them takes.

use super::{fixtures, open};
use crate::{
    capi::allocator::peak,
    faults::Faults,
    tensor::{DType, Tensor},
};

/// One million numbers `i % 7` in rows of a quarter each.
const BYTES: u64 = 4 << 20;

fn tensor(name: &str) -> (Tensor, u64) {
    let mut faults = Faults::default();
    let file = open(&fixtures().join("large/shuffled.h5"), &mut faults).unwrap();
    let object = file.root(&mut faults).unwrap().find(name, &mut faults).unwrap().unwrap();
    let (read, held) = peak(|| object.dataset().unwrap().tensor(&mut faults));
    (read.unwrap_or_else(|_| panic!("{}", faults.text())), held)
}

fn doubles(tensor: &Tensor) -> Vec<f64> {
    let wide = tensor.converted(DType::F64).unwrap();
    wide.packed_bytes().unwrap().chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// Beside what is read there is one piece as it was before it was shuffled, never two.
#[test]
fn a_piece_is_held_once() {
    const SLACK: u64 = 256 << 10;
    for (name, piece) in [("many", BYTES / 4), ("one", BYTES)] {
        let (read, held) = tensor(name);
        assert!(held <= BYTES + piece + SLACK, "{name}: {held} bytes");
        assert_eq!(read.shape(), [4, 1 << 18]);
        assert!(doubles(&read).iter().enumerate().all(|(place, &number)| number == (place % 7) as f64), "{name}");
    }
}

/// Pieces that reach beyond the dataset, with a checksum.
#[test]
fn pieces_at_the_edge() {
    let (read, _) = tensor("edge");
    assert_eq!(read.shape(), [4, 1000]);
    let expected = |place: usize| ((place / 1000 * (1 << 18) + place % 1000) % 7) as f64 + 0.5;
    assert!(doubles(&read).iter().enumerate().all(|(place, &number)| number == expected(place)));
}
