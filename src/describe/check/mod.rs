//! The check that makes a [`Graph`] of a description: words and settings, names and connections, order, shapes, slots.
//!
//! Every step goes on after a fault with what is still known, so that one call tells all faults.

mod connect;
mod guess;
mod order;
mod pass;
mod slots;

use super::words::{Settings, nearest, word, words};
use super::{Description, Form, Graph, Layer, Node, Op, Port, Word, at};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::limits::Limits;
use connect::{Wiring, wire};

pub(crate) use order::{round, running};
pub(crate) use pass::MOST_AXES;

/// The word of a layer and the operation its settings make of it.
type Made = (&'static Word, Op);

impl Graph {
    /// Checks a description in Pontil's words: a stack, a graph or a network written as code. All faults are told at once.
    pub fn of(description: &Description, limits: &Limits, faults: &mut Faults) -> Result<Graph, Refused> {
        let mark = faults.mark();
        if matches!(description.form, Form::Torch | Form::Mocha) {
            let message = "a description in PyTorch's or Mocha's words must be lowered to Pontil's words first";
            return Err(faults.refuse(Fault::new(Code::State, message)));
        }
        bounded(description, limits, faults)?;
        let layers = &description.layers;
        let mut ops: Vec<Option<Made>> = layers.iter().map(|layer| operation(layer, faults)).collect();
        let (slots, slots_of) = slots::gather(description, &ops, limits, faults);
        let wiring = wire(description, faults);
        let runs = description.form != Form::Code;
        let order = if runs { order::order(description, &wiring, faults) } else { (0..layers.len()).collect() };
        if runs {
            arity(description, &ops, &wiring, faults);
        }
        let values = pass::values(description, &mut ops, &wiring, &order, limits, faults);
        faults.refused_since(mark)?;

        let node = |&layer: &usize| {
            Some(Node {
                name: layers[layer].name.clone(),
                op: ops[layer].take()?.1,
                inputs: wiring.sources[layer].iter().copied().flatten().collect(),
                output: wiring.inputs.len() + layer,
                slots: slots_of[layer].clone(),
                layer,
            })
        };
        let inputs = wiring.inputs.iter().enumerate().map(|(value, name)| Port { name: name.clone(), value });
        let output = |(name, value): &(String, Option<usize>)| Some(Port { name: name.clone(), value: (*value)? });
        Ok(Graph {
            nodes: order.iter().filter_map(node).collect(),
            inputs: inputs.collect(),
            outputs: wiring.outputs.iter().filter_map(output).collect(),
            values,
            slots,
            runs,
        })
    }
}

/// Most layers: no network has nearly as many, and the time of a check is bounded.
const MOST_LAYERS: usize = 50_000;

/// What no work is begun with: more layers or entries than the limits.
pub(super) fn bounded(description: &Description, limits: &Limits, faults: &mut Faults) -> Result<(), Refused> {
    let layers = description.layers.len();
    if layers > MOST_LAYERS {
        let message = format!("a description of {layers} layers, where the limit is {MOST_LAYERS}");
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    let of_layers: usize = description.layers.iter().map(|layer| 1 + layer.from.len() + layer.attributes.len()).sum();
    let entries = description.inputs.len() + of_layers + description.outputs.len();
    if entries > limits.entries {
        let message = format!("a description of {entries} entries, where the limit is {}", limits.entries);
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    Ok(())
}

/// The word and operation of a layer.
fn operation(layer: &Layer, faults: &mut Faults) -> Option<Made> {
    if faults.is_full() {
        return None;
    }
    let Some(word) = word(&layer.kind) else {
        let near = nearest(&layer.kind, words().iter().map(|word| word.name), faults);
        let advice = near.map_or_else(String::new, |near| format!("; the nearest word is \"{near}\""));
        let (kind, name) = (quoted_str(&layer.kind), quoted_str(&layer.name));
        let message = format!("layer {name}: no layer word is called \"{kind}\"{advice}");
        faults.push(at(layer.position, Code::Word, message).path(&layer.name));
        return None;
    };
    let settings = Settings::check(word, layer, faults)?;
    word.make(&settings).map_err(|clash| faults.push(settings.clash(&clash))).ok().map(|op| (word, op))
}

/// Whether each layer takes as many values as it is given.
fn arity(description: &Description, ops: &[Option<Made>], wiring: &Wiring, faults: &mut Faults) {
    for ((layer, op), sources) in description.layers.iter().zip(ops).zip(&wiring.sources) {
        let Some((word, _)) = op else { continue };
        if !(word.fewest..=word.most).contains(&sources.len()) {
            let wanted = match (word.fewest, word.most) {
                (fewest, usize::MAX) => format!("{fewest} or more values"),
                (1, 1) => "one value".into(),
                (fewest, _) => format!("{fewest} values"),
            };
            let name = quoted_str(&layer.name);
            let message = format!("layer {name} ({}) takes {wanted} and is given {}", word.name, sources.len());
            faults.push(at(layer.position, Code::Connection, message).path(&layer.name));
        }
    }
}
