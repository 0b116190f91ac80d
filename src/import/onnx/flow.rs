//! A value that an input changes, as the graph sees it.

use crate::describe::lowering::{Axes, Value};

/// A value between nodes. One axis of the graph is the batch, the first one most of the time; it may be joined with the first
/// `merged` axes of one example where a graph has reshaped so, `pre` of them before the batch and the others behind it. The
/// other axes of the graph are those of one example, in order.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// The layer that makes it, and how the axes of one example lie.
    pub(super) value: Value,
    /// The axis of the graph that is the batch.
    pub(super) at: usize,
    /// Axes of one example that are joined with the batch.
    pub(super) merged: usize,
    /// How many of them stand before it.
    pub(super) pre: usize,
    /// The axis of one example, in the graph's order, that is that of channels, if a layer over windows says so.
    pub(super) channel: Option<usize>,
    /// The input it is, and which axis of the input each axis is, if it is an input with its axes in another order.
    pub(super) origin: Option<(usize, Vec<usize>)>,
    /// What its numbers are.
    pub(super) kind: Kind,
}

/// What the numbers of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Real numbers.
    Real,
    /// Whole numbers of an input, to look up rows by.
    Ids,
}

impl Flow {
    /// Real numbers, nothing else known.
    pub(super) fn new(value: Value) -> Flow {
        Flow { value, at: 0, merged: 0, pre: 0, channel: None, origin: None, kind: Kind::Real }
    }

    /// Axes of one example; none only where a fault has left them so.
    pub(super) fn axes(&self) -> Axes {
        self.value.axes.clone().unwrap_or_else(|| Axes::plain(Vec::new()))
    }

    /// How many axes one example has.
    pub(super) fn each(&self) -> usize {
        self.value.axes.as_ref().map_or(0, Axes::rank)
    }

    /// How many axes the graph sees, the batch among them.
    pub(super) fn rank(&self) -> usize {
        1 + self.each() - self.merged
    }

    /// Lengths of the axes of one example in the graph's order.
    pub(super) fn lengths(&self) -> Vec<Option<usize>> {
        self.axes().lengths
    }

    /// How many numbers one example has, if that is known.
    pub(super) fn count(&self) -> Option<usize> {
        crate::tensor::count(&self.lengths().into_iter().collect::<Option<Vec<usize>>>()?)
    }

    /// How many examples of the graph's axis 0 one example is; none if that is not known.
    pub(super) fn factor(&self) -> Option<usize> {
        let lengths = self.lengths();
        crate::tensor::count(&lengths.get(..self.merged)?.iter().copied().collect::<Option<Vec<usize>>>()?)
    }

    /// The same with the batch where `other` has it.
    pub(super) fn like(self, other: &Flow) -> Flow {
        Flow { at: other.at, merged: other.merged, pre: other.pre, ..self }
    }

    /// The axes of one example in the order in which the graph has their numbers, and how many of them stand before the batch.
    pub(super) fn unjoined(&self) -> (Vec<usize>, usize) {
        let (before, behind) = (self.merged..self.merged + self.at, self.merged + self.at..self.each());
        (before.chain(0..self.merged).chain(behind).collect(), self.at + self.pre)
    }

    /// The axis of the graph that an axis of one example is, if it is not joined with the batch.
    pub(super) fn position(&self, axis: usize) -> usize {
        let axis = axis.saturating_sub(self.merged);
        axis + usize::from(axis >= self.at)
    }

    /// The same with another value, whose axes are the same ones.
    pub(super) fn with(&self, value: Value) -> Flow {
        Flow {
            value,
            at: self.at,
            merged: self.merged,
            pre: self.pre,
            channel: self.channel,
            origin: None,
            kind: Kind::Real,
        }
    }
}
