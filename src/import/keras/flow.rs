//! A value between layers, and what has to be known of it beyond its axes.

use crate::describe::lowering::Value;

/// What a value holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Numbers.
    Real,
    /// An input of whole numbers, which an embedding reads.
    Ids,
}

/// A value between layers, its axes in the order of Keras, the batch left out.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) value: Value,
    pub(super) kind: Kind,
    /// The input of the network whose axes it still has.
    pub(super) origin: Option<usize>,
    /// Whether it is an input itself.
    pub(super) is_input: bool,
    /// The axis that a layer over windows reads or makes as channels.
    pub(super) channel: Option<usize>,
    /// Whether Keras hands a mask along with it.
    pub(super) masked: bool,
}

impl Flow {
    pub(super) fn new(value: Value) -> Flow {
        Flow { value, kind: Kind::Real, origin: None, is_input: false, channel: None, masked: false }
    }

    /// Lengths of the axes, in the order of Keras.
    pub(super) fn lengths(&self) -> &[Option<usize>] {
        self.value.axes.as_ref().map_or(&[], |axes| &axes.lengths)
    }

    /// How many axes one example has.
    pub(super) fn rank(&self) -> usize {
        self.value.axes.as_ref().map_or(0, |axes| axes.rank())
    }

    /// The order in which the axes lie.
    pub(super) fn order(&self) -> Vec<usize> {
        self.value.axes.as_ref().map_or(Vec::new(), |axes| axes.order.clone())
    }

    /// Where an axis lies, as a layer writes it: the batch counted as axis 0.
    pub(super) fn written(&self, axis: usize) -> i64 {
        self.value.axes.as_ref().map_or(axis, |axes| axes.place(axis)) as i64 + 1
    }

    /// The length of an axis, if it is known.
    pub(super) fn length(&self, axis: usize) -> Option<usize> {
        self.lengths().get(axis).copied().flatten()
    }

    /// This value with what is known of another one that has the same axes.
    pub(super) fn like(self, other: &Flow) -> Flow {
        Flow { origin: other.origin, channel: other.channel, masked: other.masked, ..self }
    }
}
