//! Mocha's layers by name: one row each, with what it takes and makes and how its settings are read.
//!
//! A new layer is a row here, a variant of [`Kind`], a rule in `shapes` and a function of the evaluation.

use super::kind::Kind;
use super::read::{Reader, computation, data, loss, sink, utility};
use crate::describe::args::Args;

/// A layer of Mocha.
pub(super) struct Row {
    /// Mocha's name.
    pub(super) name: &'static str,
    /// Fewest and most blobs it takes.
    pub(super) bottoms: (usize, usize),
    /// How many it makes.
    pub(super) tops: Tops,
    /// The name it has if none is written.
    pub(super) default_name: Option<&'static str>,
    /// Reads its settings.
    pub(super) read: fn(&mut Reader) -> Kind,
}

/// How many blobs a layer makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tops {
    /// As many as it takes.
    Alike,
    /// So many.
    Exactly(usize),
    /// One or more.
    Some,
}

const MANY: (usize, usize) = (1, usize::MAX);
const NONE: Tops = Tops::Exactly(0);

const fn row(
    name: &'static str,
    bottoms: (usize, usize),
    tops: Tops,
    default_name: Option<&'static str>,
    read: fn(&mut Reader) -> Kind,
) -> Row {
    Row { name, bottoms, tops, default_name, read }
}

#[rustfmt::skip]
static ROWS: &[Row] = &[
    row("HDF5DataLayer", (0, 0), Tops::Some, Some("hdf5-data"), data::hdf5),
    row("AsyncHDF5DataLayer", (0, 0), Tops::Some, Some("hdf5-data"), data::hdf5_async),
    row("MemoryDataLayer", (0, 0), Tops::Some, Some("memory-data"), data::memory),
    row("RandomNormalLayer", (0, 0), Tops::Some, Some("random-normal"), data::random_normal),

    row("InnerProductLayer", MANY, Tops::Alike, None, computation::inner_product),
    row("TiedInnerProductLayer", MANY, Tops::Alike, None, computation::tied_inner_product),
    row("ConvolutionLayer", MANY, Tops::Alike, None, computation::convolution),
    row("PoolingLayer", MANY, Tops::Alike, Some("pooling"), computation::pooling),
    row("ChannelPoolingLayer", MANY, Tops::Alike, Some("channel-pooling"), computation::channel_pooling),
    row("LRNLayer", (1, 1), Tops::Exactly(1), Some("lrn"), computation::lrn),
    row("SoftmaxLayer", MANY, Tops::Alike, Some("softmax"), computation::softmax),
    row("PowerLayer", MANY, Tops::Alike, Some("power"), computation::power),
    row("ElementWiseLayer", (2, 2), Tops::Exactly(1), Some("element-wise"), computation::element_wise),
    row("DropoutLayer", (1, 1), NONE, Some("dropout"), computation::dropout),
    row("RandomMaskLayer", MANY, NONE, Some("random-mask"), computation::random_mask),
    row("CropLayer", MANY, Tops::Alike, Some("crop"), computation::crop),

    row("IdentityLayer", MANY, Tops::Alike, Some("identity"), utility::identity),
    row("ReshapeLayer", MANY, Tops::Alike, Some("reshape"), utility::reshape),
    row("SplitLayer", (1, 1), Tops::Some, Some("split"), utility::split),
    row("ConcatLayer", (2, usize::MAX), Tops::Exactly(1), Some("concat"), utility::concat),
    row("ArgmaxLayer", MANY, Tops::Alike, Some("argmax"), utility::argmax),
    row("Index2OnehotLayer", MANY, Tops::Alike, Some("index2onehot"), utility::index_to_onehot),

    row("MemoryOutputLayer", MANY, NONE, Some("mem-output"), sink::memory_output),
    row("HDF5OutputLayer", MANY, NONE, Some("hdf5-output"), sink::hdf5_output),
    row("AccuracyLayer", (2, 2), NONE, Some("accuracy"), sink::accuracy),
    row("BinaryAccuracyLayer", (2, 2), NONE, Some("binary-accuracy"), sink::binary_accuracy),

    row("SquareLossLayer", (2, 2), NONE, Some("square-loss"), loss::square),
    row("SoftmaxLossLayer", (2, 2), NONE, Some("loss"), loss::softmax),
    row("MultinomialLogisticLossLayer", (2, 2), NONE, Some("loss"), loss::multinomial),
    row("SoftlabelSoftmaxLossLayer", (2, 2), NONE, Some("loss"), loss::softlabel),
    row("HingeLossLayer", (2, 2), NONE, Some("loss"), loss::hinge),
    row("BinaryCrossEntropyLossLayer", (2, 2), NONE, Some("loss"), loss::binary_cross_entropy),
    row("GaussianKLLossLayer", (2, 2), NONE, Some("gauss-kl-loss"), loss::gaussian_kl),
    row("WassersteinLossLayer", (2, 2), NONE, Some("wasserstein-loss"), loss::wasserstein),
];

/// The row of a layer.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// Every layer of Mocha that can be written, by Mocha's name.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

impl Row {
    /// The settings of a layer of this row, and its parameters' first numbers.
    pub(super) fn settings<'a>(&self, args: Args<'a>) -> (Kind, Reader<'a>) {
        let mut reader = Reader::new(args);
        let kind = (self.read)(&mut reader);
        (kind, reader)
    }
}
