//! The variables of a `.weights.h5`: groups within groups, numbers in those called `vars`.

use super::{VARIABLE, too_many};
use crate::{
    faults::{Faults, Refused, Text},
    formats::{
        Budget,
        hdf5::{Dataset, Group, Object},
    },
    import::keras::variables::{Form, Part, Variable, Variables},
};

/// Groups that hold the layers of a model: since Keras 3, and before.
const LAYERS: [&str; 2] = ["layers", "_layer_checkpoint_dependencies"];

/// The group of an object that holds its variables.
const VARS: &str = "vars";

/// The states of random numbers, which nothing uses when not training.
const SEEDS: &str = "seed_generator";

/// Where a file lies.
pub(super) struct From<'a> {
    /// What the places of its variables begin with.
    pub(super) name: &'static str,
    /// How many bytes of the source stand before it.
    pub(super) before: Option<u64>,
    /// What memory is taken from.
    pub(super) budget: &'a Budget,
}

/// Whether a root is that of such a file.
pub(super) fn is_tree(root: &Group, faults: &mut Faults) -> bool {
    if group(root, VARS, faults).is_some_and(|vars| matches!(vars.attribute("name", faults), Ok(Some(_)))) {
        return true;
    }
    LAYERS.iter().any(|name| {
        let Some(layers) = group(root, name, faults) else { return false };
        let first = layers.members(faults).ok().and_then(|links| links.first().cloned());
        let first = first.and_then(|link| layers.open(&link, faults).ok());
        first.is_some_and(|object| object.group().is_some_and(|first| group(first, VARS, faults).is_some()))
    })
}

/// A group within a group, if it is there.
fn group(of: &Group, name: &str, faults: &mut Faults) -> Option<Group> {
    of.member(name, faults).ok()??.group().cloned()
}

/// All variables of the layers. What belongs to the optimiser, to metrics and to random numbers is left out.
pub(super) fn read(root: &Group, from: &From<'_>, faults: &mut Faults) -> Result<Variables, Refused> {
    let mark = faults.mark();
    let mut reading = Reading { from, all: Vec::new(), faults };
    let part = reading.part(root, "", true);
    let all = reading.all;
    faults.refused_since(mark)?;
    Ok(Variables { all, form: Form::Tree(part) })
}

struct Reading<'a, 'f> {
    from: &'a From<'a>,
    all: Vec<Variable>,
    faults: &'f mut Faults,
}

impl Reading<'_, '_> {
    /// What a group holds; `path` is that of its layer. Groups lie no deeper than the limit of the file allows.
    fn part(&mut self, group: &Group, path: &str, top: bool) -> Part {
        let mut part = Part::default();
        let Ok(links) = group.members(self.faults) else { return part };
        for link in links {
            let name = link.name.as_str().unwrap_or_default();
            let skipped = if top { !LAYERS.contains(&name) && name != VARS } else { name.starts_with(SEEDS) };
            if skipped {
                continue;
            }
            let Ok(Object::Group(held)) = group.open(link, self.faults) else { continue };
            if name == VARS {
                self.variables(&held, path, &mut part);
            } else if LAYERS.contains(&name) {
                self.layers(&held, path, &mut part);
            } else {
                let own = layer_name(&held);
                let under = self.part(&held, &joined(path, own.as_deref().unwrap_or(name)), false);
                part.parts.insert(name.to_owned(), under);
            }
        }
        part
    }

    /// The layers that a group holds.
    fn layers(&mut self, group: &Group, path: &str, part: &mut Part) {
        let Ok(links) = group.members(self.faults) else { return };
        for link in links {
            let Ok(Object::Group(held)) = group.open(link, self.faults) else { continue };
            let name = layer_name(&held);
            let group = link.name.as_str().unwrap_or_default();
            let layer = self.part(&held, &joined(path, name.as_deref().unwrap_or(group)), false);
            if let Some(name) = name {
                part.by_name.insert(name, part.layers.len());
            }
            part.layers.push((group.to_owned(), layer));
        }
    }

    /// The variables of a layer.
    fn variables(&mut self, group: &Group, path: &str, part: &mut Part) {
        let Ok(links) = group.members(self.faults) else { return };
        for link in links {
            let Ok(object) = group.open(link, self.faults) else { continue };
            let (Object::Dataset(dataset), Some(key)) = (object, link.name.as_str()) else { continue };
            if self.from.budget.take(VARIABLE + path.len() as u64).is_none() {
                return self.faults.push(too_many(dataset.path()));
            }
            part.vars.insert(key.to_owned(), self.all.len());
            self.all.push(Variable {
                layer: path.to_owned(),
                key: key.to_owned(),
                place: Text::from(format!(
                    "{}{}",
                    self.from.name,
                    dataset.path().as_str().unwrap_or_default().trim_start_matches('/')
                )),
                before: self.from.before,
                brain: is_brain(&dataset),
                dataset,
            });
        }
    }
}

/// The name of a layer, as its variables say it.
fn layer_name(layer: &Group) -> Option<String> {
    let mut faults = Faults::default();
    let vars = layer.member(VARS, &mut faults).ok()??;
    let name = vars.group()?.attribute("name", &mut faults).ok()??.value().text(&mut faults).ok()?;
    name.as_str().map(str::to_owned)
}

/// Whether a dataset keeps bfloat16: HDF5 has no such type, and Keras says it beside.
fn is_brain(dataset: &Dataset) -> bool {
    let mut faults = Faults::default();
    let attributes = dataset.attributes(&mut faults).unwrap_or_default();
    let said = attributes.iter().find(|attribute| *attribute.name() == *"dtype");
    said.is_some_and(|said| said.value().text(&mut faults).is_ok_and(|text| text == *"bfloat16"))
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
