//! What a file of Keras holds: layers in JSON, settings of training, variables.
//!
//! `archive` reads a `.keras`, `h5` an HDF5 file, be it a whole legacy model or numbers alone; `tree` reads the variables of a
//! `.weights.h5`, `flat` those of a legacy file.

mod archive;
mod flat;
mod h5;
mod tree;

pub(super) use archive::{is_archive, open as open_archive};
pub(super) use h5::{is_keras, open as open_h5};

use super::variables::Variables;
use crate::{
    faults::{Code, Fault, Faults, Text, quoted},
    formats::{Budget, json::Json},
    limits::Limits,
};

/// An opened file.
pub(super) struct Saved {
    /// The model, if the file says its layers.
    pub(super) config: Option<Json>,
    /// What the faults call the text of the layers.
    pub(super) place: &'static str,
    /// What the model was compiled with, if it was.
    pub(super) compiled: Option<Json>,
    /// Its numbers.
    pub(super) variables: Variables,
    /// Versions and the like.
    pub(super) notes: Vec<(Text, Text)>,
    /// Whether Keras 2 wrote it, whose hard sigmoid is another.
    pub(super) before_3: bool,
    /// What memory for all that is made of it is taken from.
    pub(super) budget: Budget,
}

/// Parses a text of the file; what is wrong is a fault at its name.
fn json(text: &[u8], name: &'static str, limits: &Limits, budget: &Budget, faults: &mut Faults) -> Option<Json> {
    if text.len() as u64 > limits.header_bytes {
        let message = format!("{name} is longer than the limit `max_header_bytes`, {} bytes.", limits.header_bytes);
        faults.push(Fault::new(Code::Limit, message).place(name));
        return None;
    }
    let read = Json::parse(text, limits.depth, budget);
    read.map_err(|(code, says)| faults.push(Fault::new(code, format!("{name} {says}")).place(name))).ok()
}

/// Whether a version is one before Keras 3: its own, or that of the TensorFlow it came with.
fn before_3(version: &str) -> bool {
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major < 3)
}

/// A variable there is no memory for.
fn too_many(path: &Text) -> Fault {
    let message = format!("'{}': the file has more variables than its length has room for.", quoted(path));
    Fault::new(Code::Limit, message).path(path.clone())
}

/// What a variable is counted as.
const VARIABLE: u64 = 512;
