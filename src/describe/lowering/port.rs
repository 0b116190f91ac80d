//! An input of a graph as a file states it, in the axis order the host wants. Called by the importers of graphs.

use super::{Axes, Value};
use crate::{
    describe::{Input, Position, fits, unlike},
    faults::Faults,
    tensor::DType,
};

/// The input as the description has it, and its value: lengths as stated, those that are free as the example has them. An
/// example of another shape, lengths as they lie, is a fault.
pub(crate) fn port(
    name: &str,
    dtype: DType,
    stated: Axes,
    example: Option<&[usize]>,
    faults: &mut Faults,
) -> Option<(Input, Value)> {
    let mut input = Input { name: name.into(), shape: None, dtype, position: Position::default() };
    let axes = match example {
        None => stated,
        Some(example) => {
            let lying: Vec<Option<usize>> = example.iter().copied().map(Some).collect();
            if !fits(&stated.as_lying(), &lying) {
                faults.push(unlike(&input));
                return None;
            }
            Axes::lying(stated.order, &lying)
        }
    };
    input.shape = Some(axes.as_lying());
    Some((input, Value { name: name.into(), axes: Some(axes), image: false }))
}
