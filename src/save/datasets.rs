//! HDF5 files that are nothing but named datasets at their root: Mocha's models and outputs.

use super::{Target, hdf5::hdf5};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::hdf5::{Bools, Branch, Datum, Plan},
    progress::Progress,
    tensor::Tensor,
};

/// Writes arrays under their names, in order.
pub fn datasets(
    datasets: &[(String, Tensor)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    let mut root = Branch::new(false);
    for (name, tensor) in datasets {
        match Datum::numbers(tensor.clone(), Bools::Bits) {
            Some(datum) => root.dataset(name, datum),
            None => {
                let (name, dtype) = (quoted_str(name), tensor.dtype().name());
                faults.push(Fault::new(Code::DType, format!("'{name}' is {dtype}, which HDF5 does not have.")));
            }
        }
    }
    faults.refused_since(mark)?;
    hdf5(&Plan::of(&root, faults)?, target, progress, faults)
}
