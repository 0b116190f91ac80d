//! Arithmetic on values and on numbers that the file states beside them.

use super::super::{
    Row, drops,
    function::{constant, power},
    merge::alike,
    stated,
};
use crate::{
    describe::{Binary, Op, lowering::plain},
    faults::Code,
    formats::json::Json,
    import::keras::{
        call::{Argument, Call},
        flow::Flow,
    },
};

pub(super) const ROWS: &[Row] = &[
    stated("Add", |call| pair(call, Binary::Add)),
    stated("Subtract", |call| pair(call, Binary::Subtract)),
    stated("Multiply", |call| pair(call, Binary::Multiply)),
    stated("Divide", |call| pair(call, Binary::Divide)),
    stated("TrueDivide", |call| pair(call, Binary::Divide)),
    stated("Maximum", |call| pair(call, Binary::Maximum)),
    stated("Minimum", |call| pair(call, Binary::Minimum)),
    stated("Power", raise),
    stated("Matmul", product),
    drops("Negative", negative),
];

/// What an operation on two is called with.
fn two<'a>(call: &mut Call<'_, 'a, '_>) -> Option<[Argument<'a>; 2]> {
    call.done()?;
    let given = call.arguments()?;
    let count = given.len();
    match <[Argument<'a>; 2]>::try_from(given) {
        Ok(two) => Some(two),
        Err(_) => call.refuse(Code::Connection, &format!("it takes two values and is given {count}")),
    }
}

/// Two values of as many axes, number by number, or one and numbers of the file.
fn pair(call: &mut Call<'_, '_, '_>, operation: Binary) -> Option<Flow> {
    let given = two(call)?;
    joined(call, given, operation)
}

fn joined<'a>(call: &mut Call<'_, 'a, '_>, given: [Argument<'a>; 2], operation: Binary) -> Option<Flow> {
    let (first, second, value) = match given {
        [Argument::Value(first), Argument::Value(second)] => {
            if first.rank() != second.rank() {
                return call.unsupported(
                    "it takes values of different numbers of axes, of which one would meet the batch; examples are never mixed",
                );
            }
            let mut both = alike(call, &[first, second]);
            let (second, first) = (both.pop()?, both.pop()?);
            (first.clone(), second, first)
        }
        [Argument::Value(value), Argument::Stated(numbers)] => {
            let value = call.plain(&value);
            (value.clone(), beside(call, &value, numbers)?, value)
        }
        [Argument::Stated(numbers), Argument::Value(value)] => {
            let value = call.plain(&value);
            (beside(call, &value, numbers)?, value.clone(), value)
        }
        [Argument::Stated(_), Argument::Stated(_)] => return call.refuse(Code::Connection, "it takes no value"),
    };
    let made = call.make(&Op::Binary(operation), &[&first, &second], value.order())?;
    Some(Flow { origin: None, ..made.like(&value) })
}

/// Numbers of the file that meet a value, axes aligned from the last.
fn beside(call: &mut Call<'_, '_, '_>, value: &Flow, numbers: &Json) -> Option<Flow> {
    let (mut shape, numbers) = array(call, numbers)?;
    let most = value.rank() - call.at.lead;
    // The batch, of which they have one example.
    if shape.len() == most + 1 && shape.first() == Some(&1) {
        shape.remove(0);
    }
    if shape.len() > most {
        return call.unsupported("the numbers it is called with differ along the batch; examples are never mixed");
    }
    constant(call, shape, &numbers)
}

/// Numbers of the file: one, or those of an array in its order, with its shape.
fn array(call: &mut Call<'_, '_, '_>, said: &Json) -> Option<(Vec<usize>, Vec<f64>)> {
    let class = said.get("class_name").and_then(Json::text);
    let held = match class {
        Some("__numpy__" | "__tensor__") => said.get("config").and_then(|config| config.get("value")),
        Some(_) => None,
        None => Some(said),
    };
    let (mut shape, mut numbers) = (Vec::new(), Vec::new());
    if let Some(held) = held {
        let mut inner = held;
        while let Json::List(items) = inner {
            shape.push(items.len());
            inner = items.first().unwrap_or(&Json::Null);
        }
        if gather(held, &shape, &mut numbers).is_some() {
            return Some((shape, numbers));
        }
    }
    call.unsupported("it is called with something that is neither a value nor numbers")
}

/// The numbers of a list of lists of this shape.
fn gather(held: &Json, shape: &[usize], into: &mut Vec<f64>) -> Option<()> {
    match (held, shape) {
        (Json::List(items), [length, rest @ ..]) if items.len() == *length => {
            items.iter().try_for_each(|item| gather(item, rest, into))
        }
        (one, []) => {
            into.push(one.real()?);
            Some(())
        }
        _ => None,
    }
}

/// `x^y`; a function of `x` where `y` is a number of the file.
fn raise(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let given = two(call)?;
    if let [Argument::Value(value), Argument::Stated(said)] = &given {
        if let ([], [exponent]) = array(call, said).as_ref().map(|(shape, numbers)| (&shape[..], &numbers[..]))? {
            return call.keep(&power(*exponent, 1.0, 0.0), value);
        }
    }
    joined(call, given, Binary::Power)
}

fn negative(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let flow = call.input()?;
    call.keep(&power(1.0, -1.0, 0.0), &flow)
}

/// A product of matrices: of two values of as many axes, or of a value and a matrix of the file.
fn product(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (first, second) = match two(call)? {
        [Argument::Value(first), Argument::Value(second)] => {
            if first.rank() != second.rank() || first.rank() < call.at.lead + 2 {
                return call.unsupported(
                    "it takes values of which the batch would be an axis of the product; examples are never mixed",
                );
            }
            (call.plain(&first), call.plain(&second))
        }
        [Argument::Value(first), Argument::Stated(matrix)] => {
            let (shape, numbers) = array(call, matrix)?;
            if shape.len() != 2 || first.rank() == call.at.lead {
                return call.unsupported("a product with numbers of the file is read where these are a matrix");
            }
            (call.plain(&first), constant(call, shape, &numbers)?)
        }
        _ => return call.unsupported("a product is read whose left side is a value"),
    };
    if first.rank() > 1 {
        return call.make(&Op::MatMul, &[&first, &second], plain(first.rank()));
    }
    let row = call.make(&Op::Unsqueeze { axes: vec![1] }, &[&first], plain(2))?;
    let made = call.make(&Op::MatMul, &[&row, &second], plain(2))?;
    call.make(&Op::Squeeze { axes: vec![1] }, &[&made], plain(1))
}
