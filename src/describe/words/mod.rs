//! The layer words: one row each, in small tables by family.
//!
//! A row says the word's name, what it does, how many values it takes, its settings, an example, and how settings become an
//! [`Op`]. The check of a description, its messages and the JSON schema of a word all read the row. A new word is a new row.

mod activation;
mod arithmetic;
mod axes;
mod conv;
mod dense;
mod norm;
mod places;
mod pool;
mod setting;
mod settings;
mod spatial;

pub use setting::{Absent, LONGEST, Setting, Takes, number};
pub use settings::{Clash, Settings};
pub(super) use spatial::reach;

use super::Op;
use crate::faults::Faults;
use serde_json::{Map, Value as Json, json};
use std::sync::LazyLock;

/// How a row makes an operation of its settings.
pub type Make = fn(&Settings) -> Result<Op, Clash>;

/// A layer word.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its name, case and all.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Fewest values it takes.
    pub fewest: usize,
    /// Most values it takes.
    pub most: usize,
    /// Settings of a layer that is right, as a JSON object.
    pub example: &'static str,
    settings: &'static [&'static [Setting]],
    make: Make,
}

impl Word {
    /// A word that takes one value.
    const fn new(name: &'static str, summary: &'static str, example: &'static str, make: Make) -> Word {
        Word { name, summary, fewest: 1, most: 1, example, settings: &[], make }
    }

    const fn takes(self, fewest: usize, most: usize) -> Word {
        Word { fewest, most, ..self }
    }

    const fn with(self, settings: &'static [&'static [Setting]]) -> Word {
        Word { settings, ..self }
    }

    /// Its settings.
    pub fn settings(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        self.settings.iter().flat_map(|group| group.iter())
    }

    /// Its setting of this key.
    pub fn setting(&self, key: &str) -> Option<&'static Setting> {
        self.settings().find(|setting| setting.key == key)
    }

    /// The operation of checked settings.
    pub fn make(&self, settings: &Settings) -> Result<Op, Clash> {
        (self.make)(settings)
    }

    /// A JSON schema (draft 2020-12) of a layer of this word: its settings, `kind`, and what every layer may say.
    pub fn schema(&self) -> String {
        let mut properties = Map::new();
        properties.insert("kind".into(), json!({ "const": self.name }));
        properties.insert("name".into(), json!({ "type": "string" }));
        properties.insert("slots".into(), json!({ "type": "string" }));
        let from = json!({ "type": "array", "items": { "type": "string" } });
        properties.insert("from".into(), from);
        let mut required = vec!["kind"];
        for setting in self.settings() {
            let mut schema = setting.takes.schema();
            schema["description"] = json!(setting.summary);
            match setting.absent {
                Absent::Required => required.push(setting.key),
                Absent::Nothing => {}
                Absent::Bool(value) => schema["default"] = json!(value),
                Absent::Int(value) => schema["default"] = json!(value),
                Absent::Real(value) => schema["default"] = json!(value),
                Absent::Text(value) => schema["default"] = json!(value),
            }
            properties.insert(setting.key.into(), schema);
        }
        let mut example = json!({ "kind": self.name });
        if let (Json::Object(to), Ok(Json::Object(settings))) = (&mut example, serde_json::from_str(self.example)) {
            to.extend(settings);
        }
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            "description": self.summary,
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
            "examples": [example],
            "inputs": { "minimum": self.fewest, "maximum": (self.most != usize::MAX).then_some(self.most) },
        })
        .to_string()
    }
}

static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let families = [
        activation::WORDS,
        arithmetic::WORDS,
        axes::WORDS,
        conv::WORDS,
        dense::WORDS,
        norm::WORDS,
        places::WORDS,
        pool::WORDS,
    ];
    let mut words = families.concat();
    words.sort_unstable_by_key(|word| word.name);
    words
});

/// Every layer word, in the order of the names.
pub fn words() -> &'static [Word] {
    &WORDS
}

/// The word of this name.
pub fn word(name: &str) -> Option<&'static Word> {
    let words = words();
    words.binary_search_by_key(&name, |word| word.name).ok().map(|place| &words[place])
}

/// Of some names, the one nearest to a text by edit distance, whatever the case; the first of equally near ones. None if
/// there are no names, if the text is too long to be meant as one of them, or if so much is wrong already that nobody will
/// read the advice (it costs time).
pub fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>, faults: &Faults) -> Option<&'a str> {
    const LONGEST: usize = 100;
    const ADVISED: usize = 100;
    if text.len() > LONGEST || faults.len() >= ADVISED {
        return None;
    }
    let text = text.to_lowercase();
    let near = names.filter(|name| name.len() <= LONGEST);
    near.min_by_key(|name| strsim::osa_distance(&text, &name.to_lowercase()))
}
