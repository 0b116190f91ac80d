//! The check that makes a [`Graph`] of a description: words and settings, names and connections, order, shapes, slots.
//!
//! Every step goes on after a fault with what is still known, so that one call tells all faults.

mod connect;
mod guess;
mod order;
mod slots;

use super::shapes::{Lengths, infer};
use super::words::{LONGEST, Settings, nearest, word, words};
use super::{Description, Form, Graph, GraphValue, Layer, Node, Op, Port, Word, at};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::limits::Limits;
use crate::tensor::DType;
use connect::{Wiring, wire};
use guess::{first_readers, guess};

/// Most axes of a value, the batch included.
const MOST_AXES: usize = 16;

impl Graph {
    /// Checks a description in Pontil's words: a stack, a graph or a network written as code. All faults are told at once.
    pub fn of(description: &Description, limits: &Limits, faults: &mut Faults) -> Result<Graph, Refused> {
        let mark = faults.mark();
        if description.form == Form::Torch {
            let message = "a description in PyTorch's words must be lowered to Pontil's words first";
            return Err(faults.refuse(Fault::new(Code::State, message)));
        }
        let references: usize = description.layers.iter().map(|layer| layer.from.len() + layer.attributes.len()).sum();
        let entries = description.inputs.len() + description.layers.len() + description.outputs.len() + references;
        if entries > limits.entries {
            let message = format!("a description of {entries} entries, where the limit is {}", limits.entries);
            return Err(faults.refuse(Fault::new(Code::Limit, message)));
        }
        let mut ops: Vec<Option<(&Word, Op)>> =
            description.layers.iter().map(|layer| operation(layer, faults)).collect();
        let (slots, slots_of) = slots::gather(description, &ops, limits, faults);
        let wiring = wire(description, faults);
        arity(description, &ops, &wiring, faults);
        let runs = description.form != Form::Code;
        let order = if runs { order::order(description, &wiring, faults) } else { (0..ops.len()).collect() };
        let mut values = inputs(description, &ops, &wiring, faults);
        let unknown = GraphValue { dtype: DType::F32, shape: None, batched: true };
        values.resize(wiring.inputs + ops.len(), unknown);
        if runs {
            for &layer in &order {
                shape(&description.layers[layer], ops[layer].as_mut(), layer, &wiring, &mut values, limits, faults);
            }
            outputs(description, &wiring, &values, faults);
        }
        faults.refused_since(mark)?;

        let made: Option<Vec<Op>> = ops.into_iter().map(|op| op.map(|(_, op)| op)).collect();
        let mut made: Vec<Option<Op>> = made.unwrap_or_default().into_iter().map(Some).collect();
        let node = |layer: usize| {
            Some(Node {
                name: description.layers[layer].name.clone(),
                op: made.get_mut(layer)?.take()?,
                inputs: wiring.sources[layer].iter().copied().flatten().collect(),
                output: wiring.inputs + layer,
                slots: slots_of[layer].clone(),
                layer,
            })
        };
        let port = |(value, name): (usize, &str)| Port { name: name.to_owned(), value };
        let outputs = wiring.outputs.iter().filter_map(|(name, source)| Some(port(((*source)?, name.as_str()))));
        Ok(Graph {
            nodes: order.iter().copied().filter_map(node).collect(),
            inputs: if runs {
                wiring.input_names.iter().map(String::as_str).enumerate().map(port).collect()
            } else {
                vec![]
            },
            outputs: outputs.collect(),
            values,
            slots,
            runs,
        })
    }
}

/// The word and operation of a layer.
fn operation(layer: &Layer, faults: &mut Faults) -> Option<(&'static Word, Op)> {
    let Some(word) = word(&layer.kind) else {
        let near = nearest(&layer.kind, words().iter().map(|word| word.name));
        let advice = near.map_or_else(String::new, |near| format!("; the nearest word is \"{near}\""));
        let (kind, name) = (quoted_str(&layer.kind), quoted_str(&layer.name));
        let message = format!("layer {name}: no layer word is called \"{kind}\"{advice}");
        faults.push(at(layer.position, Code::Word, message).path(&layer.name));
        return None;
    };
    let settings = Settings::check(word, layer, faults)?;
    word.make(&settings).map_err(|clash| faults.push(settings.clash(&clash))).ok().map(|op| (word, op))
}

/// How many values each layer takes.
fn arity(description: &Description, ops: &[Option<(&Word, Op)>], wiring: &Wiring, faults: &mut Faults) {
    if description.form == Form::Code {
        return;
    }
    for ((layer, op), sources) in description.layers.iter().zip(ops).zip(&wiring.sources) {
        let Some((word, _)) = op else { continue };
        let count = if word.most == 0 { layer.from.len() } else { sources.len() };
        if !(word.fewest..=word.most).contains(&count) {
            let wanted = match (word.fewest, word.most) {
                (fewest, usize::MAX) => format!("{fewest} or more values"),
                (1, 1) => "one value".into(),
                (fewest, _) => format!("{fewest} values"),
            };
            let name = quoted_str(&layer.name);
            let message = format!("layer {name} ({}) takes {wanted} and is given {count}", word.name);
            faults.push(at(layer.position, Code::Connection, message).path(&layer.name));
        }
    }
}

