//! The network's numbers as the kernels want them: most as they are, a few turned or computed once.

use super::Plan;
use crate::{describe::SlotId, tensor::Tensor};

/// What an operand of the network is made of.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// A slot as it is.
    Slot(SlotId),
    /// Numbers of the description.
    Given(Tensor),
    /// `sqrt(slot + epsilon)`.
    Deviation { slot: SlotId, epsilon: f32 },
    /// Weights `[k…, inputs, outputs/groups]` as `[k…, inputs/groups, outputs]`.
    Regroup { slot: SlotId, inputs: usize, groups: usize },
}

/// The operands of a plan that come from one network. Shares memory with the network where nothing had to be turned.
#[derive(Clone, Debug)]
pub struct Weights(Vec<Tensor>);

impl Weights {
    /// Makes them from the network's numbers, in the order of its slots; none if memory can not be had, or the numbers
    /// are not those of the plan's network.
    pub fn of(plan: &Plan, slots: &[Tensor]) -> Option<Weights> {
        plan.numbers.iter().map(|number| make(number, slots)).collect::<Option<Vec<Tensor>>>().map(Weights)
    }

    /// The numbers of an operand.
    pub fn numbers(&self, number: usize) -> &[f32] {
        self.0[number].as_f32().unwrap_or_default()
    }
}

fn make(number: &Number, slots: &[Tensor]) -> Option<Tensor> {
    match *number {
        Number::Slot(slot) => slots.get(slot)?.to_f32(),
        Number::Given(ref tensor) => Some(tensor.clone()),
        Number::Deviation { slot, epsilon } => {
            let variance = slots.get(slot)?.to_f32()?;
            let from = variance.as_f32()?;
            Tensor::filled_f32(variance.shape().to_vec(), |to| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = (from + epsilon).sqrt());
            })
        }
        Number::Regroup { slot, inputs, groups } => {
            let weight = slots.get(slot)?.to_f32()?;
            let (from, outs) = (weight.as_f32()?, *weight.shape().last()?);
            let ins = inputs / groups;
            Tensor::filled_f32(weight.shape().to_vec(), |to| {
                if outs == 0 || ins == 0 {
                    return;
                }
                for (row, from) in from.chunks_exact(outs).enumerate() {
                    let (tap, group, input) = (row / inputs, row % inputs / ins, row % ins);
                    to[((tap * ins + input) * groups + group) * outs..][..outs].copy_from_slice(from);
                }
            })
        }
    }
}
