//! Files of other frameworks: which format a file is in, what it holds, and a network of it.
//!
//! [`Import::open`] tells the format by the first bytes and reads the listing, no numbers. `FORMATS` has one row per format:
//! a new one is a row and a folder. `pytorch` knows how PyTorch orders numbers, `julia` what a
//! group of HDF5 is in a parameter set, `jaxon` how a nested Python value is kept in one; `onnx` and `keras` read layers, `mocha` the files
//! of Mocha and Caffe.

mod affine;
mod elsewhere;
mod format;
#[allow(clippy::module_inception)]
mod import;
mod jaxon;
mod julia;
mod keras;
mod listed;
mod loss;
mod mocha;
mod onnx;
mod options;
mod prefix;
mod pytorch;
mod pytree;
mod safetensors;
mod stack;

pub use import::Import;
pub use keras::{Line, Summary};
pub use options::{ImportOptions, LOSSES};
pub use pytree::{Filter, PytreeOptions, Unmarshal, Unmarshaled};

use format::Format;

/// Every format, in the order in which they are asked whether a file is theirs: those with a signature first.
const FORMATS: &[&dyn Format] = &[
    &keras::Keras,
    &pytorch::SinceZip,
    &pytorch::BeforeZip,
    &jaxon::Jaxon,
    &mocha::Snapshot,
    &mocha::Model,
    &julia::Julia,
    &elsewhere::GGUF,
    &safetensors::Safetensors,
    &elsewhere::PICKLE,
    &onnx::Onnx,
    &mocha::Caffe,
    &elsewhere::POINTER,
    &elsewhere::TEXT,
];

#[cfg(test)]
mod tests;
