//! One call of a layer: what it takes and is set to, and how its row writes layers in Pontil's words.

use super::{
    build::{At, Build},
    flow::{Flow, Kind},
    settings::Settings,
    variables::Scope,
};
use crate::{
    describe::{
        MOST_AXES, Op, Position,
        lowering::{self, plain},
    },
    faults::Code,
    formats::json::Json,
    network::Turn,
};
use std::collections::HashMap;

/// A variable of a layer and the slot it fills.
pub(super) struct Var {
    /// The slot of the operation.
    pub(super) slot: &'static str,
    /// The variable's own name.
    pub(super) name: &'static str,
    /// Its place among the layer's variables, where the file has them by number.
    pub(super) key: usize,
    /// How its numbers lie.
    pub(super) turn: Turn,
}

/// A call of a layer.
pub(super) struct Call<'c, 'a, 'f> {
    pub(super) build: &'c mut Build<'a, 'f>,
    pub(super) settings: Settings<'a>,
    pub(super) class: &'a str,
    pub(super) at: At<'a>,
    /// How many layers of each word have been written.
    written: HashMap<String, usize>,
}

/// What a layer is called with, in its order.
pub(super) enum Argument<'a> {
    /// A value.
    Value(Flow),
    /// Something that the file states.
    Stated(&'a Json),
}

