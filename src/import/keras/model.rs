//! Models: layers in a row, or a graph of them; one within another like any layer.

use super::{
    build::{At, Build},
    flow::Flow,
    graph::{self, Node, Ref},
    groups::Groups,
    layer,
    summary::Line,
    variables::Scope,
};
use crate::{
    faults::{Code, quoted_str},
    formats::json::Json,
};
use std::collections::{HashMap, HashSet};

/// A model with its layers.
pub(super) struct Model<'a> {
    /// The model as the file has it.
    pub(super) json: &'a Json,
    /// Its layers, inputs among them.
    pub(super) layers: &'a [Json],
    sequential: bool,
}

impl<'a> Model<'a> {
    /// The model that a text describes, if it is one.
    pub(super) fn of(json: &'a Json) -> Option<Model<'a>> {
        let layers = json.get("config").and_then(|config| config.get("layers")).or_else(|| {
            // The first version of Keras 2 wrote the layers of a Sequential as its settings.
            json.get("config").filter(|config| matches!(config, Json::List(_)))
        })?;
        Some(Model { json, layers: layers.items(), sequential: layer::class(json) == "Sequential" })
    }

    fn config(&self, key: &str) -> Option<&'a Json> {
        self.json.get("config")?.get(key)
    }

    /// Its inputs, in order: names, and the layers that say their shapes. A Sequential without an input says its shape
    /// elsewhere.
    pub(super) fn inputs(&self) -> Vec<(&'a str, Option<&'a Json>)> {
        if self.sequential {
            let first = self.layers.first();
            let own = first.filter(|first| layer::class(first) == "InputLayer");
            return vec![(own.map_or("input", |own| layer::name(own)), own.or(first))];
        }
        let by_name: HashMap<&str, &Json> = self.layers.iter().map(|held| (layer::name(held), held)).collect();
        let said = self.config("input_layers").and_then(graph::ports).unwrap_or_default();
        said.into_iter().map(|port| (port.layer, by_name.get(port.layer).copied())).collect()
    }

    /// The shape that the settings of a model say for its one input.
    pub(super) fn built_for(&self) -> Option<&'a Json> {
        self.config("build_input_shape")
            .or_else(|| self.json.get("build_config").and_then(|config| config.get("input_shape")))
            .filter(|shape| !shape.is_null())
    }

    /// Whether its layers stand in a row.
    pub(super) fn is_row(&self) -> bool {
        self.sequential
    }

    /// The layer that makes its last output.
    pub(super) fn last(&self) -> Option<&'a Json> {
        if self.sequential {
            return self.layers.last();
        }
        let outputs = self.config("output_layers").and_then(graph::ports)?;
        let [one] = outputs[..] else { return None };
        self.layers.iter().find(|held| layer::name(held) == one.layer)
    }
}

/// A model as a layer of another.
pub(super) fn nested<'a>(build: &mut Build<'a, '_>, json: &'a Json, at: At<'a>) -> Option<Vec<Flow>> {
    let model = Model::of(json)?;
    let wanted = model.inputs().len();
    if at.inputs.len() != wanted {
        let what = format!("it takes {wanted} values and is given {}", at.inputs.len());
        build.fault(Code::Connection, &at.path, layer::class(json), &what);
        return None;
    }
    let made = run(build, &model, at, &mut None)?;
    made.into_iter().map(|(_, flow)| flow).collect()
}

/// What a model makes of its inputs: for each output its name and value, nothing where a fault was found. `lines`: what is told
/// of each layer, for the model at the top.
pub(super) fn run<'a>(
    build: &mut Build<'a, '_>,
    model: &Model<'a>,
    at: At<'a>,
    lines: &mut Option<Vec<Line>>,
) -> Option<Vec<(&'a str, Option<Flow>)>> {
    if model.sequential { row(build, model, at, lines) } else { network(build, model, at, lines) }
}

/// The path of a layer within a model, and its variables.
fn within<'a>(build: &mut Build<'a, '_>, at: &At<'a>, held: &'a Json, group: &str, inputs: Vec<Flow>) -> At<'a> {
    let name = layer::name(held);
    let path = if at.path.is_empty() { name.to_owned() } else { format!("{}.{name}", at.path) };
    let path = build.path(path, std::ptr::from_ref(held) as usize);
    At { path, scope: at.scope.layer(name, group), lead: at.lead, inputs, stated: Vec::new(), within: false }
}

