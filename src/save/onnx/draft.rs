//! The graph as it grows: nodes, tensors, and a name for every value.

use crate::{
    describe::{Graph, SlotId, ValueId},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::onnx::write::{Elements, Written},
    network::Network,
};
use std::collections::{HashMap, HashSet};

/// Number of a value of the ONNX graph.
pub(super) type Id = usize;

/// A value of the network in the ONNX graph. It has the batch in front, or an axis of length 1 where it has no batch.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) id: Id,
    /// Which axis of one example each axis behind the batch is; none where their number is not known, and they lie in order.
    pub(super) order: Option<Vec<usize>>,
}

/// A node.
pub(super) struct Made {
    pub(super) op: &'static str,
    pub(super) name: String,
    pub(super) inputs: Vec<Id>,
    pub(super) output: Id,
    pub(super) attributes: Vec<(&'static str, Written)>,
}

/// A tensor with a name.
pub(super) struct Held {
    pub(super) id: Id,
    pub(super) numbers: Numbers,
}

/// The numbers of a tensor.
pub(super) enum Numbers {
    /// Those of a slot under other lengths, their axes in another order.
    Slot { slot: SlotId, lengths: Vec<usize>, order: Vec<usize> },
    /// Singles.
    Singles { shape: Vec<usize>, numbers: Vec<f32> },
    /// Whole numbers, as a list or one alone.
    Wholes { shape: Vec<usize>, numbers: Vec<i64> },
}

impl Held {
    pub(super) fn elements(&self) -> Elements {
        match self.numbers {
            Numbers::Wholes { .. } => Elements::Wholes,
            _ => Elements::Singles,
        }
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        match &self.numbers {
            Numbers::Slot { lengths, order, .. } => order.iter().map(|axis| lengths[*axis]).collect(),
            Numbers::Singles { shape, .. } | Numbers::Wholes { shape, .. } => shape.clone(),
        }
    }

    /// How many bytes its numbers are.
    pub(super) fn bytes(&self) -> u64 {
        match &self.numbers {
            Numbers::Slot { lengths, .. } => lengths.iter().map(|length| *length as u64).product::<u64>() * 4,
            Numbers::Singles { numbers, .. } => numbers.len() as u64 * 4,
            Numbers::Wholes { numbers, .. } => numbers.len() as u64 * 8,
        }
    }

    /// Hands its numbers over; those of a slot as they lie, if they lie as wanted.
    pub(super) fn numbers(
        &self,
        network: &Network,
        faults: &mut Faults,
        mut put: impl FnMut(&[u8], &mut Faults) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let bytes: Vec<u8> = match &self.numbers {
            Numbers::Slot { slot, lengths, order } => {
                let turned = network.number(*slot).reshaped(lengths.clone());
                let turned = turned.and_then(|turned| turned.permuted(order)?.to_packed());
                let path = &network.graph().slots[*slot].path;
                let Some(bytes) = turned.as_ref().and_then(|turned| turned.packed_bytes()) else {
                    let message = format!("'{}' can not be turned: there is no memory for it.", quoted_str(path));
                    return Err(faults.refuse(Fault::new(Code::Memory, message).path(path)));
                };
                return put(bytes, faults);
            }
            Numbers::Singles { numbers, .. } => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Numbers::Wholes { numbers, .. } => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        };
        put(&bytes, faults)
    }
}

/// The graph as it grows.
pub(super) struct Draft<'a> {
    pub(super) network: &'a Network,
    pub(super) faults: Faults,
    pub(super) nodes: Vec<Made>,
    pub(super) tensors: Vec<Held>,
    names: Vec<String>,
    taken: HashSet<String>,
    /// What the network's values are in here.
    values: HashMap<ValueId, Value>,
    /// Values with their axes turned, by the order they lie in.
    turned: HashMap<(Id, Vec<usize>), Id>,
    /// Slots that stand as tensors, by how they are turned.
    slots: HashMap<(SlotId, Vec<usize>, Vec<usize>), Id>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(network: &'a Network) -> Draft<'a> {
        let ports = network.graph().inputs.iter().chain(&network.graph().outputs);
        Draft {
            network,
            faults: Faults::default(),
            nodes: Vec::new(),
            tensors: Vec::new(),
            names: Vec::new(),
            taken: ports.map(|port| port.name.clone()).collect(),
            values: HashMap::new(),
            turned: HashMap::new(),
            slots: HashMap::new(),
        }
    }

    pub(super) fn graph(&self) -> &'a Graph {
        self.network.graph()
    }

