//! PyTorch's classes and functions: one row each.
//!
//! A row says how many values the layer takes, what it shows about the axes of the first of them, and how it is lowered. A
//! new class is a new row.

use super::call::Call;
use super::{activation, arithmetic, conv, dense, norm, pad, pool, reduce, shape, upsample};
use crate::describe::lowering::Value;

/// A class or function.
pub(super) struct Row {
    pub(super) kind: &'static str,
    /// Fewest and most values it takes.
    pub(super) takes: (usize, usize),
    pub(super) reads: Reads,
    /// Lowers a layer; none if it, or what it takes, was refused.
    pub(super) lower: fn(&mut Call) -> Option<Value>,
}

/// What a layer shows about the axes of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Nothing; its output has the axes of its input.
    Any,
    /// `[channels, …]` with so many window axes.
    Windows(usize),
    /// `[features]`, or `[channels, …]` where there are more.
    Channels,
    /// The last axis.
    Last,
    /// Whole numbers.
    Ids,
    /// Nothing; its output has the axes of its inputs, one of them longer.
    Joined,
    /// Nothing, and its output has other axes.
    Other,
}

const fn row(kind: &'static str, reads: Reads, lower: fn(&mut Call) -> Option<Value>) -> Row {
    Row { kind, takes: (1, 1), reads, lower }
}

const fn several(kind: &'static str, takes: (usize, usize), lower: fn(&mut Call) -> Option<Value>) -> Row {
    Row { kind, takes, reads: Reads::Any, lower }
}

const ANY: Reads = Reads::Any;
const OTHER: Reads = Reads::Other;
const ONE: Reads = Reads::Windows(1);
const TWO: Reads = Reads::Windows(2);
const THREE: Reads = Reads::Windows(3);
const MANY: (usize, usize) = (1, usize::MAX);