impl<'c, 'a, 'f> Call<'c, 'a, 'f> {
    pub(super) fn new(build: &'c mut Build<'a, 'f>, class: &'a str, config: &'a Json, at: At<'a>) -> Call<'c, 'a, 'f> {
        Call { build, settings: Settings::of(config), class, at, written: HashMap::new() }
    }

    /// Refuses the layer.
    pub(super) fn refuse<T>(&mut self, code: Code, what: &str) -> Option<T> {
        let path = self.at.path.clone();
        self.build.fault(code, &path, self.class, what);
        None
    }

    /// Refuses something this library does not do.
    pub(super) fn unsupported<T>(&mut self, what: &str) -> Option<T> {
        self.refuse(Code::Unsupported, what)
    }

    /// Says what is wrong with the settings, when all of them have been read.
    pub(super) fn done(&mut self) -> Option<()> {
        let wrong = self.settings.faults();
        let sound = wrong.is_empty();
        for what in wrong {
            self.refuse::<()>(Code::Attribute, &what);
        }
        sound.then_some(())
    }

    /// The one value it takes, of numbers.
    pub(super) fn input(&mut self) -> Option<Flow> {
        let one = self.single()?;
        self.real(one)
    }

    /// The one value it takes, be it an input of whole numbers.
    pub(super) fn single(&mut self) -> Option<Flow> {
        match &self.at.inputs[..] {
            [one] => Some(one.clone()),
            others => {
                let count = others.len();
                self.refuse(Code::Connection, &format!("it takes one value and is given {count}"))
            }
        }
    }

    /// The values it takes, all of numbers, at least `fewest`.
    pub(super) fn inputs(&mut self, fewest: usize) -> Option<Vec<Flow>> {
        let given = self.at.inputs.clone();
        if given.len() < fewest {
            let count = given.len();
            return self.refuse(Code::Connection, &format!("it takes {fewest} values or more and is given {count}"));
        }
        given.into_iter().map(|flow| self.real(flow)).collect()
    }

    /// All it is called with, values and what the file states among them.
    pub(super) fn arguments(&mut self) -> Option<Vec<Argument<'a>>> {
        let mut values = self.inputs(1)?.into_iter();
        let mut stated = self.at.stated.iter().peekable();
        let mut all = Vec::new();
        loop {
            match stated.next_if(|(place, _)| *place <= all.len()) {
                Some(&(_, stated)) => all.push(Argument::Stated(stated)),
                None => match values.next() {
                    Some(value) => all.push(Argument::Value(value)),
                    None => break,
                },
            }
        }
        all.extend(stated.map(|&(_, stated)| Argument::Stated(stated)));
        Some(all)
    }

    fn real(&mut self, flow: Flow) -> Option<Flow> {
        match flow.kind {
            Kind::Real => Some(flow),
            Kind::Ids => self.unsupported("an input of whole numbers reaches it, which an Embedding alone reads: give the input the dtype float32"),
        }
    }

    /// The value of exactly `rank` axes beyond those of a TimeDistributed.
    pub(super) fn of_rank(&mut self, rank: usize) -> Option<Flow> {
        let flow = self.input()?;
        let lead = self.at.lead;
        if flow.rank() != rank + lead {
            let (batch, given) = (1 + lead, flow.rank() + 1);
            return self.refuse(
                Code::LayerShape,
                &format!("it takes {} axes, the batch among them, and is given {given}", rank + batch),
            );
        }
        Some(flow)
    }

    /// An axis as Keras writes it, the batch counted as axis 0, among those of one example.
    pub(super) fn axis(&mut self, axis: i64, rank: usize) -> Option<usize> {
        let lead = self.at.lead as i64;
        let counted = if axis < 0 { axis + rank as i64 } else { axis - 1 + lead };
        if axis == 0 || counted < lead && axis < 0 && counted + 1 == lead {
            return self.unsupported("it works along the batch; examples are never mixed");
        }
        match usize::try_from(counted).ok().filter(|&counted| counted < rank && counted as i64 >= lead) {
            Some(counted) => Some(counted),
            None => self.refuse(Code::Attribute, &format!("it has no axis {axis}")),
        }
    }

    /// Several axes, ascending, each once.
    pub(super) fn axes(&mut self, axes: &[i64], rank: usize) -> Option<Vec<usize>> {
        let mut all: Vec<usize> = axes.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?;
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// The length of an axis; a variable says it where the input does not.
    pub(super) fn length(&mut self, flow: &Flow, axis: usize, variable: Option<usize>) -> Option<usize> {
        match flow.length(axis).or(variable) {
            Some(length) => Some(length),
            None => self.refuse(
                Code::Input,
                &format!("the length of axis {} of what reaches it is not known: state the shape of one example of the input", axis + 1),
            ),
        }
    }

    /// The shape of a variable, where the file has it.
    pub(super) fn shape(&self, name: &str, key: usize) -> Option<Vec<usize>> {
        let number = self.at.scope.find(name, key)?;
        Some(self.build.variables.all.get(number)?.shape().to_vec())
    }

    /// The value with its axes in an order, moved if they do not lie so.
    pub(super) fn turned(&mut self, flow: &Flow, order: &[usize]) -> Flow {
        let value = self.build.low.turn((&self.at.path, Position::default()), &flow.value, order);
        Flow { value, ..flow.clone() }
    }

    /// The value with its axes in Keras's order.
    pub(super) fn plain(&mut self, flow: &Flow) -> Flow {
        let order = plain(flow.rank());
        self.turned(flow, &order)
    }

    /// The value with some axes last, in their order, the others before in theirs.
    pub(super) fn last(&mut self, flow: &Flow, axes: &[usize]) -> Flow {
        let rest = (0..flow.rank()).filter(|axis| !axes.contains(axis));
        let order: Vec<usize> = rest.chain(axes.iter().copied()).collect();
        self.turned(flow, &order)
    }

    /// Writes a layer, `order` being that in which its axes then lie.
    pub(super) fn make(&mut self, op: &Op, from: &[&Flow], order: Vec<usize>) -> Option<Flow> {
        self.make_with(op, from, order, Vec::new())
    }

    /// The same with variables for its slots.
    pub(super) fn make_with(&mut self, op: &Op, from: &[&Flow], order: Vec<usize>, vars: Vec<Var>) -> Option<Flow> {
        if order.len() > MOST_AXES {
            return self.refuse(Code::Limit, &format!("it makes more than {MOST_AXES} axes"));
        }
        let path = self.at.path.clone();
        self.build.afford(&path)?;
        // The first layer of a call bears the name of Keras's, the others say what they do.
        let first = self.written.is_empty() && !self.at.within;
        let word = lowering::word(op);
        let count = self.written.entry(word.clone()).or_default();
        *count += 1;
        let does = if *count > 1 { format!("{word}{count}") } else { word };
        let (name, prefix) = match first {
            true => (self.build.low.named(&path), path.clone()),
            false => (self.build.low.name(&path, &does), format!("{path}.{does}")),
        };
        let values: Vec<_> = from.iter().map(|flow| &flow.value).collect();
        let own = name == prefix;
        let made = self.build.low.put(name, Position::default(), op, &values, Some(order));
        if !vars.is_empty() {
            let found = vars.into_iter().map(|var| {
                let variable = self.at.scope.find(var.name, var.key);
                if let Some(number) = variable {
                    self.build.takes(number, &path, var.name);
                }
                (var.slot, variable, var.turn)
            });
            let found = found.collect();
            self.build.hold(&prefix, found);
            if let Some(layer) = self.build.low.layers.last_mut().filter(|_| !own) {
                layer.slots = Some(prefix);
            }
        }
        Some(Flow::new(made))
    }

    /// Writes a layer that leaves the axes as they are.
    pub(super) fn keep(&mut self, op: &Op, flow: &Flow) -> Option<Flow> {
        self.keep_with(op, flow, Vec::new())
    }

    /// The same with variables for its slots.
    pub(super) fn keep_with(&mut self, op: &Op, flow: &Flow, vars: Vec<Var>) -> Option<Flow> {
        let made = self.make_with(op, &[flow], flow.order(), vars)?;
        Some(made.like(flow))
    }

    /// Passes over a variable that is not used.
    pub(super) fn spare(&mut self, name: &str, key: usize) {
        if let Some(number) = self.at.scope.find(name, key) {
            let path = self.at.path.clone();
            self.build.takes(number, &path, name);
        }
    }

    /// Runs another layer on values of this one, as a part of it.
    pub(super) fn part(&mut self, layer: &'a Json, inputs: Vec<Flow>, scope: Scope<'a>, lead: usize) -> Option<Flow> {
        let path = self.at.path.clone();
        let name = layer.get("config").and_then(|config| config.get("name")).and_then(Json::text);
        let path = name.map_or(path.clone(), |name| format!("{path}.{name}"));
        let at = At { path, scope, lead, inputs, stated: Vec::new(), within: false };
        let made = super::layer::call(self.build, layer, at)?;
        match <[Flow; 1]>::try_from(made) {
            Ok([one]) => Some(one),
            Err(_) => self.unsupported("the layer within it has several outputs"),
        }
    }
}
