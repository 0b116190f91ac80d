//! Runs a plan without inputs once, for numbers that are the same at every run.

use super::{Place, Plan, Weights};
use crate::{
    kernels::{Isa, Kernels, Part},
    tensor::Tensor,
};

/// The outputs of a plan that has no inputs, for the numbers of a network; none if memory can not be had, or the plan is
/// another. Every step runs by itself and alone.
pub fn evaluate(plan: &Plan, slots: &[Tensor]) -> Option<Vec<Tensor>> {
    let weights = Weights::of(plan, slots)?;
    let kernels = Kernels::of(plan.precision, Isa::best())?;
    let noughts = |count: usize| {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).ok()?;
        numbers.resize(count, 0.0f32);
        Some(numbers)
    };
    let mut buffers = plan.buffers.iter().map(|buffer| noughts(buffer.count(1))).collect::<Option<Vec<_>>>()?;
    let mut scratch = noughts(plan.scratch)?;
    for step in &plan.steps {
        let Some(kernel) = step.kernel.as_deref().filter(|_| !buffers[step.output].is_empty()) else { continue };
        let mut out = std::mem::take(&mut buffers[step.output]);
        let operand = |place: &Place| match *place {
            Place::Number(number) => Some(weights.numbers(number)),
            Place::Buffer(buffer) => Some(buffers.get(buffer)?.as_slice()),
            Place::Whole(_) => None,
        };
        let inputs = step.inputs.iter().map(operand).collect::<Option<Vec<&[f32]>>>()?;
        let (out_part, scratch) = (out.as_mut_slice(), scratch.as_mut_slice());
        kernels.run(kernel, Part { inputs: &inputs, whole: &[], at: 0, out: out_part, scratch, after: &[] });
        buffers[step.output] = out;
    }
    let numbers = |place: Place| match place {
        Place::Number(number) => weights.numbers(number),
        Place::Buffer(buffer) => &buffers[buffer],
        Place::Whole(_) => &[],
    };
    let output = |port: &super::PlanPort| {
        let numbers = numbers(port.place);
        (port.shape.iter().product::<usize>() == numbers.len()).then_some(())?;
        Tensor::filled_f32(port.shape.clone(), |to| to.copy_from_slice(numbers))
    };
    plan.outputs.iter().map(output).collect()
}
