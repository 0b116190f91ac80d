//! Functions of one number and of several.

use super::{
    draft::{Id, Value},
    layer::{Layer, float},
    linear::widened,
};
use crate::{
    describe::{Binary, Unary},
    formats::onnx::write::{Elements, Written},
};

pub(super) fn unary(layer: &mut Layer<'_, '_>, unary: Unary) -> Option<Value> {
    let value = layer.input(0)?;
    Some(Value { id: of(layer, unary, value.id), order: value.order })
}

/// From this on `ln(1 + exp(x))` is the single `x`.
const SAME: f64 = 17.0;

fn of(layer: &mut Layer<'_, '_>, unary: Unary, x: Id) -> Id {
    let (op, attributes) = match unary {
        Unary::Relu => ("Relu", Vec::new()),
        Unary::Tanh => ("Tanh", Vec::new()),
        Unary::Sigmoid => ("Sigmoid", Vec::new()),
        Unary::Selu => ("Selu", Vec::new()),
        Unary::Mish => ("Mish", Vec::new()),
        Unary::Softsign => ("Softsign", Vec::new()),
        Unary::HardSwish => ("HardSwish", Vec::new()),
        Unary::Exp => ("Exp", Vec::new()),
        Unary::Log => ("Log", Vec::new()),
        Unary::Sqrt => ("Sqrt", Vec::new()),
        Unary::Abs => ("Abs", Vec::new()),
        Unary::Erf => ("Erf", Vec::new()),
        Unary::Sin => ("Sin", Vec::new()),
        Unary::Cos => ("Cos", Vec::new()),
        Unary::Floor => ("Floor", Vec::new()),
        Unary::Ceil => ("Ceil", Vec::new()),
        Unary::Round => ("Round", Vec::new()),
        Unary::Sign => ("Sign", Vec::new()),
        Unary::LeakyRelu { slope } => ("LeakyRelu", vec![("alpha", float(slope))]),
        Unary::Elu { alpha, width } => (if width == 1.0 { "Elu" } else { "Celu" }, vec![("alpha", float(alpha))]),
        Unary::Gelu { tanh } => ("Gelu", vec![("approximate", Written::Text(if tanh { "tanh" } else { "none" }))]),
        Unary::HardSigmoid { slope, shift } => ("HardSigmoid", vec![("alpha", float(slope)), ("beta", float(shift))]),
        Unary::HardShrink { lambda } => ("Shrink", vec![("lambd", float(lambda)), ("bias", float(0.0))]),
        Unary::SoftShrink { lambda } => ("Shrink", vec![("lambd", float(lambda)), ("bias", float(lambda))]),
        Unary::Threshold { threshold, value: 0.0 } => ("ThresholdedRelu", vec![("alpha", float(threshold))]),
        Unary::Threshold { threshold, value } => {
            // NaN is not at most the bound, and passes.
            let [bound, value] = [threshold, value].map(|number| layer.number(number));
            let below = layer.op("LessOrEqual", &[x, bound]);
            return layer.op("Where", &[below, value, x]);
        }
        Unary::Silu => {
            let gate = layer.op("Sigmoid", &[x]);
            return layer.op("Mul", &[x, gate]);
        }
        Unary::LogSigmoid => {
            let negated = layer.op("Neg", &[x]);
            let soft = layer.op("Softplus", &[negated]);
            return layer.op("Neg", &[soft]);
        }
        Unary::TanhShrink => {
            let tanh = layer.op("Tanh", &[x]);
            return layer.op("Sub", &[x, tanh]);
        }
        Unary::Softplus { beta, threshold } => return softplus(layer, x, beta, threshold),
        Unary::Clip { min, max } => return clip(layer, x, min, max),
        Unary::Power { power, scale, shift } => return raised(layer, x, power, scale, shift),
    };
    layer.with(op, &[x], attributes)
}

fn softplus(layer: &mut Layer<'_, '_>, x: Id, beta: f64, threshold: f64) -> Id {
    let scaled = |layer: &mut Layer<'_, '_>, op, id| {
        if beta == 1.0 {
            return id;
        }
        let beta = layer.number(beta);
        layer.op(op, &[id, beta])
    };
    let times = scaled(layer, "Mul", x);
    let soft = layer.op("Softplus", &[times]);
    let soft = scaled(layer, "Div", soft);
    if threshold >= SAME {
        return soft;
    }
    let bound = layer.number(threshold);
    let above = layer.op("Greater", &[times, bound]);
    layer.op("Where", &[above, x, soft])
}

