//! More or other places along the window axes.

use super::spatial::pair;
use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::{Op, PadMode, UpsampleMode, UpsampleSize, Value};

pub(super) const WORDS: &[Word] = &[
    Word::new("pad", "adds places around", r#"{"border":[1,[0,2],0]}"#, pad).with(&[&[
        Setting {
            key: "border",
            summary: "for each axis of one example, places on both sides or [before, after]",
            takes: Takes::List(&Takes::Either(&[Takes::COUNT, Takes::List(&Takes::COUNT, 2, 2)]), 1, usize::MAX),
            absent: Absent::Required,
        },
        Setting {
            key: "mode",
            summary: "what stands there",
            takes: Takes::Text(&["constant", "reflect", "edge", "circular"]),
            absent: Absent::Text("constant"),
        },
        Setting {
            key: "value",
            summary: "the number of mode constant",
            takes: Takes::NUMBER,
            absent: Absent::Real(0.0),
        },
    ]]),
    Word::new("upsample", "makes the window axes longer", r#"{"scale":[2,2]}"#, upsample).with(&[&[
        Setting {
            key: "size",
            summary: "length of each window axis of the output",
            takes: Takes::List(&Takes::LENGTH, 1, 3),
            absent: Absent::Nothing,
        },
        Setting {
            key: "scale",
            summary: "instead of size: factor of each window axis",
            takes: Takes::List(&Takes::POSITIVE, 1, 3),
            absent: Absent::Nothing,
        },
        Setting {
            key: "mode",
            summary: "which numbers",
            takes: Takes::Text(&["nearest", "nearestExact", "linear"]),
            absent: Absent::Text("nearest"),
        },
        Setting {
            key: "alignCorners",
            summary: "whether the outermost places keep their numbers (mode linear)",
            takes: Takes::Bool,
            absent: Absent::Bool(false),
        },
    ]]),
];

fn pad(s: &Settings) -> Result<Op, Clash> {
    let border = match s.written("border") {
        Some(Value::List(list)) => list.iter().map(pair).collect(),
        _ => Vec::new(),
    };
    let mode = match s.text("mode") {
        "reflect" => PadMode::Reflect,
        "edge" => PadMode::Edge,
        "circular" => PadMode::Circular,
        _ => PadMode::Constant(s.real("value")),
    };
    if s.written("value").is_some() && !matches!(mode, PadMode::Constant(_)) {
        return Err(Clash::new("value", "it belongs to mode constant alone"));
    }
    Ok(Op::Pad { border, mode })
}

fn upsample(s: &Settings) -> Result<Op, Clash> {
    let size = match (s.written("size"), s.written("scale")) {
        (Some(_), None) => UpsampleSize::To(s.lengths("size")),
        (None, Some(_)) => UpsampleSize::By(s.reals("scale")),
        (None, None) => return Err(Clash::new("size", "it is missing, and so is scale; one of them says it")),
        (Some(_), Some(_)) => return Err(Clash::new("scale", "size is written as well; one of them says it")),
    };
    let dims = match &size {
        UpsampleSize::To(lengths) => lengths.len(),
        UpsampleSize::By(factors) => factors.len(),
    };
    let mode = match (s.text("mode"), s.flag("alignCorners")) {
        ("linear", true) => UpsampleMode::LinearCorners,
        ("linear", false) => UpsampleMode::Linear,
        (_, true) => return Err(Clash::new("alignCorners", "it belongs to mode linear alone")),
        ("nearestExact", false) => UpsampleMode::NearestExact,
        _ => UpsampleMode::Nearest,
    };
    Ok(Op::Upsample { dims, size, mode })
}
