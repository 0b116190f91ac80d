//! Several values into one, constants, and numbers that are learnt on their own.

use super::{Absent, Clash, Setting, Settings, Takes, Word, activation::AXIS};
use crate::describe::{Binary, Op, ReduceKind};
use crate::tensor::count;

const KEEPS_AXES: Setting = Setting {
    key: "keepsAxes",
    summary: "whether the axes stay, with length 1",
    takes: Takes::Bool,
    absent: Absent::Bool(false),
};

const AXES: Setting = Setting {
    key: "axes",
    summary: "the axes, the batch counted as axis 0; all but the batch if none are named",
    takes: Takes::List(&Takes::WHOLE, 0, usize::MAX),
    absent: Absent::Nothing,
};

const SHAPE: Setting = Setting {
    key: "shape",
    summary: "lengths of its axes",
    takes: Takes::List(&Takes::LENGTH, 0, usize::MAX),
    absent: Absent::Required,
};

const fn binary(name: &'static str, summary: &'static str, make: super::Make) -> Word {
    Word::new(name, summary, "{}", make).takes(2, usize::MAX)
}

const fn reduce(name: &'static str, summary: &'static str, make: super::Make) -> Word {
    Word::new(name, summary, r#"{"axes":[1]}"#, make).with(&[&[AXES, KEEPS_AXES]])
}

pub(super) const WORDS: &[Word] = &[
    binary("add", "total of its inputs", |_| Ok(Op::Binary(Binary::Add))),
    binary("subtract", "the first less the others", |_| Ok(Op::Binary(Binary::Subtract))),
    binary("multiply", "product of its inputs", |_| Ok(Op::Binary(Binary::Multiply))),
    binary("divide", "the first divided by the others", |_| Ok(Op::Binary(Binary::Divide))),
    binary("maximum", "the largest of its inputs", |_| Ok(Op::Binary(Binary::Maximum))),
    binary("minimum", "the smallest of its inputs", |_| Ok(Op::Binary(Binary::Minimum))),
    binary("average", "mean of its inputs", |_| Ok(Op::Binary(Binary::Average))),
    binary("equal", "1 where both are equal, else 0", |_| Ok(Op::Binary(Binary::Equal))).takes(2, 2),
    binary("less", "1 where the first is less, else 0", |_| Ok(Op::Binary(Binary::Less))).takes(2, 2),
    binary("greater", "1 where the first is greater, else 0", |_| Ok(Op::Binary(Binary::Greater))).takes(2, 2),
    binary("raise", "the first to the power of the second", |_| Ok(Op::Binary(Binary::Power))).takes(2, 2),
    binary("remainder", "rest of the first divided by the second, with the sign of the first", |_| {
        Ok(Op::Binary(Binary::Remainder))
    })
    .takes(2, 2),
    binary("where", "the second where the first is not nought, else the third", |_| Ok(Op::Where)).takes(3, 3),
    Word::new("matmul", "product of the last two axes", "{}", |_| Ok(Op::MatMul)).takes(2, 2),
    reduce("mean", "mean over axes", |s| reduced(s, ReduceKind::Mean)),
    reduce("max", "maximum over axes", |s| reduced(s, ReduceKind::Max)),
    reduce("sum", "total over axes", |s| reduced(s, ReduceKind::Sum)),
    reduce("product", "product over axes", |s| reduced(s, ReduceKind::Product)),
    Word::new("argMax", "place of the largest along an axis, the first of several", r#"{"axis":1}"#, |s| {
        Ok(Op::Reduce { kind: ReduceKind::Place, axes: vec![s.whole("axis")], keep: s.flag("keepsAxes") })
    })
    .with(&[&[AXIS, KEEPS_AXES]]),
    Word::new("constant", "numbers of its own", r#"{"shape":[2],"values":[1,2.5]}"#, constant).takes(0, 0).with(&[&[
        SHAPE,
        Setting {
            key: "values",
            summary: "the numbers, packed",
            takes: Takes::List(&Takes::NUMBER, 0, usize::MAX),
            absent: Absent::Required,
        },
    ]]),
    Word::new("parameter", "numbers of a slot value, the same for every example", r#"{"shape":[3]}"#, |s| {
        Ok(Op::Parameter { shape: s.lengths("shape") })
    })
    .takes(0, 0)
    .with(&[&[SHAPE]]),
    Word::new("scale", "multiplied by a slot gamma", r#"{"shape":[3]}"#, |s| {
        Ok(Op::Scale { shape: s.lengths("shape") })
    })
    .with(&[&[SHAPE]]),
    Word::new("positionTable", "a slot table added", r#"{"shape":[5,3]}"#, |s| {
        Ok(Op::PositionTable { shape: s.lengths("shape") })
    })
    .with(&[&[SHAPE]]),
];

fn reduced(s: &Settings, kind: ReduceKind) -> Result<Op, Clash> {
    Ok(Op::Reduce { kind, axes: s.wholes("axes"), keep: s.flag("keepsAxes") })
}

fn constant(s: &Settings) -> Result<Op, Clash> {
    let shape = s.lengths("shape");
    let values: Vec<f32> = s.reals("values").into_iter().map(|value| value as f32).collect();
    if count(&shape) != Some(values.len()) {
        return Err(Clash::new("values", format!("its shape does not hold {} numbers", values.len())));
    }
    Ok(Op::Constant { shape, values })
}
