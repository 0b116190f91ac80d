//! The loss that the host states, and the activation at the end of a graph that it takes over.

use super::build::Build;
use super::flow::Flow;
use crate::describe::{Layer, Value};
use crate::faults::{Code, Fault, Faults, quoted_str};
use crate::formats::onnx::Graph;
use crate::import::loss::activation;

/// What the host says of the loss.
#[derive(Clone, Copy)]
pub(super) struct Stated {
    /// The loss.
    pub(super) loss: Option<&'static str>,
    /// Whether it takes the last activation over.
    pub(super) lift: bool,
}

/// The loss that takes the end of a graph over, if that is asked for; refused where it can not.
pub(super) fn taken(stated: Stated, graph: &Graph, faults: &mut Faults) -> Option<&'static str> {
    if !stated.lift {
        return None;
    }
    let Some(loss) = stated.loss else {
        let message =
            "The option `lift_loss` wants the loss, which a graph does not say: state it by the option `loss`.";
        faults.push(Fault::new(Code::Absent, message).path("loss"));
        return None;
    };
    for port in graph.outputs.iter().skip(1) {
        let name = quoted_str(&port.name);
        let message = format!(
            "output '{name}' is one of several, and a loss takes the end of one over: leave the option `lift_loss` out."
        );
        faults.push(Fault::new(Code::Loss, message).path(&port.name).offset(port.offset));
    }
    Some(loss)
}

/// The value of the output without the activation that the loss applies; one that another loss applies is refused.
pub(super) fn lifted(build: &mut Build<'_, '_>, loss: &str, flow: Flow) -> Flow {
    let last = build.low.layers.last().filter(|last| last.name == flow.value.name);
    let Some(last) = last.filter(|last| matches!(&*last.kind, "sigmoid" | "softmax")) else { return flow };
    let Some(wanted) = activation(loss) else { return flow };
    if last.kind != wanted || !over_last(last, flow.each()) {
        let (name, kind) = (quoted_str(&last.name), &last.kind);
        let what = if last.kind == wanted { "over its last axis" } else { "there" };
        let message = format!("'{name}' ({kind}) ends the graph, and its loss, {loss}, wants {wanted} {what}.");
        let fault = Fault::new(Code::Loss, message).path(&last.name);
        build.low.faults.push(fault);
        return flow;
    }
    match build.low.layers.pop().and_then(|last| last.from.into_iter().next()) {
        Some(name) => Flow { value: crate::describe::lowering::Value { name, ..flow.value.clone() }, ..flow },
        None => flow,
    }
}

/// Whether a layer goes over the last axis of what reaches it, or over none.
fn over_last(layer: &Layer, each: usize) -> bool {
    let axis = layer.attributes.iter().find(|attribute| attribute.key == "axis").map(|attribute| &attribute.value);
    match axis {
        Some(Value::Int(axis)) => *axis == -1 || usize::try_from(*axis) == Ok(each),
        _ => true,
    }
}
