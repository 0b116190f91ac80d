//! Functions of two or more values.

use super::call::Call;
use crate::describe::lowering::{Value, plain};
use crate::describe::{Binary, Op, Unary};
use crate::faults::Code;

/// Number by number.
fn binary(call: &mut Call, binary: Binary) -> Option<Value> {
    call.done()?;
    let values = call.alike()?;
    let order = values.first()?.axes.as_ref().map(|axes| axes.order.clone());
    call.make(&Op::Binary(binary), &values.iter().collect::<Vec<_>>(), order)
}

/// Two values, or one and a number `other`, which `with` makes a function of the value.
fn with_number(call: &mut Call, two: Binary, with: impl Fn(f64) -> Unary) -> Option<Value> {
    if call.inputs.len() != 1 {
        return binary(call, two);
    }
    let other = call.args.real("other", None);
    call.done()?;
    let value = call.input()?;
    call.keep(&Op::Unary(with(other)), &value)
}

fn power(scale: f64, shift: f64) -> Unary {
    Unary::Power { power: 1.0, scale, shift }
}

pub(super) fn add(call: &mut Call) -> Option<Value> {
    with_number(call, Binary::Add, |other| power(1.0, other))
}

pub(super) fn sub(call: &mut Call) -> Option<Value> {
    with_number(call, Binary::Subtract, |other| power(1.0, -other))
}

pub(super) fn mul(call: &mut Call) -> Option<Value> {
    with_number(call, Binary::Multiply, |other| power(other, 0.0))
}

pub(super) fn div(call: &mut Call) -> Option<Value> {
    with_number(call, Binary::Divide, |other| power(1.0 / other, 0.0))
}

pub(super) fn maximum(call: &mut Call) -> Option<Value> {
    binary(call, Binary::Maximum)
}

pub(super) fn minimum(call: &mut Call) -> Option<Value> {
    binary(call, Binary::Minimum)
}

pub(super) fn average(call: &mut Call) -> Option<Value> {
    binary(call, Binary::Average)
}

/// Over the last two axes, those before as they are.
pub(super) fn matmul(call: &mut Call) -> Option<Value> {
    call.done()?;
    let values = call.alike()?;
    let [first, second] = values.as_slice() else { return None };
    let (first, second) = (call.plain(first), call.plain(second));
    let rank = first.axes.as_ref().map(|axes| axes.rank());
    if rank.is_some_and(|rank| rank < 2) {
        return call.refuse(Code::LayerShape, "it wants at least 3 axes and gets 2: examples are never mixed");
    }
    let made = call.make(&Op::MatMul, &[&first, &second], rank.map(plain))?;
    Some(Value { image: false, ..made })
}
