//! Numbers between layers.

use crate::faults::{Code, Fault};
use crate::tensor::{DType, Tensor, count, shape_text};

/// Numbers with their shape, the batch first.
#[derive(Clone, Debug, PartialEq)]
pub struct Blob {
    /// Lengths of the axes, slowest first.
    pub shape: Vec<usize>,
    /// The numbers, packed.
    pub numbers: Vec<f64>,
}

impl Blob {
    /// Numbers of a shape; none if they are not as many as it says.
    pub fn new(shape: Vec<usize>, numbers: Vec<f64>) -> Option<Blob> {
        (count(&shape)? == numbers.len()).then_some(Blob { shape, numbers })
    }

    /// Noughts; a fault if there is no memory for them.
    pub fn noughts(shape: &[usize]) -> Result<Blob, Fault> {
        let mut numbers = Vec::new();
        let length = count(shape).filter(|length| numbers.try_reserve_exact(*length).is_ok());
        let Some(length) = length else {
            let message = format!("There is no memory for a blob of {}.", shape_text(shape));
            return Err(Fault::new(Code::Memory, message));
        };
        numbers.resize(length, 0.0);
        Ok(Blob { shape: shape.to_vec(), numbers })
    }

    /// The numbers of an array of real floats; none of another, or if there is no memory.
    pub fn of(tensor: &Tensor) -> Option<Blob> {
        let doubles = match tensor.dtype() {
            DType::F64 => tensor.to_packed()?,
            dtype if dtype.is_real() => tensor.to_f32()?,
            _ => return None,
        };
        let bytes = doubles.packed_bytes()?;
        let numbers = match doubles.dtype() {
            DType::F64 => bytes.chunks_exact(8).filter_map(|b| b.try_into().ok()).map(f64::from_le_bytes).collect(),
            _ => {
                let singles = bytes.chunks_exact(4).filter_map(|b| b.try_into().ok()).map(f32::from_le_bytes);
                singles.map(f64::from).collect()
            }
        };
        Blob::new(tensor.shape().to_vec(), numbers)
    }

    /// The same numbers with each rounded to a single.
    pub fn round(&mut self) {
        self.numbers.iter_mut().for_each(|number| *number = f64::from(*number as f32));
    }

    /// How many examples.
    pub fn examples(&self) -> usize {
        self.shape.first().copied().unwrap_or(1)
    }

    /// Numbers of one example.
    pub fn features(&self) -> usize {
        self.shape.get(1..).and_then(count).unwrap_or(1)
    }

    /// The axis between what lies before and what lies behind it: counts of places before, along and behind.
    pub(super) fn cut(&self, axis: usize) -> [usize; 3] {
        let product = |lengths: &[usize]| lengths.iter().product::<usize>();
        let length = self.shape.get(axis).copied().unwrap_or(1);
        let behind = self.shape.get(axis + 1..).map_or(1, product);
        [self.shape.get(..axis).map_or(1, product), length, behind]
    }

    /// The lengths of an image: batch, channels, height, width.
    pub(super) fn image(&self) -> [usize; 4] {
        self.shape.as_slice().try_into().unwrap_or([self.examples(), self.features(), 1, 1])
    }
}
