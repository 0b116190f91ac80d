//! What is done to the numbers of a top before they are handed out.

use super::batch::Top;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::formats::hdf5;
use crate::limits::Limits;
use crate::source::Source;
use crate::tensor::{DType, Tensor, shape_text};

/// A change of every number of a top.
#[derive(Clone, Debug)]
pub enum Transform {
    /// Multiplied by a number.
    Scale(f64),
    /// A mean taken from each example: of one example's shape, or of a batch whose first is taken.
    SubMean(Tensor),
}

impl Transform {
    /// The mean that a file has as its dataset `mean`.
    pub fn mean_file(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Transform, Refused> {
        let root = hdf5::File::open(source, limits, faults)?.root(faults)?;
        let found = root.member("mean", faults)?;
        match found.as_ref().and_then(|object| object.dataset()) {
            Some(dataset) => Ok(Transform::SubMean(dataset.tensor(faults)?)),
            None => {
                let message = "The file has no dataset 'mean'.";
                Err(faults.refuse(Fault::new(Code::Absent, message).place("/")))
            }
        }
    }
}

/// A transform made ready for a top.
#[derive(Clone, Debug)]
pub(super) enum Ready {
    Scale(f64),
    SubMean(Vec<f64>),
}

impl Ready {
    /// Checks a transform against the top it is for.
    pub fn of(transform: &Transform, top: &Top) -> Result<Ready, Fault> {
        let mean = match transform {
            Transform::Scale(factor) => return Ok(Ready::Scale(*factor)),
            Transform::SubMean(mean) => mean,
        };
        let (shape, wanted) = (mean.shape(), top.shape.as_slice());
        let of_batch = shape.len() == wanted.len() + 1 && shape.get(1..) == Some(wanted) && shape[0] > 0;
        if shape != wanted && !of_batch {
            let message = format!(
                "The mean for '{}' is {}, and an example is {}.",
                quoted_str(&top.name),
                shape_text(shape),
                shape_text(wanted)
            );
            return Err(Fault::new(Code::Shape, message).path(&top.name));
        }
        let numbers = mean.converted(DType::F64).and_then(|mean| {
            let each: usize = wanted.iter().product();
            let bytes = mean.packed_bytes()?.get(..each.checked_mul(8)?)?;
            Some(bytes.chunks_exact(8).filter_map(|b| b.try_into().ok()).map(f64::from_le_bytes).collect())
        });
        numbers.map(Ready::SubMean).ok_or_else(|| {
            let message = format!("The mean for '{}' holds no numbers that can be taken away.", quoted_str(&top.name));
            Fault::new(Code::DType, message).path(&top.name)
        })
    }

    /// Changes the numbers of whole examples, kept in `dtype`; each is computed in double precision and rounded once.
    pub fn apply(&self, bytes: &mut [u8], dtype: DType) {
        let each = |place: usize, number: f64| match self {
            Ready::Scale(factor) => number * factor,
            Ready::SubMean(mean) => number - mean[place % mean.len()],
        };
        if matches!(self, Ready::SubMean(mean) if mean.is_empty()) {
            return;
        }
        match dtype {
            DType::F64 => changed::<8>(bytes, |place, b| each(place, f64::from_le_bytes(b)).to_le_bytes()),
            _ => changed::<4>(bytes, |place, b| (each(place, f64::from(f32::from_le_bytes(b))) as f32).to_le_bytes()),
        }
    }
}

fn changed<const N: usize>(bytes: &mut [u8], each: impl Fn(usize, [u8; N]) -> [u8; N]) {
    for (place, number) in bytes.chunks_exact_mut(N).enumerate() {
        if let Ok(old) = <[u8; N]>::try_from(&*number) {
            number.copy_from_slice(&each(place, old));
        }
    }
}