/// The values of the inputs, their shapes guessed where not stated.
fn inputs(
    description: &Description,
    ops: &[Option<(&Word, Op)>],
    wiring: &Wiring,
    faults: &mut Faults,
) -> Vec<GraphValue> {
    let readers = first_readers(wiring);
    let value = |number: usize| {
        let (guessed, dtype) = guess(number, ops, &readers);
        let Some(input) = description.inputs.get(number) else {
            return GraphValue { dtype, shape: guessed, batched: true };
        };
        let name = quoted_str(&input.name);
        let mut complain = |message: String| faults.push(at(input.position, Code::Input, message).path(&input.name));
        if !matches!(input.dtype, DType::F32 | DType::I64 | DType::I32) {
            complain(format!("input {name} is of {}; an input is F32, I64 or I32", input.dtype.name()));
        }
        let lengths = input.shape.iter().flatten().flatten();
        if let Some(length) = lengths.copied().find(|&length| length == 0 || length as u64 > LONGEST as u64) {
            complain(format!("input {name} has an axis of {length}; a length is from 1 to {LONGEST}"));
            return GraphValue { dtype: input.dtype, shape: None, batched: true };
        }
        GraphValue { dtype: input.dtype, shape: input.shape.clone().or(guessed), batched: true }
    };
    (0..wiring.inputs).map(value).collect()
}

/// The value a layer makes.
fn shape(
    layer: &Layer,
    op: Option<&mut (&Word, Op)>,
    number: usize,
    wiring: &Wiring,
    values: &mut [GraphValue],
    limits: &Limits,
    faults: &mut Faults,
) {
    let Some((word, op)) = op else { return };
    let reaching: Option<Vec<&GraphValue>> =
        wiring.sources[number].iter().map(|source| source.map(|source| &values[source])).collect();
    let Some(reaching) = reaching.filter(|reaching| (word.fewest..=word.most).contains(&reaching.len())) else {
        return;
    };
    let name = format!("layer {} ({})", quoted_str(&layer.name), word.name);
    let mut complain = |code, message: String| faults.push(at(layer.position, code, message).path(&layer.name));
    let wants_wholes = matches!(op, Op::Embedding { .. });
    if let Some(value) = reaching.iter().find(|value| (value.dtype == DType::F32) == wants_wholes) {
        let wanted = if wants_wholes { "whole numbers (I64 or I32)" } else { "numbers of F32" };
        complain(Code::LayerShape, format!("{name} takes {wanted}; what reaches it is {}", value.dtype.name()));
    }
    let batched =
        reaching.is_empty() && !matches!(op, Op::Constant { .. }) || reaching.iter().any(|value| value.batched);
    let shape = match infer(op, &reaching) {
        Ok(shape) => shape,
        Err(takes) => {
            let shapes: Vec<String> = reaching.iter().take(8).map(|value| shown(value.shape.as_ref())).collect();
            let more = if reaching.len() > shapes.len() { " and more" } else { "" };
            let shapes = shapes.join(", ");
            complain(Code::LayerShape, format!("{name} takes {takes}; what reaches it is {shapes}{more}"));
            None
        }
    };
    let shape = match shape.as_ref().and_then(|lengths| too_large(lengths, limits)) {
        Some(what) => {
            complain(Code::Limit, format!("{name} makes {what}"));
            None
        }
        None => shape,
    };
    values[wiring.inputs + number] = GraphValue { dtype: DType::F32, shape, batched };
}

/// What is too large about a shape.
fn too_large(lengths: &Lengths, limits: &Limits) -> Option<String> {
    if lengths.len() >= MOST_AXES {
        return Some(format!("{} axes, where the limit is {}", lengths.len(), MOST_AXES - 1));
    }
    if let Some(length) = lengths.iter().flatten().find(|&&length| length as u64 > LONGEST as u64) {
        return Some(format!("an axis of {length}, where the limit is {LONGEST}"));
    }
    let known = lengths.iter().flatten();
    let bytes = known.fold(4u64, |bytes, &length| bytes.saturating_mul(length as u64));
    (bytes > limits.tensor_bytes).then(|| {
        format!(
            "{} numbers for one example, more than the {} bytes of the limit",
            shown(Some(lengths)),
            limits.tensor_bytes
        )
    })
}

/// The outputs: values that differ from example to example.
fn outputs(description: &Description, wiring: &Wiring, values: &[GraphValue], faults: &mut Faults) {
    for (place, (name, source)) in wiring.outputs.iter().enumerate() {
        if source.is_some_and(|source| !values[source].batched) {
            let position = description.outputs.get(place).map(|output| output.position).unwrap_or_default();
            let message = format!("output {} is a constant, the same for every example", quoted_str(name));
            faults.push(at(position, Code::Connection, message).path(name));
        }
    }
}

/// A shape as a message shows it: free lengths as `?`.
fn shown(shape: Option<&Lengths>) -> String {
    let Some(lengths) = shape else { return "of no known shape".into() };
    if lengths.is_empty() {
        return "scalar".into();
    }
    let shown: Vec<String> =
        lengths.iter().take(MOST_AXES).map(|length| length.map_or("?".into(), |length| length.to_string())).collect();
    shown.join("x")
}
