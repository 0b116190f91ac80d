//! Normalisations.

use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::Op;

const FEATURES: Setting =
    Setting { key: "features", summary: "length of the last axis", takes: Takes::LENGTH, absent: Absent::Required };

const EPSILON: Setting = Setting {
    key: "epsilon",
    summary: "added to the variance",
    takes: Takes::NOT_NEGATIVE,
    absent: Absent::Real(1e-5),
};

const fn flag(key: &'static str, summary: &'static str, absent: bool) -> Setting {
    Setting { key, summary, takes: Takes::Bool, absent: Absent::Bool(absent) }
}

const fn real(key: &'static str, summary: &'static str, absent: f64) -> Setting {
    Setting { key, summary, takes: Takes::NUMBER, absent: Absent::Real(absent) }
}

pub(super) const WORDS: &[Word] = &[
    Word::new("batchNorm", "normalises each channel by kept statistics", r#"{"features":3}"#, batch_norm).with(&[&[
        FEATURES,
        Setting {
            key: "momentum",
            summary: "share of the new statistic, in training alone",
            takes: Takes::Real(0.0, 1.0),
            absent: Absent::Real(0.1),
        },
        EPSILON,
        flag("affine", "whether there are weight and bias", true),
    ]]),
    Word::new("layerNorm", "normalises each example over its last axes", r#"{"features":3}"#, layer_norm).with(&[&[
        Setting { absent: Absent::Nothing, ..FEATURES },
        Setting {
            key: "shape",
            summary: "instead of features: lengths of the last axes normalised over",
            takes: Takes::List(&Takes::LENGTH, 1, usize::MAX),
            absent: Absent::Nothing,
        },
        EPSILON,
        flag("weight", "whether there is a weight", true),
        flag("bias", "whether there is a bias", true),
    ]]),
    Word::new("groupNorm", "normalises groups of channels", r#"{"groups":2,"features":4}"#, group_norm).with(&[&[
        Setting {
            key: "groups",
            summary: "how many groups; divides features",
            takes: Takes::LENGTH,
            absent: Absent::Required,
        },
        FEATURES,
        EPSILON,
        flag("affine", "whether there are weight and bias", true),
    ]]),
    Word::new("instanceNorm", "normalises each channel of each example", r#"{"features":4}"#, |s| {
        let features = s.length("features");
        Ok(Op::GroupNorm { groups: features, features, epsilon: s.real("epsilon"), affine: s.flag("affine") })
    })
    .with(&[&[FEATURES, EPSILON, flag("affine", "whether there are weight and bias", false)]]),
    Word::new("lrn", "x / (k + alpha·squares)^beta over a window", r#"{"size":5}"#, |s| {
        Ok(Op::Lrn {
            across: s.text("mode") == "across",
            size: s.length("size"),
            alpha: s.real("alpha"),
            beta: s.real("beta"),
            k: s.real("k"),
            mean: s.flag("mean"),
            later: s.flag("later"),
        })
    })
    .with(&[&[
        Setting {
            key: "mode",
            summary: "across neighbouring channels, or within the channel over a window of places",
            takes: Takes::Text(&["across", "within"]),
            absent: Absent::Text("across"),
        },
        Setting { key: "size", summary: "length of the window", takes: Takes::LENGTH, absent: Absent::Required },
        real("alpha", "weight of the squares", 1e-4),
        real("beta", "exponent", 0.75),
        real("k", "constant", 1.0),
        flag("mean", "whether the squares are divided by the places of a whole window", true),
        flag("later", "whether a window of an even size leans to the later places", false),
    ]]),
    Word::new("l2Normalize", "x / max(length, epsilon) along an axis", "{}", |s| {
        Ok(Op::L2Normalize { axis: s.whole("axis"), epsilon: s.real("epsilon") })
    })
    .with(&[&[
        Setting {
            key: "axis",
            summary: "the axis, the batch counted as axis 0",
            takes: Takes::WHOLE,
            absent: Absent::Int(-1),
        },
        Setting {
            key: "epsilon",
            summary: "smallest divisor",
            takes: Takes::NOT_NEGATIVE,
            absent: Absent::Real(1e-12),
        },
    ]]),
];

fn batch_norm(s: &Settings) -> Result<Op, Clash> {
    Ok(Op::BatchNorm {
        features: s.length("features"),
        epsilon: s.real("epsilon"),
        momentum: s.real("momentum"),
        affine: s.flag("affine"),
    })
}

fn layer_norm(s: &Settings) -> Result<Op, Clash> {
    let shape = match (s.written("features"), s.written("shape")) {
        (Some(_), None) => vec![s.length("features")],
        (None, Some(_)) => s.lengths("shape"),
        (None, None) => return Err(Clash::new("features", "it is missing")),
        (Some(_), Some(_)) => return Err(Clash::new("shape", "features is written as well; one of them says it")),
    };
    Ok(Op::LayerNorm { shape, epsilon: s.real("epsilon"), weight: s.flag("weight"), bias: s.flag("bias") })
}

fn group_norm(s: &Settings) -> Result<Op, Clash> {
    let (groups, features) = (s.length("groups"), s.length("features"));
    if features % groups.max(1) != 0 {
        return Err(Clash::new("groups", format!("{groups} does not divide features, {features}")));
    }
    Ok(Op::GroupNorm { groups, features, epsilon: s.real("epsilon"), affine: s.flag("affine") })
}
