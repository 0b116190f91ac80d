//! An axis whose places become means of their neighbours: a product with a matrix of weights, whatever the filter.

use super::super::call::Call;
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
    let weights = Tensor::filled_f32(vec![inputs, outputs], |weights| {
        weights.fill(0.0);
        for (place, source) in sources.iter().enumerate() {
            let neighbours = neighbours(*source, axis, filter);
            // Those beyond the edge are the edge itself, beside which they stand.
            for same in neighbours.chunk_by(|(one, _), (other, _)| one == other) {
                let to = same.first().and_then(|(from, _)| weights.get_mut(from * outputs + place));
                let total: f64 = same.iter().map(|(_, weight)| weight).sum();
                to.into_iter().for_each(|to| *to = total as f32);
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

/// The places of the input that a coordinate looks at, with the weight of each.
fn neighbours(source: f64, axis: Axis, filter: Filter) -> Vec<(usize, f64)> {
    let scale = if filter.smooths { axis.scale.min(1.0) } else { 1.0 };
    let reach = if filter.cubic.is_some() { 2.0 } else { 1.0 };
    let (base, last) = (source.floor(), axis.from as f64 - 1.0);
    let first = (-reach / scale).floor() as i64 + 1;
    let mut found = Vec::new();
    for step in first..=1 - first {
        let place = base + step as f64;
        let weight = match filter.cubic {
            Some(coefficient) => cubic((place - source) * scale, coefficient),
            None => (1.0 - ((place - source) * scale).abs()).max(0.0),
        };
        if !filter.excludes || (0.0..=last).contains(&place) {
            found.push((place.clamp(0.0, last) as usize, weight));
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
        assert_eq!(neighbours(-0.25, axis, linear), [(0, 0.25), (0, 0.75)]);
        let half = Axis { from: 8, to: 4, scale: 0.5 };
        let total: f64 = neighbours(2.5, half, smooth).iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
        let cubic = Filter { cubic: Some(-0.75), ..Filter::default() };
        let total: f64 = neighbours(2.3, axis, cubic).iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-12);
    }
}
