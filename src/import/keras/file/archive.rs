//! `.keras`: a zip archive of `config.json`, `metadata.json` and `model.weights.h5`.

use super::{Saved, before_3, json, tree};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text},
    formats::{hdf5::File, json::Json, zip::Zip},
    import::keras::variables::Variables,
    limits::Limits,
    source::Source,
};

/// The records of an archive.
const CONFIG: &str = "config.json";
const METADATA: &str = "metadata.json";
const WEIGHTS: &str = "model.weights.h5";

/// Whether an archive is one of Keras: by its directory, or by its first bytes where that can not be read.
pub(in crate::import::keras) fn is_archive(source: &Source, limits: &Limits, head: &[u8]) -> bool {
    let named = |word: &str| head.windows(word.len()).any(|window| window == word.as_bytes());
    match Zip::open(source, limits, &mut Faults::default()) {
        Ok(zip) => [CONFIG, METADATA, WEIGHTS].iter().any(|name| zip.find(name.as_bytes()).is_some()),
        Err(_) => (named(CONFIG) || named(METADATA) || named(WEIGHTS)) && !named("/data.pkl"),
    }
}

/// Reads all but the numbers. All faults are found at once.
pub(in crate::import::keras) fn open(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Saved, Refused> {
    let mark = faults.mark();
    let zip = Zip::open(source, limits, faults)?;
    let config = record(&zip, CONFIG, true, limits, faults);
    let metadata = record(&zip, METADATA, false, limits, faults);
    let variables = weights(&zip, limits, faults);
    faults.refused_since(mark)?;
    let mut saved = Saved {
        compiled: config.as_ref().and_then(|config| config.get("compile_config")).cloned(),
        config,
        place: CONFIG,
        variables: variables.unwrap_or_default(),
        notes: Vec::new(),
        before_3: false,
        budget: zip.budget().clone(),
    };
    for (key, value) in metadata.iter().flat_map(|metadata| metadata.entries()) {
        if let Some(value) = value.text() {
            saved.before_3 |= **key == *"keras_version" && before_3(value);
            saved.notes.push((Text::from(&**key), Text::from(value)));
        }
    }
    Ok(saved)
}

/// A record of JSON.
fn record(zip: &Zip, name: &'static str, needed: bool, limits: &Limits, faults: &mut Faults) -> Option<Json> {
    let Some(index) = zip.find(name.as_bytes()) else {
        if needed {
            absent(name, "which says its layers", faults);
        }
        return None;
    };
    let text = zip.read(index, faults).ok()?;
    json(text.bytes(), name, limits, zip.budget(), faults)
}

/// The variables.
fn weights(zip: &Zip, limits: &Limits, faults: &mut Faults) -> Option<Variables> {
    let Some(index) = zip.find(WEIGHTS.as_bytes()) else {
        absent(WEIGHTS, "which holds its numbers", faults);
        return None;
    };
    let stored = zip.entries().get(index).is_some_and(|entry| entry.is_stored());
    let place = zip.place(index, faults).ok()?;
    let bytes = zip.read(index, faults).ok()?;
    let inner = Source::memory(bytes);
    let file = File::open(&inner, limits, faults).ok()?;
    let root = file.root(faults).ok()?;
    let from = tree::From { name: "model.weights.h5, ", before: stored.then_some(place.start), budget: zip.budget() };
    tree::read(&root, &from, faults).ok()
}

fn absent(name: &'static str, what: &str, faults: &mut Faults) {
    let message = format!("The archive has no record '{name}', {what}.");
    faults.push(Fault::new(Code::Absent, message).place(name));
}
