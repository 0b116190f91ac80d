//! The shape of a set in a note of a safetensors file, which holds named arrays alone: with it a set comes back as it was.
//!
//! The note is a JSON list of rows `[parent, key, kind, text]`, a row before those below it, the root first; `kind` is the
//! number of `Kind`, `text` the name of an array, the digits of a whole number, or the name of a type.

use pontil::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_path},
    network::Entry,
    params::{Kind, NodeId, Params, Value},
};
use std::collections::HashMap;

/// Name of the note.
pub const NOTE: &str = "pontil.set";

type Row = (usize, String, i32, String);

/// The note of a set; none where it is a flat one of arrays, which needs none.
pub fn rows(set: &Params, faults: &mut Faults) -> Result<Option<String>, Refused> {
    let flat = set.children(Params::ROOT).iter().all(|&child| set.tensor(child).is_some());
    if flat && set.kind(Params::ROOT) == Some(Kind::Named) {
        return Ok(None);
    }
    let mark = faults.mark();
    let names: HashMap<NodeId, Text> = set.leaves().into_iter().collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut open = vec![(0, Params::ROOT)];
    while let Some((parent, node)) = open.pop() {
        let (Some(kind), key) = (set.kind(node), set.key(node).cloned().unwrap_or_default()) else { continue };
        let text = match set.value(node) {
            None if kind == Kind::Map => {
                let path = set.path(node).unwrap_or_default();
                let shown = quoted_path(&path);
                let message = format!("'{shown}' has keys that are no texts, which safetensors can not hold.");
                faults.push(Fault::new(Code::Kind, message).path(path));
                continue;
            }
            None => set.type_name(node).cloned().unwrap_or_default(),
            Some(Value::Tensor(_) | Value::Scalar(_)) => names.get(&node).cloned().unwrap_or_default(),
            Some(Value::Int(number)) => number.to_string().into(),
            Some(_) => {
                let path = set.path(node).unwrap_or_default();
                let message = format!("'{}' is {}, and safetensors holds arrays alone.", quoted(&path), kind.name());
                faults.push(Fault::new(Code::Kind, message).path(path));
                continue;
            }
        };
        let (Some(key), Some(text)) = (key.as_str(), text.as_str()) else {
            let path = set.path(node).unwrap_or_default();
            faults.push(Fault::new(Code::Encoding, format!("The name '{}' is not UTF-8.", quoted(&path))).path(path));
            continue;
        };
        rows.push((parent, key.to_owned(), kind as i32, text.to_owned()));
        let parent = rows.len() - 1;
        open.extend(set.children(node).iter().rev().map(|&child| (parent, child)));
    }
    faults.refused_since(mark)?;
    Ok(serde_json::to_string(&rows).ok())
}

/// The arrays of a set, by their dotted paths.
pub fn entries(set: &Params) -> Vec<Entry> {
    let tensor = |(node, path): (NodeId, Text)| match set.value(node)? {
        Value::Tensor(tensor) | Value::Scalar(tensor) => {
            Some(Entry { path, tensor: tensor.clone(), place: Text::default(), offset: None })
        }
        _ => None,
    };
    set.leaves().into_iter().filter_map(tensor).collect()
}

/// The set that a note tells, with the arrays of a flat one.
pub fn grown(note: &str, flat: &Params, faults: &mut Faults) -> Result<Params, Refused> {
    let wrong = |faults: &mut Faults| {
        let message = format!("The note '{NOTE}' does not tell the shape of a set.");
        faults.refuse(Fault::new(Code::Metadata, message).place("__metadata__"))
    };
    let rows: Vec<Row> = serde_json::from_str(note).map_err(|_| wrong(faults))?;
    let (mut set, mut nodes) = (Params::default(), Vec::with_capacity(rows.len()));
    for (index, (parent, key, kind, text)) in rows.into_iter().enumerate() {
        let kind = Kind::from_number(kind).ok_or_else(|| wrong(faults))?;
        let made = if index == 0 {
            set.set_root(kind).map(|()| Params::ROOT)
        } else {
            let parent = *nodes.get(parent).ok_or_else(|| wrong(faults))?;
            let array = flat.child(Params::ROOT, &Text::from(&text)).and_then(|node| flat.tensor(node)).cloned();
            match (kind, array, text.parse()) {
                (Kind::Tensor, Some(array), _) => set.add(parent, key, Value::Tensor(array)),
                (Kind::Scalar, Some(array), _) => set.add(parent, key, Value::Scalar(array)),
                (Kind::Int, _, Ok(number)) => set.add(parent, key, Value::Int(number)),
                (kind, ..) if kind.is_branch() => set.branch_of(parent, key, kind, text),
                _ => return Err(wrong(faults)),
            }
        };
        nodes.push(made.map_err(|fault| faults.refuse(fault))?);
    }
    Ok(set)
}