fn row<'a>(
    build: &mut Build<'a, '_>,
    model: &Model<'a>,
    at: At<'a>,
    lines: &mut Option<Vec<Line>>,
) -> Option<Vec<(&'a str, Option<Flow>)>> {
    let mut flow = at.inputs.first().cloned();
    let mut name = model.inputs().first().map_or("input", |(name, _)| name);
    let mut groups = Groups::default();
    for held in model.layers {
        if layer::class(held) == "InputLayer" {
            continue;
        }
        name = layer::name(held);
        let group = groups.of(layer::class(held));
        let inner = within(build, &at, held, &group, flow.into_iter().collect());
        let (path, scope, known) = (inner.path.clone(), inner.scope.clone(), !inner.inputs.is_empty());
        let made = match known {
            true => layer::call(build, held, inner),
            false => {
                layer::look(build, held, &path);
                None
            }
        };
        flow = match made {
            Some(made) => match <[Flow; 1]>::try_from(made) {
                Ok([one]) => Some(one),
                Err(_) => {
                    build.fault(
                        Code::Connection,
                        &path,
                        layer::class(held),
                        "it has several outputs within a Sequential",
                    );
                    None
                }
            },
            None => None,
        };
        if let Some(lines) = lines {
            lines.push(Line::of(held, flow.as_ref(), &scope, Vec::new(), (build.variables, &build.names)));
        }
    }
    Some(vec![(name, flow)])
}

/// The calls of a graph and what they make.
struct Walk<'a> {
    /// For each layer its calls.
    nodes: Vec<Vec<Node<'a>>>,
    by_name: HashMap<&'a str, usize>,
    /// For each layer the number its first call goes by: Keras 2 counts that which a model is made by as well.
    first: Vec<usize>,
    made: HashMap<(usize, usize), Option<Vec<Flow>>>,
}

impl<'a> Walk<'a> {
    /// The call behind a value.
    fn maker(&self, value: &Ref<'_>) -> Option<(usize, usize)> {
        let layer = *self.by_name.get(value.layer)?;
        let node = value.node.checked_sub(self.first.get(layer).copied().unwrap_or(0))?;
        self.nodes.get(layer).filter(|nodes| node < nodes.len().max(1)).map(|_| (layer, node))
    }

    /// Finds out by which numbers the calls of models within go. Every call is one that something reads.
    fn count(&mut self, model: &Model<'a>, outputs: &[Ref<'a>]) {
        let older = |held: &Json| {
            let calls = held.get("inbound_nodes").map_or(&[][..], Json::items);
            layer::is_model(held) && matches!(calls.first(), Some(Json::List(_)))
        };
        let mut least: HashMap<&str, usize> = HashMap::new();
        let taken = self.nodes.iter().flatten().flatten().flat_map(|taken| &taken.values);
        for value in taken.chain(outputs) {
            let least = least.entry(value.layer).or_insert(value.node);
            *least = value.node.min(*least);
        }
        let first = |held: &Json| if older(held) { least.get(layer::name(held)).copied() } else { None };
        self.first = model.layers.iter().map(|held| first(held).unwrap_or(0)).collect();
    }

    /// A value that has been made; nothing if what makes it was refused.
    fn value(&self, value: &Ref<'_>) -> Option<Flow> {
        self.made.get(&self.maker(value)?)?.as_ref()?.get(value.output).cloned()
    }
}

