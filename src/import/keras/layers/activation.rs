//! Activations that are layers of their own.

use super::{Row, function, passes, reads};
use crate::{
    describe::{Binary, Op, Unary},
    faults::Code,
    import::keras::{
        call::{Call, Var},
        flow::Flow,
    },
    network::Turn,
};
use function::{binary, power};

pub(super) const ROWS: &[Row] = &[
    passes("Activation", activation),
    passes("ReLU", relu),
    passes("LeakyReLU", leaky),
    passes("ELU", elu),
    passes("PReLU", prelu),
    passes("ThresholdedReLU", thresholded),
    reads("Softmax", |call| softmax(call, false)),
];

fn activation(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let activation = function::setting(call, "activation");
    call.done()?;
    let flow = call.input()?;
    match activation {
        function::Activation::Linear => call.keep(&Op::Identity, &flow),
        activation => function::apply(call, activation, flow),
    }
}

/// `max_value` from there on, `x` from `threshold` on, `negative_slope·(x − threshold)` below; written as Keras computes it.
fn relu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (max, slope) = (call.settings.maybe_real("max_value"), call.settings.real("negative_slope", 0.0));
    let threshold = call.settings.real("threshold", 0.0);
    call.done()?;
    let flow = call.input()?;
    if slope != 0.0 && max.is_none() && threshold == 0.0 {
        return call.keep(&Op::Unary(Unary::LeakyRelu { slope }), &flow);
    }
    if max.is_some_and(|max| max < 0.0) || slope < 0.0 {
        return call.refuse(Code::Attribute, "a max_value or negative_slope below nought has no meaning");
    }
    let positive = match (threshold != 0.0, max) {
        (false, None) => call.keep(&Op::Unary(Unary::Relu), &flow)?,
        (false, Some(max)) => call.keep(&Op::Unary(Unary::Clip { min: 0.0, max }), &flow)?,
        (true, max) => {
            let above = call.keep(&Op::Unary(Unary::Threshold { threshold, value: 0.0 }), &flow)?;
            match max {
                Some(max) => call.keep(&Op::Unary(Unary::Clip { min: 0.0, max }), &above)?,
                None => above,
            }
        }
    };
    if slope == 0.0 {
        return Some(positive);
    }
    let below = call.keep(&power(1.0, -1.0, threshold), &flow)?;
    let below = call.keep(&Op::Unary(Unary::Relu), &below)?;
    let below = call.keep(&power(1.0, slope, 0.0), &below)?;
    binary(call, Binary::Subtract, &positive, &below)
}

fn leaky(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    // Keras 2 calls it alpha.
    let older = call.settings.real("alpha", 0.3);
    let slope = call.settings.real("negative_slope", older);
    call.done()?;
    let flow = call.input()?;
    call.keep(&Op::Unary(Unary::LeakyRelu { slope }), &flow)
}

fn elu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let alpha = call.settings.real("alpha", 1.0);
    call.done()?;
    let flow = call.input()?;
    call.keep(&Op::Unary(Unary::Elu { alpha, width: 1.0 }), &flow)
}

fn thresholded(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let threshold = call.settings.real("theta", 1.0);
    call.done()?;
    let flow = call.input()?;
    call.keep(&Op::Unary(Unary::Threshold { threshold, value: 0.0 }), &flow)
}

/// Slopes for each number of an example, but for the axes that share theirs.
fn prelu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let shared = call.settings.wholes("shared_axes", &[]);
    call.done()?;
    let flow = call.input()?;
    let shared = call.axes(&shared, flow.rank())?;
    let lead = call.at.lead;
    let mut slopes = Vec::new();
    let written = call.shape("alpha", 0);
    for axis in lead..flow.rank() {
        let of_file = written.as_ref().and_then(|shape| shape.get(axis - lead)).copied();
        slopes.push(if shared.contains(&axis) { 1 } else { call.length(&flow, axis, of_file)? });
    }
    let flow = call.plain(&flow);
    let (&channels, places) = slopes.split_last().unwrap_or((&1, &[]));
    if places.iter().all(|&length| length == 1) && !slopes.is_empty() {
        let turn = Turn::new(&slopes, &[channels], vec![0], &[channels]);
        let vars = vec![Var { slot: "weight", name: "alpha", key: 0, turn }];
        return call.keep_with(&Op::Prelu { features: channels }, &flow, vars);
    }
    let vars = vec![Var { slot: "value", name: "alpha", key: 0, turn: Turn::none(&slopes) }];
    let order = (0..slopes.len()).collect();
    let slopes = call.make_with(&Op::Parameter { shape: slopes }, &[], order, vars)?;
    let positive = call.keep(&Op::Unary(Unary::Relu), &flow)?;
    let below = call.keep(&power(1.0, -1.0, 0.0), &flow)?;
    let below = call.keep(&Op::Unary(Unary::Relu), &below)?;
    let below = binary(call, Binary::Multiply, &below, &slopes)?;
    binary(call, Binary::Subtract, &positive, &below)
}

/// Softmax, or its logarithm.
pub(super) fn softmax(call: &mut Call<'_, '_, '_>, log: bool) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    call.done()?;
    let flow = call.input()?;
    let axes = call.axes(&axes, flow.rank())?;
    if let &[axis] = &axes[..] {
        let axis = flow.written(axis);
        return call.keep(&Op::Softmax { axis, log }, &flow);
    }
    // Over several axes at once: they are joined to one, and parted again.
    let moved = call.last(&flow, &axes);
    let lengths: Option<Vec<usize>> = moved.order().iter().map(|&axis| flow.length(axis)).collect();
    let Some(lengths) = lengths else {
        return call.refuse(
            Code::Input,
            "a softmax over several axes wants all lengths known: state the shape of one example",
        );
    };
    let kept = flow.rank() - axes.len();
    let joined = call.make(&Op::Flatten { start: kept as i64 + 1, end: -1 }, &[&moved], (0..=kept).collect())?;
    let soft = call.keep(&Op::Softmax { axis: -1, log }, &joined)?;
    let each = lengths.iter().map(|&length| length as i64).collect();
    let made = call.make(&Op::Reshape { each }, &[&soft], moved.order())?;
    Some(made.like(&flow))
}
