//! The numbers a file keeps, and how the layers of a model find theirs by name.
//!
//! A `.weights.h5` is a tree: `layers/dense_1/vars/0`, the groups named by class and number, the layer's own name an attribute of
//! `vars`. A legacy `.h5` keeps, for each layer at the top, a flat list of paths, those of nested models joined. A [`Scope`] is
//! where the search for a layer has arrived in either.

use crate::{
    faults::{Faults, Refused, Text},
    formats::hdf5::Dataset,
    network::{Entry, Listed},
    tensor::{DType, Tensor},
};
use std::collections::HashMap;

/// A variable of a layer.
pub(super) struct Variable {
    /// Path of its layer, dots between names.
    pub(super) layer: String,
    /// Its name as the file has it: `0`, or the last part of a path without `:0`.
    pub(super) key: String,
    /// What it is kept in.
    pub(super) dataset: Dataset,
    /// What the faults call its place.
    pub(super) place: Text,
    /// How many bytes of the source stand before the file it lies in; none if that was inflated.
    pub(super) before: Option<u64>,
    /// Whether its 16 bits are those of a bfloat16.
    pub(super) brain: bool,
}

impl Variable {
    /// Lengths of its axes.
    pub(super) fn shape(&self) -> &[usize] {
        self.dataset.shape().unwrap_or_default()
    }

    /// Its numbers.
    pub(super) fn tensor(&self, faults: &mut Faults) -> Result<Tensor, Refused> {
        let value = self.dataset.value(faults)?;
        if self.brain && value.datatype().bytes() == 2 {
            let shape = value.shape().unwrap_or_default().to_vec();
            if let Some(tensor) = Tensor::packed(DType::BF16, shape, value.storage().clone()) {
                return Ok(tensor);
            }
        }
        value.tensor(faults)
    }

    /// Its numbers for the slot of this path.
    pub(super) fn entry(&self, path: Text, faults: &mut Faults) -> Result<Entry, Refused> {
        let tensor = self.tensor(faults)?;
        Ok(Entry { path, tensor, place: self.place.clone(), offset: self.offset() })
    }

    /// Byte of the source at which its numbers begin, if they stand there side by side.
    pub(super) fn offset(&self) -> Option<u64> {
        self.dataset.offset()?.checked_add(self.before?)
    }

    /// What a listing says of it; nothing if it is no tensor of numbers.
    pub(super) fn listed(&self) -> Option<Listed> {
        let dtype = if self.brain { DType::BF16 } else { self.dataset.datatype().dtype()? };
        Some(Listed {
            path: format!("{}.{}", self.layer, self.key).into(),
            place: self.place.clone(),
            dtype,
            shape: self.dataset.shape()?.to_vec(),
            bytes: self.dataset.bytes() as u64,
            offset: self.offset(),
        })
    }
}

/// All variables of a file.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) all: Vec<Variable>,
    pub(super) form: Form,
}

/// How a file keeps its variables.
pub(super) enum Form {
    /// By groups within groups.
    Tree(Part),
    /// By layers at the top.
    Flat(HashMap<String, Vec<Flat>>),
}

impl Default for Form {
    fn default() -> Form {
        Form::Flat(HashMap::new())
    }
}

/// A variable of a legacy file.
pub(super) struct Flat {
    /// The parts of its path below the layer, its own name last and without `:0`.
    pub(super) path: Vec<String>,
    /// Its number in [`Variables::all`].
    pub(super) number: usize,
}

/// Something that holds variables: a layer, a model, a part of either.
#[derive(Default)]
pub(super) struct Part {
    /// Its variables by key.
    pub(super) vars: HashMap<String, usize>,
    /// What it holds under an attribute.
    pub(super) parts: HashMap<String, Part>,
    /// The layers it holds, by their groups, in the order of the file.
    pub(super) layers: Vec<(String, Part)>,
    /// Places in `layers` by the names of the layers.
    pub(super) by_name: HashMap<String, usize>,
}

impl Part {
    /// A layer by its own name, or by its group where the file does not name its layers.
    fn layer(&self, name: &str, group: &str) -> Option<&Part> {
        let place = match self.by_name.is_empty() {
            false => *self.by_name.get(name)?,
            true => self.layers.iter().position(|(held, _)| held == group)?,
        };
        self.layers.get(place).map(|(_, part)| part)
    }

