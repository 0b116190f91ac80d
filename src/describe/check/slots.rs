//! The slots of all layers, in the order of the layers as written; a path in common stands once.

use super::Made;
use crate::describe::{Description, Slot, SlotId, at};
use crate::faults::{Argument, Code, Faults, quoted_str};
use crate::limits::Limits;
use crate::tensor::{DType, count, shape_text};
use std::collections::HashMap;

/// All slots, and for each layer the numbers of its own.
pub(super) fn gather(
    description: &Description,
    ops: &[Option<Made>],
    limits: &Limits,
    faults: &mut Faults,
) -> (Vec<Slot>, Vec<Vec<SlotId>>) {
    let mut slots: Vec<Slot> = Vec::new();
    let mut known: HashMap<String, SlotId> = HashMap::new();
    let mut of_layers = Vec::with_capacity(ops.len());
    for (layer, op) in description.layers.iter().zip(ops) {
        let mut own = Vec::new();
        for (name, role, shape) in op.iter().flat_map(|(_, op)| op.slots()) {
            let path = format!("{}.{name}", layer.slots.as_deref().unwrap_or(&layer.name));
            let slot = Slot { path, role, shape };
            let quoted = || format!("layer {}: slot {}", quoted_str(&layer.name), quoted_str(&slot.path));
            let bytes = count(&slot.shape).and_then(|count| DType::F32.bytes(count));
            if bytes.is_none_or(|bytes| bytes as u64 > limits.tensor_bytes) {
                let (shape, most) = (shape_text(&slot.shape), limits.tensor_bytes);
                let message = format!("{} of {shape} is more than the {most} bytes of the limit", quoted());
                faults.push(at(layer.position, Code::Limit, message).path(&slot.path));
                continue;
            }
            if let Some(&first) = known.get(&slot.path) {
                if slots[first] != slot {
                    let (this, other) = (shape_text(&slot.shape), shape_text(&slots[first].shape));
                    let message = format!("{} of {this} is shared with another layer, whose is {other}", quoted());
                    let fault = at(layer.position, Code::SlotShape, message).path(&slot.path);
                    faults.push(fault.argument("shape", Argument::Shape(slot.shape)));
                }
                own.push(first);
                continue;
            }
            known.insert(slot.path.clone(), slots.len());
            own.push(slots.len());
            slots.push(slot);
        }
        of_layers.push(own);
    }
    (slots, of_layers)
}