fn clip(layer: &mut Layer<'_, '_>, x: Id, min: f64, max: f64) -> Id {
    let (low, high) = (min.is_finite(), max.is_finite());
    let mut id = x;
    if low && high {
        let bounds = [min, max].map(|bound| layer.number(bound));
        return layer.op("Clip", &[x, bounds[0], bounds[1]]);
    }
    for (op, bound) in [("Max", low.then_some(min)), ("Min", high.then_some(max))] {
        let Some(bound) = bound else { continue };
        let bound = layer.number(bound);
        id = layer.op(op, &[id, bound]);
    }
    id
}

/// `(shift + scale·x)^power`, step by step.
fn raised(layer: &mut Layer<'_, '_>, x: Id, power: f64, scale: f64, shift: f64) -> Id {
    let mut id = x;
    if scale == -1.0 {
        id = layer.op("Neg", &[id]);
    } else if scale != 1.0 {
        let scale = layer.number(scale);
        id = layer.op("Mul", &[id, scale]);
    }
    if shift != 0.0 {
        let shift = layer.number(shift);
        id = layer.op("Add", &[id, shift]);
    }
    if power == -1.0 {
        id = layer.op("Reciprocal", &[id]);
    } else if power == 0.5 {
        id = layer.op("Sqrt", &[id]);
    } else if power != 1.0 {
        let power = layer.number(power);
        id = layer.op("Pow", &[id, power]);
    }
    id
}

/// What the layer takes with the same number of axes, which lie in the order that is given back.
fn aligned(layer: &mut Layer<'_, '_>) -> Option<(Vec<Id>, Vec<usize>)> {
    let ranks =
        (0..layer.node.inputs.len()).map(|place| Some(layer.lengths(place)?.len())).collect::<Option<Vec<_>>>()?;
    let rank = ranks.iter().copied().max()?;
    let widest = ranks.iter().position(|own| *own == rank)?;
    let order = layer.input(widest)?.order.unwrap_or_else(|| (0..rank).collect());
    let mut ids = Vec::new();
    for (place, own) in ranks.into_iter().enumerate() {
        let id = if own == rank {
            let value = layer.input(place)?;
            layer.turn(&value, &order).id
        } else {
            let value = layer.plain(place)?;
            let id = widened(layer, value.id, own, rank);
            layer.turn(&Value { id, order: Some((0..rank).collect()) }, &order).id
        };
        ids.push(id);
    }
    Some((ids, order))
}

pub(super) fn binary(layer: &mut Layer<'_, '_>, binary: Binary) -> Option<Value> {
    let (ids, order) = aligned(layer)?;
    let pairs = match binary {
        Binary::Add => "Add",
        Binary::Subtract => "Sub",
        Binary::Multiply => "Mul",
        Binary::Divide => "Div",
        Binary::Maximum => return Some(Value { id: layer.op("Max", &ids), order: Some(order) }),
        Binary::Minimum => return Some(Value { id: layer.op("Min", &ids), order: Some(order) }),
        Binary::Average => return Some(Value { id: layer.op("Mean", &ids), order: Some(order) }),
        Binary::Equal => return compared(layer, "Equal", &ids, order),
        Binary::Less => return compared(layer, "Less", &ids, order),
        Binary::Greater => return compared(layer, "Greater", &ids, order),
        Binary::Power => "Pow",
        Binary::Remainder => return remainder(layer, &ids, order),
    };
    let (&first, rest) = ids.split_first()?;
    let id = rest.iter().fold(first, |left, right| layer.op(pairs, &[left, *right]));
    Some(Value { id, order: Some(order) })
}

/// A remainder with the sign of the first.
fn remainder(layer: &mut Layer<'_, '_>, ids: &[Id], order: Vec<usize>) -> Option<Value> {
    let id = layer.with("Mod", ids, vec![("fmod", Written::Int(1))]);
    Some(Value { id, order: Some(order) })
}

/// A comparison, whose truths become 1 and 0.
fn compared(layer: &mut Layer<'_, '_>, op: &'static str, ids: &[Id], order: Vec<usize>) -> Option<Value> {
    let truth = layer.op(op, ids);
    Some(Value { id: layer.cast(truth, Elements::Singles), order: Some(order) })
}

/// `Where`, which wants truths.
pub(super) fn choice(layer: &mut Layer<'_, '_>) -> Option<Value> {
    let (ids, order) = aligned(layer)?;
    let &[by, then, or] = &ids[..] else { return None };
    let truth = layer.cast(by, Elements::Truths);
    Some(Value { id: layer.op("Where", &[truth, then, or]), order: Some(order) })
}
