//! Files of numbers beside a graph: never one outside of the graph's own folder, each opened once.

use crate::faults::{Code, Fault, Faults, quoted_str};
use crate::source::Source;
use crate::tensor::Storage;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The files beside a graph, opened when they are asked for.
#[derive(Default)]
pub struct Beside(Mutex<HashMap<String, Opened>>);

/// A file that was opened; or the faults of one that could not be.
type Opened = Result<Source, Faults>;

impl Beside {
    /// The bytes that the notes of a tensor speak of, which must be as many as `wanted`.
    pub(super) fn bytes(&self, notes: &[(String, String)], wanted: u64, graph: &Source) -> Result<Storage, Vec<Fault>> {
        let note = |key: &str| {
            let mut found = notes.iter().filter(|(name, _)| name == key).map(|(_, value)| value.as_str());
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(one(Code::Duplicate, format!("says its {key} twice"))),
                (value, None) => Ok(value),
            }
        };
        let location = note("location")?.filter(|location| !location.is_empty());
        let location = location.ok_or_else(|| {
            one(Code::Absent, "lies in a file beside the graph, and no location says in which".into())
        })?;
        if !leads_down(location) {
            let shown = quoted_str(location);
            let message =
                format!("lies in '{shown}', which is not within the graph's own folder; that is never opened");
            return Err(one(Code::Hostile, message));
        }
        let number = |key: &str| match note(key)? {
            None => Ok(None),
            Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse::<u64>().map(Some).map_err(|_| one(Code::Overflow, format!("has a {key} past all files")))
            }
            Some(text) => Err(one(Code::Malformed, format!("has the {key} '{}'; digits are wanted", quoted_str(text)))),
        };
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        let source = self.open(location, graph)?;
        let shown = quoted_str(location);
        let there = source.len().checked_sub(offset);
        let length = length.or(there).unwrap_or(0);
        if length != wanted {
            let message = format!("is {wanted} bytes by its shape, and '{shown}' holds {length} for it");
            return Err(one(if length < wanted { Code::Truncated } else { Code::Malformed }, message));
        }
        if there.is_none_or(|there| there < length) {
            let message =
                format!("lies at byte {offset} of '{shown}', {length} bytes long; the file has {} bytes", source.len());
            return Err(one(Code::Truncated, message));
        }
        let mut faults = Faults::default();
        source.bytes(offset..offset + length, &mut faults).map_err(|_| worded(&faults))
    }

    /// How long the files are in all that have been opened.
    pub(super) fn length(&self) -> u64 {
        let opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        opened.values().flatten().fold(0, |total: u64, source| total.saturating_add(source.len()))
    }

    fn open(&self, location: &str, graph: &Source) -> Result<Source, Vec<Fault>> {
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = opened.entry(location.to_owned()).or_insert_with(|| {
            let mut faults = Faults::default();
            graph.neighbour(location, &mut faults).map_err(|_| faults)
        });
        opened.clone().map_err(|faults| worded(&faults))
    }
}

/// Whether a path leads down from where it begins, on any system.
fn leads_down(location: &str) -> bool {
    let mut parts = location.split(['/', '\\']);
    let rooted = location.starts_with(['/', '\\']) || location.as_bytes().get(1) == Some(&b':');
    !rooted
        && !location.contains('\0')
        && parts.clone().all(|part| part != "..")
        && parts.next_back().is_some_and(|part| !part.is_empty())
}

fn one(code: Code, message: String) -> Vec<Fault> {
    vec![Fault::new(code, message)]
}

/// The faults of a source, to stand behind the name of a tensor.
fn worded(faults: &Faults) -> Vec<Fault> {
    let one = |fault: &Fault| {
        let message = fault.message.trim_end_matches('.');
        Fault { message: format!("can not be had: {message}"), ..fault.clone() }
    };
    faults.iter().map(one).collect()
}
