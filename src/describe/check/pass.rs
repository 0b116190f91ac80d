//! The values of a network: inputs as stated or guessed, then layer by layer.

use super::Made;
use super::connect::Wiring;
use super::guess::{first_readers, guess};
use crate::describe::shapes::{Lengths, infer};
use crate::describe::words::LONGEST;
use crate::describe::{Description, GraphValue, Layer, Op, at};
use crate::faults::{Code, Faults, quoted_str};
use crate::limits::Limits;
use crate::tensor::{DType, lengths_text};

/// Most axes of one example; a value has one more, the batch.
pub(crate) const MOST_AXES: usize = 15;

/// All values, of unknown shape where a fault or the description leaves it so; completes the operations.
pub(super) fn values(
    description: &Description,
    ops: &mut [Option<Made>],
    wiring: &Wiring,
    order: &[usize],
    limits: &Limits,
    faults: &mut Faults,
) -> Vec<GraphValue> {
    let mut values = inputs(description, ops, wiring, limits, faults);
    let inputs = values.len();
    values.resize(inputs + ops.len(), GraphValue { dtype: DType::F32, shape: None, batched: true });
    if wiring.inputs.is_empty() {
        return values;
    }
    for &number in order {
        let Some(made) = ops[number].as_mut() else { continue };
        let sources: Option<Vec<&GraphValue>> =
            wiring.sources[number].iter().map(|source| source.map(|source| &values[source])).collect();
        let fits = |sources: &Vec<&GraphValue>| (made.0.fewest..=made.0.most).contains(&sources.len());
        if let Some(sources) = sources.filter(fits) {
            values[inputs + number] = layer(&description.layers[number], made, &sources, limits, faults);
        }
    }
    for (place, (name, source)) in wiring.outputs.iter().enumerate() {
        if source.is_some_and(|source| !values[source].batched) {
            let position = description.outputs.get(place).map(|output| output.position).unwrap_or_default();
            let message = format!("output {} is a constant, the same for every example", quoted_str(name));
            faults.push(at(position, Code::Connection, message).path(name));
        }
    }
    values
}

/// The values of the inputs, their shapes guessed where not stated.
fn inputs(
    description: &Description,
    ops: &[Option<Made>],
    wiring: &Wiring,
    limits: &Limits,
    faults: &mut Faults,
) -> Vec<GraphValue> {
    let readers = first_readers(wiring);
    let value = |number: usize| {
        let (guessed, dtype) = guess(number, ops, &readers);
        let Some(input) = description.inputs.get(number) else {
            return GraphValue { dtype, shape: guessed, batched: true };
        };
        let name = quoted_str(&input.name);
        let mut complain = |code, message: String| faults.push(at(input.position, code, message).path(&input.name));
        if !matches!(input.dtype, DType::F32 | DType::I64 | DType::I32) {
            complain(Code::Input, format!("input {name} is of {}; an input is F32, I64 or I32", input.dtype.name()));
        }
        let mut shape = input.shape.clone().or(guessed);
        if shape.iter().flatten().any(|length| *length == Some(0)) {
            complain(Code::Input, format!("input {name} has an axis of no places"));
            shape = None;
        }
        if let Some(what) = shape.as_ref().and_then(|lengths| too_large(lengths, limits)) {
            complain(Code::Limit, format!("input {name} has {what}"));
            shape = None;
        }
        GraphValue { dtype: input.dtype, shape, batched: true }
    };
    (0..wiring.inputs.len()).map(value).collect()
}

/// The value a layer makes of as many values as it takes.
fn layer(
    layer: &Layer,
    (word, op): &mut Made,
    reaching: &[&GraphValue],
    limits: &Limits,
    faults: &mut Faults,
) -> GraphValue {
    let name = || format!("layer {} ({})", quoted_str(&layer.name), word.name);
    let mut complain = |code, message: String| faults.push(at(layer.position, code, message).path(&layer.name));
    let wants_wholes = matches!(op, Op::Embedding { .. });
    if let Some(value) = reaching.iter().find(|value| (value.dtype == DType::F32) == wants_wholes) {
        let wanted = if wants_wholes { "whole numbers (I64 or I32)" } else { "numbers of F32" };
        let found = value.dtype.name();
        complain(Code::LayerShape, format!("{} takes {wanted}; what reaches it is {found}", name()));
    }
    let mut shape = infer(op, reaching).unwrap_or_else(|takes| {
        let message = format!("{} takes {takes}; what reaches it is {}", name(), all_shown(reaching));
        complain(Code::LayerShape, message);
        None
    });
    if let Some(what) = shape.as_ref().and_then(|lengths| too_large(lengths, limits)) {
        complain(Code::Limit, format!("{} makes {what}", name()));
        shape = None;
    }
    GraphValue { dtype: DType::F32, shape, batched: reaching.iter().any(|value| value.batched) }
}

/// What is too large about a shape.
fn too_large(lengths: &Lengths, limits: &Limits) -> Option<String> {
    if lengths.len() > MOST_AXES {
        return Some(format!("{} axes, where the limit is {MOST_AXES}", lengths.len()));
    }
    if let Some(length) = lengths.iter().flatten().find(|&&length| length as u64 > LONGEST as u64) {
        return Some(format!("an axis of {length}, where the limit is {LONGEST}"));
    }
    let bytes = lengths.iter().flatten().fold(4u64, |bytes, &length| bytes.saturating_mul(length as u64));
    let most = limits.tensor_bytes;
    (bytes > most)
        .then(|| format!("{} numbers in one example, more than the {most} bytes of the limit", lengths_text(lengths)))
}

/// The shapes that reach a layer, the first few of many.
fn all_shown(values: &[&GraphValue]) -> String {
    const MOST: usize = 8;
    let one = |value: &&GraphValue| {
        value.shape.as_ref().map_or_else(|| "of no known shape".into(), |lengths| lengths_text(lengths))
    };
    let shapes: Vec<String> = values.iter().take(MOST).map(one).collect();
    let more = if values.len() > MOST { " and more" } else { "" };
    shapes.join(", ") + more
}
