//! What a format must do to be a row of the table.

use super::{ImportOptions, Summary};
use crate::{
    describe::{Description, Graph, Ports},
    faults::{Faults, Refused, Text},
    limits::Limits,
    network::{Entry, Listed, Turn},
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

    /// A second look at a file whose first bytes are recognised, where they are those of several formats.
    fn confirms(&self, source: &Source, head: &[u8], limits: &Limits) -> bool {
        let _ = (source, head, limits);
        true
    }

    /// Reads the listing of a file, no numbers.
    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused>;
}

/// Reads the entries that are wanted, as [`Import`](super::Import) lists them: prefixes taken away, progress told.
pub(super) type Read<'a> = &'a dyn Fn(&dyn Fn(&Listed) -> bool, &mut Faults) -> Result<Vec<Entry>, Refused>;

/// A file whose listing has been read. Paths are as the file has them.
pub(super) trait Opened: Send + Sync {
    /// What it holds, in the order of the file.
    fn entries(&self) -> &[Listed];

    /// Its notes.
    fn notes(&self) -> &[(Text, Text)] {
        &[]
    }

    /// The numbers of an entry, as the file has them; `index` is one of [`Opened::entries`].
    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused>;

    /// All it holds as a tree, if that is more than its entries. Without `progress` no numbers are read: each tensor is a
    /// leaf that was not loaded.
    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        let _ = (progress, faults);
        Ok(None)
    }

    /// Whether it says its layers, and does not hold numbers alone.
    fn says_layers(&self) -> bool {
        false
    }

    /// The layers with their numbers, the ports as the host wants them; none if the file does not say them.
    fn layers(&self, ports: &Ports, faults: &mut Faults) -> Option<Result<Layers, Refused>> {
        let _ = (ports, faults);
        None
    }

    /// The numbers for the slots of a network that the host says, each with its turn; none where [`Opened::order`] says how they
    /// stand. `read` gives entries under the names the host sees them by.
    fn fitted(
        &self,
        graph: &Graph,
        read: Read<'_>,
        faults: &mut Faults,
    ) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
        let _ = (graph, read, faults);
        None
    }

    /// What the framework's own summary of a model tells, where it has one.
    fn summary(&self) -> Option<Summary> {
        None
    }

    /// The loss that takes the last activation of the network over, where the file says it and the host asks for it.
    fn loss(&self) -> Option<&'static str> {
        None
    }

    /// In which order the numbers of a slot stand; refused if that is not known, which a listing need not mind.
    fn order(&self, faults: &mut Faults) -> Result<Order, Refused>;
}

/// A network that a file says itself.
pub(super) struct Layers {
    /// Its layers in Pontil's words.
    pub(super) description: Description,
    /// The numbers of its slots as the file keeps them, each with the turn its layer wants.
    pub(super) numbers: Vec<(Entry, Turn)>,
}

/// In which order a file keeps the numbers of a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The library's own.
    Canonical,
    /// PyTorch's.
    Pytorch,
}
