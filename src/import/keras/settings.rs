//! The settings of a layer, each read once; what nobody read, and would change the answers, is a fault.

use crate::{faults::quoted_str, formats::json::Json};
use std::cell::RefCell;

/// The settings of a layer and what was found wrong with them.
pub(super) struct Settings<'a> {
    all: &'a Json,
    read: RefCell<Vec<&'static str>>,
    wrong: RefCell<Vec<String>>,
}

/// Settings that change no answer: names, how numbers were begun, held and trained, and random numbers of training.
const IDLE: [&str; 14] = [
    "name",
    "trainable",
    "dtype",
    "autocast",
    "dynamic",
    "seed",
    "force_generator",
    "batch_input_shape",
    "batch_shape",
    "lora_alpha",
    "synchronized",
    "virtual_batch_size",
    "input_shape",
    "sparse",
];

/// How settings end that concern training alone.
const TRAINING: [&str; 3] = ["_initializer", "_regularizer", "_constraint"];

impl<'a> Settings<'a> {
    pub(super) fn of(config: &'a Json) -> Settings<'a> {
        Settings { all: config, read: RefCell::default(), wrong: RefCell::default() }
    }

    /// The value of a setting, if it is written and not null.
    pub(super) fn get(&self, key: &'static str) -> Option<&'a Json> {
        self.read.borrow_mut().push(key);
        self.all.get(key).filter(|value| !value.is_null())
    }

    /// Says what is wrong with a setting.
    pub(super) fn wrong(&self, key: &str, what: &str) {
        self.wrong.borrow_mut().push(format!("'{}' {what}", quoted_str(key)));
    }

    /// Passes over settings that change no answer of this layer.
    pub(super) fn ignore(&self, keys: &[&'static str]) {
        self.read.borrow_mut().extend(keys);
    }

    /// What is wrong, settings that nobody read among it.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut wrong = self.wrong.take();
        let read = self.read.borrow();
        for (key, value) in self.all.entries() {
            let idle = IDLE.contains(&&**key) || TRAINING.iter().any(|ending| key.ends_with(ending));
            if !idle && !value.is_null() && !read.contains(&&**key) {
                wrong.push(format!("'{}' is a setting that is not known here", quoted_str(key)));
            }
        }
        wrong
    }

    /// One of the values a setting takes, or what it takes.
    fn take<T>(&self, key: &'static str, takes: &str, of: impl Fn(&'a Json) -> Option<T>) -> Option<T> {
        let value = self.get(key)?;
        let taken = of(value);
        if taken.is_none() {
            self.wrong(key, &format!("wants {takes}"));
        }
        taken
    }

    /// True or false.
    pub(super) fn flag(&self, key: &'static str, absent: bool) -> bool {
        let flag = |value: &Json| match value {
            Json::Bool(flag) => Some(*flag),
            Json::Int(number @ 0..=1) => Some(*number == 1),
            _ => None,
        };
        self.take(key, "true or false", flag).unwrap_or(absent)
    }

    /// A number, if it is written.
    pub(super) fn maybe_real(&self, key: &'static str) -> Option<f64> {
        self.take(key, "a number", real)
    }

    /// A number.
    pub(super) fn real(&self, key: &'static str, absent: f64) -> f64 {
        self.maybe_real(key).unwrap_or(absent)
    }

    /// A text.
    pub(super) fn text(&self, key: &'static str, absent: &'a str) -> &'a str {
        self.take(key, "a text", Json::text).unwrap_or(absent)
    }

    /// A whole number from 1 up; 1, and a fault, if it is missing.
    pub(super) fn length(&self, key: &'static str) -> usize {
        match self.maybe_length(key) {
            Some(length) => length,
            None => {
                if self.all.get(key).is_none_or(Json::is_null) {
                    self.wrong(key, "is missing");
                }
                1
            }
        }
    }

    /// A whole number from 1 up, if it is written.
    pub(super) fn maybe_length(&self, key: &'static str) -> Option<usize> {
        self.take(key, "a whole number from 1 up", |value| count(value, 1))
    }

