//! The steps of a plan as a session runs them: found once what runs and where its operands lie.

use crate::{
    kernels::{Call, Follow, Kernel, Kernels, Operand, Stretch},
    plan::{Layout, Place, Plan, Step},
};

/// A step that runs, and how its output may be cut.
pub(super) struct Numbered {
    /// Its number in the plan.
    pub(super) number: usize,
    /// Numbers of an example.
    each: usize,
    /// It may be cut at multiples of so many numbers within an example.
    pub(super) grain: usize,
    /// Units of an example.
    an_example: usize,
    /// About how many multiplications go into a number.
    pub(super) cost: usize,
}

impl Numbered {
    fn of(plan: &Plan, number: usize, step: &Step) -> Numbered {
        let each = plan.buffers[step.output].each;
        Numbered { number, each, grain: step.grain, an_example: each.div_ceil(step.grain), cost: step.cost }
    }

    /// Units of so many numbers, which are whole examples.
    pub(super) fn units(&self, count: usize) -> usize {
        count / self.each * self.an_example
    }

    /// The number that a unit begins with.
    pub(super) fn at(&self, unit: usize) -> usize {
        unit / self.an_example * self.each + (unit % self.an_example * self.grain).min(self.each)
    }
}

/// The steps that run, in order.
pub(super) struct Calls {
    pub(super) calls: Vec<Call>,
    /// What else is known of each.
    pub(super) steps: Vec<Numbered>,
}

impl Calls {
    /// The steps that run; those that have joined another as well if they are to run `apart`. None if a step has been joined
    /// by one that nobody does on the way, which would be a defect.
    pub(super) fn of(plan: &Plan, layout: &Layout, kernels: Kernels, apart: bool) -> Option<Calls> {
        let stretch = |buffer: usize| {
            let own = &plan.buffers[buffer];
            let (each, once) = if own.batched { (own.each, 0) } else { (0, own.each) };
            Stretch { start: layout.starts[buffer], each, once, port: own.port }
        };
        let operand = |place: Place| match place {
            Place::Buffer(buffer) => Some(Operand::Stretch(stretch(buffer))),
            Place::Number(number) => Some(Operand::Number(number)),
            Place::Whole(_) => None,
        };
        let call = |step: &Step| {
            let follow = |&later: &usize| {
                let later = &plan.steps[later];
                Some(match (later.kernel.as_deref(), later.inputs.as_slice()) {
                    (Some(Kernel::Map(map)), _) => Follow::Map(map.function),
                    (_, &[mean, scale, bias]) => Follow::Affine([operand(mean)?, operand(scale)?, operand(bias)?]),
                    (_, &[other]) => Follow::Add(operand(other)?),
                    _ => return None,
                })
            };
            let kernel = step.kernel.clone()?;
            Some(Call {
                run: kernels.find(&kernel),
                kernel,
                out: stretch(step.output),
                inputs: step.inputs.iter().filter_map(|&place| operand(place)).collect(),
                whole: step.inputs.iter().find_map(|&place| match place {
                    Place::Whole(number) => Some((number, plan.whole[number])),
                    _ => None,
                }),
                after: if apart { Some(vec![]) } else { step.after.iter().map(follow).collect() }?,
            })
        };
        let runs = plan.steps.iter().enumerate().filter(|(_, step)| step.kernel.is_some() && (apart || !step.joined));
        Some(Calls {
            calls: runs.clone().map(|(_, step)| call(step)).collect::<Option<_>>()?,
            steps: runs.map(|(number, step)| Numbered::of(plan, number, step)).collect(),
        })
    }

    /// About how many multiplications go into an example.
    pub(super) fn cost(&self) -> usize {
        let costs = self.steps.iter().map(|step| step.each.saturating_mul(step.cost));
        costs.fold(0, usize::saturating_add)
    }
}

/// Tables that whole numbers are looked up in: the number of the input, and rows of the table.
pub(super) fn tables(plan: &Plan) -> Vec<(usize, usize)> {
    let table = |step: &Step| match (step.kernel.as_deref(), step.inputs.first()) {
        (Some(Kernel::Embedding(table)), Some(&Place::Whole(number))) => Some((number, table.count)),
        _ => None,
    };
    plan.steps.iter().filter_map(table).collect()
}
