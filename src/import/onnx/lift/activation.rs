//! Functions of one number that were written out.

use super::form::{Bound, Form, Seeker};
use super::{Lift, Made, always};
use crate::formats::onnx::Setting;
use Form::{Either, Number, Op, Over, Scalar, Value, With};

pub(super) const LIFTS: &[Lift] = &[
    // gelu by erf
    Lift { last: &["Mul"], forms: gelu, made: |bound, _| alone(bound, "Gelu"), fits: always },
    // gelu by tanh
    Lift {
        last: &["Mul"],
        forms: gelu_tanh,
        made: |bound, _| {
            let approximate = ("approximate", Setting::Text("tanh".into()));
            Some(Made { attributes: vec![approximate], ..alone(bound, "Gelu")? })
        },
        fits: always,
    },
    // hard swish
    Lift { last: &["Mul", "Div"], forms: hard_swish, made: |bound, _| alone(bound, "HardSwish"), fits: always },
    // silu
    Lift {
        last: &["Mul"],
        forms: || vec![op("Mul", [x(), op("Sigmoid", [x()])])],
        made: |bound, _| alone(bound, "Swish"),
        fits: always,
    },
    // mish
    Lift {
        last: &["Mul"],
        forms: || vec![op("Mul", [x(), op("Tanh", [op("Softplus", [x()])])])],
        made: |bound, _| alone(bound, "Mish"),
        fits: always,
    },
    // softplus with a threshold
    Lift { last: &["Where"], forms: softplus, made: thresholded, fits: always },
    // softmax
    Lift { last: &["Div"], forms: softmax, made: over_one, fits: always },
];

fn x() -> Form {
    Value("x")
}

fn op<const N: usize>(name: &'static str, inputs: [Form; N]) -> Form {
    Op(name, inputs.into())
}

/// A node that takes `x` alone.
fn alone(bound: &Bound, op: &'static str) -> Option<Made> {
    Some(Made { op, inputs: vec![bound.value("x")?], attributes: Vec::new(), features: None })
}

/// `x·(1 + erf(x/√2))/2`, the half taken anywhere.
fn gelu() -> Vec<Form> {
    let scaled = Either(vec![
        op("Div", [x(), Number(std::f64::consts::SQRT_2)]),
        op("Mul", [x(), Number(std::f64::consts::FRAC_1_SQRT_2)]),
    ]);
    halves(op("Add", [op("Erf", [scaled]), Number(1.0)]))
}

/// `x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2`.
fn gelu_tanh() -> Vec<Form> {
    let cube = Either(vec![op("Pow", [x(), Number(3.0)]), op("Mul", [x(), op("Mul", [x(), x()])])]);
    let inner = op("Add", [x(), op("Mul", [cube, Number(0.044_715)])]);
    let scaled = op("Mul", [inner, Number(0.797_884_56)]);
    halves(op("Add", [op("Tanh", [scaled]), Number(1.0)]))
}

/// `x` times a form, halved.
fn halves(form: Form) -> Vec<Form> {
    vec![
        op("Mul", [op("Mul", [x(), form.clone()]), Number(0.5)]),
        op("Mul", [op("Mul", [x(), Number(0.5)]), form.clone()]),
        op("Mul", [x(), op("Mul", [form, Number(0.5)])]),
    ]
}

/// `x·min(max(x + 3, 0), 6)/6`.
fn hard_swish() -> Vec<Form> {
    let moved = op("Add", [x(), Number(3.0)]);
    let clipped = Either(vec![
        op("Clip", [moved.clone(), Number(0.0), Number(6.0)]),
        With("Clip", vec![moved.clone()], &[("min", 0.0), ("max", 6.0)]),
        op("Min", [op("Relu", [moved]), Number(6.0)]),
    ]);
    let sixth = |form: Form| Either(vec![op("Div", [form.clone(), Number(6.0)]), op("Mul", [form, Number(1.0 / 6.0)])]);
    vec![
        sixth(op("Mul", [x(), clipped.clone()])),
        op("Mul", [x(), sixth(clipped)]),
        op("Mul", [x(), With("HardSigmoid", vec![x()], &[("alpha", 1.0 / 6.0), ("beta", 0.5)])]),
    ]
}

/// PyTorch's `softplus`: the number itself above a bound.
fn softplus() -> Vec<Form> {
    vec![op("Where", [op("Greater", [x(), Scalar("bound")]), x(), op("Softplus", [x()])])]
}

fn thresholded(bound: &Bound, seeker: &Seeker<'_>) -> Option<Made> {
    let threshold = seeker.scalar(&bound.value("bound")?)? as f32;
    Some(Made { attributes: vec![("threshold", Setting::Float(threshold))], ..alone(bound, "Softplus")? })
}

/// `exp(x − max) / Σ exp(x − max)`.
fn softmax() -> Vec<Form> {
    let powers = || op("Exp", [op("Sub", [x(), Over("ReduceMax", Box::new(x()))])]);
    vec![op("Div", [powers(), Over("ReduceSum", Box::new(powers()))])]
}

/// Along the one axis that its reductions go over.
fn over_one(bound: &Bound, _: &Seeker<'_>) -> Option<Made> {
    let [axis] = bound.axes.as_deref()? else { return None };
    Some(Made { attributes: vec![("axis", Setting::Int(*axis)), ("one", Setting::Int(1))], ..alone(bound, "Softmax")? })
}
