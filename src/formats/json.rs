//! JSON of a file nobody can trust, as a tree whose memory is taken from a budget.
//!
//! A byte of text can become a hundred bytes of a tree, so that neither the length of the text nor the number of its values
//! bounds what reading it costs: each value and each text is counted while it is read, and nesting ends at a limit. Of a key
//! that stands twice the last counts, as in Python. Called by the importers whose files describe their layers in JSON.

use super::Budget;
use crate::faults::{Code, quoted_str};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::{cell::Cell, fmt};

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(Box<str>),
    /// A list.
    List(Vec<Json>),
    /// Keys with their values, as written.
    Map(Vec<(Box<str>, Json)>),
}

/// What is wrong with a text: a code, and a sentence to follow on the text's name.
pub type Wrong = (Code, String);

impl Json {
    /// Reads a text no deeper than `depth`, its memory taken from `budget`.
    pub fn parse(text: &[u8], depth: usize, budget: &Budget) -> Result<Json, Wrong> {
        let met = Cell::new(None);
        let mut from = serde_json::Deserializer::from_slice(text);
        let read = Seed { depth, budget, met: &met }.deserialize(&mut from).and_then(|json| from.end().map(|()| json));
        read.map_err(|error| match met.get() {
            Some(Met::Depth) => (Code::Limit, format!("is nested deeper than the limit `max_depth`, {depth}.")),
            Some(Met::Budget) => {
                (Code::Limit, "has more values than memory is spent on a file of this length.".to_owned())
            }
            None => (Code::Malformed, format!("is no JSON: {}.", quoted_str(&error.to_string()))),
        })
    }

    /// The value of a key; none if it is no object or has no such key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.entries().iter().rev().find(|(name, _)| **name == *key).map(|(_, value)| value)
    }

    /// Keys with their values; none of what is no object.
    pub fn entries(&self) -> &[(Box<str>, Json)] {
        match self {
            Json::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The values of a list; none of what is no list.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Json::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn real(&self) -> Option<f64> {
        match self {
            Json::Int(number) => Some(*number as f64),
            Json::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        *self == Json::Null
    }
}

/// A bound that was met.
#[derive(Clone, Copy)]
enum Met {
    Depth,
    Budget,
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    depth: usize,
    budget: &'a Budget,
    met: &'a Cell<Option<Met>>,
}

impl Seed<'_> {
    fn stop<E: serde::de::Error>(&self, met: Met) -> E {
        self.met.set(Some(met));
        E::custom("a limit")
    }

    fn deeper<E: serde::de::Error>(&self) -> Result<Self, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Seed { depth, ..*self }),
            None => Err(self.stop(Met::Depth)),
        }
    }

    fn kept<E: serde::de::Error>(&self, text: &str) -> Result<Box<str>, E> {
        self.budget.take(text.len() as u64).ok_or_else(|| self.stop(Met::Budget))?;
        Ok(text.into())
    }

    fn room<T, E: serde::de::Error>(&self, of: &mut Vec<T>) -> Result<(), E> {
        self.budget.room(of, 1).ok_or_else(|| self.stop(Met::Budget))
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or(Json::Real(number as f64), Json::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Real(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Json, E> {
        self.kept(text).map(Json::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let (seed, mut items) = (self.deeper()?, Vec::new());
        while let Some(item) = from.next_element_seed(seed)? {
            self.room(&mut items)?;
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let (seed, mut entries) = (self.deeper()?, Vec::new());
        while let Some(key) = from.next_key::<std::borrow::Cow<'de, str>>()? {
            let key = self.kept(&key)?;
            let value = from.next_value_seed(seed)?;
            self.room(&mut entries)?;
            entries.push((key, value));
        }
        Ok(Json::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<Code> {
        Json::parse(text.as_bytes(), 8, &Budget::of(0)).err().map(|(code, _)| code)
    }

    #[test]
    fn reads_what_python_writes() {
        let json =
            Json::parse(br#"{"a": [1, -2.5, "x", null, true], "a": {"b": 18446744073709551615}}"#, 8, &Budget::of(0));
        let json = json.unwrap();
        assert_eq!(json.entries().len(), 2);
        assert_eq!(json.get("a").and_then(|a| a.get("b")).and_then(Json::real), Some(18446744073709551615.0));
        let first = &json.entries()[0].1;
        assert_eq!(first.items().len(), 5);
        assert_eq!(
            (first.items()[0].int(), first.items()[1].real(), first.items()[2].text()),
            (Some(1), Some(-2.5), Some("x"))
        );
        assert!(first.items()[3].is_null() && first.get("a").is_none());
    }

    #[test]
    fn bounds_are_met_and_said() {
        assert_eq!(code("[1, 2"), Some(Code::Malformed));
        assert_eq!(code("[1] 2"), Some(Code::Malformed));
        assert_eq!(code(&"[".repeat(100_000)), Some(Code::Limit));
        assert_eq!(code(&format!("{}{}", "[".repeat(8), "]".repeat(8))), None);
        assert_eq!(code(&format!("{}{}", "[".repeat(9), "]".repeat(9))), Some(Code::Limit));
        assert_eq!(code(&format!("[{}1]", "1,".repeat(2_000_000))), Some(Code::Limit));
        assert_eq!(code(&format!("[{}[]]", "[[]],".repeat(500_000))), Some(Code::Limit));
    }
}
