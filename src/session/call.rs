//! The steps of a plan as a session runs them: found once what runs and where its operands lie.

use super::step::Examples;
use crate::{
    describe::Unary,
    kernels::{Found, Kernel, Kernels},
    plan::{Layout, Place, Plan, Step},
};

/// A stretch of the session's memory.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    start: usize,
    /// Numbers of an example that are passed over for each example before.
    skip: usize,
    /// Numbers of an example, and those that are there but once.
    each: usize,
    once: usize,
}

impl Stretch {
    fn of(plan: &Plan, layout: &Layout, buffer: usize) -> Stretch {
        let own = &plan.buffers[buffer];
        let (each, once) = if own.batched { (own.each, 0) } else { (0, own.each) };
        Stretch { start: layout.starts[buffer], skip: if own.port { each } else { 0 }, each, once }
    }

    /// Where it begins for some examples, and its numbers.
    pub(super) fn at(&self, examples: Examples) -> (usize, usize) {
        (self.start + self.skip * examples.first, self.once + self.each * examples.count)
    }
}

/// Where an operand lies.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// In the session's memory.
    Stretch(Stretch),
    /// Among the network's numbers.
    Number(usize),
}

/// What is done on the way.
pub(super) enum Follow {
    Map(Unary),
    Affine([Operand; 3]),
    Add(Operand),
}

/// A step that runs.
pub(super) struct Call {
    /// Its number in the plan.
    pub(super) step: usize,
    /// What runs its kernel.
    pub(super) run: Found,
    pub(super) out: Stretch,
    pub(super) inputs: Vec<Operand>,
    /// The input of whole numbers it reads.
    pub(super) whole: Option<usize>,
    pub(super) after: Vec<Follow>,
}

impl Call {
    /// The steps that run, in order; those that have joined another as well if they are to run `apart`. None if a step has
    /// been joined by one that nobody does on the way, which would be a defect.
    pub(super) fn all(plan: &Plan, layout: &Layout, kernels: Kernels, apart: bool) -> Option<Vec<Call>> {
        let operand = |place: Place| match place {
            Place::Buffer(buffer) => Some(Operand::Stretch(Stretch::of(plan, layout, buffer))),
            Place::Number(number) => Some(Operand::Number(number)),
            Place::Whole(_) => None,
        };
        let runs = plan.steps.iter().enumerate().filter(|(_, step)| step.kernel.is_some() && (apart || !step.joined));
        let call = |(number, step): (usize, &Step)| {
            let follow = |&later: &usize| {
                let later = &plan.steps[later];
                Some(match (&later.kernel, later.inputs.as_slice()) {
                    (Some(Kernel::Map(map)), _) => Follow::Map(map.function),
                    (_, &[mean, scale, bias]) => Follow::Affine([operand(mean)?, operand(scale)?, operand(bias)?]),
                    (_, &[other]) => Follow::Add(operand(other)?),
                    _ => return None,
                })
            };
            Some(Call {
                step: number,
                run: kernels.find(step.kernel.as_ref()?),
                out: Stretch::of(plan, layout, step.output),
                inputs: step.inputs.iter().filter_map(|&place| operand(place)).collect(),
                whole: step.inputs.iter().find_map(|&place| match place {
                    Place::Whole(number) => Some(number),
                    _ => None,
                }),
                after: if apart { Some(vec![]) } else { step.after.iter().map(follow).collect() }?,
            })
        };
        runs.map(call).collect()
    }
}

/// Tables that whole numbers are looked up in: the number of the input, and rows of the table.
pub(super) fn tables(plan: &Plan) -> Vec<(usize, usize)> {
    let table = |step: &Step| match (&step.kernel, step.inputs.first()) {
        (Some(Kernel::Embedding(table)), Some(&Place::Whole(number))) => Some((number, table.count)),
        _ => None,
    };
    plan.steps.iter().filter_map(table).collect()
}
