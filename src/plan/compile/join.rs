//! Values joined along an axis: each is copied to its part of the rows, or made there from the start where nothing else wants
//! it and its kernel can leave room between its rows.

use super::{Compiler, Home, Work, axis};
use crate::{
    describe::{Node, ValueId},
    kernels::{self, Kernel, Rows},
    plan::step::Place,
};
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn concat(
        &mut self,
        node: &Node,
        resolved: i64,
        inputs: &[Home],
        shape: Vec<usize>,
        batched: bool,
    ) -> Option<Home> {
        let along = axis(resolved, shape.len())?;
        let (rows, inner) = (shape[..along].iter().product(), shape[along + 1..].iter().product::<usize>());
        let (row, each) = (shape[along] * inner, shape.iter().product());
        let place = self.buffer(each, batched, Some(self.plan.steps.len()), &node.name);
        let Place::Buffer(joined) = place else { return None };
        self.widths[joined] = *shape.last()?;
        let (home, mut start) = (Home { place, shape, batched }, 0);
        for (&value, input) in node.inputs.iter().zip(inputs) {
            let count = *input.shape.get(along)? * inner;
            (input.count() == rows * count && start + count <= row).then_some(())?;
            let can =
                along + 1 == home.shape.len() && input.batched == batched && input.shape.len() == home.shape.len();
            if !can || self.make_within(value, input, joined, Rows { step: row, start }).is_none() {
                let shared = batched && !input.batched;
                let kernel = Kernel::Join(kernels::Join { row, rows, start, count, shared });
                self.step_into(&home, kernel, vec![input.place], Work { grain: row, cost: 1 });
            }
            start += count;
        }
        (start == row).then_some(home)
    }

    /// Lets the step that makes a value write it to its part of the rows of a buffer. None if something else wants the value,
    /// or has changed it since, or its kernel can not.
    fn make_within(&mut self, value: ValueId, home: &Home, joined: usize, within: Rows) -> Option<()> {
        let buffer = self.own(value, home).filter(|_| !self.keeps_layers)?;
        let [made, _] = self.writers[buffer]?;
        let width = *home.shape.last()?;
        let step = self.plan.steps.get(made)?;
        let later = step.after.clone();
        let adds =
            later.iter().any(|&later| matches!(self.plan.steps[later].kernel.as_deref(), Some(Kernel::Binary(_))));
        let whole = self.changes(buffer, made) == later.len() + 1 && self.widths[buffer] == width;
        (whole && !adds && width > 0 && step.grain.is_multiple_of(width) && step.output == buffer).then_some(())?;
        let step = &mut self.plan.steps[made];
        Arc::get_mut(step.kernel.as_mut()?)?.put(within).then_some(())?;
        (step.output, step.within) = (joined, true);
        step.grain = step.grain / width * within.step;
        step.cost = step.cost.saturating_mul(width).div_ceil(within.step);
        for &later in &later {
            self.plan.steps[later].output = joined;
        }
        self.plan.buffers[buffer].each = 0;
        let first = &mut self.plan.buffers[joined].first;
        *first = first.map(|first| first.min(made));
        let last = later.last().copied().unwrap_or(made);
        let writers = self.writers[joined].map_or([made, last], |[first, until]| [first.min(made), until.max(last)]);
        self.writers[joined] = Some(writers);
        self.touch(Place::Buffer(joined), writers[1].max(self.plan.buffers[joined].last.unwrap_or(0)));
        Some(())
    }
}
