//! Functions of one number.

use super::super::call::Call;
use super::super::flow::Flow;
use super::super::held::Number;
use crate::describe::{Binary, Op, Unary};
use crate::faults::Code;

fn function(call: &mut Call<'_, '_, '_>, unary: Unary) -> Option<Flow> {
    call.done()?;
    let flow = call.anywhere(0)?;
    call.keep(&Op::Unary(unary), &flow)
}

/// Those without attributes.
pub(super) fn plain(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let unary = match call.node.op.as_str() {
        "Abs" => Unary::Abs,
        "Ceil" => Unary::Ceil,
        "Cos" => Unary::Cos,
        "Erf" => Unary::Erf,
        "Exp" => Unary::Exp,
        "Floor" => Unary::Floor,
        "HardSwish" => Unary::HardSwish,
        "Log" => Unary::Log,
        "Mish" => Unary::Mish,
        "Neg" => Unary::Power { power: 1.0, scale: -1.0, shift: 0.0 },
        "Reciprocal" => Unary::Power { power: -1.0, scale: 1.0, shift: 0.0 },
        "Relu" => Unary::Relu,
        "Round" => Unary::Round,
        "Sigmoid" => Unary::Sigmoid,
        "Sign" => Unary::Sign,
        "Sin" => Unary::Sin,
        // ONNX has no bound from which on it is the number itself; from 20 on the two are the same single.
        "Softplus" => {
            let threshold = if call.is_lifted() { call.attributes.real("threshold", 20.0) } else { 20.0 };
            Unary::Softplus { beta: 1.0, threshold }
        }
        "Softsign" => Unary::Softsign,
        "Sqrt" => Unary::Sqrt,
        _ => Unary::Tanh,
    };
    function(call, unary)
}

pub(super) fn leaky_relu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let slope = call.attributes.real("alpha", 0.01);
    function(call, Unary::LeakyRelu { slope })
}

pub(super) fn elu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let alpha = call.attributes.real("alpha", 1.0);
    function(call, Unary::Elu { alpha, width: 1.0 })
}

pub(super) fn celu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let alpha = call.attributes.real("alpha", 1.0);
    if alpha <= 0.0 {
        call.attributes.wrong("alpha", "wants a number above 0");
    }
    function(call, Unary::Elu { alpha, width: alpha })
}

/// With its own constants it is the word; with others a scaled ELU.
pub(super) fn selu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    const ALPHA: f64 = 1.673_263_2;
    const GAMMA: f64 = 1.050_701;
    let (alpha, gamma) = (call.attributes.real("alpha", ALPHA), call.attributes.real("gamma", GAMMA));
    if (alpha - ALPHA).abs() < 1e-6 && (gamma - GAMMA).abs() < 1e-6 {
        return function(call, Unary::Selu);
    }
    call.done()?;
    let flow = call.real(0)?;
    let inner = call.step("elu", &Op::Unary(Unary::Elu { alpha, width: 1.0 }), &flow);
    call.keep(&scaled(gamma), &inner)
}

pub(super) fn gelu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let tanh = match call.attributes.text("approximate", "none") {
        "none" => false,
        "tanh" => true,
        _ => {
            call.attributes.wrong("approximate", "wants 'none' or 'tanh'");
            false
        }
    };
    function(call, Unary::Gelu { tanh })
}

/// A number times another.
fn scaled(scale: f64) -> Op {
    Op::Unary(Unary::Power { power: 1.0, scale, shift: 0.0 })
}

/// `x·σ(α·x)`.
pub(super) fn swish(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let alpha = call.attributes.real("alpha", 1.0);
    if alpha == 1.0 {
        return function(call, Unary::Silu);
    }
    call.done()?;
    let flow = call.anywhere(0)?;
    if alpha == 0.0 {
        return call.keep(&scaled(0.5), &flow);
    }
    let steeper = call.step("steeper", &scaled(alpha), &flow);
    let made = call.step("silu", &Op::Unary(Unary::Silu), &steeper);
    call.keep(&scaled(1.0 / alpha), &made)
}

