//! The network's numbers as the kernels want them: most as they are, a few turned or computed once.

use super::{Plan, phased::Phased, slots::Slots, transformed::transformed};
use crate::{
    describe::SlotId,
    kernels::{LANES, Numbers},
    tensor::Tensor,
};

/// What an operand of the network is made of.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// Nothing: no step reads it.
    Unused,
    /// A slot as it is.
    Slot(SlotId),
    /// Numbers of the description.
    Given(Tensor),
    /// `sqrt(slot + epsilon)`.
    Deviation { slot: SlotId, epsilon: f32 },
    /// What batch normalisation multiplies by, once the mean is taken away: `weight / sqrt(variance + epsilon)`, one where there is no weight.
    Scale { weight: Option<SlotId>, variance: SlotId, epsilon: f64 },
    /// Weights `[terms…, groups·columns]`, packed.
    Packed { slot: SlotId, columns: usize, groups: usize, order: Order },
    /// The panels of a convolution.
    Phased(SlotId, Phased),
    /// Weights `[3, 3, inputs, outputs]` for Winograd's algorithm.
    Transformed(SlotId),
    /// Weights `[k…, inputs, outputs/groups]` as `[k…, inputs/groups, outputs]`.
    Regroup { slot: SlotId, inputs: usize, groups: usize },
}

/// How packed weights lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Panels of sixteen columns, `[terms][16]`, group after group.
    Panels,
    /// One column after another, each filled up to sixteen terms.
    Dots,
}

impl Number {
    /// The slots it is made of.
    pub(super) fn slots(&self) -> Vec<SlotId> {
        match *self {
            Number::Unused | Number::Given(_) => vec![],
            Number::Slot(slot)
            | Number::Deviation { slot, .. }
            | Number::Packed { slot, .. }
            | Number::Phased(slot, _)
            | Number::Transformed(slot)
            | Number::Regroup { slot, .. } => vec![slot],
            Number::Scale { weight, variance, .. } => weight.into_iter().chain([variance]).collect(),
        }
    }
}

/// The operands of a plan that come from one network. Shares memory with the network where nothing had to be turned.
#[derive(Clone, Debug)]
pub struct Weights(Vec<Numbers>);

/// A tensor of packed singles.
struct Singles(Tensor);

impl AsRef<[f32]> for Singles {
    fn as_ref(&self) -> &[f32] {
        self.0.as_f32().unwrap_or_default()
    }
}

impl Weights {
    /// Makes them from the network's numbers, in the order of its slots; none if memory can not be had, or the numbers
    /// are not those of the plan's network.
    pub fn of(plan: &Plan, slots: &[Tensor]) -> Option<Weights> {
        let slots = Slots::of(plan, slots)?;
        let numbers = |number| {
            let tensor = make(number, &slots)?;
            tensor.as_f32()?;
            Some(Numbers::of(Singles(tensor)))
        };
        plan.numbers.iter().map(numbers).collect::<Option<_>>().map(Weights)
    }

    /// Bytes of the numbers, those shared with the network among them.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|numbers| 4 * numbers.all().len() as u64).sum()
    }

    /// The numbers of an operand.
    pub fn numbers(&self, number: usize) -> &[f32] {
        self.0[number].all()
    }

    /// The numbers of all operands, in their order.
    pub fn all(&self) -> &[Numbers] {
        &self.0
    }
}

fn make(number: &Number, slots: &Slots<'_>) -> Option<Tensor> {
    match *number {
        Number::Unused => Tensor::filled_f32(vec![0], |_| ()),
        Number::Slot(slot) => slots.get(slot),
        Number::Given(ref tensor) => Some(tensor.clone()),
        Number::Deviation { slot, epsilon } => {
            let variance = slots.get(slot)?;
            let from = variance.as_f32()?;
            Tensor::filled_f32(variance.shape().to_vec(), |to| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = (from + epsilon).sqrt());
            })
        }
        Number::Scale { weight, variance, epsilon } => {
            let variance = slots.get(variance)?;
            let weight = match weight {
                Some(weight) => Some(slots.get(weight)?),
                None => None,
            };
            let (from, weight) = (variance.as_f32()?, weight.as_ref().and_then(Tensor::as_f32));
            Tensor::filled_f32(variance.shape().to_vec(), |to| {
                for (i, (to, &variance)) in to.iter_mut().zip(from).enumerate() {
                    let weight = weight.and_then(|weight| weight.get(i)).map_or(1.0, |&weight| f64::from(weight));
                    *to = (weight / (f64::from(variance) + epsilon).sqrt()) as f32;
                }
            })
        }
        Number::Packed { slot, columns, groups, order } => pack(&slots.get(slot)?, columns, groups, order),
        Number::Phased(slot, ref phased) => phased.of(&slots.get(slot)?),
        Number::Transformed(slot) => transformed(&slots.get(slot)?),
        Number::Regroup { slot, inputs, groups } => {
            let weight = slots.get(slot)?;
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

/// Weights in an order.
fn pack(weight: &Tensor, columns: usize, groups: usize, order: Order) -> Option<Tensor> {
    let from = weight.as_f32()?;
    let width = columns.checked_mul(groups)?;
    let terms = from.len().checked_div(width).unwrap_or(0);
    if order == Order::Dots {
        let each = terms.next_multiple_of(LANES);
        return Tensor::filled_f32(vec![columns, each], |to| {
            for (term, from) in from.chunks_exact(width.max(1)).enumerate() {
                from.iter().enumerate().for_each(|(column, &x)| to[column * each + term] = x);
            }
        });
    }
    let panels = columns.div_ceil(LANES);
    Tensor::filled_f32(vec![groups, panels, terms, LANES], |to| {
        for (number, to) in to.chunks_exact_mut((terms * LANES).max(1)).enumerate() {
            let (group, first) = (number / panels, number % panels * LANES);
            let width_here = LANES.min(columns - first);
            for (to, from) in to.chunks_exact_mut(LANES).zip(from.chunks_exact(width)) {
                to[..width_here].copy_from_slice(&from[group * columns + first..][..width_here]);
            }
        }
    })
}
