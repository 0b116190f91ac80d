//! The fields of a JSON object in the order written, repeated ones too, their values not yet looked into.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Fields of an object; borrows from its text. Skipping a value costs no stack, however deep it is.
pub(super) struct Fields<'a> {
    /// Key and value, at most as many as were asked for.
    pub kept: Vec<(String, &'a RawValue)>,
    /// How many there are.
    pub count: usize,
}

impl<'a> Fields<'a> {
    /// Reads the fields of `text`, which is one object, and keeps the first `most`. An error of category `Data` says that
    /// it is JSON, but no object.
    pub fn of(text: &'a str, most: usize) -> Result<Fields<'a>, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(text);
        let fields = Keep(most).deserialize(&mut json)?;
        json.end()?;
        Ok(fields)
    }
}

struct Keep(usize);

impl<'a> DeserializeSeed<'a> for Keep {
    type Value = Fields<'a>;

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<Fields<'a>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Keep {
    type Value = Fields<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<Fields<'a>, M::Error> {
        let mut fields = Fields { kept: Vec::new(), count: 0 };
        while fields.kept.len() < self.0 {
            let Some(field) = map.next_entry()? else { return Ok(fields) };
            fields.kept.push(field);
            fields.count += 1;
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            fields.count = fields.count.checked_add(1).ok_or_else(|| M::Error::custom("too many fields"))?;
        }
        Ok(fields)
    }
}
