//! Weights kept as whole numbers with a scale: single numbers again.

use super::super::call::Call;
use super::super::constant::{Constant, Item};
use super::axis_of;
use crate::tensor::{Tensor, packed_strides};

/// `DequantizeLinear` of a constant: `(x − zero point)·scale`, one scale or one for each place of an axis.
pub(super) fn dequantise(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let (x, scale) = (call.constant(0)?, call.constant(1)?);
    let axis = call.attributes.int("axis", 1);
    if call.attributes.int("block_size", 0) != 0 {
        return call.unsupported("weights with a scale for each block are not read");
    }
    call.attributes.ignore(&["output_dtype"]);
    call.done()?;
    let zeros = call.constant(2);
    let shape = x.shape().to_vec();
    let (step, length) = if scale.count() == 1 {
        (1, 1)
    } else {
        let axis = axis_of(axis, shape.len())?;
        let step = usize::try_from(*packed_strides(&shape).get(axis)?).ok()?;
        (step.max(1), *shape.get(axis)?)
    };
    let fits = |list: &Constant| list.count() == 1 || list.count() == length;
    if !fits(&scale) || !zeros.as_ref().is_none_or(fits) {
        return None;
    }
    for list in [&scale].into_iter().chain(&zeros) {
        call.copy(list.count(), size_of::<Item>())?;
    }
    call.copy(x.count(), size_of::<f32>())?;
    let (scales, zeros) = (scale.reals()?, zeros.map_or_else(|| Some(vec![0.0]), |zeros| zeros.reals())?);
    let mut known = true;
    let tensor = Tensor::filled_f32(shape, |to| {
        let mut to = to.iter_mut().enumerate();
        let read = x.each(|item| {
            let (Some((place, to)), Item::Known(number)) = (to.next(), item) else {
                known = false;
                return;
            };
            let at = place / step % length;
            let of = |list: &[f64]| list.get(at).or(list.first()).copied().unwrap_or_default();
            *to = ((number - of(&zeros)) * of(&scales)) as f32;
        });
        known &= read.is_some();
    })?;
    known.then(|| vec![Constant::stored(tensor, None)])
}
