//! An axis whose places become means of their neighbours: a product with a matrix of weights, whatever the filter.

use super::super::call::{Call, LOOKED_AT};
use super::super::constant::Constant;
use super::super::flow::Flow;
use super::super::held::Number;
use super::resize::Axis;
use crate::describe::Op;
use crate::faults::Code;
use crate::tensor::Tensor;

/// Which neighbours count, and how much.
#[derive(Clone, Copy, Default)]
pub(super) struct Filter {
    /// The coefficient of a cubic one; none: a linear one.
    pub(super) cubic: Option<f64>,
    /// Neighbours outside count for nothing, instead of being the edge.
    pub(super) excludes: bool,
    /// Fewer places: the filter is as much wider.
    pub(super) smooths: bool,
}

/// Resizes axis `number` of one example; `sources` are the coordinates that its new places look at.
pub(super) fn along(
    call: &mut Call<'_, '_, '_>,
    flow: &Flow,
    number: usize,
    axis: Axis,
    sources: &[f64],
    filter: Filter,
) -> Option<Flow> {
    let (inputs, outputs) = (axis.from, axis.to);
    // Singles take a quarter of what numbers do that are computed with further on.
    call.room(&[inputs, outputs.div_ceil(4)])?;
    // A filter far wider than the axis walks over places that are all its edge.
    let walked = (2.0 * filter.reach(axis)) as usize;
    call.room(&[walked / LOOKED_AT, outputs])?;
    let weights = Tensor::filled_f32(vec![inputs, outputs], |weights| {
        weights.fill(0.0);
        for (place, source) in sources.iter().enumerate() {
            for (from, weight) in neighbours(*source, axis, filter) {
                let to = weights.get_mut(from * outputs + place);
                to.into_iter().for_each(|to| *to = weight as f32);
            }
        }
    });
    let Some(weights) = weights else { return call.refuse(Code::Memory, "there is no memory for its weights") };
    let weight = Constant::stored(weights, None);
    let order: Vec<usize> = (0..flow.each()).filter(|other| *other != number).chain([number]).collect();
    let turned = call.turn(flow, &order);
    let numbers = vec![Number::flat("weight", weight, &[inputs, outputs])];
    call.keep_with(&Op::Dense { inputs, outputs, bias: false }, &turned, numbers)
}

impl Filter {
    /// Places of the axis for each one of the filter.
    fn scale(&self, axis: Axis) -> f64 {
        if self.smooths { axis.scale.min(1.0) } else { 1.0 }
    }

    /// How many places to either side a coordinate looks at.
    fn reach(&self, axis: Axis) -> f64 {
        let own = if self.cubic.is_some() { 2.0 } else { 1.0 };
        own / self.scale(axis)
    }
}

/// The places of the input that a coordinate looks at, in their order, with the weight of each. Those beyond the edge are the
/// edge itself.
fn neighbours(source: f64, axis: Axis, filter: Filter) -> Vec<(usize, f64)> {
    let scale = filter.scale(axis);
    let (base, last) = (source.floor(), axis.from as f64 - 1.0);
    let first = (-filter.reach(axis)).floor() as i64 + 1;
    let most = usize::try_from(first.unsigned_abs()).unwrap_or(usize::MAX).saturating_add(1).saturating_mul(2);
    let mut found: Vec<(usize, f64)> = Vec::with_capacity(axis.from.min(most));
    for step in first..=1 - first {
        let place = base + step as f64;
        let weight = match filter.cubic {
            Some(coefficient) => cubic((place - source) * scale, coefficient),
            None => (1.0 - ((place - source) * scale).abs()).max(0.0),
        };
        if !filter.excludes || (0.0..=last).contains(&place) {
            let place = place.clamp(0.0, last) as usize;
            match found.last_mut().filter(|(before, _)| *before == place) {
                Some((_, total)) => *total += weight,
                None => found.push((place, weight)),
            }
        }
    }
    let total: f64 = found.iter().map(|(_, weight)| weight).sum();
    if (filter.excludes || filter.smooths) && total != 0.0 {
        found.iter_mut().for_each(|(_, weight)| *weight /= total);
    }
    found
}

/// Keys's cubic convolution.
fn cubic(x: f64, a: f64) -> f64 {
    match x.abs() {
        x if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
        x if x < 2.0 => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_a_mean() {
        let axis = Axis { from: 5, to: 10, scale: 2.0 };
        let (linear, smooth) = (Filter::default(), Filter { smooths: true, ..Filter::default() });
        assert_eq!(neighbours(1.25, axis, linear), [(1, 0.75), (2, 0.25)]);
        assert_eq!(neighbours(-0.25, axis, linear), [(0, 1.0)]);
        let half = Axis { from: 8, to: 4, scale: 0.5 };
        let total: f64 = neighbours(2.5, half, smooth).iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
        let cubic = Filter { cubic: Some(-0.75), ..Filter::default() };
        let total: f64 = neighbours(2.3, axis, cubic).iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
    }
}
