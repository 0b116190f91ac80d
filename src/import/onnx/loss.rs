//! The loss that the host states, and whether it takes the end of a graph over.

use crate::faults::{Code, Fault, Faults, quoted_str};
use crate::formats::onnx::Graph;

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
