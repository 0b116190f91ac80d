//! Numbers on their way into a slot.

use crate::{
    faults::Text,
    tensor::{DType, Tensor},
};

/// Numbers with the path of the slot they are for, as a file or a host hands them over.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Dotted path of the slot.
    pub path: Text,
    /// The numbers.
    pub tensor: Tensor,
    /// Where they stand, in the file's own words (`line 3`, a tensor's name, a dataset's path).
    pub place: Text,
    /// Byte of the source at which they begin, if known.
    pub offset: Option<u64>,
}

/// The same without the numbers: what a file lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Dotted path.
    pub path: Text,
    /// Where it stands, in the file's own words.
    pub place: Text,
    /// Element type, as the file has it.
    pub dtype: DType,
    /// Shape, as the file has it.
    pub shape: Vec<usize>,
    /// How many bytes the numbers take.
    pub bytes: u64,
    /// Byte of the source at which they begin, if known.
    pub offset: Option<u64>,
}
