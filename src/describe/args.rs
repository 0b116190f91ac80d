//! The arguments of one layer in another framework's words, read by type and name, every fault said at its place.
//!
//! A reader of an argument that is wrong says so and gives a stand-in on; [`Args::done`] then refuses the layer. So all
//! arguments of a layer are judged in one go.

use crate::describe::words::number;
use crate::describe::{Attribute, LONGEST, Layer, Position, Value, at};
use crate::faults::{Code, Fault, Faults, quoted_str};
use std::collections::HashSet;

/// What any layer of PyTorch may say: where its numbers are kept, and what the file says about shared ones.
pub(in crate::describe) const TORCH_ALWAYS: &[&str] = &["device", "dtype", "tied"];

/// Arguments of a layer, and which of them have been asked for.
pub(in crate::describe) struct Args<'a> {
    layer: &'a Layer,
    /// What any layer of the framework may say without a meaning here.
    always: &'static [&'static str],
    asked: Vec<&'static str>,
    faults: Vec<Fault>,
}

impl<'a> Args<'a> {
    pub(in crate::describe) fn new(layer: &'a Layer, always: &'static [&'static str]) -> Args<'a> {
        Args { layer, always, asked: Vec::new(), faults: Vec::new() }
    }

    /// Whether every argument was right and none is left over.
    pub(in crate::describe) fn done(&mut self, faults: &mut Faults) -> Option<()> {
        let mut seen = HashSet::new();
        for attribute in &self.layer.attributes {
            let key = attribute.key.as_str();
            if !seen.insert(key) {
                self.faults.push(fault(self.layer, attribute.position, Code::Attribute, &said(key, "is given twice")));
            } else if !self.asked.contains(&key) && !self.always.contains(&key) {
                let known = match self.asked.as_slice() {
                    [] => "; there are none".to_owned(),
                    asked => format!("; there are {}", asked.join(", ")),
                };
                let what = said(key, "is unknown") + &known;
                self.faults.push(fault(self.layer, attribute.position, Code::Attribute, &what));
            }
        }
        let right = self.faults.is_empty();
        self.faults.drain(..).for_each(|fault| faults.push(fault));
        right.then_some(())
    }

    /// Arguments that say nothing about what is computed.
    pub(in crate::describe) fn ignore(&mut self, keys: &[&'static str]) {
        self.asked.extend(keys);
    }

    /// The argument, if given and not None.
    pub(in crate::describe) fn get(&mut self, key: &'static str) -> Option<&'a Attribute> {
        self.asked.push(key);
        let found = self.layer.attributes.iter().find(|attribute| attribute.key == key);
        found.filter(|attribute| attribute.value != Value::Null)
    }

    /// Whether the argument is given, be it as None.
    pub(in crate::describe) fn has(&self, key: &str) -> bool {
        self.layer.attributes.iter().any(|attribute| attribute.key == key)
    }

    /// An argument of the type that `read` takes out of a value; `want` says in words what that is.
    fn typed<T>(
        &mut self,
        key: &'static str,
        want: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, ()> {
        let Some(attribute) = self.get(key) else { return Ok(None) };
        read(&attribute.value).map(Some).ok_or_else(|| self.wrong(key, &format!("wants {want}")))
    }

    /// An argument with its default; none: it must be given. A fault leaves `stand_in`.
    fn settled<T>(&mut self, key: &'static str, given: Result<Option<T>, ()>, default: Option<T>, stand_in: T) -> T {
        match given {
            Ok(Some(value)) => value,
            Ok(None) => default.unwrap_or_else(|| {
                self.faults.push(fault(self.layer, self.layer.position, Code::Attribute, &said(key, "is missing")));
                stand_in
            }),
            Err(()) => stand_in,
        }
    }

    /// A length: a whole number from 1.
    pub(in crate::describe) fn length(&mut self, key: &'static str, default: Option<usize>) -> usize {
        let given = self.typed(key, "a whole number from 1", |value| at_least(value, 1));
        self.settled(key, given, default, 1)
    }

    /// A whole number.
    pub(in crate::describe) fn whole(&mut self, key: &'static str, default: Option<i64>) -> i64 {
        let given = self.typed(key, "a whole number", whole);
        self.settled(key, given, default, 1)
    }

    /// A whole number or None.
    pub(in crate::describe) fn maybe_whole(&mut self, key: &'static str) -> Option<i64> {
        self.typed(key, "a whole number", whole).unwrap_or(Some(1))
    }

    /// A number.
    pub(in crate::describe) fn real(&mut self, key: &'static str, default: Option<f64>) -> f64 {
        let given = self.typed(key, "a number", number);
        self.settled(key, given, default, 1.0)
    }

    /// A number or None.
    pub(in crate::describe) fn maybe_real(&mut self, key: &'static str) -> Option<f64> {
        self.typed(key, "a number", number).unwrap_or(Some(1.0))
    }

    /// True or false.
    pub(in crate::describe) fn flag(&mut self, key: &'static str, default: bool) -> bool {
        let given = self.typed(key, "true or false", |value| match value {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        });
        self.settled(key, given, Some(default), default)
    }

    /// One of some words, the first of which is the default.
    pub(in crate::describe) fn word(&mut self, key: &'static str, words: &[&'static str]) -> &'static str {
        let want = format!("one of {}", words.join(", "));
        let given = self.typed(key, &want, |value| match value {
            Value::Text(text) => words.iter().copied().find(|word| word == text),
            _ => None,
        });
        let default = words.first().copied().unwrap_or_default();
        self.settled(key, given, Some(default), default)
    }

    /// A number from `least` for each of `dims` axes; one number stands for all. None: not given.
    pub(in crate::describe) fn each(&mut self, key: &'static str, dims: usize, least: usize) -> Option<Vec<usize>> {
        let want = match dims {
            1 => format!("a whole number from {least}"),
            _ => format!("a whole number from {least} or a list of {dims} such"),
        };
        let given = self.typed(key, &want, |value| match value {
            Value::List(list) if list.len() == dims => list.iter().map(|value| at_least(value, least)).collect(),
            value => Some(vec![at_least(value, least)?; dims]),
        });
        given.unwrap_or(Some(vec![least.max(1); dims]))
    }

    /// The same where it must be given.
    pub(in crate::describe) fn each_needed(&mut self, key: &'static str, dims: usize) -> Vec<usize> {
        let given = self.each(key, dims, 1);
        self.settled(key, Ok(given), None, vec![1; dims])
    }

    /// A length or None for each of `dims` axes; must be given, but a bare None stands for None everywhere.
    pub(in crate::describe) fn each_or_none(&mut self, key: &'static str, dims: usize) -> Vec<Option<usize>> {
        let one = |value: &Value| match value {
            Value::Null => Some(None),
            value => at_least(value, 1).map(Some),
        };
        if self.has(key) && self.get(key).is_none() {
            return vec![None; dims];
        }
        let want = format!("a whole number from 1, None, or a list of {dims} such");
        let given = self.typed(key, &want, |value| match value {
            Value::List(list) if list.len() == dims => list.iter().map(one).collect(),
            value => Some(vec![one(value)?; dims]),
        });
        self.settled(key, given, None, vec![None; dims])
    }

    /// A number for each of `dims` axes; one stands for all. None: not given.
    pub(in crate::describe) fn reals(&mut self, key: &'static str, dims: usize) -> Option<Vec<f64>> {
        let want = format!("a number above 0 or a list of {dims} such");
        let positive = |value: &Value| number(value).filter(|number| *number > 0.0);
        let given = self.typed(key, &want, |value| match value {
            Value::List(list) if list.len() == dims => list.iter().map(positive).collect(),
            value => Some(vec![positive(value)?; dims]),
        });
        given.unwrap_or(Some(vec![1.0; dims]))
    }

    /// Whole numbers, one or a list; `want` says what they are. None: not given.
    pub(in crate::describe) fn wholes(&mut self, key: &'static str, want: &str) -> Option<Vec<i64>> {
        let given = self.typed(key, want, |value| match value {
            Value::List(list) if !list.is_empty() => list.iter().map(whole).collect(),
            value => Some(vec![whole(value)?]),
        });
        given.unwrap_or(None)
    }

    /// A shape: lengths from 1, one or a list; must be given.
    pub(in crate::describe) fn shape(&mut self, key: &'static str) -> Vec<usize> {
        let given = self.typed(key, "a whole number from 1 or a list of such", |value| match value {
            Value::List(list) if !list.is_empty() => list.iter().map(|value| at_least(value, 1)).collect(),
            value => Some(vec![at_least(value, 1)?]),
        });
        self.settled(key, given, None, vec![1])
    }

    /// A fault of an argument, said at its place.
    pub(in crate::describe) fn wrong(&mut self, key: &str, why: &str) {
        let found = self.layer.attributes.iter().find(|attribute| attribute.key == key);
        let position = found.map_or(self.layer.position, |attribute| attribute.position);
        self.faults.push(fault(self.layer, position, Code::Attribute, &said(key, why)));
    }
}

/// A fault at a layer: the place in the text, its name and class, then what is wrong.
pub(in crate::describe) fn fault(layer: &Layer, position: Position, code: Code, what: &str) -> Fault {
    let (name, kind) = (quoted_str(&layer.name), quoted_str(&layer.kind));
    at(position, code, format!("layer {name} ({kind}): {what}")).path(&layer.name)
}

fn said(key: &str, what: &str) -> String {
    format!("argument \"{}\" {what}", quoted_str(key))
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

fn at_least(value: &Value, least: usize) -> Option<usize> {
    let number = whole(value).filter(|number| *number <= LONGEST)?;
    usize::try_from(number).ok().filter(|number| *number >= least)
}
