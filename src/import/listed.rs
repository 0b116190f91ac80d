//! What the listing says of a dataset of HDF5. Called by the readers of files that are nothing but datasets.

use crate::{faults::Text, formats::hdf5::Dataset, network::Listed};

/// The row of a dataset under this path; nothing if it has no numbers.
pub(super) fn listed(path: Text, dataset: &Dataset) -> Option<Listed> {
    Some(Listed {
        path,
        place: dataset.path().clone(),
        dtype: dataset.datatype().dtype()?,
        shape: dataset.shape()?.to_vec(),
        bytes: dataset.bytes() as u64,
        offset: dataset.offset(),
    })
}