    /// A new value of this name, which is that of a port.
    pub(super) fn port(&mut self, name: &str) -> Id {
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// A new value of this name, or one like it if it is taken.
    pub(super) fn value(&mut self, name: &str) -> Id {
        let name = self.unique(name);
        self.port(&name)
    }

    fn unique(&mut self, name: &str) -> String {
        let mut found = name.to_owned();
        let mut number = 1;
        while found.is_empty() || !self.taken.insert(found.clone()) {
            number += 1;
            found = format!("{name}_{number}");
        }
        found
    }

    pub(super) fn name(&self, id: Id) -> &str {
        &self.names[id]
    }

    /// A value that is left out.
    pub(super) fn empty(&mut self) -> Id {
        self.port("")
    }

    /// Another name for a value that a node makes.
    pub(super) fn rename(&mut self, id: Id, name: &str) {
        let name = self.unique(name);
        self.names[id] = name;
    }

    /// The same, where the name is that of a port.
    pub(super) fn rename_to_port(&mut self, id: Id, name: &str) {
        name.clone_into(&mut self.names[id]);
    }

    pub(super) fn has(&self, value: ValueId) -> bool {
        self.values.contains_key(&value)
    }

    pub(super) fn get(&self, value: ValueId) -> Option<Value> {
        self.values.get(&value).cloned()
    }

    pub(super) fn set(&mut self, value: ValueId, made: Value) {
        self.values.insert(value, made);
    }

    /// A node with one output, which is named after it.
    pub(super) fn node(
        &mut self,
        layer: &str,
        op: &'static str,
        inputs: &[Id],
        attributes: Vec<(&'static str, Written)>,
    ) -> Id {
        let name = format!("{layer}/{op}");
        let output = self.value(&name);
        let name = self.names[output].clone();
        self.nodes.push(Made { op, name, inputs: inputs.to_vec(), output, attributes });
        output
    }

    /// The value with its axes in this order.
    pub(super) fn turn(&mut self, layer: &str, value: &Value, order: &[usize]) -> Value {
        let turned = |id| Value { id, order: Some(order.to_vec()) };
        let Some(lying) = value.order.as_ref().filter(|lying| lying[..] != *order) else { return turned(value.id) };
        let key = (value.id, order.to_vec());
        if let Some(id) = self.turned.get(&key) {
            return turned(*id);
        }
        let place = |axis: &usize| lying.iter().position(|lies| lies == axis).map_or(0, |place| place as i64 + 1);
        let perm = [0].into_iter().chain(order.iter().map(place)).collect();
        let id = self.node(layer, "Transpose", &[value.id], vec![("perm", Written::Ints(perm))]);
        self.turned.insert(key, id);
        turned(id)
    }

    /// The numbers of a slot under lengths of the same count, their axes in this order.
    pub(super) fn slot(&mut self, slot: SlotId, lengths: Vec<usize>, order: Vec<usize>) -> Id {
        let key = (slot, lengths, order);
        if let Some(id) = self.slots.get(&key) {
            return *id;
        }
        let id = self.value(&self.graph().slots[slot].path.clone());
        let (_, lengths, order) = key.clone();
        self.tensors.push(Held { id, numbers: Numbers::Slot { slot, lengths, order } });
        self.slots.insert(key, id);
        id
    }

    /// Numbers of the graph itself.
    pub(super) fn tensor(&mut self, name: &str, numbers: Numbers) -> Id {
        let id = self.value(name);
        self.tensors.push(Held { id, numbers });
        id
    }

    /// Tells what can not be expressed of a layer.
    pub(super) fn refuse(&mut self, layer: &str, what: &str) {
        let message = format!("layer '{}' can not be written as ONNX: {what}.", quoted_str(layer));
        self.faults.push(Fault::new(Code::Unsupported, message).path(layer));
    }
}
