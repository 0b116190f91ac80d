//! A network as a row of layers, for hosts that hold a stack and no graph (DeepSharp's form): layers named `0`, `1`, …, each
//! handing what it makes to the next, with every slot such a host has.
//!
//! Importers make graphs; `Import` has them put in a row where the option `stack` asks for it. A bias that an exporter has
//! dropped is noughts again, a scale alone is a normalisation, and channels that are put first for a flatten are put last in
//! the numbers that go by its row instead. What is no row is refused at each layer, all at once; so are numbers that the file
//! lacks, and those that no layer takes.

use super::{affine, format::Layers};
use crate::{
    describe::{
        Attribute, Conv, Description, Form, Graph, Layer, Node, Op, OpSlot, Output, Position, lowering::word, spelled,
    },
    faults::{Code, Fault, Faults, Refused, quoted_str},
    limits::Limits,
    network::{Entry, Turn, named},
    tensor::{Tensor, count},
};
use std::collections::HashMap;

/// Numbers that may be filled in beyond those of the file.
const ROOM: usize = 1 << 20;

/// Puts layers in a row; `layers` are those of one network with its numbers. `whole`: every slot must have its numbers, and they
/// a slot each; else the layers alone are wanted, and no numbers come with them.
pub(super) fn stacked(layers: Layers, whole: bool, limits: &Limits, faults: &mut Faults) -> Result<Layers, Refused> {
    let Layers { description, numbers } = layers;
    let graph = Graph::of(&description, limits, faults)?;
    row(&graph, faults)?;
    if whole {
        named(&graph.slots, numbers.iter().map(|(entry, _)| entry), faults)?;
    }
    let by_path = numbers.iter().enumerate().map(|(number, (entry, _))| (entry.path.as_bytes(), number)).collect();
    // What is filled in is as much as the file has, a few times over: a bias beside a weight, three numbers beside a scale.
    let held = numbers.iter().filter_map(|(entry, _)| count(entry.tensor.shape()));
    let room = held.fold(ROOM, |room, count| room.saturating_add(count.saturating_mul(4)));
    let (graph, description) = (&graph, &description);
    let mut build = Build { graph, description, numbers: &numbers, by_path, made: Vec::new(), whole, room };
    let mut rows: HashMap<usize, Reordered> = HashMap::new();
    let mut stack = Vec::new();
    for (place, node) in graph.nodes.iter().enumerate() {
        if let Some((reordered, readers)) = flattened(graph, place) {
            rows.extend(readers.into_iter().map(|reader| (reader, reordered.clone())));
            continue;
        }
        if !is_nothing(description, node) {
            let layer = build.layer(node, stack.len().to_string(), rows.get(&place), faults)?;
            stack.push(layer);
        }
    }
    let numbers = build.made;
    let mut inputs = description.inputs.clone();
    // An input may be called by a number, as layers are here.
    for input in inputs.iter_mut().filter(|input| stack.iter().any(|layer| layer.name == input.name)) {
        input.name = "input".into();
    }
    let from = match (stack.last(), inputs.first()) {
        (Some(last), _) => last.name.clone(),
        (None, input) => input.map(|input| input.name.clone()).unwrap_or_default(),
    };
    let outputs = graph.outputs.iter();
    let outputs =
        outputs.map(|port| Output { name: port.name.clone(), from: from.clone(), position: Position::default() });
    let outputs = outputs.collect();
    Ok(Layers { description: Description { form: Form::Stack, inputs, layers: stack, outputs }, numbers })
}

/// Tells every layer and port that keeps a network from being a row.
fn row(graph: &Graph, faults: &mut Faults) -> Result<(), Refused> {
    let mark = faults.mark();
    let mut takers = vec![0usize; graph.values.len()];
    let taken = graph.nodes.iter().flat_map(|node| &node.inputs).chain(graph.outputs.iter().map(|port| &port.value));
    for value in taken {
        if let Some(count) = takers.get_mut(*value) {
            *count += 1;
        }
    }
    let of = |value: usize| takers.get(value).copied().unwrap_or_default();
    let mut refuse = |name: &str, what: String| {
        let message = format!(
            "'{}' {what}: a stack hands each value to the next layer alone. Leave the option `stack` out.",
            quoted_str(name)
        );
        faults.push(Fault::new(Code::Unsupported, message).path(name));
    };
    for (ports, what) in [(&graph.inputs, "inputs"), (&graph.outputs, "outputs")] {
        for port in ports.iter().skip(1) {
            refuse(&port.name, format!("is one of several {what}"));
        }
    }
    for port in graph.inputs.iter().filter(|port| of(port.value) > 1) {
        refuse(&port.name, format!("is taken {} times", of(port.value)));
    }
    for node in &graph.nodes {
        let word = word(&node.op);
        match node.inputs.len() {
            1 => {}
            count => refuse(&node.name, format!("({word}) takes {count} values")),
        }
        if of(node.output) > 1 {
            refuse(&node.name, format!("({word}) makes what is taken {} times", of(node.output)));
        }
    }
    faults.refused_since(mark)
}