    /// Whether a layer within bears its own name.
    fn names_layers(&self) -> bool {
        let mut parts = self.parts.values().chain(self.layers.iter().map(|(_, part)| part));
        !self.by_name.is_empty() || parts.any(Part::names_layers)
    }

    /// The numbers of all variables within.
    fn within(&self, into: &mut Vec<usize>) {
        into.extend(self.vars.values().copied());
        self.parts.values().for_each(|part| part.within(into));
        self.layers.iter().for_each(|(_, part)| part.within(into));
    }
}

/// Where the search for the variables of a layer has arrived.
#[derive(Clone)]
pub(super) enum Scope<'a> {
    /// The file has nothing here.
    Nowhere,
    /// A part of a tree.
    Tree(&'a Part),
    /// The top of a legacy file.
    Top(&'a HashMap<String, Vec<Flat>>),
    /// A layer at the top of a legacy file, and the names of the layers within it that led on.
    Within(&'a [Flat], Vec<&'a str>),
}

impl Variables {
    /// Whether the file says what its layers are called, and not their classes alone.
    pub(super) fn names_layers(&self) -> bool {
        match &self.form {
            Form::Tree(part) => part.names_layers(),
            Form::Flat(_) => true,
        }
    }

    /// Where the search begins.
    pub(super) fn top(&self) -> Scope<'_> {
        match &self.form {
            Form::Tree(part) => Scope::Tree(part),
            Form::Flat(layers) => Scope::Top(layers),
        }
    }
}

impl<'a> Scope<'a> {
    /// A layer of the model that was reached. `group`: what the file calls it where it does not name its layers.
    pub(super) fn layer(&self, name: &'a str, group: &str) -> Scope<'a> {
        match self {
            Scope::Nowhere => Scope::Nowhere,
            Scope::Tree(part) => part.layer(name, group).map_or(Scope::Nowhere, Scope::Tree),
            Scope::Top(layers) => layers.get(name).map_or(Scope::Nowhere, |flat| Scope::Within(flat, Vec::new())),
            Scope::Within(flat, names) => Scope::Within(flat, [&names[..], &[name]].concat()),
        }
    }

    /// The layer that the one that was reached holds under an attribute.
    pub(super) fn part(&self, attribute: &str, name: &'a str) -> Scope<'a> {
        match self {
            Scope::Tree(part) => part.parts.get(attribute).map_or(Scope::Nowhere, Scope::Tree),
            Scope::Within(..) => self.layer(name, ""),
            Scope::Nowhere | Scope::Top(_) => Scope::Nowhere,
        }
    }

    /// The number of a variable of the layer that was reached: by its name where the file names it, else by its key.
    pub(super) fn find(&self, name: &str, key: usize) -> Option<usize> {
        match self {
            Scope::Tree(part) => part.vars.get(&key.to_string()).copied(),
            Scope::Within(flat, names) => {
                let named: Vec<&Flat> =
                    flat.iter().filter(|var| var.path.last().is_some_and(|last| last == name)).collect();
                let all = |var: &&&Flat| leads(names, &var.path);
                let innermost = |var: &&&Flat| names.last().is_none_or(|name| var.path.iter().any(|part| part == name));
                let one = |found: Vec<&&Flat>| if let [one] = found[..] { Some(one.number) } else { None };
                // A layer within another one need not be named in the path of its variables.
                one(named.iter().filter(all).collect())
                    .or_else(|| one(named.iter().filter(innermost).collect()))
                    .or_else(|| one(named.iter().collect()).filter(|_| !named.iter().any(|var| var.path.len() > 2)))
            }
            Scope::Nowhere | Scope::Top(_) => None,
        }
    }

    /// The numbers of all variables of what was reached.
    pub(super) fn within(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        match self {
            Scope::Tree(part) => part.within(&mut numbers),
            Scope::Within(flat, names) => {
                let under = |var: &&Flat| leads(names, &var.path);
                numbers.extend(flat.iter().filter(under).map(|var| var.number));
            }
            Scope::Nowhere | Scope::Top(_) => {}
        }
        numbers
    }
}

/// Whether names stand in a path, in their order.
fn leads(names: &[&str], path: &[String]) -> bool {
    let mut parts = path.iter();
    names.iter().all(|name| parts.any(|part| part == name))
}
