//! Settings shared by the words that have a window, for one, two and three window axes.

use super::{Absent, Clash, LONGEST, Setting, Settings, Takes};
use crate::describe::{Border, Value, Window};

/// Settings of words with `D` window axes.
pub(super) struct Spatial<const D: usize>;

const PAIR: Takes = Takes::List(&Takes::COUNT, 2, 2);

const fn side(key: &'static str) -> Setting {
    Setting { key, summary: "length of the window on this axis", takes: Takes::LENGTH, absent: Absent::Required }
}

const LENGTH: Setting = side("length");
const DEPTH: Setting = side("depth");
const HEIGHT: Setting = side("height");
const WIDTH: Setting = side("width");

/// The settings that say a window's sides, by the number of window axes.
pub(super) const SIDES: [&[Setting]; 4] = [&[], &[LENGTH], &[HEIGHT, WIDTH], &[DEPTH, HEIGHT, WIDTH]];

impl<const D: usize> Spatial<D> {
    /// A length for all axes, or one for each.
    pub(super) const LENGTHS: Takes = Takes::Either(&[Takes::LENGTH, Takes::List(&Takes::LENGTH, D, D)]);

    /// A count for all axes, or one for each.
    pub(super) const COUNTS: Takes = Takes::Either(&[Takes::COUNT, Takes::List(&Takes::COUNT, D, D)]);

    /// Numbers of a border: for all sides, for each axis, or for each side.
    const BORDERS: [Takes; 2] = [Takes::COUNT, Takes::List(&Takes::Either(&[Takes::COUNT, PAIR]), D, D)];

    /// How places are added around.
    pub(super) const PADDING: Setting = Setting {
        key: "padding",
        summary: "places added around: a number, one for each axis or [before, after] for each axis; \
                  \"same\" gives ceil(length/stride) places; \"causal\" adds all before",
        takes: Takes::Either(&[Self::BORDERS[0], Takes::Text(&["same", "causal"]), Self::BORDERS[1]]),
        absent: Absent::Int(0),
    };

    /// The same without `causal`.
    pub(super) const PADDING_OR_SAME: Setting = Setting {
        summary: "places taken from the border of the output; \"same\" gives length·stride places",
        takes: Takes::Either(&[Self::BORDERS[0], Takes::Text(&["same"]), Self::BORDERS[1]]),
        ..Self::PADDING
    };

    /// Places from one window to the next.
    pub(super) const STRIDE: Setting = Setting {
        key: "stride",
        summary: "places from one window to the next",
        takes: Self::LENGTHS,
        absent: Absent::Int(1),
    };

    /// Places from one number of a window to the next.
    pub(super) const DILATION: Setting = Setting {
        key: "dilation",
        summary: "places from one number of a window to the next",
        takes: Self::LENGTHS,
        absent: Absent::Int(1),
    };

    /// The window's sides.
    pub(super) fn sides(s: &Settings) -> Vec<usize> {
        SIDES[D].iter().map(|side| s.length(side.key)).collect()
    }

    /// A setting that is one number for all axes, or a list of one for each.
    pub(super) fn each(s: &Settings, key: &str) -> Vec<usize> {
        match s.written(key) {
            Some(Value::List(_)) => s.lengths(key),
            _ => vec![s.length(key); D],
        }
    }

    /// The border.
    pub(super) fn border(s: &Settings) -> Border {
        match s.written("padding") {
            Some(Value::Text(text)) if text == "causal" => Border::Causal,
            Some(Value::Text(_)) => Border::Same,
            Some(Value::List(list)) => Border::Explicit(list.iter().map(pair).collect()),
            _ => Border::Explicit(vec![[s.length("padding"); 2]; D]),
        }
    }

    /// The window.
    pub(super) fn window(s: &Settings, dilation: Vec<usize>, ceil: bool) -> Result<Window, Clash> {
        let size = Self::sides(s);
        if size.iter().zip(&dilation).any(|(&size, &dilation)| reach(size, dilation) as u64 > LONGEST as u64) {
            return Err(Clash::new("dilation", format!("the window reaches over more than {LONGEST} places")));
        }
        // Only a pool leaves the stride open: then windows stand side by side.
        let stride = if s.says("stride") { Self::each(s, "stride") } else { size.clone() };
        Ok(Window { size, stride, dilation, border: Self::border(s), ceil })
    }
}

/// `[before, after]` of a number or a list of two.
pub(super) fn pair(value: &Value) -> [usize; 2] {
    let one = |value: &Value| match value {
        Value::Int(n) => usize::try_from(*n).unwrap_or(0),
        _ => 0,
    };
    match value {
        Value::List(list) => [list.first().map_or(0, one), list.last().map_or(0, one)],
        value => [one(value); 2],
    }
}

/// Places from the first to one after the last number of a dilated window. At most [`LONGEST`] in an operation that is made.
pub(in crate::describe) fn reach(size: usize, dilation: usize) -> usize {
    dilation.saturating_mul(size.saturating_sub(1)).saturating_add(1)
}
