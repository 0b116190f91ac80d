//! Which place of an input's axis a place of the output's axis takes.

use crate::{
    describe::{PadMode, UpsampleMode},
    kernels::{Between, FILLED},
};

/// Places of a slice; `None` if the step is nought.
pub(super) fn slice(length: usize, start: i64, end: Option<i64>, step: usize) -> Option<Vec<usize>> {
    let signed = i64::try_from(length).ok()?;
    let within = |at: i64| (if at < 0 { at.saturating_add(signed) } else { at }).clamp(0, signed) as usize;
    (step > 0).then(|| (within(start)..end.map_or(length, within)).step_by(step).collect())
}

/// Places of an axis with a border.
pub(super) fn pad(length: usize, [before, after]: [usize; 2], mode: PadMode) -> Option<Vec<usize>> {
    let total = length.checked_add(before)?.checked_add(after)?;
    (length > 0 || matches!(mode, PadMode::Constant(_)) || total == 0).then_some(())?;
    let (signed, first) = (i64::try_from(length).ok()?, i64::try_from(before).ok()?);
    let source = |place: usize| {
        let at = place as i64 - first;
        match mode {
            _ if (0..signed).contains(&at) => at as usize,
            PadMode::Constant(_) => FILLED,
            PadMode::Edge => at.clamp(0, signed - 1) as usize,
            PadMode::Circular => at.rem_euclid(signed) as usize,
            PadMode::Reflect => {
                let turn = at.rem_euclid((2 * (signed - 1)).max(1));
                turn.min(2 * (signed - 1) - turn) as usize
            }
        }
    };
    Some((0..total).map(source).collect())
}

/// Places of a nearest upsampling.
pub(super) fn nearest(length: usize, made: usize, factor: Option<f64>, mode: UpsampleMode) -> Vec<usize> {
    let half = if mode == UpsampleMode::NearestExact { 0.5 } else { 0.0 };
    let source =
        |place: usize| (scaled(place as f64 + half, length, made, factor) as usize).min(length.saturating_sub(1));
    (0..made).map(source).collect()
}

/// Neighbours of an upsampling between them; `stride` numbers lie from one place of the input to the next.
pub(super) fn linear(
    length: usize,
    made: usize,
    factor: Option<f64>,
    mode: UpsampleMode,
    stride: usize,
) -> Vec<Between> {
    let last = length.saturating_sub(1);
    let between = |place: usize| {
        let at = match mode {
            UpsampleMode::LinearCorners if made > 1 => place as f64 * last as f64 / (made - 1) as f64,
            UpsampleMode::LinearCorners => 0.0,
            _ => (scaled(place as f64 + 0.5, length, made, factor) - 0.5).max(0.0),
        };
        let low = (at as usize).min(last);
        let share = if low == last { 0.0 } else { (at - low as f64) as f32 };
        Between { skip: [low * stride, (low + 1).min(last) * stride], weight: [1.0 - share, share] }
    };
    (0..made).map(between).collect()
}

/// A coordinate of the output as one of the input: by the factor itself, else by the lengths.
fn scaled(at: f64, length: usize, made: usize, factor: Option<f64>) -> f64 {
    factor.map_or_else(|| at * length as f64 / made as f64, |factor| at / factor)
}
