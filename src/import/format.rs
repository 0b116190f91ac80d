//! What a format must do to be a row of the table.

use super::ImportOptions;
use crate::{
    describe::Description,
    faults::{Faults, Refused, Text},
    network::Listed,
    params::Params,
    progress::Progress,
    source::Source,
    tensor::Tensor,
};

/// A row of the table of formats.
pub(super) trait Format: Sync {
    /// Its name, as a host forces it.
    fn name(&self) -> &'static str;

    /// Whether a file that begins with these bytes is one.
    fn recognises(&self, head: &[u8]) -> bool;

    /// Reads the listing of a file, no numbers.
    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused>;
}

/// A file whose listing has been read. Paths are as the file has them.
pub(super) trait Opened: Send + Sync {
    /// What it holds, in the order of the file.
    fn entries(&self) -> &[Listed];

    /// Its notes.
    fn notes(&self) -> &[(Text, Text)] {
        &[]
    }

    /// The numbers of an entry, as the file has them.
    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused>;

    /// All it holds as a tree, if that is more than its entries. Without `progress` no numbers are read: each tensor is a
    /// leaf that was not loaded.
    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        let _ = (progress, faults);
        Ok(None)
    }

    /// The layers, if the file says them.
    fn description(&self) -> Option<&Description> {
        None
    }

    /// In which order the numbers of a slot stand; refused if that is not known, which a listing need not mind.
    fn order(&self, faults: &mut Faults) -> Result<Order, Refused>;
}

/// In which order a file keeps the numbers of a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The library's own.
    Canonical,
    /// PyTorch's.
    Pytorch,
}
