//! What Jaxon 1 writes otherwise: hints of containers stand in the values, small data in the attributes, and numbers say
//! their type.

use super::{
    item::Item,
    reader::{Made, Reader},
    table::{At, Entry},
};
use crate::{
    faults::{Code, Refused, quoted_str},
    formats::{
        hdf5::{Datatype, Value as Stored},
        jaxon::{Atom, older_atom},
    },
};

/// The types of Jaxon 1 that stand in values.
const TYPES: [&str; 13] = [
    "dict",
    "list",
    "tuple",
    "set",
    "frozenset",
    "numpy.ndarray",
    "numpy.str_",
    "numpy.bytes_",
    "numpy.void",
    "jax.Array",
    "bytes",
    "bytearray",
    "memoryview",
];

/// The hint of an attribute: of its key, else of its value; empty for an atom.
pub(super) fn said(reader: &mut Reader<'_, '_>, entry: &Entry, at: At) -> Result<String, Refused> {
    if let Some(class) = entry.hint.strip_prefix('!') {
        let says = format!(
            "it is an object of '{}' as dill has it, a Python pickle, which can run code and is not loaded; save it with \
             Jaxon 2 and without dill",
            quoted_str(class)
        );
        return Err(reader.fault(Code::Hostile, at, says));
    }
    let value = entry.attribute.value();
    if !entry.hint.is_empty() || !matches!(value.datatype(), Datatype::Text { .. }) {
        return Ok(entry.hint.clone());
    }
    let text = reader.text(value, at)?;
    let word = text.split('#').next().unwrap_or_default();
    Ok(if TYPES.contains(&word) { text } else { String::new() })
}

/// A value without a hint.
pub(super) fn atom(reader: &mut Reader<'_, '_>, value: &Stored, at: At) -> Made {
    if !matches!(value.datatype(), Datatype::Text { .. }) {
        return reader.native(value, at);
    }
    let text = reader.text(value, at)?;
    match older_atom(&text) {
        Ok(atom) => reader.said(atom, at),
        Err(wrong) => Err(reader.fault(Code::Malformed, at, format!("its value {}", wrong.0))),
    }
}

/// Python's slice, as an object of three fields.
pub(super) fn slice(reader: &mut Reader<'_, '_>, parts: [Atom; 3], at: At) -> Made {
    let mut fields = Vec::new();
    for (name, part) in ["start", "stop", "step"].into_iter().zip(parts) {
        let key = reader.said(Atom::Text(name.to_owned()), at)?;
        fields.push((key, reader.said(part, at)?));
    }
    let base = reader.item(Item::Dict(fields))?;
    reader.item(Item::Object { hint: "slice".into(), base, added: Vec::new() })
}
