//! Normalisations.

use super::super::call::Call;
use super::super::constant::{Constant, Item};
use super::super::flow::Flow;
use super::super::held::Number;
use crate::describe::{Binary, Op, ReduceKind, Unary};
use crate::faults::Code;
use crate::import::affine;
use crate::tensor::{DType, shape_text};

/// A constant with a number for each of `features`, whatever axes of length 1 it has.
fn each(call: &mut Call<'_, '_, '_>, place: usize, slot: &'static str, features: usize) -> Option<Number> {
    let constant = call.constant_needed(place, slot)?;
    if constant.count() != features {
        let shape = shape_text(constant.shape());
        return call.refuse(Code::LayerShape, &format!("its {slot} is {shape}, and {features} channels reach it"));
    }
    Some(Number::flat(slot, constant, &[features]))
}

fn epsilon(call: &mut Call<'_, '_, '_>, absent: f64) -> f64 {
    let epsilon = call.attributes.real("epsilon", absent);
    if epsilon < 0.0 {
        call.attributes.wrong("epsilon", "wants a number from 0");
    }
    epsilon
}

pub(super) fn batch(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let epsilon = epsilon(call, 1e-5);
    // The share of the old statistic, as Keras has it.
    let momentum = (1.0 - call.attributes.real("momentum", 0.9)).clamp(0.0, 1.0);
    if call.attributes.flag("training_mode", false) {
        return call.unsupported("training_mode normalises by the batch it sits in; examples are never mixed");
    }
    if !call.attributes.flag("spatial", true) {
        return call.unsupported("spatial 0, statistics for each place, is not read");
    }
    call.done()?;
    let flow = call.whole(0)?;
    let features = call.constant_needed(1, "scale")?.count();
    let numbers = [(1, "weight"), (2, "bias"), (3, "running_mean"), (4, "running_var")]
        .into_iter()
        .map(|(place, slot)| each(call, place, slot, features))
        .collect::<Option<Vec<Number>>>()?;
    if flow.each() == 0 {
        return call.refuse(Code::LayerShape, "it wants channels, and the batch alone reaches it");
    }
    let flow = if flow.each() > 1 { call.image(&flow) } else { flow };
    call.keep_with(&Op::BatchNorm { features, epsilon, momentum, affine: true }, &flow, numbers)
}

/// `(x − mean)·scale + shift`, as a rewrite has found it; a mean that is left out is nought.
pub(super) fn scale_shift(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.attributes.ignore(&["axis"]);
    call.done()?;
    let flow = call.real(0)?;
    let features = call.constant_needed(1, "scale")?.count();
    let mut numbers = vec![each(call, 1, "weight", features)?, each(call, 2, "bias", features)?];
    call.room(&[2, features])?;
    let same = |number: f64| Constant::computed(DType::F32, vec![features], vec![Item::Known(number); features]);
    numbers.push(match call.has(3) {
        true => each(call, 3, "running_mean", features)?,
        false => Number::flat("running_mean", same(0.0)?, &[features]),
    });
    numbers.push(Number::flat("running_var", same(affine::VARIANCE)?, &[features]));
    call.keep_with(&affine::op(features), &flow, numbers)
}

pub(super) fn layer(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", -1);
    let epsilon = epsilon(call, 1e-5);
    call.attributes.ignore(&["stash_type"]);
    call.done()?;
    let flow = call.anywhere(0)?;
    let axis = call.axis(axis, &flow)?;
    if flow.at > axis + 1 {
        return call.unsupported("it normalises over the batch too; examples are never mixed");
    }
    let flow = tail(call, &flow, axis);
    let lengths = flow.lengths();
    let known: Option<Vec<usize>> = lengths.get(axis..)?.iter().copied().collect();
    let weight = call.constant_needed(1, "scale")?;
    let shape = match known {
        Some(shape) => shape,
        None if flow.each() - axis == weight.shape().len() => weight.shape().to_vec(),
        None => {
            return call.refuse(
                Code::Input,
                "it wants lengths that are not known: state the shape of one example of the input",
            );
        }
    };
    let count = crate::tensor::count(&shape)?;
    let bias = if call.has(2) { Some(call.constant_needed(2, "addend")?) } else { None };
    let mut numbers = Vec::new();
    let has_bias = bias.is_some();
    for (slot, constant) in [("weight", Some(weight)), ("bias", bias)] {
        let Some(constant) = constant else { continue };
        if constant.count() != count {
            let what = format!(
                "its {slot} is {}, and it normalises over {}",
                shape_text(constant.shape()),
                shape_text(&shape)
            );
            return call.refuse(Code::LayerShape, &what);
        }
        numbers.push(Number::flat(slot, constant, &shape));
    }
    call.keep_with(&Op::LayerNorm { shape, epsilon, weight: true, bias: has_bias }, &flow, numbers)
}

