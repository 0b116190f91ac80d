//! Functions of one number, and softmax.

use super::{Absent, Clash, Make, Setting, Settings, Takes, Word};
use crate::describe::{Op, Unary};

const fn real(key: &'static str, summary: &'static str, takes: Takes, absent: f64) -> Setting {
    Setting { key, summary, takes, absent: Absent::Real(absent) }
}

const fn bound(key: &'static str, summary: &'static str) -> Setting {
    Setting { key, summary, takes: Takes::NUMBER, absent: Absent::Nothing }
}

const fn plain(name: &'static str, summary: &'static str, make: Make) -> Word {
    Word::new(name, summary, "{}", make)
}

const LAMBDA: Setting = real("lambda", "half the width of the range that gives nought", Takes::NOT_NEGATIVE, 0.5);

pub(super) const AXIS: Setting = Setting {
    key: "axis",
    summary: "the axis, the batch counted as axis 0",
    takes: Takes::WHOLE,
    absent: Absent::Int(-1),
};

pub(super) const WORDS: &[Word] = &[
    plain("relu", "max(x, 0)", |_| unary(Unary::Relu)),
    plain("tanh", "hyperbolic tangent", |_| unary(Unary::Tanh)),
    plain("sigmoid", "1 / (1 + exp(-x))", |_| unary(Unary::Sigmoid)),
    plain("selu", "scaled ELU with its fixed constants", |_| unary(Unary::Selu)),
    plain("silu", "x·sigmoid(x)", |_| unary(Unary::Silu)),
    plain("mish", "x·tanh(ln(1 + exp(x)))", |_| unary(Unary::Mish)),
    plain("softsign", "x / (1 + |x|)", |_| unary(Unary::Softsign)),
    plain("hardSwish", "x·min(max(x + 3, 0), 6) / 6", |_| unary(Unary::HardSwish)),
    plain("exp", "exponential", |_| unary(Unary::Exp)),
    plain("log", "natural logarithm", |_| unary(Unary::Log)),
    plain("sqrt", "square root", |_| unary(Unary::Sqrt)),
    plain("abs", "magnitude", |_| unary(Unary::Abs)),
    plain("erf", "error function", |_| unary(Unary::Erf)),
    plain("sin", "sine", |_| unary(Unary::Sin)),
    plain("cos", "cosine", |_| unary(Unary::Cos)),
    plain("floor", "the largest whole number that is not above x", |_| unary(Unary::Floor)),
    plain("ceil", "the smallest whole number that is not below x", |_| unary(Unary::Ceil)),
    plain("round", "the nearest whole number, even ones from the middle", |_| unary(Unary::Round)),
    plain("sign", "1 above nought, -1 below it, else x", |_| unary(Unary::Sign)),
    plain("logSigmoid", "ln(sigmoid(x))", |_| unary(Unary::LogSigmoid)),
    plain("tanhShrink", "x - tanh(x)", |_| unary(Unary::TanhShrink)),
    plain("leakyRelu", "x where positive, else negativeSlope·x", |s| {
        unary(Unary::LeakyRelu { slope: s.real("negativeSlope") })
    })
    .with(&[&[real("negativeSlope", "slope where x is negative", Takes::NUMBER, 0.01)]]),
    plain("elu", "x where positive, else alpha·(exp(x) - 1)", |s| {
        unary(Unary::Elu { alpha: s.real("alpha"), width: 1.0 })
    })
    .with(&[&[real("alpha", "the limit below, negated", Takes::NUMBER, 1.0)]]),
    plain("celu", "x where positive, else alpha·(exp(x/alpha) - 1)", |s| {
        unary(Unary::Elu { alpha: s.real("alpha"), width: s.real("alpha") })
    })
    .with(&[&[real("alpha", "the limit below, negated", Takes::POSITIVE, 1.0)]]),
    plain("gelu", "x·Φ(x)", |s| unary(Unary::Gelu { tanh: s.text("approximate") == "tanh" })).with(&[&[Setting {
        key: "approximate",
        summary: "exact by erf, or by the tanh formula",
        takes: Takes::Text(&["none", "tanh"]),
        absent: Absent::Text("none"),
    }]]),
    plain("softplus", "ln(1 + exp(beta·x)) / beta", |s| {
        unary(Unary::Softplus { beta: s.real("beta"), threshold: s.real("threshold") })
    })
    .with(&[&[
        real("beta", "sharpness", Takes::POSITIVE, 1.0),
        real("threshold", "x itself where beta·x is above this", Takes::NUMBER, 20.0),
    ]]),
    plain("hardSigmoid", "min(max(slope·x + shift, 0), 1)", |s| {
        unary(Unary::HardSigmoid { slope: s.real("slope"), shift: s.real("shift") })
    })
    .with(&[&[
        real("slope", "slope (Keras 2: 0.2)", Takes::NUMBER, 1.0 / 6.0),
        real("shift", "value at nought", Takes::NUMBER, 0.5),
    ]]),
    plain("hardShrink", "0 where |x| is at most lambda, else x", |s| {
        unary(Unary::HardShrink { lambda: s.real("lambda") })
    })
    .with(&[&[LAMBDA]]),
    plain("softShrink", "0 where |x| is at most lambda, else x moved towards 0 by it", |s| {
        unary(Unary::SoftShrink { lambda: s.real("lambda") })
    })
    .with(&[&[LAMBDA]]),
    Word::new("threshold", "x where above threshold, else value", r#"{"threshold":0.1,"value":2}"#, |s| {
        unary(Unary::Threshold { threshold: s.real("threshold"), value: s.real("value") })
    })
    .with(&[&[
        Setting { key: "threshold", summary: "the bound", takes: Takes::NUMBER, absent: Absent::Required },
        Setting { key: "value", summary: "what stands in", takes: Takes::NUMBER, absent: Absent::Required },
    ]]),
    Word::new("clip", "min(max(x, min), max)", r#"{"min":0,"max":6}"#, clip)
        .with(&[&[bound("min", "smallest, if any"), bound("max", "largest, if any")]]),
    Word::new("power", "(shift + scale·x)^power", r#"{"power":2}"#, |s| {
        unary(Unary::Power { power: s.real("power"), scale: s.real("scale"), shift: s.real("shift") })
    })
    .with(&[&[
        real("power", "exponent", Takes::NUMBER, 1.0),
        real("scale", "factor", Takes::NUMBER, 1.0),
        real("shift", "addend", Takes::NUMBER, 0.0),
    ]]),
    plain("prelu", "x where positive, else weight·x", |s| Ok(Op::Prelu { features: s.length("features") })).with(&[&[
        Setting {
            key: "features",
            summary: "length of the last axis, or 1 for one weight in common",
            takes: Takes::LENGTH,
            absent: Absent::Int(1),
        },
    ]]),
    plain("softmax", "exp(x - max) / total along an axis", |s| softmax(s, false)).with(&[&[AXIS]]),
    plain("logSoftmax", "logarithm of softmax", |s| softmax(s, true)).with(&[&[AXIS]]),
];

fn unary(unary: Unary) -> Result<Op, Clash> {
    Ok(Op::Unary(unary))
}

fn softmax(s: &Settings, log: bool) -> Result<Op, Clash> {
    Ok(Op::Softmax { axis: s.whole("axis"), log })
}

fn clip(s: &Settings) -> Result<Op, Clash> {
    let bound = |key, absent| if s.written(key).is_some() { s.real(key) } else { absent };
    let (min, max) = (bound("min", f64::NEG_INFINITY), bound("max", f64::INFINITY));
    if min > max {
        return Err(Clash::new("max", format!("{max} is below min, {min}")));
    }
    unary(Unary::Clip { min, max })
}
