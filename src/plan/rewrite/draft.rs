//! A graph while it is rewritten: who makes and who takes each value is known at any time, so that a rewrite looks at
//! neighbours alone and a pass over all layers takes time in proportion to them.

use crate::{
    describe::{Graph, GraphValue, Node, Op, Port, Slot, SlotId, ValueId},
    kernels::Precision,
    plan::{Plan, derived::Derived},
};
use std::collections::BTreeSet;

/// A graph that is being rewritten. Every value has a known shape.
pub struct Draft {
    /// For which precision.
    pub precision: Precision,
    graph: Graph,
    nodes: Vec<Option<Node>>,
    /// Names of the layers that each node does the work of too.
    folded: Vec<Vec<String>>,
    shapes: Vec<Vec<usize>>,
    makers: Vec<Option<usize>>,
    users: Vec<BTreeSet<usize>>,
    outputs: Vec<bool>,
    derived: Vec<Derived>,
    constants: Option<Box<Plan>>,
    /// Values that are the numbers of a slot.
    given: Vec<(ValueId, SlotId)>,
}

/// What has become of a graph.
pub struct Rewritten {
    /// The layers that run. Slots that are not the network's come after those that are.
    pub graph: Graph,
    /// Names of the layers that each node does the work of too.
    pub folded: Vec<Vec<String>>,
    /// The plan whose outputs are the first slots after the network's.
    pub constants: Option<Box<Plan>>,
    /// How the slots after those come from the ones before.
    pub derived: Vec<Derived>,
    /// Values that are the numbers of a slot.
    pub given: Vec<(ValueId, SlotId)>,
}

impl Draft {
    /// A draft of a graph; none if a shape is not known or the graph is not what it should be.
    pub fn of(graph: &Graph, precision: Precision) -> Option<Draft> {
        let count = graph.values.len();
        let mut draft = Draft {
            precision,
            nodes: vec![None; graph.nodes.len()],
            folded: vec![Vec::new(); graph.nodes.len()],
            shapes: graph.values.iter().map(GraphValue::known).collect::<Option<_>>()?,
            makers: vec![None; count],
            users: vec![BTreeSet::new(); count],
            outputs: vec![false; count],
            derived: Vec::new(),
            constants: None,
            given: Vec::new(),
            graph: graph.clone(),
        };
        for port in &graph.outputs {
            *draft.outputs.get_mut(port.value)? = true;
        }
        for (at, node) in std::mem::take(&mut draft.graph.nodes).into_iter().enumerate() {
            let known = node.inputs.iter().chain([&node.output]).all(|&value| value < count);
            let all = node.slots.iter().all(|&slot| slot < graph.slots.len());
            (known && all && node.slots.len() == node.op.slots().len()).then_some(())?;
            draft.put(at, node);
        }
        Some(draft)
    }

    /// The graph as it has become.
    pub fn finish(mut self) -> Rewritten {
        let kept = self.nodes.into_iter().zip(self.folded).filter_map(|(node, folded)| Some((node?, folded)));
        let (nodes, folded) = kept.unzip();
        self.graph.nodes = nodes;
        Rewritten { graph: self.graph, folded, constants: self.constants, derived: self.derived, given: self.given }
    }

    /// Places of nodes, those that are gone among them.
    pub fn places(&self) -> std::ops::Range<usize> {
        0..self.nodes.len()
    }

