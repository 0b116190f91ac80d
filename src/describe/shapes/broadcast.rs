//! Shapes of several inputs aligned from their last axes.

use super::{Lengths, Shaped, is};
use crate::describe::GraphValue;

/// The common shape; unknown if any is.
pub(super) fn all(shapes: &[Option<&Lengths>]) -> Shaped {
    let mut common = Lengths::new();
    let mut known = true;
    for shape in shapes {
        match shape {
            Some(lengths) => common = pair(&common, lengths)?,
            None => known = false,
        }
    }
    Ok(known.then_some(common))
}

fn pair(a: &[Option<usize>], b: &[Option<usize>]) -> Result<Lengths, String> {
    let rank = a.len().max(b.len());
    let length = |lengths: &[Option<usize>], axis: usize| {
        (axis + lengths.len()).checked_sub(rank).map_or(Some(1), |axis| lengths[axis])
    };
    (0..rank)
        .map(|axis| match (length(a, axis), length(b, axis)) {
            (Some(1), other) | (other, Some(1)) => Ok(other),
            (None, other) | (other, None) => Ok(other),
            (Some(a), Some(b)) if a == b => Ok(Some(a)),
            _ => Err("shapes whose lengths, aligned from the last axis, are equal or 1".into()),
        })
        .collect()
}

/// `[…, n, k] · […, k, m]`; an example of one axis on the left is a row if the right is the same for every example.
pub(super) fn matmul(inputs: &[&GraphValue]) -> Shaped {
    let [left, right] = inputs else { return Ok(None) };
    let (Some(a), Some(b)) = (&left.shape, &right.shape) else { return Ok(None) };
    let takes =
        || "two inputs of two axes or more, the last of the first as long as the last but one of the second".to_owned();
    let [outer_b @ .., k, m] = &b[..] else { return Err(takes()) };
    match &a[..] {
        [outer_a @ .., n, last] if k.is_none_or(|k| is(*last, k)) => {
            let mut output = pair(outer_a, outer_b)?;
            output.extend([*n, *m]);
            Ok(Some(output))
        }
        [last] if left.batched && !right.batched && outer_b.is_empty() && k.is_none_or(|k| is(*last, k)) => {
            Ok(Some(vec![*m]))
        }
        _ => Err(takes()),
    }
}
