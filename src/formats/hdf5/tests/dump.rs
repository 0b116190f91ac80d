//! A file as text: the other side of `fixtures/make/hdf5_dump.py`, which lets h5py say what it finds.

use super::super::*;
use crate::faults::{Faults, Refused, Text};
use std::fmt::Write;

/// A line per object, attribute and value.
pub fn dump(file: &File, faults: &mut Faults) -> Result<String, Refused> {
    let mut out = String::new();
    let root = file.root(faults)?;
    group(file, &root, "/", &mut out, faults);
    Ok(out)
}

fn group(file: &File, group: &Group, path: &str, out: &mut String, faults: &mut Faults) {
    let tracked = group.is_tracked(faults).unwrap_or_default();
    let _ = writeln!(out, "{path} group{}", if tracked { " tracked" } else { "" });
    attributes(file, group.attributes(faults), out, faults);
    let Ok(members) = group.members(faults) else { return };
    for link in members {
        let path = format!("{}/{}", path.trim_end_matches('/'), shown(&link.name));
        let kind = match link.target {
            Target::Object(_) => None,
            Target::Soft(_) => Some("soft"),
            Target::External(_) => Some("external"),
            Target::Other(_) => Some("other"),
        };
        if let Some(kind) = kind {
            let _ = writeln!(out, "{path} link {kind}");
            continue;
        }
        match group.open(link, faults) {
            Ok(Object::Group(inner)) => self::group(file, &inner, &path, out, faults),
            Ok(Object::Dataset(set)) => {
                let value = set.value(faults).map(|value| self::value(file, &value, faults));
                let value = value.unwrap_or_else(|_| "refused".into());
                let _ = writeln!(out, "{path} dataset {} {} {value}", says(set.datatype()), space(set.space()));
                attributes(file, set.attributes(faults), out, faults);
            }
            Ok(Object::Datatype(committed)) => {
                let _ = writeln!(out, "{path} datatype {}", says(committed.datatype()));
                attributes(file, Object::Datatype(committed).attributes(faults), out, faults);
            }
            Err(_) => {
                let _ = writeln!(out, "{path} unread");
            }
        }
    }
}

fn attributes(file: &File, all: Result<Vec<Attribute>, Refused>, out: &mut String, faults: &mut Faults) {
    for attribute in all.unwrap_or_default() {
        let held = attribute.value();
        let (name, kind, space) = (shown(attribute.name()), says(held.datatype()), space(held.space()));
        let _ = writeln!(out, "  @{name} {kind} {space} {}", value(file, held, faults));
    }
}

fn value(file: &File, value: &Value, faults: &mut Faults) -> String {
    if *value.space() == Space::Null {
        return "empty".into();
    }
    match value.datatype() {
        Datatype::Text { .. } | Datatype::LongText { .. } => match value.texts(faults) {
            Ok(texts) => {
                let total: usize = texts.iter().map(|text| text.as_bytes().len()).sum();
                if total > 200 || texts.len() > 20 {
                    let joined = texts.iter().map(Text::as_bytes).collect::<Vec<_>>().join(&b'|');
                    return format!("texts {} {total} {:08x}", texts.len(), crc(&joined));
                }
                format!(
                    "texts {}",
                    texts.iter().map(|text| format!("\"{}\"", shown(text))).collect::<Vec<_>>().join(" ")
                )
            }
            Err(_) => "refused".into(),
        },
        Datatype::Reference => match value.references(faults) {
            Ok(all) => {
                let to = |address: &Option<u64>| match address {
                    Some(address) if file.object(*address, &mut Faults::default()).is_ok() => address.to_string(),
                    Some(_) => "nothing".into(),
                    None => "none".into(),
                };
                format!("to {}", all.iter().map(to).collect::<Vec<_>>().join(" "))
            }
            Err(_) => "refused".into(),
        },
        Datatype::Sequence(_) => match value.sequences(faults) {
            Ok(all) => {
                let one = |value: &Value| format!("{}:{:08x}", value.count(), crc(value.bytes()));
                format!("sequences {}", all.iter().map(one).collect::<Vec<_>>().join(" "))
            }
            Err(_) => "refused".into(),
        },
        datatype if deep(datatype) => "deep".into(),
        datatype => {
            if datatype.dtype().is_some() && value.tensor(faults).is_err() {
                return "refused".into();
            }
            format!("bytes {} {:08x}", value.bytes().len(), crc(value.bytes()))
        }
    }
}

fn deep(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::LongText { .. } | Datatype::Sequence(_) | Datatype::Reference => true,
        Datatype::Compound { fields, .. } => fields.iter().any(|field| deep(&field.datatype)),
        Datatype::Array { element, .. } => deep(element),
        _ => false,
    }
}

fn says(datatype: &Datatype) -> String {
    let turned = |big: bool, bytes: usize| if big && bytes > 1 { "be" } else { "" };
    let utf8 = |utf8: bool| if utf8 { "utf8" } else { "ascii" };
    match datatype {
        Datatype::Number { dtype, big } => format!("{}{}", dtype.name(), turned(*big, datatype.bytes())),
        Datatype::Bits { bytes, big } => format!("bits({bytes}){}", turned(*big, *bytes)),
        Datatype::Text { bytes, padding, utf8: text } => {
            let padding = match padding {
                Padding::NulTerminated => "term",
                Padding::NulPadded => "pad",
                Padding::BlankPadded => "blank",
            };
            format!("text({bytes},{padding},{})", utf8(*text))
        }
        Datatype::LongText { utf8: text } => format!("text(any,{})", utf8(*text)),
        Datatype::Opaque { bytes, tag } => format!("opaque({bytes},{})", shown(tag)),
        Datatype::Compound { bytes, fields } => {
            let field = |field: &Field| format!("{}@{}:{}", shown(&field.name), field.offset, says(&field.datatype));
            format!("compound({bytes};{})", fields.iter().map(field).collect::<Vec<_>>().join(","))
        }
        Datatype::Enum { base, names } => {
            format!("enum({};{})", says(base), names.iter().map(|(name, _)| shown(name)).collect::<Vec<_>>().join(","))
        }
        Datatype::Array { lengths, element } => {
            let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
            format!("array({};{})", lengths.join("x"), says(element))
        }
        Datatype::Sequence(element) => format!("sequence({})", says(element)),
        Datatype::Reference => "reference".into(),
        Datatype::Extended => "other(16)".into(),
        Datatype::Other { bytes, .. } => format!("other({bytes})"),
    }
}

fn space(space: &Space) -> String {
    match space {
        Space::Null => "null".into(),
        Space::Scalar => "scalar".into(),
        Space::Simple(lengths) => format!("[{}]", lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")),
    }
}

fn shown(text: &Text) -> String {
    text.as_bytes().iter().fold(String::new(), |mut all, &byte| {
        match byte {
            b'"' | b'\\' | 0..32 | 127.. => {
                let _ = write!(all, "\\x{byte:02x}");
            }
            _ => all.push(char::from(byte)),
        }
        all
    })
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
