//! Dense layers, tables, and what passes its input on.

use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::Op;

const BIAS: Setting =
    Setting { key: "bias", summary: "whether there is a bias", takes: Takes::Bool, absent: Absent::Bool(true) };

const RATE: Setting = Setting {
    key: "rate",
    summary: "share of the numbers left out in training; nothing otherwise",
    takes: Takes::Below(0.0, 1.0),
    absent: Absent::Required,
};

const fn length(key: &'static str, summary: &'static str) -> Setting {
    Setting { key, summary, takes: Takes::LENGTH, absent: Absent::Required }
}

const fn dropout(name: &'static str) -> Word {
    Word::new(name, "nothing unless training", r#"{"rate":0.5}"#, |_| Ok(Op::Identity)).with(&[&[RATE]])
}

pub(super) const WORDS: &[Word] = &[
    Word::new("dense", "x·W + b over the last axis", r#"{"inputs":4,"outputs":3}"#, dense).with(&[&[
        length("inputs", "length of the last axis in"),
        length("outputs", "length of the last axis out"),
        BIAS,
    ]]),
    Word::new("embedding", "rows of a table by whole numbers", r#"{"count":10,"features":4}"#, embedding)
        .with(&[&[length("count", "rows of the table"), length("features", "length of a row")]]),
    Word::new("identity", "its input", "{}", |_| Ok(Op::Identity)),
    dropout("dropout"),
    dropout("spatialdropout1d"),
    dropout("spatialdropout2d"),
    dropout("spatialdropout3d"),
    Word::new("stack", "layers one after another", r#"{"layers":[]}"#, stack).with(&[&[Setting {
        key: "layers",
        summary: "the layers, each taking the one before",
        takes: Takes::Layers,
        absent: Absent::Required,
    }]]),
];

fn dense(s: &Settings) -> Result<Op, Clash> {
    Ok(Op::Dense { inputs: s.length("inputs"), outputs: s.length("outputs"), bias: s.flag("bias") })
}

fn embedding(s: &Settings) -> Result<Op, Clash> {
    Ok(Op::Embedding { count: s.length("count"), features: s.length("features") })
}

/// The reader of the text takes a stack apart; a layer that still says `stack` was not read from the text of one.
fn stack(_: &Settings) -> Result<Op, Clash> {
    Err(Clash::new("layers", Takes::Layers.to_string()))
}
