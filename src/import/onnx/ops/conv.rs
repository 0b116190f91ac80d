//! Convolutions and transposed convolutions.

use super::super::call::Call;
use super::super::constant::Constant;
use super::super::flow::Flow;
use super::super::held::Number;
use super::window::{sides, window};
use crate::describe::lowering::channels_last;
use crate::describe::{Border, Conv, Op, Window};
use crate::faults::Code;
use crate::network::Turn;
use crate::tensor::shape_text;

/// The weight of a convolution over the window axes of what reaches it, and the lengths of its window.
fn weight(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<(Constant, Vec<usize>)> {
    let weight = call.constant_needed(1, "weight")?;
    let shape = weight.shape().to_vec();
    if shape.len() != dims + 2 || shape.contains(&0) {
        let what = format!("its weight is {}, and what reaches it has {dims} window axes", shape_text(&shape));
        return call.refuse(Code::LayerShape, &what);
    }
    let size = shape.get(2..).unwrap_or_default().to_vec();
    if call
        .attributes
        .ints("kernel_shape")
        .is_some_and(|said| !said.iter().copied().eq(size.iter().map(|side| *side as i64)))
    {
        call.attributes.wrong("kernel_shape", "is not that of the weight");
    }
    Some((weight, size))
}

fn groups(call: &mut Call<'_, '_, '_>, divides: usize) -> usize {
    let group = call.attributes.int("group", 1);
    match usize::try_from(group).ok().filter(|group| *group > 0 && divides.is_multiple_of(*group)) {
        Some(group) => group,
        None => {
            call.attributes.wrong("group", &format!("{group} does not divide the channels of the weight"));
            1
        }
    }
}

/// Weight and bias as the slots of a layer; `axes` put the weight into the library's order.
fn numbers(call: &mut Call<'_, '_, '_>, weight: Constant, axes: Vec<usize>, outputs: usize) -> Option<Vec<Number>> {
    let written = weight.shape().to_vec();
    let shape: Vec<usize> = axes.iter().filter_map(|axis| written.get(*axis).copied()).collect();
    let turn = Turn::new(&written, &written, axes, &shape);
    let mut numbers = vec![Number { slot: "weight", constant: weight, turn }];
    if call.has(2) {
        let bias = call.constant_needed(2, "addend")?;
        if bias.count() != outputs {
            let what = format!(
                "its addend is {}: one number for each of {outputs} channels is wanted",
                shape_text(bias.shape())
            );
            return call.refuse(Code::LayerShape, &what);
        }
        numbers.push(Number::flat("bias", bias, &[outputs]));
    }
    Some(numbers)
}

pub(super) fn conv(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let flow = call.whole(0)?;
    let dims = flow.each().saturating_sub(1);
    let (weight, size) = weight(call, dims)?;
    let &[outputs, each, ..] = weight.shape() else { return None };
    let groups = groups(call, outputs);
    let window = window(call, size, &flow)?;
    // A rewrite has taken the way back to channels last in.
    let last = call.is_lifted() && call.attributes.flag("channels_last", false);
    call.done()?;
    let Some(inputs) = each.checked_mul(groups) else {
        return call.refuse(Code::Overflow, "it has more channels than can be counted");
    };
    let (flow, dims) = call.windows()?;
    let axes = (2..dims + 2).chain([1, 0]).collect();
    let numbers = numbers(call, weight, axes, outputs)?;
    let bias = numbers.len() > 1;
    let made = call.keep_with(&Op::Conv(Conv { inputs, outputs, groups, window, bias }), &flow, numbers)?;
    Some(if last { Call::renamed(&made, &channels_last(dims + 1)) } else { made })
}

pub(super) fn transpose(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let flow = call.whole(0)?;
    let dims = flow.each().saturating_sub(1);
    let (weight, size) = weight(call, dims)?;
    let &[inputs, each, ..] = weight.shape() else { return None };
    let groups = groups(call, inputs);
    let extra = call.attributes.lengths("output_padding", dims, 0, 0);
    let wanted = call.attributes.has("output_shape").then(|| call.attributes.lengths("output_shape", dims, 1, 1));
    let auto = call.attributes.text("auto_pad", "NOTSET");
    let stride = call.attributes.lengths("strides", dims, 1, 1);
    let dilation = call.attributes.lengths("dilations", dims, 1, 1);
    let pads = call.attributes.lengths("pads", 2 * dims, 0, 0);
    call.done()?;
    let Some(outputs) = each.checked_mul(groups) else {
        return call.refuse(Code::Overflow, "it has more channels than can be counted");
    };
    let mut border = sides(&pads);
    let lengths = flow.lengths();
    let same = matches!(auto, "SAME_UPPER" | "SAME_LOWER");
    if auto == "VALID" {
        border = vec![[0, 0]; dims];
    }
    let mut extra = extra;
    if wanted.is_some() || same {
        for (axis, sides) in border.iter_mut().enumerate() {
            let Some(length) = lengths.get(axis + 1).copied().flatten() else {
                return call.refuse(
                    Code::Input,
                    "it wants lengths that are not known: state the shape of one example of the input",
                );
            };
            let at = |list: &[usize]| list.get(axis).copied().unwrap_or(1);
            let (stride, reach) = (at(&stride), (at(&size) - 1).saturating_mul(at(&dilation)) + 1);
            let to = wanted.as_ref().map_or(length.saturating_mul(stride), |wanted| at(wanted));
            let own = extra.get_mut(axis)?;
            let whole = length.saturating_sub(1).saturating_mul(stride).saturating_add(reach).saturating_add(*own);
            let total = whole.saturating_sub(to);
            // Automatic borders make nothing longer than it is without one, as ONNX Runtime has it.
            if !same {
                *own += to.saturating_sub(whole);
            }
            let less = total / 2;
            // SAME_UPPER keeps the later places of an odd one, everything else the earlier.
            *sides = if auto == "SAME_UPPER" { [less, total - less] } else { [total - less, less] };
        }
    }
    let (flow, dims) = call.windows()?;
    let axes = (2..dims + 2).chain([0, 1]).collect();
    let numbers = numbers(call, weight, axes, outputs)?;
    let window = Window { size, stride, dilation, border: Border::Explicit(border), ceil: false };
    let conv = Conv { inputs, outputs, groups, window, bias: numbers.len() > 1 };
    call.keep_with(&Op::ConvTranspose { conv, extra }, &flow, numbers)
}
