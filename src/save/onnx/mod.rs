//! A network as an ONNX file that any runtime of ONNX answers alike.
//!
//! `draft` is the graph as it grows: nodes, tensors, names. Every layer becomes nodes in `word`, by the family of its operation
//! (`linear`, `window`, `pool`, `norm`, `function`, `axes`, `places`), written with `layer`: what it takes, how the axes of that
//! lie, the numbers it holds. Pontil keeps channels last, ONNX first: a value remembers the order in which its axes lie, a permute
//! is another name for them, and a Transpose stands only where an operator wants another order. `ports` are inputs and outputs.
//! The file goes out in one pass: numbers are turned and written one tensor at a time, those that lie as ONNX wants them are
//! never copied.

mod axes;
mod draft;
mod function;
mod layer;
mod linear;
mod norm;
mod places;
mod pool;
mod ports;
mod window;
mod word;

use super::target::{Sink, Target};
use crate::{
    faults::{Code, Fault, Faults, Refused},
    formats::onnx::write::{model_head, node, tensor_head},
    network::Network,
    progress::Progress,
};
use draft::Draft;

/// The version of the operators that is written.
const OPSET: i64 = 20;

/// Bytes of a protobuf message at most: readers count them in 31 bits.
const MOST: u64 = (1 << 31) - 1;

/// Writes a network as ONNX (operators of version 20, the batch of any length, all numbers in the file). Its ports have the
/// axis order of the network's description; `notes` become its properties. A layer that ONNX can not express is a fault under its name; all are told at once.
/// More than 2 GiB is refused, which is what one such file holds. After a fault a path holds what it held before, and memory too.
pub fn onnx(
    network: &Network,
    notes: &[(&str, &str)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    let mut draft = drafted(network);
    faults.append(std::mem::take(&mut draft.faults));
    faults.refused_since(mark)?;
    let mut nodes = Vec::new();
    for made in &draft.nodes {
        let inputs: Vec<&str> = made.inputs.iter().map(|id| draft.name(*id)).collect();
        node(made.op, &made.name, &inputs, draft.name(made.output), &made.attributes, &mut nodes);
    }
    let ports = ports::written(network.graph(), &draft);
    let heads: Vec<(Vec<u8>, u64)> = draft
        .tensors
        .iter()
        .map(|tensor| {
            let bytes = tensor.bytes();
            (tensor_head(draft.name(tensor.id), tensor.elements(), &tensor.shape(), bytes), bytes)
        })
        .collect();
    let inner =
        (nodes.len() + ports.len()) as u64 + heads.iter().map(|(head, bytes)| head.len() as u64 + bytes).sum::<u64>();
    let head = model_head(OPSET, ("pontil", env!("CARGO_PKG_VERSION")), notes, "network", inner);
    let total = head.len() as u64 + inner;
    if total > MOST {
        let message = format!(
            "The file would have {total} bytes, and one of ONNX holds at most {MOST}: save the numbers as safetensors instead."
        );
        return Err(faults.refuse(Fault::new(Code::Limit, message)));
    }
    let mut sink = Sink::open(target, total, faults)?;
    let mut write = || {
        let mut done = 0;
        let mut put = |sink: &mut Sink<'_>, piece: &[u8], faults: &mut Faults| {
            progress.at(done, total, faults)?;
            done += piece.len() as u64;
            sink.write(piece, faults)
        };
        for piece in [&head, &nodes, &ports] {
            put(&mut sink, piece, faults)?;
        }
        for (tensor, (head, _)) in draft.tensors.iter().zip(&heads) {
            put(&mut sink, head, faults)?;
            tensor.numbers(network, faults, |bytes, faults| put(&mut sink, bytes, faults))?;
        }
        progress.at(total, total, faults)
    };
    match write() {
        Ok(()) => sink.finish(faults),
        Err(refused) => {
            sink.undo();
            Err(refused)
        }
    }
}

/// The graph of a network, as much of it as can be expressed; the rest are faults.
fn drafted(network: &Network) -> Draft<'_> {
    let mut draft = Draft::new(network);
    let graph = network.graph();
    if !graph.runs {
        let message = "The description does not say in which order its layers run: there is no graph to write.";
        draft.faults.push(Fault::new(Code::State, message));
        return draft;
    }
    ports::inputs(graph, &mut draft);
    for node in &graph.nodes {
        if node.inputs.iter().all(|value| draft.has(*value)) {
            word::write(&mut draft, node);
        }
    }
    ports::outputs(graph, &mut draft);
    draft
}
