//! What a loss puts behind the end of a network when it predicts.

use crate::{answer::CALLERS, args::RunArgs, array::Output, run};
use pontil::{
    describe::{self, Graph, Op, Unary},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    limits::Limits,
    network::Network,
    tensor::Tensor,
};
use serde_json::json;

/// The word of the layer that a loss stands for; none changes nothing.
pub fn of(loss: Option<&str>) -> Option<&'static str> {
    match loss {
        Some("crossEntropy" | "earthMoversDistance") => Some("softmax"),
        Some("binaryCrossEntropy") => Some("sigmoid"),
        _ => None,
    }
}

/// Refuses a word that would be applied twice, or over an axis that nothing names.
pub fn check(word: &str, graph: &Graph, faults: &mut Faults) -> Result<(), Refused> {
    let mark = faults.mark();
    for port in &graph.outputs {
        let node = graph.nodes.iter().find(|node| node.output == port.value);
        let name = quoted_str(&port.name);
        let twice = node.is_some_and(|node| match node.op {
            Op::Unary(Unary::Sigmoid) => word == "sigmoid",
            Op::Softmax { .. } => word == "softmax",
            _ => false,
        });
        if twice {
            let message = format!(
                "The output '{name}' is after a {word} already, which the loss would apply again: leave `--loss` out."
            );
            faults.push(Fault::new(Code::Loss, message).path(&port.name));
        }
        let axes = graph.values[port.value].shape.as_ref().map_or(1, Vec::len);
        if word == "softmax" && axes != 1 {
            let message = format!(
                "The output '{name}' has {axes} axes an example, and the loss does not say along which of them its softmax \
                 runs: leave `--loss` out."
            );
            faults.push(Fault::new(Code::Loss, message).path(&port.name));
        }
    }
    faults.refused_since(mark).map_err(|_| CALLERS)
}

/// Puts the layer of this word behind `output`.
pub fn apply(word: &str, output: &mut Output, args: &RunArgs, faults: &mut Faults) -> Result<(), Refused> {
    let (batch, each) = (output.shape[0], &output.shape[1..]);
    let text = json!({ "kind": "graph", "inputs": [{ "name": "x", "shape": each }], "layers": [{ "name": "y", "kind": word }] });
    let limits = Limits::default();
    let description = describe::parse(text.to_string().as_bytes(), &limits, faults)?;
    let network = Network::build(&description, &[], &limits, faults)?;
    let input = Tensor::filled_f32(output.shape.clone(), |to| to.copy_from_slice(&output.numbers));
    let input = input.ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "There is no memory for the outputs.")))?;
    for made in run::run(&network, &[input], batch, args, faults)? {
        output.numbers = made.numbers;
    }
    Ok(())
}
