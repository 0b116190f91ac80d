//! A blob of parameters: its shape and where its numbers lie.

use super::Model;
use crate::faults::{Code, Fault};
use crate::formats::protobuf::{Budget, Fields, Runs, joined, varints};
use crate::tensor::{DType, Storage, Tensor, count, shape_text};
use std::ops::Range;

/// Axes that a blob may have.
const MOST_AXES: usize = 32;

/// A blob.
#[derive(Debug)]
pub struct Blob {
    /// Its shape, slowest axis first; older files always have four axes.
    pub shape: Vec<usize>,
    /// F32 or F64.
    pub dtype: DType,
    /// Byte of the file at which it begins.
    pub offset: u64,
    runs: Runs,
}

impl Blob {
    /// Reads a blob's message; its numbers must be as many as its shape says.
    pub(super) fn read(bytes: &[u8], range: Range<usize>, offset: u64, budget: &mut Budget) -> Result<Blob, Fault> {
        let (mut singles, mut doubles, mut lengths) = (Runs::new(), Runs::new(), Runs::new());
        let mut four: [Option<i64>; 4] = [None; 4];
        let mut shaped = false;
        let mut fields = Fields::of(bytes, range, "a blob");
        while let Some(field) = fields.next()? {
            match field.number {
                number @ 1..=4 => {
                    if let Some(length) = four.get_mut(number as usize - 1) {
                        *length = Some(field.whole()?);
                    }
                }
                5 => field.singles(&mut singles, budget)?,
                7 => {
                    shaped = true;
                    let mut shape = Fields::of(bytes, field.range()?, "a blob's shape");
                    while let Some(field) = shape.next()? {
                        if field.number == 1 {
                            field.wholes(&mut lengths, budget)?;
                        }
                    }
                }
                8 => field.doubles(&mut doubles, budget)?,
                _ => {}
            }
        }
        let written: Vec<i64> = match shaped {
            true => varints(bytes, &lengths).take(MOST_AXES + 1).collect(),
            false => four.iter().map(|length| length.unwrap_or(1)).collect(),
        };
        let wrong =
            |code, what: String| Err(Fault::new(code, format!("A blob at byte {offset} {what}.")).offset(offset));
        let lengths: Option<Vec<usize>> = written.iter().map(|length| usize::try_from(*length).ok()).collect();
        let Some(shape) = lengths.filter(|shape| shape.len() <= MOST_AXES) else {
            return wrong(Code::Malformed, "has a length below 0, or more than 32 axes".into());
        };
        let (runs, dtype, size) = match doubles.is_empty() {
            true => (singles, DType::F32, 4),
            false => (doubles, DType::F64, 8),
        };
        let held: usize = runs.iter().map(Range::len).sum();
        match count(&shape).and_then(|count| count.checked_mul(size)) {
            None => wrong(Code::Overflow, "has more numbers than any machine holds".into()),
            Some(wanted) if wanted != held => {
                wrong(Code::Malformed, format!("is {}, {wanted} bytes, and holds {held}", shape_text(&shape)))
            }
            Some(_) => Ok(Blob { shape, dtype, offset, runs }),
        }
    }

    /// How many bytes its numbers take.
    pub fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.len() as u64).sum()
    }

    /// Its numbers: a part of the file where they lie side by side. None if there is no memory.
    pub fn tensor(&self, model: &Model) -> Option<Tensor> {
        let storage = match self.runs.as_slice() {
            [run] => model.bytes.part(run.clone())?,
            runs => Storage::filled(usize::try_from(self.bytes()).ok()?, |to| {
                to.iter_mut().zip(joined(model.bytes.bytes(), runs)).for_each(|(to, byte)| *to = byte);
            })?,
        };
        Tensor::packed(self.dtype, self.shape.clone(), storage)
    }
}