/// The value with its axes from `axis` on lying last and in the graph's order.
fn tail(call: &mut Call<'_, '_, '_>, flow: &Flow, axis: usize) -> Flow {
    let order = flow.axes().order;
    let lies = order.get(axis..).is_some_and(|tail| tail.iter().copied().eq(axis..flow.each()));
    if lies { flow.clone() } else { call.plain(flow) }
}

pub(super) fn instance(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let epsilon = epsilon(call, 1e-5);
    call.done()?;
    let features = call.constant_needed(1, "scale")?.count();
    groups(call, features, features, epsilon)
}

/// Since version 21 with a weight for each channel, before that one for each group.
pub(super) fn group(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let epsilon = epsilon(call, 1e-5);
    let groups_said = call.attributes.int("num_groups", 0);
    call.attributes.ignore(&["stash_type"]);
    call.done()?;
    let flow = call.whole(0)?;
    let features = flow.lengths().first().copied().flatten();
    let Some(features) = features else {
        return call.refuse(
            Code::Input,
            "how many channels reach it is not known: state the shape of one example of the input",
        );
    };
    let Some(count) = usize::try_from(groups_said).ok().filter(|count| *count > 0 && features % count == 0) else {
        return call.refuse(Code::Attribute, &format!("num_groups {groups_said} does not divide {features} channels"));
    };
    if call.opset() < 21 && count != features {
        call.room(&[2, features])?;
        for place in [1, 2] {
            let constant = call.constant_needed(place, "scale or addend")?;
            let items = constant.items()?;
            let spread = (0..features).filter_map(|channel| items.get(channel / (features / count)).copied()).collect();
            let Some(spread) = Constant::computed(DType::F32, vec![features], spread) else {
                return call.refuse(Code::LayerShape, "its scale or addend has not a number for each group");
            };
            if let Some(given) = call.given.get_mut(place) {
                *given = Some(super::super::build::Given::Constant(spread));
            }
        }
    }
    groups(call, count, features, epsilon)
}

fn groups(call: &mut Call<'_, '_, '_>, groups: usize, features: usize, epsilon: f64) -> Option<Flow> {
    let numbers = vec![each(call, 1, "weight", features)?, each(call, 2, "bias", features)?];
    let (flow, _) = call.windows()?;
    call.keep_with(&Op::GroupNorm { groups, features, epsilon, affine: true }, &flow, numbers)
}

pub(super) fn lrn(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let size = call.attributes.int("size", 0);
    let (alpha, beta) = (call.attributes.real("alpha", 1e-4), call.attributes.real("beta", 0.75));
    let k = call.attributes.real("bias", 1.0);
    call.done()?;
    let Some(size) = usize::try_from(size).ok().filter(|size| *size > 0) else {
        return call.refuse(Code::Attribute, "size wants a whole number from 1");
    };
    let (flow, _) = call.windows()?;
    call.keep(&Op::Lrn { across: true, size, later: size % 2 == 0, alpha, beta, k, mean: true }, &flow)
}

/// The least length a value is divided by: nought stays nought, as ONNX Runtime has it.
const LEAST: f64 = f32::MIN_POSITIVE as f64;

/// `LpNormalization`.
pub(super) fn length(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", -1);
    let power = call.attributes.int("p", 2);
    if !(1..=2).contains(&power) {
        call.attributes.wrong("p", "other than 1 and 2 is not read");
    }
    call.done()?;
    let flow = call.real(0)?;
    let axis = call.axis(axis, &flow)?;
    let axis = call.lying(axis, &flow);
    if power == 1 {
        let sizes = call.step("sizes", &Op::Unary(Unary::Abs), &flow);
        let total = call.step("total", &Op::Reduce { kind: ReduceKind::Sum, axes: vec![axis], keep: true }, &sizes);
        let total = call.step("bound", &Op::Unary(Unary::Clip { min: LEAST, max: f64::INFINITY }), &total);
        return call
            .make(&Op::Binary(Binary::Divide), &[&flow, &total], flow.axes().order)
            .map(|made| made.like(&flow));
    }
    call.keep(&Op::L2Normalize { axis, epsilon: LEAST }, &flow)
}
