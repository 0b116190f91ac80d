//! The numbers of a network as an HDF5 model of Mocha: `<layer>___<parameter>`.

use super::{Target, datasets};
use crate::{
    describe::Op,
    faults::{Code, Fault, Faults, Refused, quoted_str},
    network::Network,
    progress::Progress,
    tensor::Tensor,
};
use std::collections::HashMap;

/// Writes the numbers of a network as Mocha and Caffe's exporter name them: `conv1___filter`, `ip1___weight`, `ip1___bias`, in
/// their order of axes. The network must have come from a file of Mocha, Caffe or PyTorch, and have no parameters but those of
/// inner products and convolutions. Layers that share parameters have them each; a tied layer has a weight as well, which
/// Mocha passes over.
pub fn mocha(network: &Network, target: Target<'_>, progress: &Progress, faults: &mut Faults) -> Result<(), Refused> {
    if !network.is_turned() {
        let message = "Mocha keeps numbers in PyTorch's order of axes, and this network has the library's own: import it from a \
                       file of Mocha, Caffe or PyTorch.";
        return Err(faults.refuse(Fault::new(Code::Unsupported, message)));
    }
    let Some(written) = network.written() else {
        return Err(faults.refuse(Fault::new(Code::Memory, "There is no memory for the numbers of the network.")));
    };
    let graph = network.graph();
    let by_path: HashMap<&[u8], &Tensor> = written.iter().map(|one| (one.path.as_bytes(), &one.tensor)).collect();
    let mark = faults.mark();
    let mut rows = Vec::new();
    for node in graph.nodes.iter().filter(|node| !node.slots.is_empty()) {
        let weight = match &node.op {
            Op::Dense { .. } => "weight",
            Op::Conv(conv) if conv.window.size.len() == 2 && conv.window.dilation.iter().all(|step| *step == 1) => {
                "filter"
            }
            _ => {
                let name = quoted_str(&node.name);
                let message = format!("Mocha has no layer with the parameters of '{name}'.");
                faults.push(Fault::new(Code::Unsupported, message).path(&node.name));
                continue;
            }
        };
        for (&slot, parameter) in node.slots.iter().zip([weight, "bias"]) {
            let tensor = graph.slots.get(slot).and_then(|slot| by_path.get(slot.path.as_bytes()));
            rows.extend(tensor.map(|tensor| (format!("{}___{parameter}", node.name), (*tensor).clone())));
        }
    }
    faults.refused_since(mark)?;
    datasets(&rows, target, progress, faults)
}