#[rustfmt::skip]
static ROWS: &[Row] = &[
    row("Linear", Reads::Last, dense::linear),
    row("Embedding", Reads::Ids, dense::embedding),
    row("ScaleParam", OTHER, dense::scale_param),
    row("PositionTable", OTHER, dense::position_table),

    row("Identity", ANY, activation::identity),
    row("identity", ANY, activation::identity),
    row("Dropout", ANY, activation::dropout),
    row("Dropout1d", ANY, activation::dropout),
    row("Dropout2d", ANY, activation::dropout),
    row("Dropout3d", ANY, activation::dropout),
    row("AlphaDropout", ANY, activation::dropout),
    row("FeatureAlphaDropout", ANY, activation::dropout),
    row("dropout", ANY, activation::dropout),

    row("ReLU", ANY, activation::relu),
    row("relu", ANY, activation::relu),
    row("ReLU6", ANY, activation::relu6),
    row("relu6", ANY, activation::relu6),
    row("LeakyReLU", ANY, activation::leaky_relu),
    row("leaky_relu", ANY, activation::leaky_relu),
    row("RReLU", ANY, activation::rrelu),
    row("PReLU", Reads::Channels, activation::prelu),
    row("ELU", ANY, activation::elu),
    row("elu", ANY, activation::elu),
    row("SELU", ANY, activation::selu),
    row("selu", ANY, activation::selu),
    row("CELU", ANY, activation::celu),
    row("celu", ANY, activation::celu),
    row("GELU", ANY, activation::gelu),
    row("gelu", ANY, activation::gelu),
    row("SiLU", ANY, activation::silu),
    row("silu", ANY, activation::silu),
    row("Mish", ANY, activation::mish),
    row("mish", ANY, activation::mish),
    row("Softplus", ANY, activation::softplus),
    row("softplus", ANY, activation::softplus),
    row("Softsign", ANY, activation::softsign),
    row("softsign", ANY, activation::softsign),
    row("Hardtanh", ANY, activation::hardtanh),
    row("hardtanh", ANY, activation::hardtanh),
    row("Hardsigmoid", ANY, activation::hardsigmoid),
    row("hardsigmoid", ANY, activation::hardsigmoid),
    row("Hardswish", ANY, activation::hardswish),
    row("hardswish", ANY, activation::hardswish),
    row("Sigmoid", ANY, activation::sigmoid),
    row("sigmoid", ANY, activation::sigmoid),
    row("Tanh", ANY, activation::tanh),
    row("tanh", ANY, activation::tanh),
    row("LogSigmoid", ANY, activation::log_sigmoid),
    row("logsigmoid", ANY, activation::log_sigmoid),
    row("Tanhshrink", ANY, activation::tanhshrink),
    row("tanhshrink", ANY, activation::tanhshrink),
    row("Softshrink", ANY, activation::softshrink),
    row("softshrink", ANY, activation::softshrink),
    row("Hardshrink", ANY, activation::hardshrink),
    row("hardshrink", ANY, activation::hardshrink),
    row("Threshold", ANY, activation::threshold),
    row("threshold", ANY, activation::threshold),
    row("exp", ANY, activation::exp),
    row("log", ANY, activation::log),
    row("sqrt", ANY, activation::sqrt),
    row("abs", ANY, activation::abs),
    row("erf", ANY, activation::erf),
    row("neg", ANY, activation::negative),
    row("clamp", ANY, activation::clamp),
    row("scale", ANY, activation::scale),
    row("pow", ANY, activation::pow),
    row("Softmax", ANY, activation::softmax),
    row("softmax", ANY, activation::softmax),
    row("LogSoftmax", ANY, activation::log_softmax),
    row("log_softmax", ANY, activation::log_softmax),
    row("Softmin", ANY, activation::softmin),
    row("softmin", ANY, activation::softmin),
    row("Softmax2d", TWO, activation::softmax2d),
    row("l2normalize", ANY, activation::l2_normalize),
    row("normalize", ANY, activation::l2_normalize),

    several("add", (1, 2), arithmetic::add),
    several("sub", (1, 2), arithmetic::sub),
    several("mul", (1, 2), arithmetic::mul),
    several("div", (1, 2), arithmetic::div),
    several("max2", (2, 2), arithmetic::maximum),
    several("max", (2, 2), arithmetic::maximum),
    several("maximum", (2, 2), arithmetic::maximum),
    several("min", (2, 2), arithmetic::minimum),
    several("minimum", (2, 2), arithmetic::minimum),
    several("mean2", (2, 2), arithmetic::average),
    Row { kind: "cat", takes: MANY, reads: Reads::Joined, lower: shape::cat },
    Row { kind: "stack", takes: MANY, reads: OTHER, lower: shape::stack },
    Row { kind: "matmul", takes: (2, 2), reads: OTHER, lower: arithmetic::matmul },

    row("Conv1d", ONE, conv::conv::<1>),
    row("Conv2d", TWO, conv::conv::<2>),
    row("Conv3d", THREE, conv::conv::<3>),
    row("ConvTranspose1d", ONE, conv::conv_transpose::<1>),
    row("ConvTranspose2d", TWO, conv::conv_transpose::<2>),
    row("ConvTranspose3d", THREE, conv::conv_transpose::<3>),

    row("MaxPool1d", ONE, pool::max_pool::<1>),
    row("MaxPool2d", TWO, pool::max_pool::<2>),
    row("MaxPool3d", THREE, pool::max_pool::<3>),
    row("max_pool1d", ONE, pool::max_pool::<1>),
    row("max_pool2d", TWO, pool::max_pool::<2>),
    row("max_pool3d", THREE, pool::max_pool::<3>),
    row("AvgPool1d", ONE, pool::avg_pool::<1>),
    row("AvgPool2d", TWO, pool::avg_pool::<2>),
    row("AvgPool3d", THREE, pool::avg_pool::<3>),
    row("avg_pool1d", ONE, pool::avg_pool::<1>),
    row("avg_pool2d", TWO, pool::avg_pool::<2>),
    row("avg_pool3d", THREE, pool::avg_pool::<3>),
    row("AdaptiveMaxPool1d", ONE, pool::adaptive_max_pool::<1>),
    row("AdaptiveMaxPool2d", TWO, pool::adaptive_max_pool::<2>),
    row("AdaptiveMaxPool3d", THREE, pool::adaptive_max_pool::<3>),
    row("adaptive_max_pool1d", ONE, pool::adaptive_max_pool::<1>),
    row("adaptive_max_pool2d", TWO, pool::adaptive_max_pool::<2>),
    row("adaptive_max_pool3d", THREE, pool::adaptive_max_pool::<3>),
    row("AdaptiveAvgPool1d", ONE, pool::adaptive_avg_pool::<1>),
    row("AdaptiveAvgPool2d", TWO, pool::adaptive_avg_pool::<2>),
    row("AdaptiveAvgPool3d", THREE, pool::adaptive_avg_pool::<3>),
    row("adaptive_avg_pool1d", ONE, pool::adaptive_avg_pool::<1>),
    row("adaptive_avg_pool2d", TWO, pool::adaptive_avg_pool::<2>),
    row("adaptive_avg_pool3d", THREE, pool::adaptive_avg_pool::<3>),

    row("BatchNorm1d", Reads::Channels, norm::batch_norm1d),
    row("BatchNorm2d", TWO, norm::batch_norm::<2>),
    row("BatchNorm3d", THREE, norm::batch_norm::<3>),
    row("InstanceNorm1d", ONE, norm::instance_norm::<1>),
    row("InstanceNorm2d", TWO, norm::instance_norm::<2>),
    row("InstanceNorm3d", THREE, norm::instance_norm::<3>),
    row("GroupNorm", Reads::Channels, norm::group_norm),
    row("LayerNorm", OTHER, norm::layer_norm),
    row("LocalResponseNorm", Reads::Channels, norm::local_response_norm),
    row("lrn_within_channel", TWO, norm::lrn_within_channel),

    row("ZeroPad1d", ONE, pad::zero_pad::<1>),
    row("ZeroPad2d", TWO, pad::zero_pad::<2>),
    row("ZeroPad3d", THREE, pad::zero_pad::<3>),
    row("ConstantPad1d", ONE, pad::constant_pad::<1>),
    row("ConstantPad2d", TWO, pad::constant_pad::<2>),
    row("ConstantPad3d", THREE, pad::constant_pad::<3>),
    row("ReflectionPad1d", ONE, pad::reflection_pad::<1>),
    row("ReflectionPad2d", TWO, pad::reflection_pad::<2>),
    row("ReflectionPad3d", THREE, pad::reflection_pad::<3>),
    row("ReplicationPad1d", ONE, pad::replication_pad::<1>),
    row("ReplicationPad2d", TWO, pad::replication_pad::<2>),
    row("ReplicationPad3d", THREE, pad::replication_pad::<3>),
    row("CircularPad1d", ONE, pad::circular_pad::<1>),
    row("CircularPad2d", TWO, pad::circular_pad::<2>),
    row("CircularPad3d", THREE, pad::circular_pad::<3>),
    row("pad", OTHER, pad::pad),

    row("Upsample", Reads::Channels, upsample::upsample),
    row("interpolate", Reads::Channels, upsample::upsample),
    row("UpsamplingNearest2d", TWO, upsample::nearest2d),
    row("UpsamplingBilinear2d", TWO, upsample::bilinear2d),

    row("PixelShuffle", TWO, shape::pixel_shuffle),
    row("PixelUnshuffle", TWO, shape::pixel_unshuffle),
    row("ChannelShuffle", Reads::Channels, shape::channel_shuffle),

    row("Flatten", OTHER, shape::flatten),
    row("flatten", OTHER, shape::flatten),
    row("Unflatten", OTHER, shape::unflatten),
    row("unflatten", OTHER, shape::unflatten),
    row("reshape", OTHER, shape::reshape),
    row("permute", OTHER, shape::permute),
    row("transpose", OTHER, shape::transpose),
    row("unsqueeze", OTHER, shape::unsqueeze),
    row("squeeze", OTHER, shape::squeeze),
    row("select", OTHER, shape::select),
    row("narrow", OTHER, shape::narrow),
    row("mean", OTHER, reduce::mean),
    row("amax", OTHER, reduce::amax),
    row("sum", OTHER, reduce::sum),
];

/// Classes that PyTorch has and Pontil does not run.
static NOT_RUN: &[&str] = &[
    "AdaptiveLogSoftmaxWithLoss",
    "Bilinear",
    "CosineSimilarity",
    "EmbeddingBag",
    "Fold",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "GLU",
    "GRU",
    "GRUCell",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "LSTM",
    "LSTMCell",
    "LazyLinear",
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
    "ModuleDict",
    "ModuleList",
    "MultiheadAttention",
    "PairwiseDistance",
    "RMSNorm",
    "RNN",
    "RNNBase",
    "RNNCell",
    "Sequential",
    "SyncBatchNorm",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "Unfold",
];

/// The row of a class or function.
pub(super) fn find(kind: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kind == kind)
}

/// Whether PyTorch has it and Pontil does not run it.
pub(super) fn is_not_run(kind: &str) -> bool {
    NOT_RUN.contains(&kind)
}

/// All classes and functions that are lowered.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.kind)
}
