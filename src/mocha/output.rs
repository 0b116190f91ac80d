//! What output layers keep, and the files some of them make of it.

use super::{Blob, Evaluation};
use crate::describe::mocha::Kind;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::save::{self, Target};
use crate::tensor::{DType, Storage, Tensor};
use std::path::Path;

/// What an output layer kept of one of its bottoms: the blob of each run, in order.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Place of the layer in the network.
    pub layer: usize,
    /// The bottom.
    pub bottom: String,
    /// Its blobs.
    pub blobs: Vec<Blob>,
}

/// Faults of output files that are there already and may not be replaced.
pub(super) fn check(kinds: &[(&str, &Kind)], faults: &mut Faults) {
    for (name, kind) in kinds {
        let Kind::Hdf5Output { filename, overwrite: false, .. } = kind else { continue };
        if Path::new(filename).exists() {
            let message = format!(
                "layer {}: the file '{}' is there already; `force_overwrite` would replace it",
                quoted_str(name),
                quoted_str(filename)
            );
            faults.push(Fault::new(Code::Value, message).path(*name));
        }
    }
}

impl Evaluation {
    /// What the output layer of this name kept of a bottom since the last reset: the blob of each run.
    pub fn output(&self, layer: &str, bottom: &str) -> &[Blob] {
        let named = |kept: &&Kept| kept.bottom == bottom && self.layer_name(kept.layer) == layer;
        self.kept.iter().find(named).map_or(&[], |kept| &kept.blobs)
    }

    /// Forgets what the output layers kept.
    pub fn reset_outputs(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.blobs.clear());
    }

    /// Writes the files of the HDF5 output layers: for each bottom a dataset, the batches of all runs one after another.
    pub fn write_outputs(&self, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        for (place, layer) in self.net().layers().iter().enumerate() {
            let Kind::Hdf5Output { filename, datasets, .. } = &layer.kind else { continue };
            let kept = self.kept.iter().filter(|kept| kept.layer == place);
            let filled = kept.enumerate().filter(|(_, kept)| !kept.blobs.is_empty());
            let named = filled.map(|(at, kept)| {
                let name = datasets.get(at).unwrap_or(&kept.bottom).clone();
                Some((name, joined(&kept.blobs, self.dtype())?))
            });
            let Some(datasets) = named.collect::<Option<Vec<(String, Tensor)>>>() else {
                let message = format!("There is no memory for what layer '{}' kept.", quoted_str(&layer.name));
                faults.push(Fault::new(Code::Memory, message).path(&layer.name));
                continue;
            };
            let _ = save::datasets(&datasets, Target::Path(Path::new(filename)), &Default::default(), faults);
        }
        faults.refused_since(mark)
    }
}

/// Blobs one after another along the batch; none if there are none, or there is no memory for them.
fn joined(blobs: &[Blob], dtype: DType) -> Option<Tensor> {
    let mut shape = blobs.first()?.shape.clone();
    if let Some(batch) = shape.first_mut() {
        *batch = blobs.iter().map(Blob::examples).sum();
    }
    let size = dtype.size()?;
    let count = crate::tensor::count(&shape)?;
    let storage = Storage::filled(count.checked_mul(size)?, |bytes| {
        let numbers = blobs.iter().flat_map(|blob| &blob.numbers);
        for (to, number) in bytes.chunks_exact_mut(size).zip(numbers) {
            match dtype {
                DType::F64 => to.copy_from_slice(&number.to_le_bytes()),
                _ => to.copy_from_slice(&(*number as f32).to_le_bytes()),
            }
        }
    })?;
    Tensor::packed(dtype, shape, storage)
}
