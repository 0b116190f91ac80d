//! Inputs and outputs, in the order and with the names of the description.

use super::draft::{Draft, Value};
use crate::{
    describe::{Graph, GraphValue},
    formats::onnx::write::{Axis, Elements, port},
    tensor::DType,
};

pub(super) fn inputs(graph: &Graph, draft: &mut Draft<'_>) {
    for port in &graph.inputs {
        let order = graph.values[port.value].shape.as_ref().map(|lengths| (0..lengths.len()).collect());
        let id = draft.port(&port.name);
        draft.set(port.value, Value { id, order });
    }
}

/// Gives each output its name: to what a node makes, if nothing else is called so; else by an `Identity`.
pub(super) fn outputs(graph: &Graph, draft: &mut Draft<'_>) {
    let mut named = Vec::new();
    for port in &graph.outputs {
        let Some(value) = draft.get(port.value) else { continue };
        if !graph.values[port.value].batched {
            draft.refuse(&port.name, "it is an output, and the same whatever goes into the network");
            continue;
        }
        let order: Vec<usize> = (0..value.order.as_ref().map_or(0, Vec::len)).collect();
        let plain = if value.order.is_some() { draft.turn(&port.name, &value, &order) } else { value };
        let made = draft.nodes.iter().any(|node| node.output == plain.id) && !named.contains(&plain.id);
        let id = if made { plain.id } else { draft.node(&port.name, "Identity", &[plain.id], Vec::new()) };
        draft.rename_to_port(id, &port.name);
        named.push(id);
    }
}

/// All ports as fields of the graph.
pub(super) fn written(graph: &Graph, draft: &Draft<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let ports = graph.inputs.iter().map(|port| (true, port)).chain(graph.outputs.iter().map(|port| (false, port)));
    for (is_input, of) in ports.filter(|(_, of)| draft.has(of.value)) {
        let value = &graph.values[of.value];
        let elements = match value.dtype {
            DType::I64 => Elements::Wholes,
            DType::I32 => Elements::Wholes32,
            _ => Elements::Singles,
        };
        port(is_input, &of.name, elements, axes(&of.name, value).as_deref(), &mut out);
    }
    out
}

/// The batch of any length, then those of one example; open ones are called by the port and their place.
fn axes(name: &str, value: &GraphValue) -> Option<Vec<Axis>> {
    let each = value.shape.as_ref()?.iter().enumerate().map(|(place, length)| match length {
        Some(length) => Axis::Length(*length),
        None => Axis::Named(format!("{name}_{}", place + 1)),
    });
    Some([Axis::Named("batch".into())].into_iter().chain(each).collect())
}
