//! Pools: windows that move, windows fitted to an output, and all places at once.

use super::spatial::{SIDES, Spatial, reach};
use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::{Border, Divisor, Op, PoolKind, Value};

const CEIL: Setting = Setting {
    key: "ceil",
    summary: "whether a last window may hang over the far border",
    takes: Takes::Bool,
    absent: Absent::Bool(false),
};

const MEAN: &[Setting] = &[
    Setting {
        key: "countsPadding",
        summary: "whether the border counts in the mean; the same as a divisor of \"padded\"",
        takes: Takes::Bool,
        absent: Absent::Bool(false),
    },
    Setting {
        key: "divisor",
        summary: "what the total is divided by: the numbers inside the input, the places of input and border, \
                  all places of the window, or a number",
        takes: Takes::Either(&[Takes::Text(&["inside", "padded", "window"]), Takes::LENGTH]),
        absent: Absent::Text("inside"),
    },
];

const KEEPS_AXES: Setting = Setting {
    key: "keepsAxes",
    summary: "whether the window axes stay, with length 1",
    takes: Takes::Bool,
    absent: Absent::Bool(false),
};

const fn places(key: &'static str) -> Setting {
    Setting {
        key,
        summary: "length of this axis of the output; null keeps the input's",
        takes: Takes::Either(&[Takes::LENGTH, Takes::Null]),
        absent: Absent::Required,
    }
}

const PLACES: [&[Setting]; 4] = [
    &[],
    &[places("length")],
    &[places("height"), places("width")],
    &[places("depth"), places("height"), places("width")],
];

impl<const D: usize> Spatial<D> {
    const POOL_STRIDE: Setting = Setting {
        summary: "places from one window to the next; the window's own lengths if not written",
        absent: Absent::Nothing,
        ..Self::STRIDE
    };
    const MAX: &'static [&'static [Setting]] = &[SIDES[D], &[Self::POOL_STRIDE, Self::PADDING, Self::DILATION, CEIL]];
    const AVERAGE: &'static [&'static [Setting]] =
        &[SIDES[D], &[Self::POOL_STRIDE, Self::PADDING, Self::DILATION, CEIL], MEAN];
}

const fn max<const D: usize>(name: &'static str, example: &'static str) -> Word {
    Word::new(name, "the largest number of each window", example, |s| {
        pool::<D>(s, PoolKind::Max, Spatial::<D>::each(s, "dilation"))
    })
    .with(Spatial::<D>::MAX)
}

const fn average<const D: usize>(name: &'static str, example: &'static str) -> Word {
    Word::new(name, "the mean of each window", example, |s| {
        pool::<D>(s, PoolKind::Mean(divisor(s)?), Spatial::<D>::each(s, "dilation"))
    })
    .with(Spatial::<D>::AVERAGE)
}

const fn global<const D: usize, const MAX: bool>(name: &'static str) -> Word {
    let summary = if MAX { "the largest number of each channel" } else { "the mean of each channel" };
    Word::new(name, summary, "{}", |s| Ok(Op::GlobalPool { max: MAX, dims: D, keep: s.flag("keepsAxes") }))
        .with(&[&[KEEPS_AXES]])
}

const fn adaptive<const D: usize, const MAX: bool>(name: &'static str, example: &'static str) -> Word {
    let summary =
        if MAX { "maxima over windows that fit the output" } else { "means over windows that fit the output" };
    Word::new(name, summary, example, |s| {
        let places = PLACES[D].iter().map(|side| match s.written(side.key) {
            Some(Value::Null) => None,
            _ => Some(s.length(side.key)),
        });
        Ok(Op::AdaptivePool { max: MAX, places: places.collect() })
    })
    .with(const { &[PLACES[D]] })
}

const ONE: &str = r#"{"length":2}"#;
const TWO: &str = r#"{"height":2,"width":2}"#;
const THREE: &str = r#"{"depth":2,"height":2,"width":2}"#;

pub(super) const WORDS: &[Word] = &[
    max::<1>("maxpool1d", ONE),
    max::<2>("maxpool2d", TWO),
    max::<3>("maxpool3d", THREE),
    average::<1>("avgpool1d", ONE),
    average::<2>("avgpool2d", TWO),
    average::<3>("avgpool3d", THREE),
    global::<1, true>("globalmaxpool1d"),
    global::<2, true>("globalmaxpool2d"),
    global::<3, true>("globalmaxpool3d"),
    global::<1, false>("globalavgpool1d"),
    global::<2, false>("globalavgpool2d"),
    global::<3, false>("globalavgpool3d"),
    adaptive::<1, true>("adaptiveMaxPool1d", ONE),
    adaptive::<2, true>("adaptiveMaxPool2d", TWO),
    adaptive::<3, true>("adaptiveMaxPool3d", THREE),
    adaptive::<1, false>("adaptiveAvgPool1d", ONE),
    adaptive::<2, false>("adaptiveAvgPool2d", TWO),
    adaptive::<3, false>("adaptiveAvgPool3d", THREE),
];

fn divisor(s: &Settings) -> Result<Divisor, Clash> {
    let stated = s.written("divisor");
    if stated.is_some() && s.written("countsPadding").is_some() {
        return Err(Clash::new("countsPadding", "divisor is written as well; one of them says it"));
    }
    Ok(match (stated, s.text("divisor")) {
        (Some(Value::Int(_)), _) => Divisor::Fixed(s.length("divisor")),
        (_, "padded") => Divisor::Padded,
        (_, "window") => Divisor::Window,
        _ if s.flag("countsPadding") => Divisor::Padded,
        _ => Divisor::Inside,
    })
}

fn pool<const D: usize>(s: &Settings, kind: PoolKind, dilation: Vec<usize>) -> Result<Op, Clash> {
    let window = Spatial::<D>::window(s, dilation, s.flag("ceil"))?;
    if let Border::Explicit(border) = &window.border {
        for ((sides, &size), &dilation) in border.iter().zip(&window.size).zip(&window.dilation) {
            let reach = reach(size, dilation);
            if let Some(side) = sides.iter().find(|&&side| side >= reach) {
                let what =
                    format!("a border of {side} leaves a window of {reach} places without a number of the input");
                return Err(Clash::new("padding", what));
            }
        }
    }
    Ok(Op::Pool { kind, window })
}
