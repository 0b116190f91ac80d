//! The variables of a legacy `.h5`: for each layer a group, whose attribute `weight_names` lists paths within it.

use super::{VARIABLE, too_many};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    formats::{
        Budget,
        hdf5::{Attribute, Dataset, Datatype, Group, Object},
    },
    import::keras::variables::{Flat, Form, Variable, Variables},
};
use std::collections::{HashMap, HashSet};

/// Reads the listing of a group of layers. A file says its layers in `layer_names`; groups it does not list are left out.
pub(super) fn read(group: &Group, budget: &Budget, faults: &mut Faults) -> Result<Variables, Refused> {
    let mark = faults.mark();
    let mut reading = Reading { budget, all: Vec::new(), faults };
    let mut layers = HashMap::new();
    let attributes = group.attributes(reading.faults)?;
    for name in texts(&attributes, "layer_names", reading.faults) {
        let Some(name) = name.as_str().filter(|name| !layers.contains_key(*name)) else { continue };
        let flat = match group.member(name, reading.faults) {
            Ok(Some(Object::Group(layer))) => reading.layer(&layer, name),
            Ok(_) => {
                let message =
                    format!("'{}' is listed in 'layer_names', and the file has no such group.", quoted_str(name));
                reading.faults.push(Fault::new(Code::Absent, message).path(name));
                Vec::new()
            }
            Err(_) => Vec::new(),
        };
        layers.insert(name.to_owned(), flat);
    }
    let all = reading.all;
    faults.refused_since(mark)?;
    Ok(Variables { all, form: Form::Flat(layers) })
}

struct Reading<'a, 'f> {
    budget: &'a Budget,
    all: Vec<Variable>,
    faults: &'f mut Faults,
}

impl Reading<'_, '_> {
    /// The variables of a layer, or of all layers of a nested model.
    fn layer(&mut self, layer: &Group, name: &str) -> Vec<Flat> {
        let Ok(attributes) = layer.attributes(self.faults) else { return Vec::new() };
        let (mut flat, mut groups, mut named) = (Vec::new(), HashMap::new(), HashSet::new());
        for path in texts(&attributes, "weight_names", self.faults) {
            let Some(written) = path.as_str() else { continue };
            let parts = parts(written);
            if parts.iter().any(|part| part.starts_with("seed_generator")) {
                continue;
            }
            let Ok(found) = find(layer, written, &mut groups, self.faults) else { continue };
            let Some(dataset) = found else {
                let (group, shown) = (quoted(layer.path()), quoted(&path));
                let message = format!("'{group}' lists the variable '{shown}', which the file does not hold.");
                self.faults.push(Fault::new(Code::Absent, message).path(name).place(layer.path().clone()));
                continue;
            };
            if self.budget.take(VARIABLE + 4 * (written.len() + name.len()) as u64).is_none() {
                self.faults.push(too_many(&path));
                break;
            }
            let key = parts.last().cloned().unwrap_or_default();
            let mut owner = owner(&parts, name);
            if !named.insert((owner.clone(), key.clone())) {
                owner = [&[name.to_owned()], &parts[..parts.len() - 1]].concat().join(".");
            }
            flat.push(Flat { path: parts, number: self.all.len() });
            // HDF5 has no bfloat16: h5py writes its two bytes as they are.
            let brain = matches!(dataset.datatype(), Datatype::Opaque { bytes: 2, .. });
            let place = Text::from(dataset.path().as_str().unwrap_or_default().trim_start_matches('/'));
            self.all.push(Variable { layer: owner, key, place, before: Some(0), brain, dataset });
        }
        flat
    }
}

/// The parts of a path, `:0` taken off.
fn parts(written: &str) -> Vec<String> {
    let mut parts: Vec<String> = written.split('/').map(str::to_owned).collect();
    if let Some(last) = parts.last_mut() {
        last.truncate(last.rfind(':').unwrap_or(last.len()));
    }
    parts
}

/// The layer that a variable at a path belongs to: what the path names between the layer at the top and the variable.
fn owner(parts: &[String], top: &str) -> String {
    let below = parts.iter().rposition(|part| part == top).and_then(|at| parts.get(at + 1..parts.len() - 1));
    below.into_iter().flatten().fold(top.to_owned(), |path, part| format!("{path}.{part}"))
}

/// The dataset at a path below a group, the groups on the way kept for the next one.
fn find(
    layer: &Group,
    path: &str,
    groups: &mut HashMap<String, Option<Group>>,
    faults: &mut Faults,
) -> Result<Option<Dataset>, Refused> {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return Ok(layer.member(path, faults)?.and_then(|object| object.dataset().cloned()));
    };
    if !groups.contains_key(folder) {
        let found = layer.find(folder, faults)?.and_then(|object| object.group().cloned());
        groups.insert(folder.to_owned(), found);
    }
    let Some(Some(group)) = groups.get(folder) else { return Ok(None) };
    Ok(group.member(name, faults)?.and_then(|object| object.dataset().cloned()))
}

/// The texts of an attribute, or of the several it was split into because it was too long for one. A list of nothing is
/// written as numbers.
fn texts(attributes: &[Attribute], name: &str, faults: &mut Faults) -> Vec<Text> {
    let by_name: HashMap<&[u8], &Attribute> =
        attributes.iter().map(|attribute| (attribute.name().as_bytes(), attribute)).collect();
    let mut read = |attribute: &Attribute| match attribute.value().count() {
        0 => Vec::new(),
        _ => attribute.value().texts(faults).unwrap_or_default(),
    };
    if let Some(whole) = by_name.get(name.as_bytes()) {
        return read(whole);
    }
    let part = |number: usize| by_name.get(format!("{name}{number}").as_bytes()).copied();
    (0..).map_while(part).flat_map(read).collect()
}
