//! What output layers keep, and the files some of them make of it.

use super::{Blob, Evaluation};
use crate::describe::mocha::Kind;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::save::{self, Target};
use crate::tensor::{DType, Storage, Tensor, count, shape_text};
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

    /// Writes the files of the HDF5 output layers: for each bottom a dataset, the batches of all runs one after another. Runs
    /// whose examples were not of one shape are refused.
    pub fn write_outputs(&self, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        for (place, layer) in self.net().layers().iter().enumerate() {
            let Kind::Hdf5Output { filename, datasets, .. } = &layer.kind else { continue };
            let kept = self.kept.iter().filter(|kept| kept.layer == place);
            let filled = kept.enumerate().filter(|(_, kept)| !kept.blobs.is_empty());
            let before = faults.mark();
            let mut named = Vec::new();
            for (at, kept) in filled {
                match joined(kept, self.dtype()) {
                    Ok(tensor) => named.push((datasets.get(at).unwrap_or(&kept.bottom).clone(), tensor)),
                    Err((code, says)) => faults.push(layer.fault(code, &says)),
                }
            }
            if faults.refused_since(before).is_ok() {
                let _ = save::datasets(&named, Target::Path(Path::new(filename)), &Default::default(), faults);
            }
        }
        faults.refused_since(mark)
    }
}

/// The blobs of all runs one after another along the batch; or why they can not be put together.
fn joined(kept: &Kept, dtype: DType) -> Result<Tensor, (Code, String)> {
    let blobs = kept.blobs.as_slice();
    let mut shape = blobs.first().map(|first| first.shape.clone()).unwrap_or_default();
    if let Some(other) = blobs.iter().skip(1).find(|other| shape.is_empty() || other.shape.get(1..) != shape.get(1..)) {
        let (bottom, first, other) = (quoted_str(&kept.bottom), shape_text(&shape), shape_text(&other.shape));
        let says =
            format!("its bottom {bottom} was {first} in one run and {other} in another: one dataset holds neither");
        return Err((Code::Shape, says));
    }
    if let Some(batch) = shape.first_mut() {
        *batch = blobs.iter().map(Blob::examples).sum();
    }
    let numbers = blobs.iter().flat_map(|blob| &blob.numbers);
    let fill = |bytes: &mut [u8]| match dtype {
        DType::F64 => bytes.chunks_exact_mut(8).zip(numbers).for_each(|(to, n)| to.copy_from_slice(&n.to_le_bytes())),
        _ => {
            let singles = numbers.map(|number| *number as f32);
            bytes.chunks_exact_mut(4).zip(singles).for_each(|(to, n)| to.copy_from_slice(&n.to_le_bytes()));
        }
    };
    let bytes = count(&shape).and_then(|count| dtype.bytes(count));
    let storage = bytes.and_then(|bytes| Storage::filled(bytes, fill));
    storage.and_then(|storage| Tensor::packed(dtype, shape, storage)).ok_or_else(|| {
        (Code::Memory, format!("there is no memory for what it kept of its bottom {}", quoted_str(&kept.bottom)))
    })
}