/// Whether a layer stands for nothing at all: an identity that is no dropout.
fn is_nothing(description: &Description, node: &Node) -> bool {
    description.layers.get(node.layer).is_some_and(|layer| layer.kind == "identity")
}

/// How the numbers of a row lie against those of the row that the stack makes instead.
#[derive(Clone)]
struct Reordered {
    /// Lengths of the axes that were joined.
    cut: Vec<usize>,
    /// Axis `i` of the stack's is axis `axes[i]` of them.
    axes: Vec<usize>,
}

/// A permute before a flatten whose row only dense and normalisation layers read, the first dense layer the last of them: how
/// their numbers lie instead, and the places of those layers.
fn flattened(graph: &Graph, place: usize) -> Option<(Reordered, Vec<usize>)> {
    let (permute, flatten) = (graph.nodes.get(place)?, graph.nodes.get(place + 1)?);
    let Op::Permute { axes } = &permute.op else { return None };
    let cut = graph.values.get(permute.output)?.known()?;
    let length = count(&cut)?;
    let is_row = match &flatten.op {
        Op::Flatten { .. } => graph.values.get(flatten.output)?.known()?.len() == 1,
        Op::Reshape { each } => each.len() == 1,
        _ => false,
    };
    let axes: Vec<usize> = axes.iter().map(|axis| usize::try_from(*axis).ok()).collect::<Option<_>>()?;
    let back = (0..axes.len()).map(|axis| axes.iter().position(|from| *from == axis));
    let reordered = Reordered { axes: back.collect::<Option<_>>()?, cut };
    let mut readers = Vec::new();
    for (place, node) in graph.nodes.iter().enumerate().skip(place + 2) {
        match &node.op {
            _ if !is_row => return None,
            Op::Identity | Op::Unary(_) | Op::Prelu { features: 1 } => {}
            Op::BatchNorm { features, .. } | Op::Prelu { features } if *features == length => readers.push(place),
            Op::LayerNorm { shape, .. } | Op::Scale { shape } | Op::PositionTable { shape } if *shape == [length] => {
                readers.push(place);
            }
            Op::Dense { inputs, .. } if *inputs == length => {
                readers.push(place);
                return Some((reordered, readers));
            }
            _ => return None,
        }
    }
    None
}

/// The numbers of a stack that is being made.
struct Build<'a> {
    graph: &'a Graph,
    description: &'a Description,
    numbers: &'a [(Entry, Turn)],
    by_path: HashMap<&'a [u8], usize>,
    made: Vec<(Entry, Turn)>,
    /// Whether numbers are wanted.
    whole: bool,
    /// How many numbers may still be filled in.
    room: usize,
}

/// A slot that the graph's layer does not have, and the number that stands there throughout.
const FILLED: [(&str, f64); 4] =
    [("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", affine::VARIANCE)];

