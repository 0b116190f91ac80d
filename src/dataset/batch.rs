//! What a data set gives: the numbers of some examples, top by top.

use crate::tensor::{DType, Tensor, count};

/// One kind of numbers of each example: `data`, `label`.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// Its name, that of the datasets it comes from.
    pub name: String,
    /// Shape of one example.
    pub shape: Vec<usize>,
    /// F32 or F64, as the files have it.
    pub dtype: DType,
}

impl Top {
    /// Bytes of so many examples.
    pub(super) fn bytes(&self, examples: usize) -> Option<usize> {
        self.dtype.bytes(count(&self.shape)?)?.checked_mul(examples)
    }
}

/// The numbers of a batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// For each top its numbers, packed, the batch as the first axis.
    pub tops: Vec<Tensor>,
    /// How often the last example of the set has been given, this batch among it.
    pub epoch: u64,
}
