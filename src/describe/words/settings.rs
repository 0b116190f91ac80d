//! The settings of one layer: checked against the row of its word, then read by the row's own function.

use super::{Absent, Word, nearest, number};
use crate::describe::{Attribute, Layer, Position, Value, at};
use crate::faults::{Code, Fault, Faults, quoted_str};
use std::collections::HashSet;

/// Settings of a layer that fit its word one by one. Reading one that its word does not have gives nought, false or nothing.
pub struct Settings<'a> {
    word: &'static Word,
    layer: &'a Layer,
}

/// Settings that fit one by one and not together.
pub struct Clash {
    /// The setting to blame.
    pub key: &'static str,
    /// What is wrong, to follow on "… of layer …:".
    pub what: String,
}

impl Clash {
    /// A clash at this setting.
    pub fn new(key: &'static str, what: impl Into<String>) -> Clash {
        Clash { key, what: what.into() }
    }
}

impl<'a> Settings<'a> {
    /// Checks every setting; none, with all faults told, if any does not fit.
    pub fn check(word: &'static Word, layer: &'a Layer, faults: &mut Faults) -> Option<Settings<'a>> {
        let mark = faults.mark();
        let mut seen = HashSet::new();
        for attribute in &layer.attributes {
            if faults.is_full() {
                return None;
            }
            if !seen.insert(attribute.key.as_str()) {
                let what = format!("is written twice in layer {}", quoted_str(&layer.name));
                faults.push(fault(layer, attribute.position, &attribute.key, what));
                continue;
            }
            match word.setting(&attribute.key) {
                None => {
                    let fault = unknown(word, layer, attribute, faults);
                    faults.push(fault);
                }
                Some(setting) if !setting.takes.fits(&attribute.value) => {
                    let what = format!("of layer {} must be {}", quoted_str(&layer.name), setting.takes);
                    faults.push(fault(layer, attribute.position, &attribute.key, what));
                }
                Some(_) => {}
            }
        }
        for setting in word.settings().filter(|setting| matches!(setting.absent, Absent::Required)) {
            if !seen.contains(setting.key) {
                let name = quoted_str(&layer.name);
                let what = format!("is missing in layer {name} ({}): {}", word.name, setting.takes);
                faults.push(fault(layer, layer.position, setting.key, what));
            }
        }
        faults.refused_since(mark).ok().map(|()| Settings { word, layer })
    }

    /// The fault of a clash.
    pub fn clash(&self, clash: &Clash) -> Fault {
        let written = self.layer.attributes.iter().find(|attribute| attribute.key == clash.key);
        let position = written.map_or(self.layer.position, |attribute| attribute.position);
        fault(self.layer, position, clash.key, format!("of layer {}: {}", quoted_str(&self.layer.name), clash.what))
    }

    /// The value as written.
    pub fn written(&self, key: &str) -> Option<&'a Value> {
        self.layer.attributes.iter().find(|attribute| attribute.key == key).map(|attribute| &attribute.value)
    }

    /// Whether the setting is written or has a value where it is not.
    pub fn says(&self, key: &str) -> bool {
        self.written(key).is_some() || !matches!(self.absent(key), Absent::Nothing)
    }

    fn absent(&self, key: &str) -> Absent {
        let setting = self.word.setting(key);
        debug_assert!(setting.is_some(), "the row of {} has no setting {key}", self.word.name);
        setting.map_or(Absent::Nothing, |setting| setting.absent)
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> bool {
        match (self.written(key), self.absent(key)) {
            (Some(&Value::Bool(flag)), _) | (None, Absent::Bool(flag)) => flag,
            _ => false,
        }
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> i64 {
        match (self.written(key), self.absent(key)) {
            (Some(&Value::Int(n)), _) | (None, Absent::Int(n)) => n,
            _ => 0,
        }
    }

    /// A length or count.
    pub fn length(&self, key: &str) -> usize {
        usize::try_from(self.whole(key)).unwrap_or(0)
    }

    /// A number.
    pub fn real(&self, key: &str) -> f64 {
        match (self.written(key), self.absent(key)) {
            (Some(value), _) => number(value).unwrap_or(0.0),
            (None, Absent::Real(n)) => n,
            _ => 0.0,
        }
    }

    /// A text.
    pub fn text(&self, key: &str) -> &str {
        match (self.written(key), self.absent(key)) {
            (Some(Value::Text(text)), _) => text,
            (None, Absent::Text(text)) => text,
            _ => "",
        }
    }

    /// Whole numbers of a list; one number counts as a list of one.
    pub fn wholes(&self, key: &str) -> Vec<i64> {
        match self.written(key) {
            Some(Value::List(list)) => list.iter().filter_map(whole).collect(),
            Some(value) => whole(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Lengths of a list.
    pub fn lengths(&self, key: &str) -> Vec<usize> {
        self.wholes(key).into_iter().filter_map(|n| usize::try_from(n).ok()).collect()
    }

    /// Numbers of a list.
    pub fn reals(&self, key: &str) -> Vec<f64> {
        match self.written(key) {
            Some(Value::List(list)) => list.iter().filter_map(number).collect(),
            _ => Vec::new(),
        }
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(n) => Some(*n),
        _ => None,
    }
}

fn unknown(word: &Word, layer: &Layer, attribute: &Attribute, faults: &Faults) -> Fault {
    let known = nearest(&attribute.key, word.settings().map(|setting| setting.key), faults);
    let advice = known.map_or_else(String::new, |key| format!("; the nearest is \"{key}\""));
    let what = format!("is unknown to {} (layer {}){advice}", word.name, quoted_str(&layer.name));
    fault(layer, attribute.position, &attribute.key, what)
}

fn fault(layer: &Layer, position: Position, key: &str, what: String) -> Fault {
    at(position, Code::Attribute, format!("setting \"{}\" {what}", quoted_str(key))).path(&layer.name)
}