    /// One whole number of at least `least` for each of `dims` axes: a number for all, or a list; none if it is not written.
    pub(super) fn maybe_lengths(&self, key: &'static str, dims: usize, least: usize) -> Option<Vec<usize>> {
        let takes = format!("a whole number from {least} up, or {dims} of them");
        self.take(key, &takes, |value| match value {
            Json::List(items) if items.len() == dims => items.iter().map(|item| count(item, least)).collect(),
            Json::List(items) if items.len() == 1 => Some(vec![count(items.first()?, least)?; dims]),
            Json::List(_) => None,
            one => Some(vec![count(one, least)?; dims]),
        })
    }

    /// The same with 1 where it is not written.
    pub(super) fn lengths(&self, key: &'static str, dims: usize) -> Vec<usize> {
        self.maybe_lengths(key, dims, 1).unwrap_or_else(|| vec![1; dims])
    }

    /// The same where it must be written.
    pub(super) fn needed_lengths(&self, key: &'static str, dims: usize) -> Vec<usize> {
        if self.all.get(key).is_none_or(Json::is_null) {
            self.wrong(key, "is missing");
        }
        self.lengths(key, dims)
    }

    /// A pair of counts for each of `dims` axes: a number, one for each axis, or a pair for each. Along one axis a pair is the
    /// two sides of it.
    pub(super) fn pairs(&self, key: &'static str, dims: usize) -> Vec<[usize; 2]> {
        let takes = "a count, one for each axis, or a pair of them for each axis";
        let pair = |value: &Json| match value {
            Json::List(items) => match &items[..] {
                [before, after] => Some([count(before, 0)?, count(after, 0)?]),
                _ => None,
            },
            one => Some([count(one, 0)?; 2]),
        };
        let all = self.take(key, takes, |value| match value {
            Json::List(items) if dims == 1 && items.len() == 2 => Some(vec![pair(value)?]),
            Json::List(items) if items.len() == dims => items.iter().map(pair).collect(),
            Json::List(_) => None,
            one => Some(vec![pair(one)?; dims]),
        });
        all.unwrap_or_else(|| vec![[1, 1]; dims])
    }

    /// Whole numbers: one, or a list.
    pub(super) fn wholes(&self, key: &'static str, absent: &[i64]) -> Vec<i64> {
        let wholes = self.take(key, "a whole number, or a list of them", |value| match value {
            Json::List(items) => items.iter().map(Json::int).collect(),
            one => Some(vec![one.int()?]),
        });
        wholes.unwrap_or_else(|| absent.to_vec())
    }

    /// Numbers: one, or a list of any depth, in its order; none if it is not written.
    pub(super) fn reals(&self, key: &'static str) -> Option<Vec<f64>> {
        self.take(key, "a number, or a list of them", |value| {
            let mut all = Vec::new();
            gather(value, &mut all).map(|()| all)
        })
    }
}

/// All numbers within a list of lists.
fn gather(value: &Json, into: &mut Vec<f64>) -> Option<()> {
    match value {
        Json::List(items) => items.iter().try_for_each(|item| gather(item, into)),
        one => {
            into.push(real(one)?);
            Some(())
        }
    }
}

/// A number, written as one or as Keras writes a NumPy number.
fn real(value: &Json) -> Option<f64> {
    let within = || value.get("config")?.get("value").filter(|_| value.get("class_name").is_some())?.real();
    value.real().or_else(within)
}

/// A whole number of at least `least`, below what an axis may have.
fn count(value: &Json, least: usize) -> Option<usize> {
    let number = match value {
        Json::Real(number) if number.fract() == 0.0 && number.abs() < 1e15 => *number as i64,
        other => other.int()?,
    };
    usize::try_from(number).ok().filter(|&number| number >= least && number as u64 <= LONGEST)
}

/// The greatest length that is taken from a file.
const LONGEST: u64 = 1 << 31;
