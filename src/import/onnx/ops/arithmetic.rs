//! Functions of two or more numbers, shapes broadcast from their last axes.

use super::super::call::Call;
use super::super::flow::Flow;
use super::super::held::Number;
use crate::describe::{Binary, Op, Unary};
use crate::faults::Code;

/// Any number of values and constants, number by number; one alone stays what it is.
fn several(call: &mut Call<'_, '_, '_>, binary: Binary) -> Option<Flow> {
    call.done()?;
    match call.given.len() {
        0 => call.refuse(Code::Connection, "it takes nothing"),
        1 => call.anywhere(0),
        _ => joined(call, binary),
    }
}

/// Two values or constants, number by number.
fn pair(call: &mut Call<'_, '_, '_>, binary: Binary) -> Option<Flow> {
    call.done()?;
    call.two()?;
    joined(call, binary)
}

fn joined(call: &mut Call<'_, '_, '_>, binary: Binary) -> Option<Flow> {
    let count = call.given.len();
    let flows = call.alike(0..count)?;
    let like = flows.first()?.clone();
    let made = call.make(&Op::Binary(binary), &flows.iter().collect::<Vec<_>>(), like.axes().order)?;
    let channel = flows.iter().find_map(|flow| flow.channel);
    Some(Flow { channel, ..made.like(&like) })
}

/// A value and a number, which makes a function of the value; `with` is given the number and whether it stands first. None,
/// without a fault, if it takes something else.
fn with_number(call: &mut Call<'_, '_, '_>, with: impl Fn(f64, bool) -> Option<Unary>) -> Option<Option<Flow>> {
    if call.given.len() != 2 {
        return Some(None);
    }
    let number = |call: &Call<'_, '_, '_>, place: usize| {
        call.constant(place).and_then(|constant| scalar(call, place, &constant))
    };
    let found = match (number(call, 0), number(call, 1)) {
        (Some(number), None) => with(number, true).map(|unary| (unary, 1)),
        (None, Some(number)) => with(number, false).map(|unary| (unary, 0)),
        _ => None,
    };
    match found {
        Some((unary, place)) => {
            call.done()?;
            let flow = call.anywhere(place)?;
            call.keep(&Op::Unary(unary), &flow).map(Some)
        }
        None => Some(None),
    }
}

/// Two values, or a value and a number.
fn pair_or_number(
    call: &mut Call<'_, '_, '_>,
    binary: Binary,
    with: impl Fn(f64, bool) -> Option<Unary>,
) -> Option<Flow> {
    match with_number(call, with)? {
        Some(made) => Some(made),
        None => pair(call, binary),
    }
}

/// The larger or smaller of any number of values and constants; with one number it is a bound.
fn bounded(call: &mut Call<'_, '_, '_>, binary: Binary, bound: impl Fn(f64) -> Unary) -> Option<Flow> {
    match with_number(call, |number, _| Some(bound(number)))? {
        Some(made) => Some(made),
        None => several(call, binary),
    }
}

/// The one number of a constant that gives the value beside it no more axes.
fn scalar(call: &Call<'_, '_, '_>, place: usize, constant: &super::super::constant::Constant) -> Option<f64> {
    let other = match call.given.get(1 - place) {
        Some(Some(super::super::build::Given::Flow(flow))) => flow.rank(),
        _ => return None,
    };
    constant.scalar().filter(|number| number.is_finite() && constant.shape().len() <= other)
}

/// A value and a constant as a layer with a slot.
fn with_slot(call: &mut Call<'_, '_, '_>, slot: &'static str, op: impl Fn(Vec<usize>) -> Op) -> Option<Option<Flow>> {
    let (constant, place) = match (call.constant(0), call.constant(1)) {
        (Some(constant), None) if call.given.len() == 2 => (constant, 1),
        (None, Some(constant)) if call.given.len() == 2 => (constant, 0),
        _ => return Some(None),
    };
    if scalar(call, 1 - place, &constant).is_some() {
        return Some(None);
    }
    call.done()?;
    let flow = call.anywhere(place)?;
    let (shape, number) = call.beside(&constant, &flow, slot)?;
    let lying = flow.axes().as_lying();
    let longer = |(own, other): (&usize, &Option<usize>)| *own != 1 && *other == Some(1);
    if shape.iter().rev().zip(lying.iter().rev()).any(longer) {
        return Some(None);
    }
    let made: Vec<Number> = vec![number];
    call.keep_with(&op(shape), &flow, made).map(Some)
}

fn power(power: f64, scale: f64, shift: f64) -> Option<Unary> {
    Some(Unary::Power { power, scale, shift })
}

pub(super) fn add(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    match with_slot(call, "table", |shape| Op::PositionTable { shape })? {
        Some(made) => Some(made),
        None => pair_or_number(call, Binary::Add, |number, _| power(1.0, 1.0, number)),
    }
}

pub(super) fn multiply(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    match with_slot(call, "gamma", |shape| Op::Scale { shape })? {
        Some(made) => Some(made),
        None => pair_or_number(call, Binary::Multiply, |number, _| power(1.0, number, 0.0)),
    }
}

pub(super) fn subtract(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    pair_or_number(
        call,
        Binary::Subtract,
        |number, first| if first { power(1.0, -1.0, number) } else { power(1.0, 1.0, -number) },
    )
}

pub(super) fn divide(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    pair_or_number(call, Binary::Divide, |number, first| match (number == 0.0, first) {
        (true, _) => None,
        (_, true) => power(-1.0, 1.0 / number, 0.0),
        (_, false) => power(1.0, 1.0 / number, 0.0),
    })
}

pub(super) fn maximum(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    bounded(call, Binary::Maximum, |number| Unary::Clip { min: number, max: f64::INFINITY })
}

pub(super) fn minimum(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    bounded(call, Binary::Minimum, |number| Unary::Clip { min: f64::NEG_INFINITY, max: number })
}

pub(super) fn mean(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    several(call, Binary::Average)
}

pub(super) fn sum(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    several(call, Binary::Add)
}

/// A power by one number, else by a value or by a constant of several.
pub(super) fn raise(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    pair_or_number(call, Binary::Power, |number, first| if first { None } else { power(number, 1.0, 0.0) })
}

/// `Mod`, which is of real numbers with `fmod` alone.
pub(super) fn remainder(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    if !call.attributes.flag("fmod", false) {
        call.attributes.wrong("fmod", "wants 1 among real numbers");
    }
    pair(call, Binary::Remainder)
}
