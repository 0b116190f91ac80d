//! HDF5 of Keras: a whole model as it was saved before `.keras`, or numbers alone.
//!
//! A model has its layers as JSON in the attribute `model_config` and its numbers in `model_weights`. What `save_weights` writes
//! has no layers: either the root is what `model_weights` is in a model, or it is the tree of a `.weights.h5`.

use super::{Saved, before_3, flat, json, tree};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text},
    formats::{
        Budget,
        hdf5::{File, Group},
        json::Json,
    },
    limits::Limits,
    source::Source,
};

/// Attributes of a root that only Keras writes.
const MARKS: [&str; 3] = ["model_config", "keras_version", "layer_names"];

/// Whether an HDF5 file is one of Keras.
pub(in crate::import::keras) fn is_keras(source: &Source, limits: &Limits) -> bool {
    let mut faults = Faults::default();
    let root = File::open(source, limits, &mut faults).and_then(|file| file.root(&mut faults));
    root.is_ok_and(|root| {
        let attributes = root.attributes(&mut faults).unwrap_or_default();
        attributes.iter().any(|attribute| MARKS.iter().any(|mark| *attribute.name() == **mark))
            || tree::is_tree(&root, &mut faults)
    })
}

/// Reads all but the numbers. All faults are found at once.
pub(in crate::import::keras) fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Saved, Refused> {
    let mark = faults.mark();
    let budget = Budget::of(source.len());
    let root = File::open(source, limits, faults)?.root(faults)?;
    let config = attribute(&root, "model_config", limits, &budget, faults);
    let compiled = attribute(&root, "training_config", limits, &budget, faults);
    let mut notes = Vec::new();
    for attribute in root.attributes(faults)? {
        let name = attribute.name().clone();
        if name == *"keras_version" || name == *"backend" {
            let mut unsaid = Faults::default();
            match attribute.value().text(&mut unsaid) {
                Ok(value) => notes.push((name, value)),
                Err(Refused(Code::DType)) => {}
                Err(_) => faults.append(unsaid),
            }
        }
    }
    let mut unsaid = Faults::default();
    let is_tree = tree::is_tree(&root, &mut unsaid);
    if !is_tree && unsaid.iter().any(|fault| fault.code == Code::Io) {
        faults.append(unsaid);
        faults.refused_since(mark)?;
    }
    let variables = if is_tree {
        tree::read(&root, &tree::From { name: "", before: Some(0), budget: &budget }, faults)
    } else {
        match root.member("model_weights", faults)? {
            Some(object) if object.group().is_some() => {
                let group = object.group().cloned();
                group.map_or(Ok(Default::default()), |group| flat::read(&group, &budget, faults))
            }
            _ if config.is_some() => {
                let message = "The file has no group 'model_weights', which holds its numbers.";
                Err(faults.refuse(Fault::new(Code::Absent, message).place("model_weights")))
            }
            _ => flat::read(&root, &budget, faults),
        }
    };
    faults.refused_since(mark)?;
    let version = notes.iter().find(|(name, _)| *name == *"keras_version").and_then(|(_, version)| version.as_str());
    Ok(Saved {
        before_3: version.is_none_or(before_3),
        config,
        place: "model_config",
        compiled,
        variables: variables?,
        notes,
        budget,
    })
}

/// An attribute of JSON, if it is there.
fn attribute(root: &Group, name: &'static str, limits: &Limits, budget: &Budget, faults: &mut Faults) -> Option<Json> {
    let attribute = root.attribute(name, faults).ok()??;
    let text: Text = attribute.value().text(faults).ok()?;
    json(text.as_bytes(), name, limits, budget, faults)
}
