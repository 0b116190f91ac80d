//! Weights kept as whole numbers with a scale: single numbers again.

use super::super::call::Call;
use super::super::constant::Constant;
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
    let scales = scale.reals()?;
    let zeros = match call.constant(2) {
        Some(zeros) => zeros.reals()?,
        None => vec![0.0],
    };
    let shape = x.shape().to_vec();
    let (step, length) = if scales.len() == 1 {
        (1, 1)
    } else {
        let axis = axis_of(axis, shape.len())?;
        let step = usize::try_from(*packed_strides(&shape).get(axis)?).ok()?;
        (step.max(1), *shape.get(axis)?)
    };
    let fits = |list: &[f64]| list.len() == 1 || list.len() == length;
    if !fits(&scales) || !fits(&zeros) {
        return None;
    }
    let numbers = x.reals()?;
    let tensor = Tensor::filled_f32(shape, |to| {
        for (place, (to, number)) in to.iter_mut().zip(&numbers).enumerate() {
            let at = place / step % length;
            let of = |list: &[f64]| list.get(at).or(list.first()).copied().unwrap_or_default();
            *to = ((number - of(&zeros)) * of(&scales)) as f32;
        }
    })?;
    Some(vec![Constant::stored(tensor, None)])
}
