//! Dense layers and matrix products.

use super::{
    Compiler, Home, Work,
    layers::{seen_shape, spread},
};
use crate::{
    kernels::{self, Kernel, Precision, Select, Spread},
    plan::{
        step::Place,
        weights::{Number, Order},
    },
};

impl Compiler<'_> {
    /// A dense layer: packed, or as it is in the exact precision.
    pub(super) fn dense(
        &mut self,
        inputs: usize,
        outputs: usize,
        mut places: Vec<Place>,
    ) -> Option<(Kernel, Vec<Place>)> {
        if self.plan.precision == Precision::Exact {
            return Some((Kernel::Dense(kernels::Dense { inputs, outputs }), places));
        }
        let order = if outputs > kernels::Dots::MOST { Order::Panels } else { Order::Dots };
        let Place::Number(slot) = *places.get(1)? else { return None };
        places[1] = self.number(Number::Packed { slot, columns: outputs, groups: 1, order });
        let kernel = match order {
            Order::Panels => Kernel::Panels(kernels::Panels { terms: inputs, columns: outputs }),
            Order::Dots => Kernel::Dots(kernels::Dots { terms: inputs, columns: outputs }),
        };
        Some((kernel, places))
    }
}

/// A product of matrices, and its work.
pub(super) fn matmul(a: &Home, b: &Home, shape: &[usize], batched: bool) -> Option<(kernels::MatMul, Work)> {
    // A row by itself is a matrix of one row, a column by itself one of one column.
    let (rows, terms, a_lead) = match *a.shape.as_slice() {
        [terms] => (1, terms, &[][..]),
        [ref lead @ .., rows, terms] => (rows, terms, lead),
        [] => return None,
    };
    let (lines, columns, b_lead) = match *b.shape.as_slice() {
        [lines] => (lines, 1, &[][..]),
        [ref lead @ .., lines, columns] => (lines, columns, lead),
        [] => return None,
    };
    let taken = usize::from(a.shape.len() > 1) + usize::from(b.shape.len() > 1);
    let lead = &shape[..shape.len().checked_sub(taken)?];
    let count = lead.iter().product::<usize>();
    (lines == terms && count * rows * columns == shape.iter().product::<usize>()).then_some(())?;
    let number = |from: &[usize]| {
        let seen = seen_shape(lead);
        let spread = spread(&seen_shape(from), &seen, false)?;
        let strides: Vec<usize> = spread.strides.into_iter().chain([usize::from(spread.last)]).collect();
        let offset = move |mut pair: usize| {
            let mut at = 0;
            for (length, stride) in seen.iter().zip(&strides).rev() {
                at += pair % length * stride;
                pair /= length;
            }
            at
        };
        Some(offset)
    };
    let (first, second) = (number(a_lead)?, number(b_lead)?);
    let pairs = (0..count).map(|pair| [first(pair), second(pair)]).collect();
    let each = [a, b].map(|home| if home.batched || !batched { home.count() } else { 0 });
    Some((kernels::MatMul { rows, terms, columns, pairs, each }, Work { grain: columns, cost: terms }))
}

/// One of two values by a third.
pub(super) fn select(inputs: &[Home], shape: &[usize], batched: bool) -> Option<(Select, Work)> {
    let seen = seen_shape(shape);
    let lie = |input: &Home| spread(&input.shape, &seen, input.batched || !batched);
    let operands: Vec<Spread> = inputs.iter().map(lie).collect::<Option<_>>()?;
    let work = Work { grain: *seen.last()?, cost: 1 };
    Some((Select { operands: operands.try_into().ok()?, shape: seen }, work))
}
