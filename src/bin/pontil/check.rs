//! `pontil check`: everything of a file is read, and put into its network where there is one.

use crate::{answer::Answer, args::FileArgs, open};
use pontil::faults::{Faults, Refused};
use serde_json::json;

/// Runs the command.
pub fn run(args: &FileArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let import = open::import(args, faults)?;
    let tensors = import.entries().len();
    let bytes: u64 = import.entries().iter().map(|entry| entry.bytes).sum();
    let mut text = format!("OK: {}, {tensors} tensors, {bytes} bytes", import.format());
    let mut json = json!({ "ok": true, "format": import.format(), "tensors": tensors, "bytes": bytes });
    if open::layers(&import, faults)?.is_none() {
        import.params(faults)?;
    } else {
        let network = import.network(faults)?;
        let graph = network.graph();
        let (layers, slots) = (graph.nodes.len(), graph.slots.len());
        let numbers: usize = network.numbers().iter().map(|tensor| tensor.count()).sum();
        text += &format!("; {layers} layers, {slots} slots, {numbers} numbers");
        json["layers"] = json!(layers);
        json["slots"] = json!(slots);
        json["numbers"] = json!(numbers);
    }
    Ok(Answer::new(text, json))
}
