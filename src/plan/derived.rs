//! Numbers that are computed from a network's before they are packed: rows in another order, normalisations taken in.
//!
//! They are computed in doubles and rounded once, for each network anew, and dropped as soon as nothing needs them.

use crate::{
    describe::SlotId,
    tensor::{Tensor, count},
};

/// A factor and a summand for each channel: of a batch normalisation, or of a scale.
#[derive(Clone, Copy, Debug)]
pub struct Norm {
    /// Multiplied by; ones if there is none.
    pub weight: Option<SlotId>,
    /// Added in the end; noughts if there is none.
    pub bias: Option<SlotId>,
    /// Mean and variance, and what is added to the variance.
    pub statistics: Option<(SlotId, SlotId, f64)>,
}

/// How the numbers of a slot that is not the network's come about.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `slot` with the places of its first axis, those of an array of `lengths` with its axes in this order, in that array's
    /// own order.
    Turned { slot: SlotId, lengths: Vec<usize>, order: Vec<usize> },
    /// Weights `[…, inputs, outputs/groups]` times the factor of the channel each makes.
    Columns { slot: SlotId, norm: Norm, inputs: usize, groups: usize },
    /// The bias of those weights: `factor·(bias − mean) + summand`.
    Shifted { bias: Option<SlotId>, norm: Norm },
    /// Weights `[…, inputs, outputs]` times the factor of the channel each takes: `inputs` of a group of outputs.
    Rows { slot: SlotId, norm: Norm, inputs: usize, groups: usize },
    /// The bias of those weights: `bias + Σ (summand − factor·mean)·weight`.
    Through { weight: SlotId, bias: Option<SlotId>, norm: Norm, inputs: usize, groups: usize },
}

impl Norm {
    fn slots(&self) -> impl Iterator<Item = SlotId> {
        let (mean, variance) = self.statistics.map_or((None, None), |(mean, variance, _)| (Some(mean), Some(variance)));
        [self.weight, self.bias, mean, variance].into_iter().flatten()
    }

    /// Factor, mean and summand of each channel.
    fn numbers(&self, get: &impl Fn(SlotId) -> Option<Tensor>) -> Option<Vec<[f64; 3]>> {
        let read = |slot: Option<SlotId>| match slot {
            Some(slot) => Some(Some(get(slot)?.as_f32()?.iter().copied().map(f64::from).collect::<Vec<f64>>())),
            None => Some(None),
        };
        let (weight, bias) = (read(self.weight)?, read(self.bias)?);
        let (mean, variance) = (read(self.statistics.map(|it| it.0))?, read(self.statistics.map(|it| it.1))?);
        let epsilon = self.statistics.map_or(0.0, |it| it.2);
        let channels = weight.as_ref().or(mean.as_ref())?.len();
        let at = |numbers: &Option<Vec<f64>>, channel: usize, none: f64| match numbers {
            Some(numbers) => numbers.get(channel).copied(),
            None => Some(none),
        };
        let channel = |channel| {
            let deviation: f64 = match &variance {
                Some(variance) => f64::sqrt(variance.get(channel)? + epsilon),
                None => 1.0,
            };
            Some([at(&weight, channel, 1.0)? / deviation, at(&mean, channel, 0.0)?, at(&bias, channel, 0.0)?])
        };
        (0..channels).map(channel).collect()
    }
}

impl Derived {
    /// The slots it is made of.
    pub fn slots(&self) -> Vec<SlotId> {
        match self {
            Derived::Turned { slot, .. } => vec![*slot],
            Derived::Columns { slot, norm, .. } | Derived::Rows { slot, norm, .. } => {
                norm.slots().chain([*slot]).collect()
            }
            Derived::Shifted { bias, norm } => norm.slots().chain(*bias).collect(),
            Derived::Through { weight, bias, norm, .. } => norm.slots().chain([*weight]).chain(*bias).collect(),
        }
    }

