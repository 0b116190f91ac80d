//! Trained networks of Mocha and Caffe: numbers by the names of layers.
//!
//! `model` reads HDF5 files of `<layer>___<parameter>`, `snapshot` Mocha's snapshots and statistics (JLD, which is HDF5), `caffe`
//! Caffe's own files. Listings have the paths of a state dict: `conv1.weight` is what Mocha calls `conv1___filter`. `fitted`
//! brings the numbers to a network in Mocha's words by Mocha's rule of similar shapes; to one in other words they go as
//! PyTorch's, whose order of axes is the same.

mod caffe;
mod fitted;
mod model;
mod snapshot;

pub(super) use caffe::Caffe;
pub(super) use model::Model;
pub(super) use snapshot::Snapshot;

use super::ImportOptions;
use crate::{
    describe::{Description, Ports},
    faults::Text,
    limits::Limits,
};

/// What a file keeps of the options it was opened with: the network its numbers are for, if in Mocha's words.
struct Wanted {
    network: Option<Description>,
    ports: Ports,
}

impl Wanted {
    fn of(options: &ImportOptions<'_>) -> Wanted {
        let network = options.network.filter(|network| network.form == crate::describe::Form::Mocha).cloned();
        Wanted { network, ports: Ports { examples: options.examples.clone(), layout: options.layout } }
    }
}

/// The path of a layer's parameter: filters are weights.
fn path(layer: &[u8], parameter: &[u8]) -> Text {
    let parameter = if parameter == b"filter" { b"weight" } else { parameter };
    Text::from_wtf8(&[layer, b".", parameter].concat())
}

/// The root of an HDF5 file, for a look at its names; none if it can not be read.
fn root(source: &crate::source::Source, limits: &Limits) -> Option<crate::formats::hdf5::Group> {
    let mut faults = crate::faults::Faults::default();
    crate::formats::hdf5::File::open(source, limits, &mut faults).ok()?.root(&mut faults).ok()
}
