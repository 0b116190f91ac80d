//! Addends that stand apart from the product or the convolution they belong to.

use super::form::{Bound, Form, Seeker};
use super::{Lift, Made, always};
use crate::formats::onnx::{Attribute, Setting};
use Form::{Constant, Op, Value};

pub(super) const LIFTS: &[Lift] = &[
    // a product and its addend
    Lift {
        last: &["Add"],
        forms: || vec![Op("Add", vec![Op("MatMul", vec![Value("x"), Constant("weight")]), Constant("bias")])],
        made: product,
        fits: always,
    },
    // a convolution and its addend, which may stand behind the way back to channels last
    Lift {
        last: &["Add"],
        forms: || vec![Op("Add", vec![Value("made"), Constant("bias")])],
        made: convolution,
        fits: always,
    },
];

fn product(bound: &Bound, seeker: &Seeker<'_>) -> Option<Made> {
    let (weight, bias) = (bound.value("weight")?, bound.value("bias")?);
    let (&[_, outputs], bias_shape) = (&seeker.shape(&weight)?[..], seeker.shape(&bias)?) else { return None };
    let (last, before) = bias_shape.split_last()?;
    let fits = *last == outputs && before.iter().all(|length| *length == 1) && before.len() < 2;
    fits.then_some(())?;
    Some(Made { op: "MatMul", inputs: vec![bound.value("x")?, weight, bias], attributes: Vec::new(), features: None })
}

/// The node that makes the value is a convolution, or a Transpose to channels last behind one.
fn convolution(bound: &Bound, seeker: &Seeker<'_>) -> Option<Made> {
    let (made, bias) = (bound.value("made")?, bound.value("bias")?);
    let node = seeker.maker(&made)?;
    let last = node.op == "Transpose";
    let conv = if last { seeker.maker(seeker.through(node.inputs.first()?))? } else { node };
    let [x, weight] = &conv.inputs[..] else { return None };
    let shape = seeker.shape(weight).filter(|_| conv.op == "Conv")?;
    let (rank, outputs) = (shape.len(), *shape.first()?);
    if last {
        let to_last = [0].into_iter().chain(2..i64::try_from(rank).ok()?).chain([1]);
        let said = node.attributes.iter().find_map(|attribute| match &attribute.setting {
            Setting::Ints(perm) if attribute.name == "perm" => Some(perm.clone()),
            _ => None,
        });
        said.filter(|perm| to_last.eq(perm.iter().copied()))?;
    }
    let bias_shape = seeker.shape(&bias)?;
    // The axis of channels from the end, where the addend has its numbers.
    let from_end = if last { 1 } else { rank.checked_sub(1)? };
    let place = bias_shape.len().checked_sub(from_end)?;
    let fits = bias_shape.iter().enumerate().all(|(axis, length)| *length == if axis == place { outputs } else { 1 });
    (fits && bias_shape.len() <= rank).then_some(())?;
    let mut attributes: Vec<(&'static str, Setting)> = Vec::new();
    for Attribute { name, setting } in &conv.attributes {
        let known = ["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"];
        attributes.push((known.iter().find(|known| *known == name)?, setting.clone()));
    }
    if last {
        attributes.push(("channels_last", Setting::Int(1)));
    }
    Some(Made { op: "Conv", inputs: vec![x.clone(), weight.clone(), bias], attributes, features: None })
}
