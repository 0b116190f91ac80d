//! The slots an operation takes, which no shape of an input changes.

use super::{Op, Role};

/// A slot of an operation: its name, what it is for, its shape.
pub type OpSlot = (&'static str, Role, Vec<usize>);

impl Op {
    /// The slots, in the order the plan gets them.
    pub fn slots(&self) -> Vec<OpSlot> {
        let parameter = |name, shape: &[usize]| (name, Role::Parameter, shape.to_vec());
        let pair = |weight: bool, weights: &[usize], bias: bool, biases: &[usize]| {
            let weight = weight.then(|| parameter("weight", weights));
            weight.into_iter().chain(bias.then(|| parameter("bias", biases))).collect::<Vec<_>>()
        };
        match self {
            Op::Dense { inputs, outputs, bias } => pair(true, &[*inputs, *outputs], *bias, &[*outputs]),
            Op::Conv(conv) => {
                let weight = [&conv.window.size[..], &[conv.inputs / conv.groups, conv.outputs]].concat();
                pair(true, &weight, conv.bias, &[conv.outputs])
            }
            Op::ConvTranspose { conv, .. } => {
                let weight = [&conv.window.size[..], &[conv.inputs, conv.outputs / conv.groups]].concat();
                pair(true, &weight, conv.bias, &[conv.outputs])
            }
            Op::BatchNorm { features, affine, .. } => {
                let mut slots = pair(*affine, &[*features], *affine, &[*features]);
                slots.push(("running_mean", Role::Statistic, vec![*features]));
                slots.push(("running_var", Role::Statistic, vec![*features]));
                slots
            }
            Op::LayerNorm { shape, weight, bias, .. } => pair(*weight, shape, *bias, shape),
            Op::GroupNorm { features, affine, .. } => pair(*affine, &[*features], *affine, &[*features]),
            Op::Prelu { features } => vec![parameter("weight", &[*features])],
            Op::Parameter { shape } => vec![parameter("value", shape)],
            Op::Scale { shape } => vec![parameter("gamma", shape)],
            Op::PositionTable { shape } => vec![parameter("table", shape)],
            Op::Embedding { count, features } => vec![parameter("weight", &[*count, *features])],
            _ => Vec::new(),
        }
    }
}
