//! What a layer computes, typed: the meaning of a word with its attributes.
//!
//! Made by the row of a word (`words/`), completed by the shape pass (`shapes/`), read by the network (slots) and by the
//! plan (steps). Values are `[batch, …]`, channels last, row-major; the shapes in here leave the batch out.
//!
//! **Axes.** As written they count the batch as axis 0 and may be negative; the batch itself is refused. In the nodes of a
//! [`super::Graph`] every `axis`, `axes`, `start` and `end` that names axes counts those of one example, 0 being the first
//! after the batch; a constant's likewise, as if it had a batch. Several are in ascending order, each once; an empty list
//! that means "all" has become that list. `Permute` has lost its leading batch. Only where the rank of the input is unknown
//! does an axis counted from the end stay negative (and means the same).
//!
//! **Lengths.** Where the lengths of the input are known, borders are explicit, −1 in a reshape is replaced, `start` and
//! `end` of a slice lie within the axis (`start < end`, `end` stated), and `AdaptivePool` has no place left open.

pub use crate::kernels::Unary;

/// The operations of the forward core.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Gives on what it gets: identity, dropouts.
    Identity,
    /// Numbers of the description itself, the same for every example.
    Constant {
        /// Their shape.
        shape: Vec<usize>,
        /// The numbers, packed.
        values: Vec<f32>,
    },
    /// Numbers of a slot `value` of this shape, the same for every example.
    Parameter {
        /// Shape of the slot.
        shape: Vec<usize>,
    },
    /// `x·W + b` over the last axis. Slots `weight [inputs, outputs]`, `bias [outputs]`.
    Dense {
        /// Length of the last axis in.
        inputs: usize,
        /// Length of the last axis out.
        outputs: usize,
        /// Whether there is a bias.
        bias: bool,
    },
    /// Convolution. Slots `weight [k…, inputs/groups, outputs]`, `bias [outputs]`.
    Conv(Conv),
    /// Transposed convolution. Slots `weight [k…, inputs, outputs/groups]`, `bias [outputs]`.
    ConvTranspose {
        /// The convolution it is the transpose of, `inputs` and `outputs` as they are here.
        conv: Conv,
        /// Places added to the far side of each window axis of the output.
        extra: Vec<usize>,
    },
    /// A window that moves over the window axes.
    Pool {
        /// What is taken of each window.
        kind: PoolKind,
        /// The window.
        window: Window,
    },
    /// Windows chosen so that the output has a given length: place `i` of `n` covers `floor(i·L/n) … ceil((i+1)·L/n)`.
    AdaptivePool {
        /// Maximum instead of mean.
        max: bool,
        /// Lengths of the window axes of the output; none keeps the input's.
        places: Vec<Option<usize>>,
    },
    /// All window axes at once.
    GlobalPool {
        /// Maximum instead of mean.
        max: bool,
        /// How many window axes.
        dims: usize,
        /// Whether they stay, with length 1.
        keep: bool,
    },
    /// `(x − mean) / sqrt(variance + epsilon) · weight + bias` per channel (last axis).
    /// Slots `weight`, `bias` (if affine), `running_mean`, `running_var`, each `[features]`.
    BatchNorm {
        /// Length of the last axis.
        features: usize,
        /// Added to the variance.
        epsilon: f64,
        /// Share of the new statistic in PyTorch's sense; used in training alone.
        momentum: f64,
        /// Whether weight and bias are there.
        affine: bool,
    },
    /// Normalises each example over the last axes. Slots `weight`, `bias`, each of `shape`.
    LayerNorm {
        /// Lengths of the axes normalised over, the last ones of the input.
        shape: Vec<usize>,
        /// Added to the variance.
        epsilon: f64,
        /// Whether there is a weight.
        weight: bool,
        /// Whether there is a bias.
        bias: bool,
    },
    /// Normalises each example over its places and a group of neighbouring channels; with as many groups as channels this
    /// is instance normalisation. Slots `weight`, `bias`, each `[features]`, if affine.
    GroupNorm {
        /// How many groups.
        groups: usize,
        /// Length of the last axis.
        features: usize,
        /// Added to the variance.
        epsilon: f64,
        /// Whether weight and bias are there.
        affine: bool,
    },
    /// `x / (k + alpha · total)^beta`, `total` of the squares over a window.
    Lrn {
        /// Over neighbouring channels instead of a window of places within the channel.
        across: bool,
        /// Length of the window (of every window axis). An even one leans to the earlier ones: `size/2` before,
        /// `(size−1)/2` after.
        size: usize,
        /// An even window leans to the later ones instead, as ONNX's does.
        later: bool,
        /// Weight of the total.
        alpha: f64,
        /// Exponent.
        beta: f64,
        /// Constant.
        k: f64,
        /// The total is divided by the places of a whole window (borders count as noughts).
        mean: bool,
    },
    /// `exp(x − max) / Σ` along an axis.
    Softmax {
        /// Axis as written.
        axis: i64,
        /// Its logarithm instead.
        log: bool,
    },
    /// One number after another.
    Unary(Unary),
    /// `x` where positive, else `weight·x`; slot `weight [features]`, of the last axis, or `[1]`.
    Prelu {
        /// 1 or the length of the last axis.
        features: usize,
    },
    /// Number by number, shapes broadcast from their last axes; two or more inputs, taken from the left.
    Binary(Binary),
    /// The second input where the first is not nought, else the third; shapes broadcast as of [`Op::Binary`]. What is not
    /// taken counts for nothing, whatever it is.
    Where,
    /// Product of the last two axes of two inputs, those before broadcast. Where the second is the same for every example
    /// and has two axes, an example of one axis on the left is a row.
    MatMul,
    /// Joins along an axis.
    Concat {
        /// Axis as written.
        axis: i64,
    },
    /// Axis `i` of the output is axis `axes[i]` of the input; as written with the batch first, `[0, …]`, in a graph of one
    /// example without it.
    Permute {
        /// The order.
        axes: Vec<i64>,
    },
    /// Joins axes `start` to `end` (as written, inclusive) into one.
    Flatten {
        /// First axis joined.
        start: i64,
        /// Last axis joined.
        end: i64,
    },
    /// The same numbers in another shape of one example; one length may be −1.
    Reshape {
        /// Shape of one example.
        each: Vec<i64>,
    },
    /// Takes axes of length 1 away; as written all such if none are named.
    Squeeze {
        /// Axes as written.
        axes: Vec<i64>,
    },
    /// Puts axes of length 1 where they will stand in the output.
    Unsqueeze {
        /// Axes as written, of the output.
        axes: Vec<i64>,
    },
    /// Every `step`-th place of an axis from `start` up to, not including, `end`; negative ones count from the end.
    Slice {
        /// Axis as written.
        axis: i64,
        /// First place.
        start: i64,
        /// Place after the last; none: to the end.
        end: Option<i64>,
        /// At least 1.
        step: usize,
    },
    /// Adds places around the example's axes.
    Pad {
        /// `[before, after]` for each axis of one example.
        border: Vec<[usize; 2]>,
        /// What stands there.
        mode: PadMode,
    },
    /// Makes the window axes longer (or shorter).
    Upsample {
        /// How many window axes.
        dims: usize,
        /// To which length.
        size: UpsampleSize,
        /// Which numbers.
        mode: UpsampleMode,
    },
    /// Mean, maximum or sum over axes of one example; as written all if none are named.
    Reduce {
        /// Which.
        kind: ReduceKind,
        /// Axes as written.
        axes: Vec<i64>,
        /// Whether they stay, with length 1.
        keep: bool,
    },
    /// `x / max(‖x‖₂, epsilon)` along an axis.
    L2Normalize {
        /// Axis as written.
        axis: i64,
        /// Smallest divisor.
        epsilon: f64,
    },
    /// Multiplied by a slot `gamma` of this shape, broadcast from the last axes.
    Scale {
        /// Shape of the slot.
        shape: Vec<usize>,
    },
    /// A slot `table` of this shape added, broadcast from the last axes.
    PositionTable {
        /// Shape of the slot.
        shape: Vec<usize>,
    },
    /// Rows of a slot `weight [count, features]` by whole numbers (I64 or I32) from 0; an axis of `features` comes last.
    Embedding {
        /// Rows of the table.
        count: usize,
        /// Length of a row.
        features: usize,
    },
}

