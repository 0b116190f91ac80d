//! Operations of `keras.ops` that a Functional model is written with, `x + 1` among them: a row each, as of the layers.
//!
//! They count the batch as axis 0 as NumPy does, and may be given numbers of the file among the values they take.

mod arithmetic;
mod axes;
mod function;
mod index;
mod reduce;

use super::Row;

const FAMILIES: [&[Row]; 5] = [arithmetic::ROWS, axes::ROWS, function::ROWS, index::ROWS, reduce::ROWS];

/// The row of an operation.
pub(in crate::import::keras) fn find(class: &str) -> Option<&'static Row> {
    FAMILIES.iter().flat_map(|rows| rows.iter()).find(|row| row.class == class)
}
