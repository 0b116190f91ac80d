//! Keras's layers: a row each, in small tables by family.
//!
//! A row says the class, what becomes of a mask, and the function that writes the layer in Pontil's words. A new layer is a new row.

mod activation;
mod axes;
mod conv;
mod dense;
mod function;
mod idle;
mod merge;
mod norm;
pub(super) mod operation;
mod pool;
mod scale;
mod sides;
mod window;
mod wrap;

pub(super) use norm::RENORM;

use super::{call::Call, flow::Flow};

/// What becomes of a mask that reaches a layer.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mask {
    /// It goes on to the next layer and changes nothing here.
    Passed,
    /// It ends here.
    Dropped,
    /// It changes the layer's answers.
    Read,
}

/// A class.
pub(super) struct Row {
    class: &'static str,
    /// What becomes of a mask.
    pub(super) mask: Mask,
    /// Whether it may be called with numbers of the file among its values.
    pub(super) stated: bool,
    /// How many axes of steps may stand before those it knows of, one for each TimeDistributed around it.
    lead: usize,
    /// Writes the layer.
    pub(super) make: Make,
}

impl Row {
    /// The same, with so many axes of steps before its own at most.
    const fn beside(self, lead: usize) -> Row {
        Row { lead, ..self }
    }

    /// The same, over so many window axes; axes of steps become window axes too.
    const fn over(self, dims: usize) -> Row {
        self.beside(window::MOST - dims)
    }
}

/// How a row writes a layer; what is wrong has been said if it gives nothing.
type Make = for<'c, 'a, 'f, 'g> fn(&'g mut Call<'c, 'a, 'f>) -> Option<Flow>;

/// A row whose layer gives masks on.
const fn passes(class: &'static str, make: Make) -> Row {
    Row { class, mask: Mask::Passed, stated: false, lead: usize::MAX, make }
}

/// A row whose layer ends masks.
const fn drops(class: &'static str, make: Make) -> Row {
    Row { class, mask: Mask::Dropped, stated: false, lead: usize::MAX, make }
}

/// A row whose layer would read a mask.
const fn reads(class: &'static str, make: Make) -> Row {
    Row { class, mask: Mask::Read, stated: false, lead: usize::MAX, make }
}

/// A row of an operation that may be given numbers of the file among its values.
const fn stated(class: &'static str, make: Make) -> Row {
    Row { class, mask: Mask::Dropped, stated: true, lead: usize::MAX, make }
}

const FAMILIES: [&[Row]; 11] = [
    activation::ROWS,
    axes::ROWS,
    conv::ROWS,
    dense::ROWS,
    idle::ROWS,
    merge::ROWS,
    norm::ROWS,
    pool::ROWS,
    scale::ROWS,
    sides::ROWS,
    wrap::ROWS,
];

/// The row of a class.
pub(super) fn find(class: &str) -> Option<&'static Row> {
    FAMILIES.iter().flat_map(|rows| rows.iter()).find(|row| row.class == class)
}

/// What helps where a class is not read.
pub(super) fn advice(class: &str) -> &'static str {
    match class {
        "LSTM" | "GRU" | "SimpleRNN" | "RNN" | "Bidirectional" | "ConvLSTM1D" | "ConvLSTM2D" | "ConvLSTM3D"
        | "StackedRNNCells" | "LSTMCell" | "GRUCell" | "SimpleRNNCell" => {
            "recurrent layers are not run yet, and a network without them, e.g. of Conv1D, is"
        }
        "MultiHeadAttention" | "GroupQueryAttention" | "GroupedQueryAttention" | "Attention" | "AdditiveAttention" => {
            "export the model as ONNX, where attention is written out in products and softmax"
        }
        "TFOpLambda" | "SlicingOpLambda" => {
            "write it with layers of Keras, or with keras.ops of Keras 3, and save the model anew"
        }
        "Masking" => "masks are not read; leave out the places that are masked, or feed noughts",
        "StringLookup" | "IntegerLookup" | "TextVectorization" | "CategoryEncoding" | "Hashing" | "HashedCrossing"
        | "Discretization" | "FeatureSpace" => {
            "do this step before the network, and save the model of the layers that follow"
        }
        _ => "write it with other layers of Keras, or export the model as ONNX",
    }
}
