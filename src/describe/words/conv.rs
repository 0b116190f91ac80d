//! Convolutions and their transposes.

use super::spatial::{SIDES, Spatial};
use super::{Absent, Clash, Setting, Settings, Takes, Word};
use crate::describe::{Conv, Op};

const CHANNELS: &[Setting] = &[
    Setting { key: "inChannels", summary: "channels in", takes: Takes::LENGTH, absent: Absent::Required },
    Setting { key: "outChannels", summary: "channels out", takes: Takes::LENGTH, absent: Absent::Required },
];

const REST: &[Setting] = &[
    Setting {
        key: "groups",
        summary: "groups of channels that see one another; divides inChannels and outChannels",
        takes: Takes::LENGTH,
        absent: Absent::Int(1),
    },
    Setting { key: "bias", summary: "whether there is a bias", takes: Takes::Bool, absent: Absent::Bool(true) },
];

impl<const D: usize> Spatial<D> {
    const CONV: &'static [&'static [Setting]] =
        &[CHANNELS, SIDES[D], &[Self::STRIDE, Self::PADDING, Self::DILATION], REST];

    const TRANSPOSE: &'static [&'static [Setting]] = &[
        CHANNELS,
        SIDES[D],
        &[
            Self::STRIDE,
            Self::PADDING_OR_SAME,
            Self::DILATION,
            Setting {
                key: "outputPadding",
                summary: "places added to the far side of the output",
                takes: Self::COUNTS,
                absent: Absent::Int(0),
            },
        ],
        REST,
    ];
}

const fn conv<const D: usize>(name: &'static str, example: &'static str) -> Word {
    Word::new(name, "convolution, channels last", example, |s| Ok(Op::Conv(made::<D>(s)?))).with(Spatial::<D>::CONV)
}

const fn transpose<const D: usize>(name: &'static str, example: &'static str) -> Word {
    Word::new(name, "transposed convolution, channels last", example, |s| {
        Ok(Op::ConvTranspose { conv: made::<D>(s)?, extra: Spatial::<D>::each(s, "outputPadding") })
    })
    .with(Spatial::<D>::TRANSPOSE)
}

const ONE: &str = r#"{"inChannels":2,"outChannels":4,"length":3}"#;
const TWO: &str = r#"{"inChannels":2,"outChannels":4,"height":3,"width":3}"#;
const THREE: &str = r#"{"inChannels":2,"outChannels":4,"depth":3,"height":3,"width":3}"#;

pub(super) const WORDS: &[Word] = &[
    conv::<1>("conv1d", ONE),
    conv::<2>("conv2d", TWO),
    conv::<3>("conv3d", THREE),
    transpose::<1>("convTranspose1d", ONE),
    transpose::<2>("convTranspose2d", TWO),
    transpose::<3>("convTranspose3d", THREE),
];

fn made<const D: usize>(s: &Settings) -> Result<Conv, Clash> {
    let (inputs, outputs, groups) = (s.length("inChannels"), s.length("outChannels"), s.length("groups"));
    for (key, channels) in [("inChannels", inputs), ("outChannels", outputs)] {
        if channels % groups.max(1) != 0 {
            return Err(Clash::new("groups", format!("{groups} does not divide {key}, {channels}")));
        }
    }
    let window = Spatial::<D>::window(s, Spatial::<D>::each(s, "dilation"), false)?;
    Ok(Conv { inputs, outputs, groups, window, bias: s.flag("bias") })
}