    /// The node at a place.
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)?.as_ref()
    }

    /// Whether the node at a place joins values along their last axis.
    pub fn joins(&self, at: usize) -> bool {
        self.node(at).is_some_and(|node| match node.op {
            Op::Concat { axis } => usize::try_from(axis).is_ok_and(|axis| axis + 1 == self.shape(node.output).len()),
            _ => false,
        })
    }

    /// Shape of one example of a value.
    pub fn shape(&self, value: ValueId) -> &[usize] {
        &self.shapes[value]
    }

    /// Whether a value has one example for each of a run.
    pub fn is_batched(&self, value: ValueId) -> bool {
        self.graph.values[value].batched
    }

    /// Whether a value is an output of the network.
    pub fn is_output(&self, value: ValueId) -> bool {
        self.outputs[value]
    }

    /// Places of the nodes that take a value.
    pub fn users(&self, value: ValueId) -> impl Iterator<Item = usize> + '_ {
        self.users[value].iter().copied()
    }

    /// The place of the one node that takes a value, if there is one and nothing else wants it.
    pub fn user(&self, value: ValueId) -> Option<usize> {
        let alone = self.users[value].len() == 1 && !self.outputs[value];
        self.users[value].first().copied().filter(|_| alone)
    }

    /// The place of the node that makes a value.
    pub fn maker(&self, value: ValueId) -> Option<usize> {
        self.makers[value]
    }

    /// The node that makes a value.
    pub fn made_by(&self, value: ValueId) -> Option<&Node> {
        self.node(self.makers[value]?)
    }

    /// Whether nothing wants what a node makes.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.users[value].is_empty() && !self.outputs[value]
    }

    /// Takes a node out.
    pub fn take(&mut self, at: usize) -> Option<Node> {
        let node = self.nodes.get_mut(at)?.take()?;
        for &value in &node.inputs {
            self.users[value].remove(&at);
        }
        self.makers[node.output] = None;
        Some(node)
    }

    /// Puts a node at a place that is free.
    pub fn put(&mut self, at: usize, node: Node) {
        for &value in &node.inputs {
            self.users[value].insert(at);
        }
        self.makers[node.output] = Some(at);
        self.nodes[at] = Some(node);
    }

    /// Changes the operation of a node, whose values stay.
    pub fn set_op(&mut self, at: usize, op: Op) {
        if let Some(node) = &mut self.nodes[at] {
            node.op = op;
        }
    }

    /// Gives a node, whose slots they are, other numbers.
    pub fn set_slots(&mut self, at: usize, slots: Vec<SlotId>) {
        if let Some(node) = &mut self.nodes[at] {
            node.slots = slots;
        }
    }

    /// Whoever takes `from` takes `to`. Nothing takes `from` afterwards.
    pub fn pass_on(&mut self, from: ValueId, to: ValueId) {
        for at in std::mem::take(&mut self.users[from]) {
            if let Some(node) = &mut self.nodes[at] {
                node.inputs.iter_mut().filter(|input| **input == from).for_each(|input| *input = to);
            }
            self.users[to].insert(at);
        }
        if std::mem::take(&mut self.outputs[from]) {
            self.outputs[to] = true;
            let ports: &mut Vec<Port> = &mut self.graph.outputs;
            ports.iter_mut().filter(|port| port.value == from).for_each(|port| port.value = to);
        }
    }

    /// Says that the node at `at` does the work of another, which was at `before` and is gone.
    pub fn fold_in(&mut self, at: usize, gone: &str, before: usize) {
        let others = self.folded[before].clone();
        self.folded[at].push(gone.to_owned());
        self.folded[at].extend(others);
    }

    /// A new value like another, of another shape.
    pub fn value_like(&mut self, other: ValueId, shape: Vec<usize>) -> ValueId {
        let lengths = Some(shape.iter().copied().map(Some).collect());
        self.graph.values.push(GraphValue { shape: lengths, ..self.graph.values[other].clone() });
        self.shapes.push(shape);
        self.makers.push(None);
        self.users.push(BTreeSet::new());
        self.outputs.push(false);
        self.shapes.len() - 1
    }

    /// Shape of a slot.
    pub fn slot(&self, slot: SlotId) -> &[usize] {
        &self.graph.slots[slot].shape
    }

    /// A new slot, of the same role as another; says how its numbers come about.
    pub fn derive(&mut self, like: SlotId, shape: Vec<usize>, derived: Derived) -> SlotId {
        let slot = Slot { shape, ..self.graph.slots[like].clone() };
        self.graph.slots.push(slot);
        self.derived.push(derived);
        self.graph.slots.len() - 1
    }

    /// The slots of the network, its inputs and all values, without layers: what a graph of some of the nodes starts from.
    pub fn bare(&self) -> Graph {
        Graph {
            values: self.graph.values.clone(),
            nodes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            slots: self.graph.slots.clone(),
            runs: true,
        }
    }

    /// Makes the outputs of a plan, which are these values, new slots. Called before any slot is derived.
    pub fn give(&mut self, values: &[ValueId], plan: Plan) {
        for &value in values {
            let (path, shape) = (String::new(), self.shapes[value].clone());
            self.graph.slots.push(Slot { path, role: crate::describe::Role::Parameter, shape });
            self.given.push((value, self.graph.slots.len() - 1));
        }
        self.constants = Some(Box::new(plan));
    }
}
