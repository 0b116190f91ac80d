//! The same numbers along other axes.

use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::Op;

const fn whole(key: &'static str, summary: &'static str, absent: Absent) -> Setting {
    Setting { key, summary, takes: Takes::WHOLE, absent }
}

const fn wholes(key: &'static str, summary: &'static str, fewest: usize, absent: Absent) -> Setting {
    Setting { key, summary, takes: Takes::List(&Takes::WHOLE, fewest, usize::MAX), absent }
}

pub(super) const WORDS: &[Word] = &[
    Word::new("concat", "joins its inputs along an axis", r#"{"axis":-1}"#, |s| {
        Ok(Op::Concat { axis: s.whole("axis") })
    })
    .takes(1, usize::MAX)
    .with(&[&[whole("axis", "the axis, the batch counted as axis 0", Absent::Int(-1))]]),
    Word::new("permute", "axes in another order", r#"{"axes":[0,2,1]}"#, |s| {
        Ok(Op::Permute { axes: s.wholes("axes") })
    })
    .with(&[&[wholes("axes", "for each axis out, the axis in; the batch, 0, first", 1, Absent::Required)]]),
    Word::new("flatten", "joins axes into one", "{}", |s| {
        Ok(Op::Flatten { start: s.whole("start"), end: s.whole("end") })
    })
    .with(&[&[
        whole("start", "first axis joined, the batch counted as axis 0", Absent::Int(1)),
        whole("end", "last axis joined", Absent::Int(-1)),
    ]]),
    Word::new("reshape", "the same numbers in another shape", r#"{"each":[2,-1]}"#, reshape).with(&[&[Setting {
        key: "each",
        summary: "shape of one example; one length may be -1",
        takes: Takes::List(&Takes::Either(&[Takes::LENGTH, Takes::Int(-1, -1)]), 0, usize::MAX),
        absent: Absent::Required,
    }]]),
    Word::new("squeeze", "takes axes of length 1 away", r#"{"axes":[1]}"#, |s| {
        Ok(Op::Squeeze { axes: s.wholes("axes") })
    })
    .with(&[&[wholes(
        "axes",
        "the axes, the batch counted as axis 0; all of length 1 if none",
        0,
        Absent::Nothing,
    )]]),
    Word::new("unsqueeze", "puts axes of length 1 in", r#"{"axes":[1]}"#, |s| {
        Ok(Op::Unsqueeze { axes: s.wholes("axes") })
    })
    .with(&[&[wholes(
        "axes",
        "where they stand in the output, the batch counted as axis 0",
        1,
        Absent::Required,
    )]]),
    Word::new("slice", "a range of places of an axis", r#"{"axis":1,"start":0,"end":2}"#, slice).with(&[&[
        whole("axis", "the axis, the batch counted as axis 0", Absent::Required),
        whole("start", "first place; negative counts from the end", Absent::Int(0)),
        Setting {
            key: "end",
            summary: "place after the last; to the end if not written",
            takes: Takes::WHOLE,
            absent: Absent::Nothing,
        },
        Setting { key: "step", summary: "every so many places", takes: Takes::LENGTH, absent: Absent::Int(1) },
    ]]),
];

fn reshape(s: &Settings) -> Result<Op, Clash> {
    let each = s.wholes("each");
    if each.iter().filter(|&&length| length == -1).count() > 1 {
        return Err(Clash::new("each", "only one length may be -1"));
    }
    Ok(Op::Reshape { each })
}

fn slice(s: &Settings) -> Result<Op, Clash> {
    let end = s.written("end").map(|_| s.whole("end"));
    Ok(Op::Slice { axis: s.whole("axis"), start: s.whole("start"), end, step: s.length("step") })
}