/// A convolution's shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    /// Channels in.
    pub inputs: usize,
    /// Channels out.
    pub outputs: usize,
    /// Groups of channels that see one another; divides both.
    pub groups: usize,
    /// The window.
    pub window: Window,
    /// Whether there is a bias.
    pub bias: bool,
}

/// A window over one to three window axes, slowest first; all lists are as long as there are axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Side lengths.
    pub size: Vec<usize>,
    /// Places from one window to the next.
    pub stride: Vec<usize>,
    /// Places from one number of a window to the next.
    pub dilation: Vec<usize>,
    /// Places added around; explicit after the shape pass wherever the lengths are known.
    pub border: Border,
    /// A last window may hang over the far border (pools; PyTorch's `ceil_mode`): it must start within input or near border.
    pub ceil: bool,
}

/// How places are added around.
#[derive(Clone, Debug, PartialEq)]
pub enum Border {
    /// `[before, after]` for each window axis.
    Explicit(Vec<[usize; 2]>),
    /// TensorFlow's `same`: `ceil(L/stride)` places, an odd one after.
    Same,
    /// All before: `dilation·(size−1)`.
    Causal,
}

/// What a pool takes of its window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoolKind {
    /// The largest; NaN counts as largest, a border never wins.
    Max,
    /// The total divided as said.
    Mean(Divisor),
}

/// What a mean is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Divisor {
    /// The numbers of the window within the input.
    Inside,
    /// The places of the window within input and border; what hangs over both is not counted (PyTorch's `count_include_pad`).
    Padded,
    /// All places of the window.
    Window,
    /// A number of its own.
    Fixed(usize),
}

/// Functions of two or more numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    /// The mean of all inputs.
    Average,
    /// 1 where two numbers are equal, else 0, as of the next two.
    Equal,
    Less,
    Greater,
    /// The first to the power of the second.
    Power,
    /// What is left of the first when the second is taken away as often as it goes in, with the sign of the first.
    Remainder,
}

/// What a reduction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ReduceKind {
    Mean,
    Max,
    Sum,
    Product,
    /// The place of the largest along one axis, the first of several, as a number; NaN is passed over.
    Place,
}

/// What stands in a border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadMode {
    /// One number.
    Constant(f64),
    /// The example mirrored at its edge, the edge itself not repeated.
    Reflect,
    /// The edge.
    Edge,
    /// The other end.
    Circular,
}

/// The length an upsampling makes.
#[derive(Clone, Debug, PartialEq)]
pub enum UpsampleSize {
    /// Lengths.
    To(Vec<usize>),
    /// Factors: `floor(L·factor)`, coordinates by the factor itself.
    By(Vec<f64>),
}

/// Which numbers an upsampling takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsampleMode {
    /// The place `floor(i / factor)`.
    Nearest,
    /// The place `floor((i + 1/2) / factor)`.
    NearestExact,
    /// Between the neighbours of `(i + 1/2)/factor − 1/2`, held within.
    Linear,
    /// Between the neighbours of `i·(L−1)/(M−1)`.
    LinearCorners,
}
