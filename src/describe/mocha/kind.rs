//! Mocha's layers, typed: what each of them computes, in row-major terms.
//!
//! Made by `read` of the settings as written, completed by nothing: shapes are worked out by `shapes`. Lists over window axes
//! are `[height, width]` here, where Mocha writes (width, height); shapes are in reverse of Mocha's. Axes stay as Mocha counts
//! them, from 1 with the fastest first or from the end, −1 being the batch ([`axis`]).

use crate::describe::Binary;

/// The layers of Mocha.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Data handed in from outside: `HDF5DataLayer`, `AsyncHDF5DataLayer`, `MemoryDataLayer`.
    Data(Feed),
    /// Normal numbers, drawn anew in each run.
    RandomNormal {
        /// Shape of one example.
        shape: Vec<usize>,
        /// Examples of each top.
        batches: Vec<usize>,
    },
    /// `y = x·Wᵀ + b` over all axes but the batch; weight `[outputs, features]`, bias `[outputs]`.
    InnerProduct {
        /// Length out.
        outputs: usize,
        /// What follows.
        neuron: Neuron,
    },
    /// `y = x·W + b` with the weight of another layer; bias `[features of that]`.
    TiedInnerProduct {
        /// Parameter key of the layer whose weight it is.
        tied: String,
        /// What follows.
        neuron: Neuron,
    },
    /// Cross-correlation; filter `[filters, channels/groups, height, width]`, bias `[filters]`. Output lengths round down.
    Convolution {
        /// How many channels out.
        filters: usize,
        /// Groups of channels that see one another.
        groups: usize,
        /// The window.
        window: Window,
        /// What follows.
        neuron: Neuron,
    },
    /// A window that moves over the last two axes. Output lengths round up.
    Pooling {
        /// The window.
        window: Window,
        /// What is taken of it.
        pool: Pool,
        /// What follows.
        neuron: Neuron,
    },
    /// A window that moves along one axis.
    ChannelPooling {
        /// Length of the window.
        kernel: usize,
        /// Places from one window to the next.
        stride: usize,
        /// Places before and after.
        pad: [usize; 2],
        /// The axis.
        dim: i64,
        /// What is taken of it.
        pool: Pool,
    },
    /// `x / (shift + scale/n · Σ x²)^power`, the total over neighbouring channels or places, `n` the whole window.
    Lrn {
        /// Over channels; else over places.
        across: bool,
        /// Length of the window, of each of its axes.
        kernel: usize,
        /// Weight of the total.
        scale: f64,
        /// What is added to it.
        shift: f64,
        /// Exponent.
        power: f64,
        /// The axis of the channels.
        dim: i64,
    },
    /// Softmax along an axis.
    Softmax {
        /// The axis.
        dim: i64,
    },
    /// `(scale·x + shift)^power`.
    Power {
        /// Exponent.
        power: f64,
        /// Factor.
        scale: f64,
        /// Addend.
        shift: f64,
        /// As Mocha's processor version does it for exponents other than 1 and 2, where a base of 0 gives NaN:
        /// by a quotient of what the next exponent gives.
        quotient: bool,
    },
    /// Number by number of two equal shapes.
    ElementWise(Binary),
    /// Leaves out numbers, the others made larger; nothing where no draws are given.
    Dropout {
        /// Share left out.
        ratio: f64,
        /// Whether the others are divided by what is left.
        auto_scale: bool,
    },
    /// A part of the last two axes: the middle, or one that is drawn.
    Crop {
        /// Its lengths.
        size: [usize; 2],
        /// Whether its place is drawn.
        random: bool,
        /// Whether it is turned round by chance.
        mirror: bool,
    },
    /// Other names.
    Identity,
    /// Another shape.
    Reshape {
        /// Shape of one example.
        shape: Vec<usize>,
    },
    /// Several names.
    Split,
    /// Joins along an axis.
    Concat {
        /// The axis.
        dim: i64,
    },
    /// The place of the largest, counted from 0; the first of equals.
    Argmax {
        /// The axis.
        dim: i64,
    },
    /// One at the place that a number names, noughts elsewhere.
    Index2Onehot {
        /// The axis.
        dim: i64,
        /// How many places.
        classes: usize,
    },
    /// Keeps what reaches it.
    MemoryOutput,
    /// Keeps what reaches it, and writes it into a file.
    Hdf5Output {
        /// The file.
        filename: String,
        /// Names of the datasets; none: the names of the bottoms.
        datasets: Vec<String>,
        /// Whether a file that is there is replaced.
        overwrite: bool,
    },
    /// A loss.
    Loss {
        /// Which.
        loss: Loss,
        /// Its factor.
        weight: f64,
    },
    /// The share of largest numbers that stand where the label says.
    Accuracy {
        /// The axis.
        dim: i64,
        /// Whether the share of others is told as well.
        report_error: bool,
    },
    /// The share of numbers that lie on the label's side of a threshold.
    BinaryAccuracy {
        /// The threshold.
        threshold: f64,
        /// Whether the share of others is told as well.
        report_error: bool,
    },
}

/// Where data comes from, as far as a description says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// The list of HDF5 files; none of data in memory.
    pub source: Option<String>,
    /// Examples a run.
    pub batch: usize,
    /// Whether they come in a drawn order.
    pub shuffle: bool,
    /// Examples that are read ahead and mixed together (the asynchronous layer).
    pub chunk: Option<usize>,
    /// What is done to the tops, in order: a top, and what.
    pub transformers: Vec<(String, Transformer)>,
}

