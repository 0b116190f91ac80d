//! Element types in NumPy's words, for what is no element type of tensors: `|S4`, `|V4`, `<f16`, and for records a JSON list
//! of fields like the `descr` of NumPy's own files.

use super::datatype::{Datatype, Field, Padding};
use crate::{faults::Text, tensor::DType};
use serde_json::{Value, json};

/// How deep records stand in records.
const DEEPEST: usize = 16;

/// NumPy's letter and the element type of numbers, by their bytes.
const NUMBERS: [(char, DType); 14] = {
    use DType::*;
    [
        ('b', Bool),
        ('i', I8),
        ('i', I16),
        ('i', I32),
        ('i', I64),
        ('u', U8),
        ('u', U16),
        ('u', U32),
        ('u', U64),
        ('f', F16),
        ('f', F32),
        ('f', F64),
        ('c', C64),
        ('c', C128),
    ]
};

impl Datatype {
    /// What NumPy calls the type; none if it has no such type (texts of any length, references, overlapping fields).
    pub fn descr(&self) -> Option<String> {
        match described(self)? {
            Value::String(word) => Some(word),
            list => Some(list.to_string()),
        }
    }

    /// The type that NumPy calls so; none if it is none that is kept in HDF5.
    pub fn of_descr(descr: &str) -> Option<Datatype> {
        match descr.starts_with('[') {
            true => named(&serde_json::from_str(descr).ok()?, DEEPEST),
            false => word(descr),
        }
    }

    /// Whether it is a pair of the same parts, as complex numbers are kept.
    fn is_pair_of(&self, part: &Datatype) -> bool {
        let Datatype::Compound { bytes, fields } = self else { return false };
        let [real, imaginary] = fields.as_slice() else { return false };
        let place = (real.offset, imaginary.offset, *bytes) == (0, part.bytes(), 2 * part.bytes());
        place && (&real.datatype, &imaginary.datatype) == (part, part) && real.name == *"r" && imaginary.name == *"i"
    }
}

fn described(datatype: &Datatype) -> Option<Value> {
    if let Some(dtype) = datatype.dtype() {
        let (letter, _) = NUMBERS.iter().find(|(_, known)| *known == dtype)?;
        let bytes = datatype.bytes();
        let order = match datatype.turned() {
            Some(_) => '>',
            None if bytes == 1 => '|',
            None => '<',
        };
        return Some(json!(format!("{order}{letter}{bytes}")));
    }
    if datatype.is_pair_of(&Datatype::Extended) {
        return Some(json!("<c32"));
    }
    Some(match datatype {
        Datatype::Extended => json!("<f16"),
        Datatype::Text { bytes, .. } => json!(format!("|S{bytes}")),
        Datatype::Opaque { bytes, .. } => json!(format!("|V{bytes}")),
        Datatype::Compound { bytes, fields } => {
            let (mut list, mut end) = (Vec::new(), 0);
            let gap = |from: usize, to: usize| (to > from).then(|| json!(["", format!("|V{}", to - from)]));
            for field in fields {
                if field.offset < end {
                    return None;
                }
                list.extend(gap(end, field.offset));
                let name = field.name.as_str().filter(|name| !name.is_empty())?;
                list.push(match &field.datatype {
                    Datatype::Array { lengths, element } => json!([name, described(element)?, lengths]),
                    plain => json!([name, described(plain)?]),
                });
                end = field.offset + field.datatype.bytes();
            }
            list.extend(gap(end, *bytes));
            Value::Array(list)
        }
        _ => return None,
    })
}

fn named(value: &Value, depth: usize) -> Option<Datatype> {
    let depth = depth.checked_sub(1)?;
    let list = match value {
        Value::String(text) => return word(text),
        value => value.as_array()?,
    };
    let (mut fields, mut bytes) = (Vec::new(), 0_usize);
    for row in list {
        let row = row.as_array()?;
        let mut datatype = named(row.get(1)?, depth)?;
        if let Some(lengths) = row.get(2) {
            let lengths: Option<Vec<usize>> =
                lengths.as_array()?.iter().map(|length| usize::try_from(length.as_u64()?).ok()).collect();
            let lengths = lengths.filter(|lengths| !lengths.is_empty() && !lengths.contains(&0))?;
            datatype = Datatype::Array { lengths, element: Box::new(datatype) };
        }
        let (name, offset) = (row.first()?.as_str()?, bytes);
        bytes = bytes.checked_add(datatype.bytes()).filter(|&bytes| u32::try_from(bytes).is_ok())?;
        match name {
            "" => {}
            name => fields.push(Field { name: Text::from(name), offset, datatype }),
        }
    }
    (!fields.is_empty()).then_some(Datatype::Compound { bytes, fields })
}

fn word(text: &str) -> Option<Datatype> {
    let mut letters = text.chars();
    let (order, letter) = (letters.next()?, letters.next()?);
    let bytes: usize = letters.as_str().parse().ok().filter(|&bytes| bytes > 0 && u32::try_from(bytes).is_ok())?;
    let big = match order {
        '<' | '|' => false,
        '>' => true,
        _ => return None,
    };
    let of = |dtype: DType| Datatype::of(dtype, super::Bools::Enum).map(|plain| plain.ordered(big));
    match (letter, bytes) {
        ('S', _) => Some(Datatype::Text { bytes, padding: Padding::NulPadded, utf8: false }),
        ('V', _) => Some(Datatype::Opaque { bytes, tag: Text::default() }),
        ('f', 16) if !big => Some(Datatype::Extended),
        ('c', 32) if !big => {
            let field = |name: &str, offset| Field { name: name.into(), offset, datatype: Datatype::Extended };
            Some(Datatype::Compound { bytes, fields: vec![field("r", 0), field("i", 16)] })
        }
        _ => NUMBERS
            .iter()
            .find(|(known, dtype)| *known == letter && dtype.size() == Some(bytes))
            .and_then(|row| of(row.1)),
    }
}

impl Datatype {
    /// The same with the most significant byte first, if `big`.
    pub fn ordered(self, big: bool) -> Datatype {
        match self {
            Datatype::Number { dtype, .. } => Datatype::Number { dtype, big },
            Datatype::Compound { bytes, fields } => {
                let turn = |field: Field| Field { datatype: field.datatype.ordered(big), ..field };
                Datatype::Compound { bytes, fields: fields.into_iter().map(turn).collect() }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_records_come_back() {
        for descr in [
            "|S4",
            "|V3",
            "<f16",
            "<c32",
            ">f4",
            "<i8",
            "|b1",
            "|u1",
            ">c16",
            r#"[["a","|i1"],["","|V7"],["b","<f8"]]"#,
            r#"[["d",[["h","|V4"],["i","|S4"]]],["arr","<i2",[3]],["flag","|b1"],["c","<c8"],["","|V5"]]"#,
        ] {
            assert_eq!(Datatype::of_descr(descr).and_then(|datatype| datatype.descr()).as_deref(), Some(descr));
        }
        for wrong in ["", "<f3", "|S0", "x", "<O8", "[]", r#"[["a","<f8",[0]]]"#, r#"[["","|V4"]]"#, "[[[[", "=f4"] {
            assert_eq!(Datatype::of_descr(wrong), None, "{wrong}");
        }
    }
}
