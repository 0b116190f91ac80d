//! What is true or false, as 1 and 0: comparisons, what joins them, and choices by them.

use super::super::build::Given;
use super::super::call::Call;
use super::super::constant::Constant;
use super::super::flow::Flow;
use crate::describe::{Binary, Op, Unary};
use crate::faults::Code;

/// `1 − x`.
const NOT: Op = Op::Unary(Unary::Power { power: 1.0, scale: -1.0, shift: 1.0 });

/// Two values joined, their shapes broadcast.
fn pair(call: &mut Call<'_, '_, '_>, does: Option<&str>, binary: Binary, flows: &[Flow]) -> Option<Flow> {
    let [first, second] = flows else { return None };
    let order = first.axes().order;
    let value = call.put(does, &Op::Binary(binary), &[&first.value, &second.value], order, Vec::new());
    Some(Flow::new(value).like(first))
}

fn two(call: &mut Call<'_, '_, '_>, binary: Binary) -> Option<Flow> {
    call.done()?;
    call.two()?;
    let flows = call.alike(0..2)?;
    pair(call, None, binary, &flows)
}

/// A comparison of two values. What is not greater, and no NaN, is less or equal.
pub(super) fn compare(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    call.two()?;
    let flows = call.alike(0..2)?;
    let strict = match call.node.op.as_str() {
        "Equal" => return pair(call, None, Binary::Equal, &flows),
        "Less" => return pair(call, None, Binary::Less, &flows),
        "Greater" => return pair(call, None, Binary::Greater, &flows),
        "LessOrEqual" => Binary::Less,
        _ => Binary::Greater,
    };
    let parts = [pair(call, Some("strict"), strict, &flows)?, pair(call, Some("equal"), Binary::Equal, &flows)?];
    pair(call, None, Binary::Maximum, &parts)
}

pub(super) fn both(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    two(call, Binary::Multiply)
}

pub(super) fn either(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    two(call, Binary::Maximum)
}

/// One and not the other.
pub(super) fn one(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    call.two()?;
    let flows = call.alike(0..2)?;
    let alike = pair(call, Some("equal"), Binary::Equal, &flows)?;
    call.keep(&NOT, &alike)
}

pub(super) fn not(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let flow = call.anywhere(0)?;
    call.keep(&NOT, &flow)
}

/// Whether a number is not nought.
pub(super) fn of(call: &mut Call<'_, '_, '_>, flow: &Flow) -> Option<Flow> {
    let nought = number(call, 0.0, flow);
    let is = pair(call, Some("nought"), Binary::Equal, &[flow.clone(), nought])?;
    call.keep(&NOT, &is)
}

/// One number as a layer, with as many axes as `like` has.
fn number(call: &mut Call<'_, '_, '_>, number: f32, like: &Flow) -> Flow {
    let op = Op::Constant { shape: vec![1; like.each()], values: vec![number] };
    let value = call.put(Some("number"), &op, &[], like.axes().order, Vec::new());
    Flow::new(value).like(like)
}

/// A constant of one infinity, which no slot holds: a function of nought.
fn infinity(call: &mut Call<'_, '_, '_>, constant: &Constant, like: &Flow) -> Option<Flow> {
    let numbers = constant.reals()?;
    let (&first, rest) = numbers.split_first()?;
    (first.is_infinite() && rest.iter().all(|other| *other == first)).then_some(())?;
    let nought = number(call, 0.0, like);
    let negative = call.step("infinity", &Op::Unary(Unary::Log), &nought);
    let negate = Op::Unary(Unary::Power { power: 1.0, scale: -1.0, shift: 0.0 });
    Some(if first > 0.0 { call.step("infinity", &negate, &negative) } else { negative })
}

/// `Where`.
pub(super) fn choose(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let flows = call.given.iter().filter_map(|given| match given {
        Some(Given::Flow(flow)) => Some(flow.clone()),
        _ => None,
    });
    let Some(like) = flows.max_by_key(Flow::each) else {
        return call.refuse(Code::Connection, "it takes constants alone");
    };
    for place in 1..3 {
        let found = call.constant(place).and_then(|constant| infinity(call, &constant, &like));
        if let (Some(found), Some(given)) = (found, call.given.get_mut(place)) {
            *given = Some(Given::Flow(found));
        }
    }
    let flows = call.alike(0..3)?;
    let made = call.make(&Op::Where, &flows.iter().collect::<Vec<_>>(), like.axes().order)?;
    Some(made.like(&like))
}
