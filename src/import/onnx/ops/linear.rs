//! Products with a matrix.

use super::super::call::Call;
use super::super::constant::{Constant, Item};
use super::super::flow::Flow;
use super::super::held::Number;
use super::axes::squeezed;
use crate::describe::Op;
use crate::describe::lowering::plain;
use crate::faults::Code;
use crate::network::Turn;
use crate::tensor::{DType, Tensor, shape_text};

/// The value with the graph's last axis lying last.
fn last_axis(call: &mut Call<'_, '_, '_>, flow: &Flow) -> Option<Flow> {
    let rank = flow.each();
    if flow.at + 1 == flow.rank() {
        return call
            .refuse(Code::LayerShape, "what reaches it has the batch alone, and no axis to take the product over");
    }
    Some(if flow.axes().order.last() == Some(&(rank - 1)) { flow.clone() } else { call.plain(flow) })
}

/// A dense layer over the last axis. `weight` is `[in, out]`, or turned `[out, in]`.
fn dense(
    call: &mut Call<'_, '_, '_>,
    flow: &Flow,
    weight: Constant,
    turned: bool,
    bias: Option<Constant>,
) -> Option<Flow> {
    let flow = last_axis(call, flow)?;
    let &[rows, columns] = weight.shape() else {
        return call.refuse(Code::LayerShape, &format!("its weight is {}, and no matrix", shape_text(weight.shape())));
    };
    let (inputs, outputs) = if turned { (columns, rows) } else { (rows, columns) };
    let shape = [inputs, outputs];
    let turn =
        if turned { Turn::new(&[rows, columns], &[rows, columns], vec![1, 0], &shape) } else { Turn::none(&shape) };
    let mut numbers = vec![Number { slot: "weight", constant: weight, turn }];
    let has_bias = bias.is_some();
    if let Some(bias) = bias {
        let bias = spread(call, bias, outputs)?;
        numbers.push(Number::flat("bias", bias, &[outputs]));
    }
    let made = call.keep_with(&Op::Dense { inputs, outputs, bias: has_bias }, &flow, numbers)?;
    Some(Flow { channel: None, ..made })
}

/// A bias with a number for each output: as it is, or its one number repeated.
fn spread(call: &mut Call<'_, '_, '_>, bias: Constant, outputs: usize) -> Option<Constant> {
    let long = bias.shape().last().copied().unwrap_or(1);
    if bias.count() == outputs && (long == outputs) {
        return Some(bias);
    }
    match bias.scalar() {
        Some(number) => {
            let count = call.room(&[outputs])?;
            Constant::computed(DType::F32, vec![outputs], vec![Item::Known(number); count])
        }
        None => {
            let what = format!(
                "its addend is {}: one number for each of {outputs} outputs is wanted",
                shape_text(bias.shape())
            );
            call.refuse(Code::LayerShape, &what)
        }
    }
}

/// A constant times a number.
fn scaled(constant: Constant, factor: f64) -> Option<Constant> {
    if factor == 1.0 {
        return Some(constant);
    }
    let numbers = constant.tensor()?.to_f32()?;
    let from = numbers.as_f32()?;
    let tensor = Tensor::filled_f32(numbers.shape().to_vec(), |to| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = (f64::from(*from) * factor) as f32);
    })?;
    Some(Constant::stored(tensor, None))
}

pub(super) fn gemm(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (alpha, beta) = (call.attributes.real("alpha", 1.0), call.attributes.real("beta", 1.0));
    let (first, second) = (call.attributes.flag("transA", false), call.attributes.flag("transB", false));
    call.done()?;
    let mut flow = call.anywhere(0)?;
    if usize::from(first) != flow.at {
        return call.unsupported("the batch stands where the product is taken; examples are never mixed");
    }
    // Turned, it has the batch in front again.
    flow.at = 0;
    if flow.rank() != 2 {
        return call.refuse(Code::LayerShape, &format!("it wants two axes and gets {}", flow.rank()));
    }
    let weight = call.constant_needed(1, "weight")?;
    let bias = match call.has(2) {
        true if beta != 0.0 => Some(call.constant_needed(2, "addend")?),
        _ => None,
    };
    let scale = |constant, factor| scaled(constant, factor);
    let (Some(weight), Some(bias)) =
        (scale(weight, alpha), bias.map(|bias| scale(bias, beta)).map_or(Some(None), |bias| bias.map(Some)))
    else {
        return call.refuse(Code::Memory, "there is no memory for its weight");
    };
    dense(call, &flow, weight, second, bias)
}

/// `MatMul`; a third input is the addend that a rewrite has put in.
pub(super) fn matmul(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    match (call.constant(0), call.constant(1)) {
        (None, Some(weight)) if weight.shape().len() == 2 => {
            let flow = call.anywhere(0)?;
            let bias = call.constant(2);
            dense(call, &flow, weight, false, bias)
        }
        (None, Some(vector)) if vector.shape().len() == 1 => {
            let flow = call.real(0)?;
            let column = vector.reshaped([vector.shape(), &[1]].concat())?;
            let made = dense(call, &flow, column, false, None)?;
            let last = made.each() - 1;
            squeezed(call, &made, &[last])
        }
        (Some(vector), None) if vector.shape().len() == 1 => {
            let flow = call.real(1)?;
            let row = vector.reshaped([&[1], vector.shape()].concat())?;
            let made = beside(call, &row, &flow, true)?;
            let row = made.each() - 2;
            squeezed(call, &made, &[row])
        }
        (Some(constant), None) => {
            let flow = call.real(1)?;
            beside(call, &constant, &flow, true)
        }
        (None, Some(constant)) => {
            let flow = call.real(0)?;
            beside(call, &constant, &flow, false)
        }
        _ => product(call),
    }
}

/// A product with a constant that is no matrix on the right.
fn beside(call: &mut Call<'_, '_, '_>, constant: &Constant, flow: &Flow, left: bool) -> Option<Flow> {
    if constant.shape().len() < 2 || flow.each() < flow.merged + 2 {
        return call
            .unsupported("a product of this shape would mix examples, or is one with a single row, which is not read");
    }
    let flow = call.plain(flow);
    let other = call.parameter(constant, &flow, 2)?;
    let rank = flow.each();
    let pair = if left { [&other, &flow] } else { [&flow, &other] };
    let made = call.make(&Op::MatMul, &pair, plain(rank))?;
    Some(made.like(&flow))
}

fn product(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (first, second) = (call.real(0)?, call.real(1)?);
    if (first.each(), first.merged, first.pre) != (second.each(), second.merged, second.pre)
        || first.each() < first.merged + 2
    {
        let what = format!(
            "it wants two values of equally many axes, at least the batch and two more, and gets {} and {}",
            first.rank(),
            second.rank()
        );
        return call.refuse(Code::LayerShape, &what);
    }
    let (first, second) = (call.plain(&first), call.plain(&second));
    let made = call.make(&Op::MatMul, &[&first, &second], plain(first.each()))?;
    Some(made.like(&first))
}
