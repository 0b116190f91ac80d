//! What an HDF5 file holds, to be written anew beside something else.

use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    formats::hdf5::{Attribute, Branch, Datatype, Datum, File, Group, Node, Object, Value},
    limits::Limits,
    source::Source,
};

/// The whole of a file; all that can not be carried along is said.
pub(super) fn read(source: &Source, limits: &Limits, faults: &mut Faults) -> Result<Branch, Refused> {
    let mark = faults.mark();
    let root = File::open(source, limits, faults)?.root(faults)?;
    let branch = group(&root, faults)?;
    faults.refused_since(mark)?;
    Ok(branch)
}

fn group(from: &Group, faults: &mut Faults) -> Result<Branch, Refused> {
    let mut branch = Branch::new(from.is_tracked(faults)?);
    branch.attributes = attributes(&from.attributes(faults)?, faults);
    for link in from.members(faults)?.to_vec() {
        let Ok(object) = from.open(&link, faults) else { continue };
        let Some(name) = link.name.as_str().map(str::to_owned) else {
            refuse(object.path(), "has a name that is not UTF-8", faults);
            continue;
        };
        match object {
            Object::Group(inner) => {
                if let Ok(inner) = group(&inner, faults) {
                    branch.group(name, inner);
                }
            }
            Object::Dataset(dataset) => {
                let (Ok(value), Ok(all)) = (dataset.value(faults), dataset.attributes(faults)) else { continue };
                let tracked = all.iter().all(|attribute| attribute.order().is_some()) && !all.is_empty();
                let attributes = attributes(&all, faults);
                match datum(&value, faults) {
                    Some(datum) => branch.members.push((name, Node::Dataset { datum, attributes, tracked })),
                    None => refuse(dataset.path(), "is of a type that is not carried along", faults),
                }
            }
            Object::Datatype(_) => {
                refuse(object.path(), "is a datatype with a name, which is not carried along", faults)
            }
        }
    }
    Ok(branch)
}

fn attributes(from: &[Attribute], faults: &mut Faults) -> Vec<(String, Datum)> {
    let mut made = Vec::new();
    for attribute in from {
        let name = attribute.name().as_str().map(str::to_owned);
        match name.zip(datum(attribute.value(), faults)) {
            Some(one) => made.push(one),
            None => refuse(attribute.value().path(), "is an attribute that is not carried along", faults),
        }
    }
    made
}

/// A value to be written as it was read; none for what leads to other objects.
fn datum(value: &Value, faults: &mut Faults) -> Option<Datum> {
    let Datatype::LongText { utf8 } = value.datatype() else {
        return Datum::raw(value.datatype().clone(), value.space().clone(), value.storage().clone());
    };
    let texts = value.texts(faults).ok()?;
    match value.shape() {
        Some([]) => texts.into_iter().next().map(|text| Datum::long_text(text, *utf8)),
        Some([_]) => Some(Datum::long_texts(texts, *utf8)),
        _ => None,
    }
}

fn refuse(path: &Text, says: &str, faults: &mut Faults) {
    let message = format!("'{}' {says}; write the set to a file of its own.", quoted(path));
    faults.push(Fault::new(Code::Unsupported, message).path(path.clone()).place(path.clone()));
}
