//! The inputs of a model, in the axis order the host wants.

use super::{
    build::Hint,
    flow::{Flow, Kind},
    layer,
    model::Model,
};
use crate::{
    describe::{
        Input, Ports,
        lowering::{self, Axes, at_port},
    },
    faults::{Code, Fault, Faults, quoted_str},
    formats::json::Json,
    tensor::DType,
};

/// An input as the file says it.
pub(super) struct Port<'a> {
    pub(super) name: &'a str,
    /// Lengths in Keras's order, the batch left out; none if nothing says them.
    shape: Option<Vec<Option<usize>>>,
    /// The type its settings say.
    dtype: &'a str,
}

/// The inputs of the model at the top.
pub(super) fn named<'a>(model: &Model<'a>, faults: &mut Faults) -> Vec<Port<'a>> {
    let inputs = model.inputs().into_iter();
    let port = |(name, held): (&'a str, Option<&'a Json>)| {
        let stated = held.and_then(stated).or_else(|| model.built_for());
        let shape = stated.and_then(|stated| {
            let shape = lengths(stated);
            if shape.is_none() {
                let message = format!("input '{}' has a shape that is no list of lengths from 1 up.", quoted_str(name));
                faults.push(Fault::new(Code::Input, message).path(name));
            }
            shape
        });
        let dtype = held.and_then(|held| held.get("config")?.get("dtype")?.text());
        Port { name, shape, dtype: dtype.unwrap_or("float32") }
    };
    inputs.map(port).collect()
}

/// The shape that a layer says of its input: an input its own, a model within that of its first layer.
fn stated(held: &Json) -> Option<&Json> {
    let mut held = held;
    loop {
        let config = held.get("config")?;
        let own = config.get("batch_shape").or_else(|| config.get("batch_input_shape"));
        if let Some(own) = own.filter(|own| !own.is_null()) {
            return Some(own);
        }
        let model = Model::of(held).filter(|model| layer::is_model(held) && model.is_row());
        match model.and_then(|model| model.layers.first()) {
            Some(first) => held = first,
            None => return held.get("build_config")?.get("input_shape").filter(|shape| !shape.is_null()),
        }
    }
}

/// `[null, 28, 28, 1]` without the batch.
fn lengths(shape: &Json) -> Option<Vec<Option<usize>>> {
    let Json::List(items) = shape else { return None };
    let length = |item: &Json| match item {
        Json::Null => Some(None),
        other => usize::try_from(other.int()?).ok().filter(|&length| length > 0).map(Some),
    };
    items.get(1..)?.iter().map(length).collect()
}

/// An input as the description has it, and its value.
pub(super) fn input(
    port: &Port<'_>,
    number: usize,
    hint: Hint,
    ports: &Ports,
    faults: &mut Faults,
) -> Option<(Input, Flow)> {
    let example = ports.examples.get(number);
    let stated = port.shape.clone().or_else(|| example.map(|example| vec![None; example.len()]));
    let Some(lengths) = stated else {
        let message = format!("input '{}' has no shape: state that of one example.", quoted_str(port.name));
        faults.push(Fault::new(Code::Input, message).path(port.name));
        return None;
    };
    let dtype = match (hint.ids, port.dtype) {
        (false, _) => DType::F32,
        (true, "int64" | "uint32") => DType::I64,
        (true, _) => DType::I32,
    };
    let order = at_port(lengths.len(), hint.channel, ports.layout);
    let stated = Axes { order, lengths };
    let example = example.map(Vec::as_slice);
    let (input, value) = lowering::port(port.name, dtype, stated, example, faults)?;
    let kind = if hint.ids { Kind::Ids } else { Kind::Real };
    Some((input, Flow { origin: Some(number), is_input: true, kind, ..Flow::new(value) }))
}
