//! Lowers a network written in PyTorch's words to Pontil's words.
//!
//! Whoever has a state dict writes down what stands in the `nn.Module`, class by class; the numbers keep PyTorch's names
//! and are turned by the importer, by the layer that holds them. What has to be done here is the order of axes: PyTorch has
//! channels first, Pontil channels last. Every value is followed with the order in which its axes lie ([`Value`]): layers
//! over windows take and give channels last, layers indifferent to the order keep it, layers whose result depends on it get
//! PyTorch's order back by a `permute`. `table` holds a row per class, `call` what the rows work with, `describe::args` the reading
//! of arguments, `ports` inputs and outputs. Called by [`lower`](super::lower()).

mod activation;
mod arithmetic;
mod call;
mod conv;
mod dense;
#[cfg(test)]
mod every_kind;
mod norm;
mod pad;
mod pool;
mod ports;
mod reduce;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod upsample;

use super::lower::{Ports, counted};
use super::lowering::{Lowering, Value};
use super::{Description, Form, Layer, at, nearest};
use crate::describe::args::{Args, TORCH_ALWAYS, fault};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use call::Call;
use std::collections::{HashMap, HashSet};

/// Every class of `torch.nn` and every function that can be written, by PyTorch's name.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    table::kinds()
}

/// Lowers a description in PyTorch's words.
pub(super) fn lower(description: &Description, ports: &Ports, faults: &mut Faults) -> Result<Description, Refused> {
    let mark = faults.mark();
    let inputs = ports::inputs(description);
    let from = connections(description, inputs.first().map_or("input", |input| input.name.as_str()));
    let layers = description.layers.iter().map(|layer| layer.name.clone());
    let taken: HashSet<String> = inputs.iter().map(|input| input.name.clone()).chain(layers).collect();
    let mut low = Lowering::new(taken, faults);

    let shown = ports::shown(description, &from);
    let mut values: HashMap<&str, Option<Value>> = HashMap::new();
    let mut lowered_inputs = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let name = input.name.as_str();
        let example = ports.examples.get(number).map(Vec::as_slice);
        let (port, value) = ports::input(input, example, ports, shown.get(name).copied().unwrap_or_default(), &mut low);
        lowered_inputs.push(port);
        if values.insert(&input.name, Some(value)).is_some() {
            let what = format!("the name {} is given to two inputs", quoted_str(&input.name));
            low.faults.push(at(input.position, Code::Connection, what).path(&input.name));
        }
    }
    for (layer, from) in description.layers.iter().zip(&from) {
        let value = one(layer, from, &values, &mut low);
        if values.insert(&layer.name, value).is_some() {
            low.faults.push(fault(layer, layer.position, Code::Connection, "its name is taken already"));
        }
    }
    let mut outputs = Vec::new();
    for output in ports::outputs(description) {
        match values.get(output.from.as_str()) {
            Some(Some(value)) => outputs.push(ports::output(&output, value, ports.layout, &mut low)),
            Some(None) => {}
            None => {
                let (name, from) = (quoted_str(&output.name), quoted_str(&output.from));
                let what = format!("output {name} comes from {from}, which is neither a layer nor an input");
                low.faults.push(at(output.position, Code::Connection, what).path(&output.name));
            }
        }
    }
    let layers = low.layers;
    counted(&ports.examples, &inputs, faults);
    faults.refused_since(mark)?;
    Ok(Description { form: Form::Graph, inputs: lowered_inputs, layers, outputs })
}

/// What each layer takes: as written, else the layer before, else the first input.
fn connections<'a>(description: &'a Description, first: &'a str) -> Vec<Vec<&'a str>> {
    let before = [first].into_iter().chain(description.layers.iter().map(|layer| layer.name.as_str()));
    let layers = description.layers.iter().zip(before);
    let one = |(layer, before): (&'a Layer, &'a str)| match layer.from.as_slice() {
        [] => vec![before],
        from => from.iter().map(String::as_str).collect(),
    };
    layers.map(one).collect()
}

/// Lowers one layer; none if it, or what it takes, was refused.
fn one(layer: &Layer, from: &[&str], values: &HashMap<&str, Option<Value>>, low: &mut Lowering) -> Option<Value> {
    let mut inputs = Vec::new();
    for name in from {
        let value = values.get(name);
        if value.is_none() {
            let what = format!("it takes {}, which is neither an input nor a layer before it", quoted_str(name));
            low.faults.push(fault(layer, layer.position, Code::Connection, &what));
        }
        inputs.push(value.cloned().flatten());
    }
    let Some(row) = table::find(&layer.kind) else {
        let unknown = unknown(layer, low.faults);
        low.faults.push(unknown);
        return None;
    };
    let (fewest, most) = row.takes;
    if !(fewest..=most).contains(&inputs.len()) {
        let wants = match (fewest, most) {
            (fewest, usize::MAX) => format!("{fewest} or more"),
            (fewest, most) if fewest == most => fewest.to_string(),
            (fewest, most) => format!("{fewest} or {most}"),
        };
        let what = format!("it takes {wants} values and is given {}", inputs.len());
        low.faults.push(fault(layer, layer.position, Code::Connection, &what));
        return None;
    }
    (row.lower)(&mut Call { layer, args: Args::new(layer, TORCH_ALWAYS), inputs, low })
}

fn unknown(layer: &Layer, faults: &Faults) -> Fault {
    if table::is_not_run(&layer.kind) {
        let what = "PyTorch has this class, but Pontil does not run it yet";
        return fault(layer, layer.position, Code::Unsupported, what);
    }
    let near =
        nearest(&layer.kind, table::kinds(), faults).map(|kind| format!("; the nearest is {kind}")).unwrap_or_default();
    fault(layer, layer.position, Code::Word, &format!("no class of torch.nn and no function that Pontil knows{near}"))
}