    /// Computes it; none if memory can not be had.
    pub fn make(&self, get: impl Fn(SlotId) -> Option<Tensor>) -> Option<Tensor> {
        match self {
            Derived::Turned { slot, lengths, order } => turned(&get(*slot)?, lengths, order),
            Derived::Columns { slot, norm, inputs, groups } => {
                let (weight, norm) = (get(*slot)?, norm.numbers(&get)?);
                let (from, columns) = (weight.as_f32()?, *weight.shape().last()?);
                let each_group = inputs.checked_div(*groups)?.max(1);
                Tensor::filled_f32(weight.shape().to_vec(), |to| {
                    let rows = to.chunks_exact_mut(columns.max(1)).zip(from.chunks_exact(columns.max(1)));
                    for (row, (to, from)) in rows.enumerate() {
                        let group = if *groups > 1 { row % inputs / each_group } else { 0 };
                        let norm = norm.iter().skip(group * columns);
                        to.iter_mut().zip(from).zip(norm).for_each(|((to, &x), n)| *to = (f64::from(x) * n[0]) as f32);
                    }
                })
            }
            Derived::Shifted { bias, norm } => {
                let (bias, norm) = (optional(*bias, &get)?, norm.numbers(&get)?);
                let bias = bias.as_ref().and_then(Tensor::as_f32);
                Tensor::filled_f32(vec![norm.len()], |to| {
                    for (channel, (to, [factor, mean, summand])) in to.iter_mut().zip(&norm).enumerate() {
                        let bias = bias.and_then(|bias| bias.get(channel)).map_or(0.0, |&bias| f64::from(bias));
                        *to = (factor * (bias - mean) + summand) as f32;
                    }
                })
            }
            Derived::Rows { slot, norm, inputs, groups } => {
                let (weight, norm) = (get(*slot)?, norm.numbers(&get)?);
                let (from, columns) = (weight.as_f32()?, *weight.shape().last()?);
                Tensor::filled_f32(weight.shape().to_vec(), |to| {
                    for (number, (to, &x)) in to.iter_mut().zip(from).enumerate() {
                        let [factor, ..] = norm[channel(number, columns, *inputs, *groups)];
                        *to = (f64::from(x) * factor) as f32;
                    }
                })
            }
            Derived::Through { weight, bias, norm, inputs, groups } => {
                let (weight, bias, norm) = (get(*weight)?, optional(*bias, &get)?, norm.numbers(&get)?);
                let (from, columns) = (weight.as_f32()?, *weight.shape().last()?);
                let bias = bias.as_ref().and_then(Tensor::as_f32);
                let mut sums: Vec<f64> =
                    (0..columns).map(|column| bias.map_or(0.0, |bias| f64::from(bias[column]))).collect();
                for (number, &x) in from.iter().enumerate() {
                    let [factor, mean, summand] = norm[channel(number, columns, *inputs, *groups)];
                    sums[number % columns] += f64::from(x) * (summand - factor * mean);
                }
                Tensor::filled_f32(vec![columns], |to| {
                    to.iter_mut().zip(&sums).for_each(|(to, &sum)| *to = sum as f32);
                })
            }
        }
    }
}

/// The channel taken by a number of weights `[…, inputs, columns]`, whose columns are those of groups.
fn channel(number: usize, columns: usize, inputs: usize, groups: usize) -> usize {
    number % columns / (columns / groups.max(1)).max(1) * inputs + number / columns % inputs.max(1)
}

fn optional(slot: Option<SlotId>, get: &impl Fn(SlotId) -> Option<Tensor>) -> Option<Option<Tensor>> {
    match slot {
        Some(slot) => Some(Some(get(slot)?)),
        None => Some(None),
    }
}

/// The first axis, seen as axes of `lengths` in this order, put back in their own.
fn turned(tensor: &Tensor, lengths: &[usize], order: &[usize]) -> Option<Tensor> {
    let rest = tensor.shape().get(1..)?;
    let permuted = order.iter().map(|&axis| lengths.get(axis).copied()).collect::<Option<Vec<usize>>>()?;
    let seen = tensor.reshaped([&permuted, &[count(rest)?][..]].concat())?;
    let mut back = vec![0; order.len()];
    for (place, &axis) in order.iter().enumerate() {
        *back.get_mut(axis)? = place;
    }
    back.push(order.len());
    seen.permuted(&back)?.to_f32()?.reshaped(tensor.shape().to_vec())
}
