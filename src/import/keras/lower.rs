//! A model of the file in Pontil's words, its ports as the host wants them.
//!
//! It is walked twice: which input holds whole numbers, and which axis of it the channels, is known once its readers are.

use super::{
    build::{At, Build, Hint, Number},
    file::Saved,
    flow::{Flow, Kind},
    loss::{self, Lift},
    model::{self, Model},
    ports,
    summary::{Line, Summary},
};
use crate::{
    describe::{
        Description, Form, Layout, Output, Ports, Position,
        lowering::{Lowering, Value, at_port},
    },
    faults::{Code, Fault, Faults, Refused, quoted_str},
    import::loss::lifted,
};
use std::collections::HashSet;

/// What the host asks for.
pub(super) struct Asked<'a> {
    pub(super) ports: &'a Ports,
    /// The loss it states.
    pub(super) stated: Option<&'static str>,
    /// Whether the loss takes the last activation over.
    pub(super) lift: bool,
}

/// A model in Pontil's words. Where a fault was found it is not whole.
pub(super) struct Built {
    pub(super) description: Description,
    pub(super) numbers: Vec<Number>,
    /// What a layer calls a variable, for each.
    pub(super) names: Vec<Option<String>>,
    pub(super) summary: Summary,
}

/// Lowers a model; all faults are found at once.
pub(super) fn lower(
    saved: &Saved,
    model: &Model<'_>,
    asked: &Asked<'_>,
    faults: &mut Faults,
) -> Result<Built, Refused> {
    let mark = faults.mark();
    let built = whole(saved, model, asked, faults);
    faults.refused_since(mark)?;
    Ok(built)
}

/// The same, with what could be made where faults were found.
pub(super) fn whole(saved: &Saved, model: &Model<'_>, asked: &Asked<'_>, faults: &mut Faults) -> Built {
    let said =
        loss::Said { compiled: saved.compiled.as_ref(), stated: asked.stated, lift: asked.lift, place: saved.place };
    let left = saved.budget.left();
    let as_file = Ports { examples: asked.ports.examples.clone(), layout: Layout::AsFile };
    let first = Asked { ports: &as_file, ..*asked };
    // What is wrong is told by the second walk.
    let (_, hints) = once(saved, model, &first, None, &[], &mut Faults::with_limit(1));
    let taken = |saved: &Saved| left.saturating_sub(saved.budget.left());
    saved.budget.give(taken(saved));
    let lift = loss::held(model, &said, faults);
    let (built, _) = once(saved, model, asked, lift, &hints, faults);
    saved.budget.give(taken(saved));
    built
}

fn once<'a>(
    saved: &'a Saved,
    model: &Model<'a>,
    asked: &Asked<'_>,
    lift: Option<Lift>,
    hints: &[Hint],
    faults: &mut Faults,
) -> (Built, Vec<Hint>) {
    let named = ports::named(model, faults);
    let (mut inputs, mut flows) = (Vec::new(), Vec::new());
    for (number, port) in named.iter().enumerate() {
        let hint = hints.get(number).copied().unwrap_or_default();
        if let Some((input, flow)) = ports::input(port, number, hint, asked.ports, faults) {
            inputs.push(input);
            flows.push(flow);
        }
    }
    let all = inputs.len() == named.len();
    if all {
        crate::describe::counted(&asked.ports.examples, &inputs, faults);
    }
    let taken: HashSet<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let mut build = Build::new(Lowering::new(taken, faults), &saved.variables, &saved.budget, named.len());
    build.before_3 = saved.before_3;
    build.place = saved.place;
    let at = At {
        path: String::new(),
        scope: saved.variables.top(),
        lead: 0,
        inputs: if all || model.is_row() { flows } else { Vec::new() },
        stated: Vec::new(),
        within: false,
    };
    let mut lines = Some(Vec::new());
    let made = model::run(&mut build, model, at, &mut lines).unwrap_or_default();
    let outputs = outputs(&mut build, made, asked.ports.layout, lift);
    let summary = Summary::of(model, lines.unwrap_or_default());
    let hints = build.hints.clone();
    let layers = std::mem::take(&mut build.low.layers);
    let (numbers, names) = build.numbers();
    let description = Description { form: Form::Graph, inputs, layers, outputs };
    (Built { description, numbers, names, summary }, hints)
}

/// The outputs, each with a name of its own.
fn outputs(
    build: &mut Build<'_, '_>,
    made: Vec<(&str, Option<Flow>)>,
    layout: Layout,
    lift: Option<Lift>,
) -> Vec<Output> {
    let mut taken = HashSet::new();
    let mut outputs = Vec::new();
    for (name, flow) in made {
        let Some(flow) = flow else { continue };
        if flow.kind == Kind::Ids {
            let message = format!("output '{}' is an input of whole numbers given on.", quoted_str(name));
            build.low.faults.push(Fault::new(Code::Unsupported, message).path(name));
            continue;
        }
        let order = at_port(flow.rank(), flow.channel, layout);
        let made = match lift.as_ref().filter(|lift| lift.activation) {
            Some(lift) => without_end(build, lift, flow.value, &order),
            None => flow.value,
        };
        let value = build.low.turn((name, Position::default()), &made, &order);
        let mut own = name.to_owned();
        let mut number = 1;
        while !taken.insert(own.clone()) {
            number += 1;
            own = format!("{name}.{number}");
        }
        outputs.push(Output { name: own, from: value.name, position: Position::default() });
    }
    outputs
}

/// The value without the activation at its end, which the loss takes over.
fn without_end(build: &mut Build<'_, '_>, lift: &Lift, value: Value, order: &[usize]) -> Value {
    let (name, mark) = (value.name.clone(), build.low.faults.mark());
    let made = lifted(&mut build.low, lift.word, value, order);
    if made.name == name && build.low.faults.refused_since(mark).is_ok() {
        let message = format!(
            "layer '{}': its activation can not be left out for its loss, {}: other layers follow it, or it goes over several axes.",
            quoted_str(&name),
            lift.word
        );
        build.low.faults.push(Fault::new(Code::Loss, message).path(&name));
    }
    made
}

impl Summary {
    fn of(model: &Model<'_>, lines: Vec<Line>) -> Summary {
        let counts = lines.iter().fold([0u64; 2], |[trained, still], line| {
            let [more, rest] = line.counts;
            [trained.saturating_add(more), still.saturating_add(rest)]
        });
        let name = super::layer::name(model.json).to_owned();
        Summary { name, connected: !model.is_row(), lines, counts }
    }
}
