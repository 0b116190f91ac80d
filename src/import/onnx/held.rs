//! The numbers that layers hold: under which path, where in the file, and how they are turned.

use super::constant::Constant;
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::formats::onnx::Node;
use crate::network::{Entry, Turn};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The numbers of a slot.
pub(super) struct Number {
    pub(super) slot: &'static str,
    pub(super) constant: Constant,
    pub(super) turn: Turn,
}

impl Number {
    /// Numbers for a slot of another shape of the same count: axes of length 1 apart, they lie in the same order.
    pub(super) fn flat(slot: &'static str, constant: Constant, shape: &[usize]) -> Number {
        let turn = match constant.shape() == shape {
            true => Turn::none(shape),
            false => Turn::new(constant.shape(), shape, (0..shape.len()).collect(), shape),
        };
        Number { slot, constant, turn }
    }
}

/// The numbers of all slots so far.
#[derive(Default)]
pub(super) struct Held {
    /// Path of the slot, its numbers, where they stand.
    all: Vec<(String, Constant, Turn, String)>,
    /// What stands under each prefix of paths.
    under: HashMap<String, Vec<Own>>,
    /// Names of nodes, which paths begin with where initialisers give no better.
    names: HashSet<String>,
}

/// A slot under a prefix: its name, its initialiser, its turn.
type Own = (&'static str, Option<Rc<str>>, Turn);

impl Held {
    pub(super) fn new(names: &[String]) -> Held {
        Held { names: names.iter().cloned().collect(), ..Held::default() }
    }

    /// Keeps the numbers of a layer. Gives the prefix of their paths if it is not the layer's name: initialisers called
    /// `fc.weight` and `fc.bias` stand under `fc`, as they do in the framework they come from.
    pub(super) fn hold(&mut self, layer: &str, numbers: Vec<Number>, node: &Node) -> Option<String> {
        if numbers.is_empty() {
            return None;
        }
        let own: Vec<Own> =
            numbers.iter().map(|number| (number.slot, number.constant.from.clone(), number.turn.clone())).collect();
        let named = prefix(&own).filter(|prefix| !self.names.contains(prefix));
        let named = named.filter(|prefix| self.under.get(prefix).is_none_or(|before| *before == own));
        let prefix = named.clone().unwrap_or_else(|| layer.to_owned());
        if self.under.insert(prefix.clone(), own).is_none() {
            for Number { slot, constant, turn } in numbers {
                let place = constant.from.as_deref().unwrap_or(super::wiring::path(node)).to_owned();
                self.all.push((format!("{prefix}.{slot}"), constant, turn, place));
            }
        }
        named
    }

    /// All of them as a network takes them, each with its turn.
    pub(super) fn entries(self, faults: &mut Faults) -> Result<Vec<(Entry, Turn)>, Refused> {
        let mark = faults.mark();
        let mut entries = Vec::new();
        for (path, constant, turn, place) in self.all {
            match constant.tensor() {
                Some(tensor) => {
                    entries.push((Entry { path: path.into(), tensor, place: place.into(), offset: None }, turn))
                }
                None => {
                    let message = format!(
                        "'{}' is made of '{}', whose numbers depend on the length of the batch, or of which there is no room.",
                        quoted_str(&path),
                        quoted_str(&place)
                    );
                    faults.push(Fault::new(Code::Unsupported, message).path(&path).place(&place));
                }
            }
        }
        faults.refused_since(mark)?;
        Ok(entries)
    }
}

/// What all initialisers of a layer begin with, if each is called by its slot behind it.
fn prefix(own: &[Own]) -> Option<String> {
    let mut found: Option<&str> = None;
    for (slot, from, _) in own {
        let Some(from) = from else { continue };
        let prefix = from.strip_suffix(slot)?.strip_suffix('.').filter(|prefix| !prefix.is_empty())?;
        if found.is_some_and(|found| found != prefix) {
            return None;
        }
        found = Some(prefix);
    }
    found.map(str::to_owned)
}
