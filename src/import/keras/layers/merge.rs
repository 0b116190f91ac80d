//! Several values made one.

use super::{Row, passes};
use crate::{
    describe::{Binary, Op, lowering::plain},
    faults::Code,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    passes("Add", |call| all(call, Binary::Add)),
    passes("Subtract", |call| all(call, Binary::Subtract)),
    passes("Multiply", |call| all(call, Binary::Multiply)),
    passes("Average", |call| all(call, Binary::Average)),
    passes("Maximum", |call| all(call, Binary::Maximum)),
    passes("Minimum", |call| all(call, Binary::Minimum)),
    passes("Concatenate", concatenate),
    passes("Dot", dot),
];

/// The values with their axes lying alike: as those of the first, or in Keras's order where they are not equally many.
pub(super) fn alike(call: &mut Call<'_, '_, '_>, flows: &[Flow]) -> Vec<Flow> {
    let order = flows.first().map(Flow::order).unwrap_or_default();
    match flows.iter().all(|flow| flow.rank() == order.len()) {
        true => flows.iter().map(|flow| call.turned(flow, &order)).collect(),
        false => flows.iter().map(|flow| call.plain(flow)).collect(),
    }
}

/// Number by number, shapes aligned from their last axes.
fn all(call: &mut Call<'_, '_, '_>, binary: Binary) -> Option<Flow> {
    call.done()?;
    let fewest = if binary == Binary::Subtract { 2 } else { 1 };
    let flows = call.inputs(fewest)?;
    if binary == Binary::Subtract && flows.len() > 2 {
        return call.refuse(Code::Connection, "it takes two values");
    }
    let flows = alike(call, &flows);
    let widest = flows.iter().max_by_key(|flow| flow.rank())?.clone();
    if flows.len() == 1 {
        return call.keep(&Op::Identity, &widest);
    }
    let from: Vec<&Flow> = flows.iter().collect();
    let made = call.make(&Op::Binary(binary), &from, widest.order())?;
    Some(Flow { origin: None, ..made.like(&widest) })
}

pub(super) fn concatenate(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.settings.wholes("axis", &[-1]);
    call.done()?;
    let flows = call.inputs(1)?;
    let first = flows.first()?.clone();
    if flows.iter().any(|flow| flow.rank() != first.rank()) {
        return call.refuse(Code::LayerShape, "values of different numbers of axes reach it");
    }
    let axis = call.axis(axis.first().copied().unwrap_or(-1), first.rank())?;
    join(call, &flows, axis)
}

/// Values of as many axes joined along one.
pub(super) fn join(call: &mut Call<'_, '_, '_>, flows: &[Flow], axis: usize) -> Option<Flow> {
    let first = flows.first()?;
    let flows = alike(call, flows);
    let from: Vec<&Flow> = flows.iter().collect();
    let made = call.make(&Op::Concat { axis: first.written(axis) }, &from, first.order())?;
    Some(Flow { origin: None, ..made.like(first) })
}

/// The total of products along an axis of each; what is left of the first comes before what is left of the second.
fn dot(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    /// Keras's smallest length of what is normalised.
    const EPSILON: f64 = 1e-7;
    let axes = call.settings.wholes("axes", &[-1]);
    let normalised = call.settings.flag("normalize", false);
    call.done()?;
    let flows = call.inputs(2)?;
    let [first, second] = &flows[..] else {
        return call.refuse(Code::Connection, "it takes two values");
    };
    let along = match axes[..] {
        [axis] => [axis, axis],
        [a, b] => [a, b],
        _ => return call.refuse(Code::Attribute, "'axes' wants one axis, or one of each value"),
    };
    let (a, b) = (call.axis(along[0], first.rank())?, call.axis(along[1], second.rank())?);
    let (mut first, mut second) = (call.last(first, &[a]), second.clone());
    if normalised {
        let op = |axis: i64| Op::L2Normalize { axis, epsilon: EPSILON };
        first = call.keep(&op(first.written(a)), &first)?;
        second = call.keep(&op(second.written(b)), &second)?;
    }
    let rest = (0..second.rank()).filter(|&axis| axis != b);
    let order: Vec<usize> = [b].into_iter().chain(rest).collect();
    let second = call.turned(&second, &order);
    let kept = |flow: &Flow, axis: usize| -> Vec<Option<usize>> {
        (0..flow.rank()).filter(|&other| other != axis).map(|other| flow.length(other)).collect()
    };
    let left = [kept(&first, a), kept(&second, b)].concat();
    let rows = matrix(call, &first, a, true)?;
    let columns = matrix(call, &second, b, false)?;
    let product = call.make(&Op::MatMul, &[&rows, &columns], plain(2))?;
    if first.rank() == 2 && second.rank() == 2 {
        return Some(product);
    }
    let lengths: Option<Vec<i64>> = left.iter().map(|length| length.map(|length| length as i64)).collect();
    let Some(lengths) = lengths else {
        return call.refuse(Code::Input, "it wants all lengths known: state the shape of one example of the inputs");
    };
    // Two values of one axis leave a single number, which Keras keeps as an axis of 1.
    let each = if lengths.is_empty() { vec![1] } else { lengths };
    let order = plain(each.len());
    call.make(&Op::Reshape { each }, &[&product], order)
}

/// A value as a matrix, the axis of the products last on the left side and first on the right.
fn matrix(call: &mut Call<'_, '_, '_>, flow: &Flow, axis: usize, left: bool) -> Option<Flow> {
    match flow.rank() {
        1 => call.make(&Op::Unsqueeze { axes: vec![if left { 1 } else { 2 }] }, &[flow], plain(2)),
        2 => Some(flow.clone()),
        _ => {
            let length = call.length(flow, axis, None)? as i64;
            let each = if left { vec![-1, length] } else { vec![length, -1] };
            call.make(&Op::Reshape { each }, &[flow], plain(2))
        }
    }
}
