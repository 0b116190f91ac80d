//! The one way from a description of any form to Pontil's words, with the ports as the host wants them.
//!
//! PyTorch's words are lowered by `torch`, Mocha's by `mocha` to PyTorch's, whose axes are the same. The other forms are in Pontil's words already: they get the example's shape, and
//! permutes at their ports for a host that has channels first. Called by importers and by hosts that write a description.

use super::check::bounded;
use super::spell::spell;
use super::{Description, Form, Graph, Input, Layer, Layout, Op, Output, Position, at, mocha, torch, word};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::limits::Limits;
use crate::tensor::DType;
use std::collections::{HashMap, HashSet};

/// What the host says about the ports of a network.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// Shapes of one example of the first inputs, the batch left out, in the host's axis order.
    pub examples: Vec<Vec<usize>>,
    /// The axis order of inputs and outputs.
    pub layout: Layout,
}

/// A description in Pontil's words with its ports as `ports` says. PyTorch's words are lowered; channels first is PyTorch's
/// own order, channels last means the ports that layers over windows read or make. A description in Pontil's words stays
/// as it is but for the shapes of its inputs and, for channels first, a permute at every port of two axes or more and
/// the batch. Shapes that stay unknown are no fault.
pub fn lower(
    description: &Description,
    ports: &Ports,
    limits: &Limits,
    faults: &mut Faults,
) -> Result<Description, Refused> {
    bounded(description, limits, faults)?;
    match description.form {
        Form::Torch => return torch::lower(description, ports, faults),
        Form::Mocha => return torch::lower(&mocha::lower(description, ports, faults)?, ports, faults),
        _ => {}
    }
    if description.form == Form::Code {
        return Ok(description.clone());
    }
    let first = ports.layout == Layout::ChannelsFirst;
    let shaped = with_examples(description, &ports.examples, first, faults)?;
    if first { channels_first(shaped, limits, faults) } else { Ok(shaped) }
}

/// The examples' shapes put in as those of the inputs.
fn with_examples(
    description: &Description,
    examples: &[Vec<usize>],
    first: bool,
    faults: &mut Faults,
) -> Result<Description, Refused> {
    let mark = faults.mark();
    let mut shaped = description.clone();
    let unstated = || Input { name: "input".into(), shape: None, dtype: DType::F32, position: Position::default() };
    if shaped.inputs.is_empty() && !examples.is_empty() {
        shaped.inputs.push(unstated());
    }
    for (input, example) in shaped.inputs.iter_mut().zip(examples) {
        let mut lengths: Vec<Option<usize>> = example.iter().copied().map(Some).collect();
        if first && !lengths.is_empty() {
            lengths.rotate_left(1);
        }
        match &input.shape {
            Some(stated) if !fits(stated, &lengths) => faults.push(unlike(input)),
            _ => input.shape = Some(lengths),
        }
    }
    counted(examples, &shaped.inputs, faults);
    faults.refused_since(mark)?;
    Ok(shaped)
}

/// Refuses examples of more inputs than there are.
pub(crate) fn counted(examples: &[Vec<usize>], inputs: &[Input], faults: &mut Faults) {
    if examples.len() > inputs.len() {
        let message = format!("examples of {} inputs are stated, and the network has {}", examples.len(), inputs.len());
        faults.push(Fault::new(Code::Value, message));
    }
}

/// Whether an example has the shape that is stated, free lengths left aside.
pub(crate) fn fits(stated: &[Option<usize>], example: &[Option<usize>]) -> bool {
    stated.len() == example.len() && stated.iter().zip(example).all(|(a, b)| a.is_none() || a == b)
}

/// The fault of an example that does not have the shape stated.
pub(crate) fn unlike(input: &Input) -> Fault {
    let what = format!("the example does not have the shape stated for input {}", quoted_str(&input.name));
    at(input.position, Code::Input, what).path(&input.name)
}

/// Permutes at the ports. A port whose shape is not known stays as it is.
fn channels_first(description: Description, limits: &Limits, faults: &mut Faults) -> Result<Description, Refused> {
    let graph = Graph::of(&description, limits, faults)?;
    let Description { layers, outputs, .. } = description;
    let mut taken: HashSet<String> = graph.inputs.iter().map(|port| port.name.clone()).collect();
    taken.extend(layers.iter().map(|layer| layer.name.clone()));
    let mut inputs = description.inputs;

    let mut turned: HashMap<String, String> = HashMap::new();
    let mut made = Vec::new();
    for (place, port) in graph.inputs.iter().enumerate() {
        let Some(value) = graph.values.get(port.value) else { continue };
        let mut shape = value.shape.clone();
        let position = inputs.get(place).map(|input| input.position).unwrap_or_default();
        if let Some(lengths) = shape.as_mut().filter(|lengths| lengths.len() > 1 && value.dtype == DType::F32) {
            lengths.rotate_right(1);
            let rank = lengths.len() as i64;
            let axes = [0].into_iter().chain(2..=rank).chain([1]).collect();
            let name = unused(&port.name, "permute", &mut taken);
            made.push(permute(&name, &port.name, axes, position));
            turned.insert(port.name.clone(), name);
        }
        let input = Input { name: port.name.clone(), shape, dtype: value.dtype, position };
        match inputs.get_mut(place) {
            Some(stated) => *stated = input,
            None => inputs.push(input),
        }
    }
    let now = |name: &str| turned.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let mut before = graph.inputs.first().map(|port| port.name.clone()).unwrap_or_default();
    for layer in layers {
        let takes_none = word(&layer.kind).is_some_and(|word| word.most == 0);
        let from = match layer.from.is_empty() {
            true if takes_none => Vec::new(),
            true => vec![now(&before)],
            false => layer.from.iter().map(|name| now(name)).collect(),
        };
        before = layer.name.clone();
        made.push(Layer { from, ..layer });
    }
    let stated = |place: usize| outputs.get(place).map(|output: &Output| (output.from.clone(), output.position));
    let mut given = Vec::new();
    for (place, port) in graph.outputs.iter().enumerate() {
        let (from, position) = stated(place).unwrap_or_else(|| (before.clone(), Position::default()));
        let mut from = now(&from);
        let rank = graph.values.get(port.value).and_then(|value| value.shape.as_ref()).map_or(0, Vec::len) as i64;
        if rank > 1 {
            let axes = [0, rank].into_iter().chain(1..rank).collect();
            let name = unused(&port.name, "permute", &mut taken);
            made.push(permute(&name, &from, axes, position));
            from = name;
        }
        given.push(Output { name: port.name.clone(), from, position });
    }
    Ok(Description { form: Form::Graph, inputs, layers: made, outputs: given })
}

fn permute(name: &str, from: &str, axes: Vec<i64>, position: Position) -> Layer {
    let (kind, attributes) = spell(&Op::Permute { axes }, position);
    Layer { name: name.to_owned(), kind, slots: None, attributes, from: vec![from.to_owned()], position }
}

/// A name nobody has, made of the layer or port it serves and of what it does.
pub(crate) fn unused(of: &str, does: &str, taken: &mut HashSet<String>) -> String {
    let mut name = format!("{of}.{does}");
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{of}.{does}{number}");
    }
    name
}