pub(super) fn hard_sigmoid(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (slope, shift) = (call.attributes.real("alpha", 0.2), call.attributes.real("beta", 0.5));
    function(call, Unary::HardSigmoid { slope, shift })
}

pub(super) fn thresholded(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let threshold = call.attributes.real("alpha", 1.0);
    function(call, Unary::Threshold { threshold, value: 0.0 })
}

pub(super) fn shrink(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (bias, lambda) = (call.attributes.real("bias", 0.0), call.attributes.real("lambd", 0.5));
    if lambda < 0.0 {
        call.attributes.wrong("lambd", "wants a number from 0");
    }
    if bias == 0.0 {
        return function(call, Unary::HardShrink { lambda });
    }
    if bias == lambda {
        return function(call, Unary::SoftShrink { lambda });
    }
    call.done()?;
    let flow = call.anywhere(0)?;
    let hard = call.step("hard", &Op::Unary(Unary::HardShrink { lambda }), &flow);
    let sign = call.step("sign", &Op::Unary(Unary::Sign), &hard);
    let less = call.step("less", &scaled(-bias), &sign);
    let order = flow.axes().order;
    let made = call.make(&Op::Binary(Binary::Add), &[&hard, &less], order)?;
    Some(flow.with(made.value))
}

/// Bounds by attributes, since version 11 by inputs.
pub(super) fn clip(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let bound = |call: &mut Call<'_, '_, '_>, name: &str, place: usize, absent: f64| -> Option<f64> {
        if call.opset() < 11 {
            return Some(call.attributes.real(name, absent));
        }
        Some(call.number(place, name)?.unwrap_or(absent))
    };
    let min = bound(call, "min", 1, f64::NEG_INFINITY)?;
    let max = bound(call, "max", 2, f64::INFINITY)?;
    let held = |bound: f64| if bound.abs() >= f64::from(f32::MAX) { bound.signum() * f64::INFINITY } else { bound };
    // Where the bounds cross, the upper one holds.
    let (min, max) = (held(min.min(max)), held(max));
    function(call, Unary::Clip { min, max })
}

/// A slope in common, one for each place of an axis, or any that is broadcast.
pub(super) fn prelu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let flow = call.real(0)?;
    let slope = call.constant_needed(1, "slope")?;
    let (shape, _) = call.beside(&slope, &flow, "weight")?;
    let aligned: Vec<usize> = [vec![1; flow.each() - shape.len().min(flow.each())], shape].concat();
    let order = flow.axes().order;
    let mut long = aligned.iter().zip(&order).filter(|(length, _)| **length != 1);
    match (long.next(), long.next()) {
        (found, None) => {
            let features = found.map_or(1, |(length, _)| *length);
            let turned = match found {
                // The axis of the slopes lies last.
                Some((_, axis)) => {
                    let order: Vec<usize> =
                        order.iter().copied().filter(|other| other != axis).chain([*axis]).collect();
                    call.turn(&flow, &order)
                }
                None => flow,
            };
            let numbers = vec![Number::flat("weight", slope, &[features])];
            call.keep_with(&Op::Prelu { features }, &turned, numbers)
        }
        _ => {
            let other = call.parameter(&slope, &flow, flow.each())?;
            let below = call.step("below", &Op::Unary(Unary::Clip { min: f64::NEG_INFINITY, max: 0.0 }), &flow);
            let above = call.step("above", &Op::Unary(Unary::Relu), &flow);
            let order = flow.axes().order;
            let sloped = call.put(
                Some("sloped"),
                &Op::Binary(Binary::Multiply),
                &[&below.value, &other.value],
                order.clone(),
                Vec::new(),
            );
            let made = call.put(None, &Op::Binary(Binary::Add), &[&above.value, &sloped], order, Vec::new());
            if made.axes.is_none() {
                return call.refuse(Code::LayerShape, "its slopes do not fit what reaches it");
            }
            Some(flow.with(made))
        }
    }
}
