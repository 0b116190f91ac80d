//! Which layers change a value where it lies, and which of those are done on the way by the layer that makes it.

use super::{Compiler, Home, Work};
use crate::{
    describe::{Graph, Op, ValueId},
    kernels::{After, BinaryJoin, Kernel},
    plan::step::Place,
};

/// How often values are used; those that lie in the same place count as one.
pub(super) struct Uses {
    /// The value that a value lies in the place of.
    roots: Vec<ValueId>,
    counts: Vec<usize>,
}

impl Uses {
    pub(super) fn of(graph: &Graph) -> Uses {
        let mut uses = Uses { roots: (0..graph.values.len()).collect(), counts: vec![0; graph.values.len()] };
        for node in &graph.nodes {
            match (&node.op, node.inputs.first(), uses.roots.get_mut(node.output)) {
                (
                    Op::Identity | Op::Flatten { .. } | Op::Reshape { .. } | Op::Squeeze { .. } | Op::Unsqueeze { .. },
                    Some(&from),
                    Some(_),
                ) => {
                    if let Some(&root) = uses.roots.get(from) {
                        uses.roots[node.output] = root;
                    }
                }
                _ => node.inputs.iter().for_each(|&value| uses.count(value)),
            }
        }
        graph.outputs.iter().for_each(|port| uses.count(port.value));
        uses
    }

    fn count(&mut self, value: ValueId) {
        if let Some(&root) = self.roots.get(value) {
            self.counts[root] += 1;
        }
    }

    /// Whether there is one use of the place where a value lies.
    fn alone(&self, value: ValueId) -> bool {
        self.roots.get(value).is_some_and(|&root| self.counts[root] == 1)
    }
}

impl Compiler<'_> {
    /// The buffer of `value`, if a step has made it and the next use may change it.
    pub(super) fn own(&self, value: ValueId, home: &Home) -> Option<usize> {
        let Place::Buffer(buffer) = home.place else { return None };
        (self.uses.alone(value) && self.writers[buffer].is_some()).then_some(buffer)
    }

    /// Changes `x` where it lies, number by number, if nothing else wants it as it is. `operands` are the kernel's without
    /// `x`.
    pub(super) fn in_place(
        &mut self,
        value: ValueId,
        x: &Home,
        shape: &[usize],
        kernel: impl FnOnce() -> Kernel,
        operands: &[Place],
        work: Work,
    ) -> Option<Home> {
        let buffer = self.own(value, x)?;
        let home = Home { shape: shape.to_vec(), ..x.clone() };
        let (kernel, [made, _]) = (kernel(), self.writers[buffer]?);
        let step = self.plan.steps.len();
        let joins = self.plan.steps[made].kernel.as_deref().is_some_and(Kernel::takes_after)
            && self.plan.steps[made].after.len() < After::MOST
            && self.plan.steps[made].after.len() + 1 == self.changes(buffer, made)
            && operands.iter().all(|&operand| self.is_made_before(operand, made))
            && match &kernel {
                Kernel::Map(_) => true,
                Kernel::Binary(binary) => binary.join == BinaryJoin::Add && binary.b.each == home.count(),
                // A reshape may stand between, whose channels are others.
                Kernel::Affine(affine) => affine.features == self.widths[buffer],
                _ => false,
            };
        self.step_into(&home, kernel, operands.to_vec(), work);
        if joins {
            self.plan.steps[made].after.push(step);
            self.plan.steps[step].joined = true;
        }
        Some(home)
    }

    /// Steps that have written a buffer since it was made: as many as its maker's followers and itself, if all have joined.
    pub(super) fn changes(&self, buffer: usize, made: usize) -> usize {
        let last = self.writers[buffer].map_or(made, |[_, last]| last);
        let follows = self.plan.steps[made].after.last().copied().unwrap_or(made);
        self.plan.steps[made].after.len() + if last == follows { 1 } else { 2 }
    }

    /// Whether `a` has been made after `b`.
    pub(super) fn is_later(&self, a: &Home, b: &Home) -> bool {
        let made = |home: &Home| match home.place {
            Place::Buffer(buffer) => self.writers[buffer].map(|[made, _]| made),
            _ => None,
        };
        made(a) > made(b)
    }

    /// Whether an operand is there, as it will stay, when step `made` runs.
    fn is_made_before(&self, operand: Place, made: usize) -> bool {
        match operand {
            Place::Buffer(buffer) => self.writers[buffer].is_none_or(|[_, last]| last < made),
            Place::Number(_) => true,
            Place::Whole(_) => false,
        }
    }
}
