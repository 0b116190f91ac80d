//! A layer being written: what it takes, how the axes of that lie, and the nodes it becomes.

use super::draft::{Draft, Id, Numbers, Value};
use crate::{
    describe::Node,
    formats::onnx::write::{Elements, Written},
};

/// A layer being written.
pub(super) struct Layer<'d, 'a> {
    pub(super) draft: &'d mut Draft<'a>,
    pub(super) node: &'d Node,
}

impl Layer<'_, '_> {
    /// Tells that the layer can not be expressed, and why.
    pub(super) fn refuse<T>(&mut self, what: &str) -> Option<T> {
        self.draft.refuse(&self.node.name, what);
        None
    }

    /// What it takes.
    pub(super) fn input(&mut self, place: usize) -> Option<Value> {
        self.node.inputs.get(place).and_then(|value| self.draft.get(*value))
    }

    /// Lengths of one example of what it takes, as Pontil has its axes.
    pub(super) fn lengths(&mut self, place: usize) -> Option<Vec<Option<usize>>> {
        let shape = self.draft.graph().values[self.node.inputs[place]].shape.clone();
        match shape {
            Some(lengths) => Some(lengths),
            None => self.refuse("how many axes reach it is not known: state the shape of the network's input"),
        }
    }

    /// The same, if all are known.
    pub(super) fn known(&mut self, place: usize) -> Option<Vec<usize>> {
        match self.lengths(place)?.into_iter().collect() {
            Some(lengths) => Some(lengths),
            None => self.refuse("it wants lengths that are not known: state the shape of the network's input"),
        }
    }

    /// Input `place` with its axes as Pontil has them.
    pub(super) fn plain(&mut self, place: usize) -> Option<Value> {
        let value = self.input(place)?;
        match &value.order {
            Some(lying) => {
                let order: Vec<usize> = (0..lying.len()).collect();
                Some(self.turn(&value, &order))
            }
            None => Some(value),
        }
    }

    /// Input 0 with the axis of channels first, and the order in which its axes then lie.
    pub(super) fn image(&mut self) -> Option<(Value, Vec<usize>)> {
        let rank = self.lengths(0)?.len();
        if rank == 0 {
            return self.refuse("it wants an axis of channels");
        }
        let order: Vec<usize> = [rank - 1].into_iter().chain(0..rank - 1).collect();
        let value = self.input(0)?;
        Some((self.turn(&value, &order), order))
    }

    /// The value with its axes in another order.
    pub(super) fn turn(&mut self, value: &Value, order: &[usize]) -> Value {
        self.draft.turn(&self.node.name, value, order)
    }

    /// Where an axis of one example of input 0 lies in the ONNX graph, the batch being 0.
    pub(super) fn place(&mut self, value: &Value, axis: i64) -> Option<i64> {
        match &value.order {
            Some(order) => {
                let axis = usize::try_from(axis).ok();
                order.iter().position(|lies| Some(*lies) == axis).and_then(|place| i64::try_from(place + 1).ok())
            }
            None if axis < 0 => Some(axis),
            None => Some(axis + 1),
        }
    }

    /// A node without attributes.
    pub(super) fn op(&mut self, op: &'static str, inputs: &[Id]) -> Id {
        self.with(op, inputs, Vec::new())
    }

    /// A node.
    pub(super) fn with(&mut self, op: &'static str, inputs: &[Id], attributes: Vec<(&'static str, Written)>) -> Id {
        self.draft.node(&self.node.name, op, inputs, attributes)
    }

    /// Slot `place` of the layer as it is.
    pub(super) fn slot(&mut self, place: usize) -> Id {
        let rank = self.slot_shape(place).len();
        self.turned_slot(place, (0..rank).collect())
    }

    /// Slot `place` of the layer with its axes in another order.
    pub(super) fn turned_slot(&mut self, place: usize, order: Vec<usize>) -> Id {
        let lengths = self.slot_shape(place);
        self.draft.slot(self.node.slots[place], lengths, order)
    }

    /// Slot `place` broadcast against a value of `rank` axes that lie in `order`.
    pub(super) fn spread_slot(&mut self, place: usize, value: &Value, rank: usize) -> Option<Id> {
        let own = self.slot_shape(place);
        if own.len() > rank {
            return self.refuse("its numbers have more axes than what reaches it");
        }
        let lengths = [vec![1; rank - own.len()], own].concat();
        let order = value.order.clone().unwrap_or_else(|| (0..rank).collect());
        Some(self.draft.slot(self.node.slots[place], lengths, order))
    }

    fn slot_shape(&self, place: usize) -> Vec<usize> {
        self.draft.graph().slots[self.node.slots[place]].shape.clone()
    }

    /// One number.
    pub(super) fn number(&mut self, number: f64) -> Id {
        self.singles(Vec::new(), vec![number as f32])
    }

    /// Singles of a shape.
    pub(super) fn singles(&mut self, shape: Vec<usize>, numbers: Vec<f32>) -> Id {
        let name = format!("{}/number", self.node.name);
        self.draft.tensor(&name, Numbers::Singles { shape, numbers })
    }

    /// Whole numbers in a list.
    pub(super) fn wholes(&mut self, numbers: Vec<i64>) -> Id {
        let name = format!("{}/wholes", self.node.name);
        self.draft.tensor(&name, Numbers::Wholes { shape: vec![numbers.len()], numbers })
    }

    /// A value in another element type.
    pub(super) fn cast(&mut self, id: Id, to: Elements) -> Id {
        self.with("Cast", &[id], vec![("to", Written::Int(to as i64))])
    }

    /// A value with the batch kept and other lengths behind it.
    pub(super) fn reshape(&mut self, id: Id, each: &[i64]) -> Id {
        let shape = self.wholes([&[0], each].concat());
        self.op("Reshape", &[id, shape])
    }

    /// A value in the shape that another one has.
    pub(super) fn reshape_like(&mut self, id: Id, like: Id) -> Id {
        let shape = self.op("Shape", &[like]);
        self.op("Reshape", &[id, shape])
    }
}

/// A whole number as an attribute.
pub(super) fn int(number: usize) -> Written {
    Written::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Lengths as an attribute.
pub(super) fn ints<'a>(numbers: impl IntoIterator<Item = &'a usize>) -> Written {
    Written::Ints(wholes(numbers))
}

/// Lengths as whole numbers.
pub(super) fn wholes<'a>(numbers: impl IntoIterator<Item = &'a usize>) -> Vec<i64> {
    numbers.into_iter().filter_map(|number| i64::try_from(*number).ok()).collect()
}

/// A number as an attribute.
pub(super) fn float(number: f64) -> Written {
    Written::Float(number as f32)
}