fn network<'a>(
    build: &mut Build<'a, '_>,
    model: &Model<'a>,
    at: At<'a>,
    lines: &mut Option<Vec<Line>>,
) -> Option<Vec<(&'a str, Option<Flow>)>> {
    let class = layer::class(model.json);
    let mut walk = Walk {
        nodes: model.layers.iter().map(graph::nodes).collect(),
        by_name: HashMap::new(),
        first: Vec::new(),
        made: HashMap::new(),
    };
    for (number, held) in model.layers.iter().enumerate() {
        if walk.by_name.insert(layer::name(held), number).is_some() {
            build.fault(
                Code::Duplicate,
                layer::name(held),
                layer::class(held),
                "its name is that of another layer too",
            );
        }
    }
    let mut given = HashSet::new();
    for ((name, _), flow) in model.inputs().into_iter().zip(&at.inputs) {
        if let Some(&number) = walk.by_name.get(name) {
            walk.made.insert((number, 0), Some(vec![flow.clone()]));
            given.insert(number);
            if let (Some(lines), Some(held)) = (lines.as_mut(), model.layers.get(number)) {
                lines.push(Line::of(held, Some(flow), &Scope::Nowhere, Vec::new(), (build.variables, &[])));
            }
        }
    }
    let outputs = model.config("output_layers").and_then(graph::ports);
    let Some(outputs) = outputs.filter(|outputs| !outputs.is_empty()) else {
        build.fault(Code::Malformed, &at.path, class, "it does not say its outputs");
        return None;
    };
    walk.count(model, &outputs);
    let mut groups = Groups::default();
    let groups: Vec<String> = model.layers.iter().map(|held| groups.of(layer::class(held))).collect();
    for (number, node) in order(build, model, &walk, &given) {
        let (Some(held), Some(group)) = (model.layers.get(number), groups.get(number)) else { continue };
        let taken = walk.nodes.get(number).and_then(|nodes| nodes.get(node));
        let inputs = match taken {
            Some(Ok(taken)) => taken.values.iter().map(|value| walk.value(value)).collect::<Option<Vec<Flow>>>(),
            _ => None,
        };
        let mut inner = within(build, &at, held, group, inputs.clone().unwrap_or_default());
        inner.stated = taken.and_then(|taken| Some(taken.as_ref().ok()?.stated.clone())).unwrap_or_default();
        let (path, scope) = (inner.path.clone(), inner.scope.clone());
        let made = match (taken, inputs) {
            (Some(Err(what)), _) => {
                if layer::look(build, held, &path) {
                    build.fault(Code::Unsupported, &path, layer::class(held), what);
                }
                None
            }
            (_, Some(inputs)) if !inputs.is_empty() => layer::call(build, held, inner),
            (_, Some(_)) => {
                build.fault(Code::Connection, &path, layer::class(held), "it takes no value");
                None
            }
            (_, None) => {
                if node == 0 {
                    layer::look(build, held, &path);
                }
                None
            }
        };
        if let Some(lines) = lines {
            let from = taken.and_then(|taken| taken.as_ref().ok()).map_or(&[][..], |taken| &taken.values);
            let from = from.iter().map(|value| value.layer.to_owned()).collect();
            let first = made.as_ref().and_then(|made| made.first());
            lines.push(Line::of(held, first, &scope, from, (build.variables, &build.names)));
        }
        walk.made.insert((number, node), made);
    }
    let mut made = Vec::new();
    for value in &outputs {
        if walk.maker(value).is_none() {
            let what = format!("its output '{}' is of no layer it has", quoted_str(value.layer));
            build.fault(Code::Connection, &at.path, class, &what);
        }
        made.push((value.layer, walk.value(value)));
    }
    Some(made)
}

/// All calls in an order in which they can be made; those in a ring, or of a value that is not there, are refused.
fn order<'a>(
    build: &mut Build<'a, '_>,
    model: &Model<'a>,
    walk: &Walk<'a>,
    given: &HashSet<usize>,
) -> Vec<(usize, usize)> {
    let mut readers: HashMap<(usize, usize), Vec<(usize, usize)>> = HashMap::new();
    let mut waits: HashMap<(usize, usize), usize> = HashMap::new();
    let mut ready = Vec::new();
    for (number, held) in model.layers.iter().enumerate() {
        let nodes = walk.nodes.get(number).map_or(&[][..], |nodes| nodes);
        let input = layer::class(held) == "InputLayer";
        if input && !given.contains(&number) {
            build.fault(Code::Connection, layer::name(held), "InputLayer", "it is none of the model's inputs");
        }
        if input || given.contains(&number) {
            continue;
        }
        for (node, taken) in nodes.iter().enumerate() {
            let mut missing = None;
            let mut wait = 0;
            for value in taken.iter().flat_map(|taken| &taken.values) {
                match walk.maker(value) {
                    Some(maker) if given.contains(&maker.0) => {}
                    Some(maker) => {
                        readers.entry(maker).or_default().push((number, node));
                        wait += 1;
                    }
                    None => missing = Some(value),
                }
            }
            if let Some(value) = missing {
                let what = format!("it takes a value of '{}', which makes none", quoted_str(value.layer));
                build.fault(Code::Connection, layer::name(held), layer::class(held), &what);
            } else if wait == 0 {
                ready.push((number, node));
            } else {
                waits.insert((number, node), wait);
            }
        }
    }
    ready.reverse();
    let mut order = Vec::new();
    while let Some(call) = ready.pop() {
        order.push(call);
        for reader in readers.remove(&call).into_iter().flatten().rev() {
            if let Some(wait) = waits.get_mut(&reader) {
                *wait -= 1;
                if *wait == 0 {
                    waits.remove(&reader);
                    ready.push(reader);
                }
            }
        }
    }
    let mut stuck: Vec<(usize, usize)> = waits.into_keys().collect();
    stuck.sort_unstable();
    // One fault tells of a ring; what waits for it says nothing by itself.
    if let Some(held) = stuck.first().and_then(|(number, _)| model.layers.get(*number)) {
        if !build.low.faults.iter().any(|fault| fault.code == Code::Connection) {
            build.fault(
                Code::Cycle,
                layer::name(held),
                layer::class(held),
                "it waits for a value that waits for its own",
            );
        }
    }
    order
}
