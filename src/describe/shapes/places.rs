//! Upsampling and padding.

use super::{Lengths, Shaped};
use crate::describe::words::LONGEST;
use crate::describe::{PadMode, UpsampleSize};

pub(super) fn upsample(dims: usize, size: &UpsampleSize, input: Option<&Lengths>) -> Shaped {
    let lengths = match input {
        Some(lengths) if lengths.len() == dims + 1 => lengths.clone(),
        Some(_) => return Err(format!("{dims} window axes and a last axis")),
        None => vec![None; dims + 1],
    };
    let mut output = lengths;
    for (axis, length) in output.iter_mut().take(dims).enumerate() {
        *length =
            match size {
                UpsampleSize::To(lengths) => Some(lengths[axis]),
                UpsampleSize::By(factors) => match *length {
                    Some(places) => Some(scaled(places, factors[axis]).ok_or_else(|| {
                        format!("a window axis {axis} whose length times {} is a length", factors[axis])
                    })?),
                    None => None,
                },
            };
    }
    Ok(Some(output))
}

fn scaled(length: usize, factor: f64) -> Option<usize> {
    let scaled = (length as f64 * factor).floor();
    (1.0..=LONGEST as f64).contains(&scaled).then_some(scaled as usize)
}

pub(super) fn pad(border: &[[usize; 2]], mode: PadMode, input: Option<&Lengths>) -> Shaped {
    let Some(lengths) = input else { return Ok(Some(vec![None; border.len()])) };
    if lengths.len() != border.len() {
        return Err(format!("{} axes, one for each border", border.len()));
    }
    let mut output = Lengths::new();
    for (axis, (&length, &[before, after])) in lengths.iter().zip(border).enumerate() {
        let least = match mode {
            PadMode::Constant(_) => 0,
            PadMode::Edge => 1,
            PadMode::Reflect => before.max(after).saturating_add(1),
            PadMode::Circular => before.max(after),
        };
        let added = before.saturating_add(after);
        if added > 0 && length.is_some_and(|length| length < least) {
            return Err(format!("at least {least} places on axis {axis}"));
        }
        let longer = length.map(|length| length.saturating_add(added));
        if added.max(longer.unwrap_or(0)) > LONGEST as usize {
            return Err(format!("at most {LONGEST} places on axis {axis} with its border"));
        }
        output.push(longer);
    }
    Ok(Some(output))
}
