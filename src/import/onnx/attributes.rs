//! The attributes of a node, each read once; what is left over is a fault.

use crate::formats::onnx::{Attribute, Node, Setting, Stored};
use std::{cell::RefCell, collections::HashSet};

/// The attributes of a node and what was found wrong with them.
pub(super) struct Attributes<'a> {
    all: &'a [Attribute],
    read: RefCell<Vec<&'a str>>,
    wrong: RefCell<Vec<String>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn of(node: &'a Node) -> Attributes<'a> {
        Attributes { all: &node.attributes, read: RefCell::default(), wrong: RefCell::default() }
    }

    /// The value of an attribute, if it is written.
    fn get(&self, name: &str) -> Option<&'a Setting> {
        let found = self.all.iter().find(|attribute| attribute.name == name)?;
        self.read.borrow_mut().push(&found.name);
        Some(&found.setting)
    }

    /// Says what is wrong with an attribute.
    pub(super) fn wrong(&self, name: &str, what: &str) {
        self.wrong.borrow_mut().push(format!("{name} {what}"));
    }

    /// Passes over attributes that change nothing here.
    pub(super) fn ignore(&self, names: &[&str]) {
        names.iter().for_each(|name| {
            self.get(name);
        });
    }

    /// Whether an attribute is written.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|attribute| attribute.name == name)
    }

    /// A whole number, if it is written.
    pub(super) fn maybe_int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Setting::Int(number) => Some(*number),
            _ => {
                self.wrong(name, "wants a whole number");
                None
            }
        }
    }

    /// A whole number.
    pub(super) fn int(&self, name: &str, absent: i64) -> i64 {
        self.maybe_int(name).unwrap_or(absent)
    }

    /// 0 or 1.
    pub(super) fn flag(&self, name: &str, absent: bool) -> bool {
        self.int(name, i64::from(absent)) != 0
    }

    /// A single, read through its shortest decimal: 0.1 is what was meant, and not the single next to it.
    pub(super) fn real(&self, name: &str, absent: f64) -> f64 {
        match self.get(name) {
            None => absent,
            Some(Setting::Float(number)) => decimal(*number),
            Some(_) => {
                self.wrong(name, "wants a number");
                absent
            }
        }
    }

    /// Text.
    pub(super) fn text(&self, name: &str, absent: &'a str) -> &'a str {
        match self.get(name) {
            None => absent,
            Some(Setting::Text(text)) => text,
            Some(_) => {
                self.wrong(name, "wants a text");
                absent
            }
        }
    }

    /// Whole numbers, if they are written.
    pub(super) fn ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.get(name)? {
            Setting::Ints(numbers) => Some(numbers.clone()),
            _ => {
                self.wrong(name, "wants whole numbers");
                None
            }
        }
    }

    /// Singles, if they are written.
    pub(super) fn reals(&self, name: &str) -> Option<Vec<f64>> {
        match self.get(name)? {
            Setting::Floats(numbers) => Some(numbers.iter().map(|number| decimal(*number)).collect()),
            _ => {
                self.wrong(name, "wants numbers");
                None
            }
        }
    }

    /// Lengths or counts, one for each of so many axes; `absent` where they are not written.
    pub(super) fn lengths(&self, name: &str, count: usize, absent: usize, least: usize) -> Vec<usize> {
        let Some(written) = self.ints(name) else { return vec![absent; count] };
        let lengths: Option<Vec<usize>> = written
            .iter()
            .map(|number| usize::try_from(*number).ok().filter(|number| (least..=LONGEST).contains(number)))
            .collect();
        match lengths {
            Some(lengths) if lengths.len() == count => lengths,
            _ => {
                self.wrong(name, &format!("wants {count} whole numbers from {least}"));
                vec![absent.max(least); count]
            }
        }
    }

    /// A tensor, if it is written.
    pub(super) fn tensor(&self, name: &str) -> Option<&'a Stored> {
        match self.get(name)? {
            Setting::Tensor(stored) => Some(stored),
            _ => {
                self.wrong(name, "wants a tensor");
                None
            }
        }
    }

    /// All that is wrong, those that nobody read and those that are written twice among it.
    pub(super) fn complaints(&self) -> Vec<String> {
        let read = self.read.borrow();
        let mut all = self.wrong.borrow().clone();
        let mut seen = HashSet::new();
        for attribute in self.all {
            let name = attribute.name.as_str();
            let shown = crate::faults::quoted_str(name);
            if !seen.insert(name) {
                all.push(format!("the attribute {shown} is written twice"));
            } else if !read.contains(&name) {
                let what = match &attribute.setting {
                    Setting::Other(what) => format!(" ({what})"),
                    _ => String::new(),
                };
                all.push(format!("the attribute {shown}{what} is not read"));
            }
        }
        all
    }
}

/// Longest length of a window, a stride, a dilation, a border.
const LONGEST: usize = 1 << 24;

/// The double that a single was written for.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}
