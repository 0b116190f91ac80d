//! Functions of one number, and of numbers along an axis.

use super::super::{
    Row,
    activation::softmax,
    drops,
    function::{named, power},
    norm::unit_of,
};
use crate::{
    describe::{Op, Unary},
    faults::Code,
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    drops("Relu", |call| plain(call, "relu")),
    drops("Relu6", |call| plain(call, "relu6")),
    drops("Sigmoid", |call| plain(call, "sigmoid")),
    drops("SparseSigmoid", |call| plain(call, "sparse_sigmoid")),
    drops("Softplus", |call| plain(call, "softplus")),
    drops("Softsign", |call| plain(call, "softsign")),
    drops("SparsePlus", |call| plain(call, "sparse_plus")),
    drops("Silu", |call| plain(call, "silu")),
    drops("LogSigmoid", |call| plain(call, "log_sigmoid")),
    drops("HardSigmoid", |call| plain(call, "hard_sigmoid")),
    drops("HardSilu", |call| plain(call, "hard_silu")),
    drops("HardTanh", |call| plain(call, "hard_tanh")),
    drops("Selu", |call| plain(call, "selu")),
    drops("Tanh", |call| plain(call, "tanh")),
    drops("TanhShrink", |call| plain(call, "tanh_shrink")),
    drops("Exp", |call| plain(call, "exponential")),
    drops("LeakyRelu", |call| with(call, "negative_slope", 0.2, |slope| Unary::LeakyRelu { slope })),
    drops("Elu", |call| with(call, "alpha", 1.0, |alpha| Unary::Elu { alpha, width: 1.0 })),
    drops("Celu", |call| with(call, "alpha", 1.0, |alpha| Unary::Elu { alpha, width: alpha })),
    drops("SoftShrink", |call| with(call, "threshold", 0.5, |lambda| Unary::SoftShrink { lambda })),
    drops("HardShrink", |call| with(call, "threshold", 0.5, |lambda| Unary::HardShrink { lambda })),
    drops("Gelu", gelu),
    drops("Threshold", threshold),
    drops("Clip", clip),
    drops("Softmax", |call| softmax(call, false)),
    drops("LogSoftmax", |call| softmax(call, true)),
    drops("Normalize", normalize),
    drops("Cast", cast),
    drops("Copy", |call| one(call, Op::Identity)),
    drops("StopGradient", |call| one(call, Op::Identity)),
    drops("Absolute", |call| one(call, Op::Unary(Unary::Abs))),
    drops("Fabs", |call| one(call, Op::Unary(Unary::Abs))),
    drops("Log", |call| one(call, Op::Unary(Unary::Log))),
    drops("Sqrt", |call| one(call, Op::Unary(Unary::Sqrt))),
    drops("Erf", |call| one(call, Op::Unary(Unary::Erf))),
    drops("Sin", |call| one(call, Op::Unary(Unary::Sin))),
    drops("Cos", |call| one(call, Op::Unary(Unary::Cos))),
    drops("Floor", |call| one(call, Op::Unary(Unary::Floor))),
    drops("Ceil", |call| one(call, Op::Unary(Unary::Ceil))),
    drops("Sign", |call| one(call, Op::Unary(Unary::Sign))),
    drops("Square", |call| one(call, power(2.0, 1.0, 0.0))),
    drops("Rsqrt", |call| one(call, power(-0.5, 1.0, 0.0))),
    drops("Reciprocal", |call| one(call, power(-1.0, 1.0, 0.0))),
];

/// An operation without settings.
fn one(call: &mut Call<'_, '_, '_>, op: Op) -> Option<Flow> {
    call.done()?;
    let flow = call.input()?;
    call.keep(&op, &flow)
}

/// One of Keras's activations.
fn plain(call: &mut Call<'_, '_, '_>, name: &'static str) -> Option<Flow> {
    call.done()?;
    let flow = call.input()?;
    named(call, name, flow)
}

/// A function with one setting.
fn with(call: &mut Call<'_, '_, '_>, key: &'static str, absent: f64, of: fn(f64) -> Unary) -> Option<Flow> {
    let number = call.settings.real(key, absent);
    one(call, Op::Unary(of(number)))
}

fn gelu(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let tanh = call.settings.flag("approximate", true);
    one(call, Op::Unary(Unary::Gelu { tanh }))
}

fn threshold(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (threshold, value) = (call.settings.real("threshold", 0.0), call.settings.real("default_value", 0.0));
    one(call, Op::Unary(Unary::Threshold { threshold, value }))
}

fn clip(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let min = call.settings.real("x_min", f64::NEG_INFINITY);
    let max = call.settings.real("x_max", f64::INFINITY);
    one(call, Op::Unary(Unary::Clip { min, max }))
}

/// Divided by the length along an axis.
fn normalize(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    /// What Keras takes where nothing is set.
    const EPSILON: f64 = 1e-7;
    let order = call.settings.real("order", 2.0);
    let epsilon = call.settings.real("epsilon", EPSILON);
    if order != 2.0 {
        return call.refuse(Code::Unsupported, "it normalises by another length than the root of squares");
    }
    unit_of(call, epsilon)
}

/// Numbers stay the singles they are.
fn cast(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let to = call.settings.text("dtype", "float32");
    if !matches!(to, "float32" | "float64" | "float16" | "bfloat16") {
        return call.unsupported("it makes whole numbers or truths of its values, which is not read");
    }
    one(call, Op::Identity)
}