impl Build<'_> {
    /// A layer of the stack, and the numbers of its slots.
    fn layer(
        &mut self,
        node: &Node,
        name: String,
        row: Option<&Reordered>,
        faults: &mut Faults,
    ) -> Result<Layer, Refused> {
        let written = self.description.layers.get(node.layer);
        let last = node.inputs.first().and_then(|value| self.graph.values.get(*value)?.shape.as_ref()?.last().copied());
        let full = full(&node.op, last.flatten());
        let own: Vec<OpSlot> = node.op.slots();
        let (kind, attributes) = match written {
            Some(layer) if full == node.op => (layer.kind.clone(), layer.attributes.clone()),
            Some(layer) if std::mem::discriminant(&full) == std::mem::discriminant(&node.op) => {
                let missing = |attribute: &&Attribute| !matches!(&*attribute.key, "bias" | "weight" | "affine");
                (layer.kind.clone(), layer.attributes.iter().filter(missing).cloned().collect())
            }
            _ => spelled(&full, Position::default()),
        };
        let wanted = if self.whole { full.slots() } else { Vec::new() };
        for (slot, _, shape) in wanted {
            let path = format!("{name}.{slot}");
            // The one slot of a scale is the weight of the normalisation it becomes.
            let place = own.iter().position(|(own, ..)| *own == slot || *own == "gamma" && slot == "weight");
            let Some(place) = place else {
                let filled = self.filled(node, path, slot, &shape, faults)?;
                self.made.push((filled, Turn::none(&shape)));
                continue;
            };
            let held = node.slots.get(place).and_then(|slot| self.graph.slots.get(*slot));
            let number = held.and_then(|held| self.by_path.get(held.path.as_bytes()));
            if let Some((entry, turn)) = number.and_then(|number| self.numbers.get(*number)) {
                let turn = match row.filter(|_| slot != "bias" || !matches!(node.op, Op::Dense { .. })) {
                    Some(row) => turn.clone().then(row.turn(&shape)),
                    None => turn.clone(),
                };
                self.made.push((Entry { path: path.into(), ..entry.clone() }, turn));
            }
        }
        Ok(Layer { name, kind, slots: None, attributes, from: Vec::new(), position: Position::default() })
    }

    /// The numbers of a slot that the graph's layer does not have.
    fn filled(
        &mut self,
        node: &Node,
        path: String,
        slot: &str,
        shape: &[usize],
        faults: &mut Faults,
    ) -> Result<Entry, Refused> {
        let number = FILLED.iter().find(|(filled, _)| *filled == slot).map_or(0.0, |(_, number)| *number as f32);
        let left = count(shape).and_then(|count| self.room.checked_sub(count));
        let tensor = left.and_then(|_| Tensor::filled_f32(shape.to_vec(), |to| to.fill(number)));
        self.room = left.unwrap_or(self.room);
        let what = match (left, tensor) {
            (Some(_), Some(tensor)) => {
                return Ok(Entry { path: path.into(), tensor, place: node.name.as_str().into(), offset: None });
            }
            (Some(_), None) => Fault::new(Code::Memory, format!("there is no memory for '{path}'.")),
            (None, _) => {
                let name = quoted_str(&node.name);
                let message = format!(
                    "'{name}' has no numbers for '{path}', and a stack would have more filled in than a file of this size has."
                );
                Fault::new(Code::Limit, message)
            }
        };
        Err(faults.refuse(what.path(&path)))
    }
}

impl Reordered {
    /// The turn of a slot that begins with the row's numbers.
    fn turn(&self, shape: &[usize]) -> Turn {
        let rest = shape.get(1..).unwrap_or_default();
        let cut = [&self.cut[..], rest].concat();
        let axes = self.axes.iter().copied().chain(self.cut.len()..cut.len()).collect();
        Turn::new(shape, &cut, axes, shape)
    }
}

/// The operation with every slot that a stack's layer has. `last`: the length of the last axis that reaches it.
fn full(op: &Op, last: Option<usize>) -> Op {
    match op.clone() {
        Op::Dense { inputs, outputs, .. } => Op::Dense { inputs, outputs, bias: true },
        Op::Conv(conv) => Op::Conv(Conv { bias: true, ..conv }),
        Op::ConvTranspose { conv, extra } => Op::ConvTranspose { conv: Conv { bias: true, ..conv }, extra },
        Op::GroupNorm { groups, features, epsilon, .. } => Op::GroupNorm { groups, features, epsilon, affine: true },
        Op::BatchNorm { features, epsilon, momentum, .. } => {
            Op::BatchNorm { features, epsilon, momentum, affine: true }
        }
        Op::LayerNorm { shape, epsilon, .. } => Op::LayerNorm { shape, epsilon, weight: true, bias: true },
        Op::Scale { shape } => match shape[..] {
            [features] if Some(features) == last => affine::op(features),
            _ => Op::Scale { shape },
        },
        op => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::parse;

    #[test]
    fn what_is_filled_in_is_bounded_by_the_file() {
        let stack = |length: usize, whole| {
            let text = format!(
                r#"{{"kind":"graph","inputs":[{{"name":"x","shape":[{length}]}}],"layers":[{{"name":"n","kind":"layerNorm","shape":[{length}],"weight":false,"bias":false,"from":["x"]}}],"outputs":["n"]}}"#
            );
            let (limits, mut faults) = (Limits::default(), Faults::default());
            let description = parse(text.as_bytes(), &limits, &mut faults).unwrap();
            let made = stacked(Layers { description, numbers: Vec::new() }, whole, &limits, &mut faults);
            made.map(|layers| layers.numbers.len())
        };
        assert_eq!(stack(16, true), Ok(2));
        assert_eq!(stack(1 << 30, true), Err(Refused(Code::Limit)));
        assert_eq!(stack(1 << 30, false), Ok(0));
    }
}
