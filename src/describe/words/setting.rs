//! What a setting of a layer takes: one row serves the check, the message and the JSON schema.

use crate::describe::Value;
use serde_json::{Value as Json, json};
use std::fmt;

/// The longest length of an axis, and the largest of the other whole numbers of a description.
pub const LONGEST: i64 = i32::MAX as i64;

/// The largest number a single holds.
const LARGEST: f64 = f32::MAX as f64;

/// A setting of a layer word.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What it says, in a line.
    pub summary: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What holds where it is not written.
    pub absent: Absent,
}

/// What holds where a setting is not written.
#[derive(Clone, Copy, Debug)]
pub enum Absent {
    /// It must be written.
    Required,
    /// Nothing; its summary says what follows.
    Nothing,
    /// This.
    Bool(bool),
    /// This.
    Int(i64),
    /// This.
    Real(f64),
    /// This.
    Text(&'static str),
}

/// The values a setting takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// True or false.
    Bool,
    /// A whole number, bounds included.
    Int(i64, i64),
    /// A number a single holds, at least the first and at most the second.
    Real(f64, f64),
    /// A number a single holds, at least the first and less than the second.
    Below(f64, f64),
    /// A number a single holds, more than this.
    Above(f64),
    /// One of these texts.
    Text(&'static [&'static str]),
    /// Null.
    Null,
    /// A list of at least and at most so many.
    List(&'static Takes, usize, usize),
    /// Any of these.
    Either(&'static [Takes]),
    /// The layers of a stack; the reader of the text takes them apart.
    Layers,
}

impl Takes {
    /// A length, from 1.
    pub const LENGTH: Takes = Takes::Int(1, LONGEST);
    /// A count, from 0.
    pub const COUNT: Takes = Takes::Int(0, LONGEST);
    /// Any whole number of a length's size.
    pub const WHOLE: Takes = Takes::Int(-LONGEST, LONGEST);
    /// Any number a single holds.
    pub const NUMBER: Takes = Takes::Real(-LARGEST, LARGEST);
    /// A number above nought.
    pub const POSITIVE: Takes = Takes::Above(0.0);
    /// A number from nought.
    pub const NOT_NEGATIVE: Takes = Takes::Real(0.0, LARGEST);

    /// Whether the value is one of them.
    pub fn fits(&self, value: &Value) -> bool {
        match (self, value) {
            (Takes::Bool, Value::Bool(_)) | (Takes::Null, Value::Null) => true,
            (Takes::Int(least, most), Value::Int(n)) => (least..=most).contains(&n),
            (Takes::Real(least, most), Value::Int(_) | Value::Real(_)) => {
                number(value).is_some_and(|n| *least <= n && n <= *most)
            }
            (Takes::Below(least, bound), Value::Int(_) | Value::Real(_)) => {
                number(value).is_some_and(|n| *least <= n && (n as f32) < *bound as f32)
            }
            (Takes::Above(bound), Value::Int(_) | Value::Real(_)) => {
                number(value).is_some_and(|n| n as f32 > *bound as f32)
            }
            (Takes::Text(texts), Value::Text(text)) => texts.contains(&text.as_str()),
            (Takes::List(of, fewest, most), Value::List(list)) => {
                (*fewest..=*most).contains(&list.len()) && list.iter().all(|item| of.fits(item))
            }
            (Takes::Either(all), _) => all.iter().any(|takes| takes.fits(value)),
            _ => false,
        }
    }

    /// The JSON schema of them.
    pub fn schema(&self) -> Json {
        match *self {
            Takes::Bool => json!({ "type": "boolean" }),
            Takes::Null => json!({ "type": "null" }),
            Takes::Int(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Takes::Real(least, most) => json!({ "type": "number", "minimum": least, "maximum": most }),
            Takes::Below(least, bound) => json!({ "type": "number", "minimum": least, "exclusiveMaximum": bound }),
            Takes::Above(bound) => json!({ "type": "number", "exclusiveMinimum": bound, "maximum": LARGEST }),
            Takes::Text(texts) => json!({ "enum": texts }),
            Takes::List(of, fewest, usize::MAX) => {
                json!({ "type": "array", "items": of.schema(), "minItems": fewest })
            }
            Takes::List(of, fewest, most) => {
                json!({ "type": "array", "items": of.schema(), "minItems": fewest, "maxItems": most })
            }
            Takes::Either(all) => json!({ "anyOf": all.iter().map(Takes::schema).collect::<Vec<_>>() }),
            Takes::Layers => json!({ "type": "array", "items": { "type": "object" } }),
        }
    }
}

/// The number of a value, if it is one that a single holds.
pub fn number(value: &Value) -> Option<f64> {
    let number = match *value {
        Value::Int(n) => n as f64,
        Value::Real(n) => n,
        _ => return None,
    };
    (number as f32).is_finite().then_some(number)
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Takes::Bool => f.write_str("true or false"),
            Takes::Null => f.write_str("null"),
            Takes::Int(least, most) => write!(f, "a whole number from {least} to {most}"),
            Takes::Real(least, LARGEST) if least == -LARGEST => f.write_str("a number of single precision"),
            Takes::Real(least, LARGEST) => write!(f, "a number of at least {least}"),
            Takes::Real(least, most) => write!(f, "a number from {least} to {most}"),
            Takes::Below(least, bound) => write!(f, "a number from {least}, below {bound}"),
            Takes::Above(bound) => write!(f, "a number above {bound}"),
            Takes::Text(texts) => {
                let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
                f.write_str(&quoted.join(" or "))
            }
            Takes::List(of, fewest, most) => match (fewest, most) {
                (0, usize::MAX) => write!(f, "a list, each {of}"),
                (_, usize::MAX) => write!(f, "a list of at least {fewest}, each {of}"),
                _ if fewest == most => write!(f, "a list of {fewest}, each {of}"),
                _ => write!(f, "a list of {fewest} to {most}, each {of}"),
            },
            Takes::Either(all) => {
                let each: Vec<String> = all.iter().map(ToString::to_string).collect();
                f.write_str(&each.join(", or "))
            }
            Takes::Layers => f.write_str("a list of layers, in the text of a stack alone"),
        }
    }
}
