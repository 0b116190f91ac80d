//! A model that is becoming a description: its layers in Pontil's words, and which variable fills which slot.

use super::{
    flow::Flow,
    variables::{Scope, Variables},
};
use crate::{
    describe::lowering::Lowering,
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::{Budget, json::Json},
    network::{Entry, Turn},
};
use std::collections::{HashMap, HashSet};

/// A variable for a slot.
pub(super) struct Number {
    path: String,
    variable: usize,
    turn: Turn,
}

/// What is found out about an input once the layers that read it are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hint {
    /// The axis of one example that a layer over windows reads as channels.
    pub(super) channel: Option<usize>,
    /// Whether an embedding reads it.
    pub(super) ids: bool,
}

/// What all layers of a model share while they are lowered.
pub(super) struct Build<'a, 'f> {
    pub(super) low: Lowering<'f>,
    pub(super) variables: &'a Variables,
    /// What a layer calls a variable, path and all, once one has taken it.
    pub(super) names: Vec<Option<String>>,
    /// For each input what its readers tell of it.
    pub(super) hints: Vec<Hint>,
    /// Whether Keras 2 wrote the file.
    pub(super) before_3: bool,
    /// What the faults call the text of the layers.
    pub(super) place: &'static str,
    /// Slots that have their variables, by what their paths begin with.
    held: HashSet<String>,
    /// The layer behind each path.
    owners: HashMap<String, usize>,
    numbers: Vec<Number>,
    /// What memory of the description is taken from.
    budget: Budget,
    /// Whether it was said that there is too much.
    full: bool,
}

impl<'a, 'f> Build<'a, 'f> {
    pub(super) fn new(low: Lowering<'f>, variables: &'a Variables, budget: &Budget, inputs: usize) -> Build<'a, 'f> {
        Build {
            low,
            variables,
            names: vec![None; variables.all.len()],
            hints: vec![Hint::default(); inputs],
            before_3: false,
            place: "",
            held: HashSet::new(),
            owners: HashMap::new(),
            numbers: Vec::new(),
            budget: budget.clone(),
            full: false,
        }
    }

    /// Counts something that is made for a layer; refused, once, if the file is too short for so much. A model may be called
    /// by another one many times over, so that a short text can mean a network without end.
    pub(super) fn afford(&mut self, path: &str) -> Option<()> {
        const EACH: u64 = 1536;
        let taken = self.budget.take(EACH + 4 * path.len() as u64);
        if taken.is_none() && !std::mem::replace(&mut self.full, true) {
            let message = format!(
                "{}: the model has more layers, those of models within models counted each time, than a file of this length has.",
                self.place
            );
            self.low.faults.push(Fault::new(Code::Limit, message).place(self.place));
        }
        taken.filter(|()| !self.full)
    }

    /// Notes that an embedding reads an input.
    pub(super) fn reads_ids(&mut self, input: usize) {
        if let Some(hint) = self.hints.get_mut(input) {
            hint.ids = true;
        }
    }

    /// A path that no other layer has; `owner` tells layers apart.
    pub(super) fn path(&mut self, path: String, owner: usize) -> String {
        let mut free = path.clone();
        let mut number = 1;
        while *self.owners.entry(free.clone()).or_insert(owner) != owner {
            number += 1;
            free = format!("{path}.{number}");
        }
        free
    }

    /// Says that a variable belongs to a layer under this name.
    pub(super) fn takes(&mut self, variable: usize, layer: &str, name: &str) {
        if let Some(named) = self.names.get_mut(variable) {
            named.get_or_insert_with(|| format!("{layer}.{name}"));
        }
    }

    /// Fills the slots under a prefix once, however often the layer is called. A variable that the file does not have leaves its
    /// slot empty, which the load refuses.
    pub(super) fn hold(&mut self, prefix: &str, numbers: Vec<(&'static str, Option<usize>, Turn)>) {
        if numbers.is_empty() || !self.held.insert(prefix.to_owned()) {
            return;
        }
        for (slot, variable, turn) in numbers {
            if let Some(variable) = variable {
                self.numbers.push(Number { path: format!("{prefix}.{slot}"), variable, turn });
            }
        }
    }

    /// Adds a fault at a layer.
    pub(super) fn fault(&mut self, code: Code, path: &str, class: &str, what: &str) {
        let message = format!("{}: layer '{}' ({}): {what}.", self.place, quoted_str(path), quoted_str(class));
        self.low.faults.push(Fault::new(code, message).path(path).place(self.place));
    }

    /// All that fills slots.
    pub(super) fn numbers(self) -> (Vec<Number>, Vec<Option<String>>) {
        (self.numbers, self.names)
    }
}

/// The variables as a network takes them, each with its turn. Those that no layer takes come last, and fit no slot.
pub(super) fn entries(
    numbers: Vec<Number>,
    names: &[Option<String>],
    variables: &Variables,
    faults: &mut Faults,
) -> Result<Vec<(Entry, Turn)>, Refused> {
    let mark = faults.mark();
    let mut entries = Vec::new();
    let strays = names.iter().enumerate().filter(|(_, name)| name.is_none()).filter_map(|(number, _)| {
        let variable = variables.all.get(number)?;
        let turn = Turn::none(variable.shape());
        Some(Number { path: format!("{}.{}", variable.layer, variable.key), variable: number, turn })
    });
    for Number { path, variable, turn } in numbers.into_iter().chain(strays) {
        let Some(variable) = variables.all.get(variable) else { continue };
        if let Ok(entry) = variable.entry(path.into(), faults) {
            entries.push((entry, turn));
        }
    }
    faults.refused_since(mark)?;
    Ok(entries)
}

/// What reaches a layer and where it stands.
pub(super) struct At<'a> {
    /// Path of the layer, dots between names.
    pub(super) path: String,
    /// Its variables.
    pub(super) scope: Scope<'a>,
    /// How many axes stand before those the layer knows of, one for each TimeDistributed around it.
    pub(super) lead: usize,
    /// What it takes.
    pub(super) inputs: Vec<Flow>,
    /// What the file states among them, each with its place in the row of all.
    pub(super) stated: Vec<(usize, &'a Json)>,
    /// Whether it is a part of another layer, whose name is taken.
    pub(super) within: bool,
}