/// What is done to data before a network sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Transformer {
    /// Multiplied by a number.
    Scale(f64),
    /// The dataset `mean` of this HDF5 file taken from each example.
    SubMean(String),
}

/// A window over the last two axes, `[height, width]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its lengths.
    pub kernel: [usize; 2],
    /// Places from one to the next.
    pub stride: [usize; 2],
    /// Places added on each side.
    pub pad: [usize; 2],
}

/// What a pool takes of its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// The largest within the input.
    Max {
        /// Windows are searched column by column, as Mocha's Julia does it; else row by row. Tells which of equals is found.
        columns: bool,
        /// NaN is passed over, and a window of nothing else gives the lowest single, as Mocha's native extension does it;
        /// else it is the answer.
        ignore_nan: bool,
    },
    /// The total of what lies within the input, divided as said.
    Mean(Divisor),
}

/// What a mean is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// All places of the window, Mocha's.
    Window,
    /// The places within input and border, Caffe's.
    Padded,
    /// The places within the input.
    Inside,
}

/// A function of one number that follows a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Neuron {
    /// Nothing.
    Identity,
    /// `max(epsilon, x)`.
    Relu(f64),
    /// `x` where positive, else a hundredth of it.
    LRelu,
    /// `1 / (1 + exp(−x))`.
    Sigmoid,
    /// Hyperbolic tangent.
    Tanh,
    /// `exp(x)`.
    Exponential,
}

/// The losses, `n` the batch.
#[derive(Clone, Debug, PartialEq)]
pub enum Loss {
    /// `Σ (p − t)² / 2n`.
    Square,
    /// `Σ −w·ln(max(σ, 1e−20))` at the label's place over the count of labels, σ by softmax.
    Softmax(Classes),
    /// The same of probabilities.
    Multinomial(Classes),
    /// `Σ −t·ln(max(σ, 1e−20))` over the count of rows, σ by softmax.
    Softlabel {
        /// The axis of the classes.
        dim: i64,
    },
    /// `Σ max(0, 1 − p·t) / n`.
    Hinge {
        /// Leaves the loss without its weight, as Mocha's processor version does it.
        unweighted: bool,
    },
    /// `−Σ (t·ln p + (1 − t)·ln(1 − p)) / n`.
    BinaryCrossEntropy,
    /// `Σ (μ² + σ² − 2·ln σ − 1) / 2n`.
    GaussianKl,
    /// The regularised distance of histograms by Sinkhorn's iteration.
    Wasserstein {
        /// Cost of moving from a bin of the prediction (row) to one of the label.
        costs: Numbers,
        /// Sharpness.
        lambda: f64,
        /// How many iterations.
        iterations: usize,
    },
}

/// Classes of a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    /// The axis along which they lie.
    pub dim: i64,
    /// Their weights: one each, or in the shape of an example or of the batch.
    pub weights: Option<Numbers>,
    /// How the weights are brought to a mean of 1.
    pub normalize: Normalize,
}

/// How class weights are brought to a mean of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalize {
    /// Over the classes of each place.
    Local,
    /// Over each example.
    Global,
    /// Not at all.
    No,
}

/// Numbers that a description holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Their shape, slowest axis first.
    pub shape: Vec<usize>,
    /// They themselves.
    pub numbers: Vec<f64>,
}

/// What parameters begin with where a file has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initial {
    /// One number everywhere.
    Constant(f64),
    /// Drawn, which needs a file or a training.
    Drawn,
}

/// The axis of a row-major shape of `rank` axes that Mocha counts as `dim`; none if there is none.
pub fn axis(dim: i64, rank: usize) -> Option<usize> {
    let axis = if dim < 0 { -1 - dim } else { rank as i64 - dim };
    usize::try_from(axis).ok().filter(|axis| *axis < rank && dim != 0)
}

impl Kind {
    /// Whether it makes blobs of nothing.
    pub fn is_source(&self) -> bool {
        matches!(self, Kind::Data(_) | Kind::RandomNormal { .. })
    }

    /// Whether it makes no blobs.
    pub fn is_sink(&self) -> bool {
        matches!(
            self,
            Kind::MemoryOutput
                | Kind::Hdf5Output { .. }
                | Kind::Loss { .. }
                | Kind::Accuracy { .. }
                | Kind::BinaryAccuracy { .. }
        )
    }

    /// Whether it changes the blobs it takes.
    pub fn is_in_place(&self) -> bool {
        matches!(self, Kind::Dropout { .. })
    }

    /// Whether it draws numbers.
    pub fn draws(&self) -> bool {
        match self {
            Kind::Dropout { .. } | Kind::RandomNormal { .. } => true,
            Kind::Crop { random, mirror, .. } => *random || *mirror,
            _ => false,
        }
    }

    /// Whether it has parameters.
    pub fn has_parameters(&self) -> bool {
        matches!(self, Kind::InnerProduct { .. } | Kind::TiedInnerProduct { .. } | Kind::Convolution { .. })
    }

    /// Whether gradients go back through it.
    pub fn goes_back(&self) -> bool {
        !matches!(
            self,
            Kind::Data(_)
                | Kind::RandomNormal { .. }
                | Kind::Crop { .. }
                | Kind::Argmax { .. }
                | Kind::Index2Onehot { .. }
                | Kind::MemoryOutput
                | Kind::Hdf5Output { .. }
                | Kind::Accuracy { .. }
                | Kind::BinaryAccuracy { .. }
                | Kind::Loss { loss: Loss::Multinomial(_), .. }
        )
    }
}
