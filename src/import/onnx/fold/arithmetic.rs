//! Functions of one or more numbers, comparisons, totals.

use super::super::call::Call;
use super::super::constant::{Constant, Item};
use super::{axis_of, computed};
use crate::tensor::{DType, packed_strides};
use Item::{Batch, Known, Unknown};

pub(super) fn unary(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let function: fn(f64) -> f64 = match call.node.op.as_str() {
        "Abs" => f64::abs,
        "Ceil" => f64::ceil,
        "Cos" => f64::cos,
        "Erf" => libm::erf,
        "Exp" => f64::exp,
        "Floor" => f64::floor,
        "Log" => f64::ln,
        "Neg" => |x| -x,
        "Not" => |x| f64::from(u8::from(x == 0.0)),
        "Reciprocal" => |x| 1.0 / x,
        "Relu" => |x| x.max(0.0),
        "Round" => f64::round_ties_even,
        "Sigmoid" => |x| 1.0 / (1.0 + (-x).exp()),
        "Sign" => |x| if x == 0.0 { 0.0 } else { x.signum() },
        "Sin" => f64::sin,
        "Sqrt" => f64::sqrt,
        "Tanh" => f64::tanh,
        _ => return None,
    };
    let constant = call.constant(0)?;
    call.room(constant.shape())?;
    let op = call.node.op.as_str();
    let one = |item: &Item| match (item, op) {
        (Known(number), _) => Some(Known(function(*number))),
        (Batch(count), "Neg") => Some(Batch(-count)),
        (Batch(count), "Abs" | "Ceil" | "Floor" | "Round") => Some(Batch(*count)),
        (Unknown, _) => Some(Unknown),
        _ => None,
    };
    let items = constant.items()?.iter().map(one).collect::<Option<Vec<Item>>>()?;
    computed(constant.dtype(), constant.shape().to_vec(), items)
}

/// Functions of two numbers and more, taken from the left.
pub(super) fn binary(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let op = call.node.op.as_str();
    // What does not take so many is refused with the layers.
    if call.given.len() != 2 && !matches!(op, "Max" | "Min") {
        return None;
    }
    let op = if op == "Mod" && call.attributes.flag("fmod", false) { FMOD } else { op };
    let mut made = call.constant(0)?;
    for place in 1..call.given.len() {
        let other = call.constant(place)?;
        let whole = !made.dtype().is_real();
        let dtype = if compares(op) { DType::Bool } else { made.dtype() };
        let each = |items: &[Item]| match items {
            [a, b] => two(op, *a, *b, whole),
            _ => None,
        };
        made = broadcast(call, &[made, other], dtype, each)?;
    }
    Some(vec![made])
}

/// `Mod` with `fmod`, whose answer has the sign of the number and not of the divisor.
const FMOD: &str = "fmod";

fn compares(op: &str) -> bool {
    matches!(op, "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" | "And" | "Or")
}

fn two(op: &str, a: Item, b: Item, whole: bool) -> Option<Item> {
    let truth = |truth: bool| Some(Known(f64::from(u8::from(truth))));
    match (a, b) {
        (Known(a), Known(b)) => Some(Known(match op {
            "Add" => a + b,
            "Sub" => a - b,
            "Mul" => a * b,
            "Div" if whole && b == 0.0 => return None,
            "Div" if whole => (a / b).trunc(),
            "Div" => a / b,
            "Pow" => a.powf(b),
            "Mod" | FMOD if whole && b == 0.0 => return None,
            "Mod" if whole => a - b * (a / b).floor(),
            "Mod" | FMOD => a % b,
            "Max" => a.max(b),
            "Min" => a.min(b),
            "Equal" => return truth(a == b),
            "Greater" => return truth(a > b),
            "GreaterOrEqual" => return truth(a >= b),
            "Less" => return truth(a < b),
            "LessOrEqual" => return truth(a <= b),
            "And" => return truth(a != 0.0 && b != 0.0),
            "Or" => return truth(a != 0.0 || b != 0.0),
            _ => return None,
        })),
        (Batch(a), Known(b)) => match op {
            "Mul" => Some(Batch(a * b)),
            "Div" if b != 0.0 && (a / b).fract() == 0.0 => Some(Batch(a / b)),
            "Add" | "Sub" if b == 0.0 => Some(Batch(a)),
            // A batch is at least one.
            "Max" if b <= a => Some(Batch(a)),
            "Min" if b <= a => Some(Known(b)),
            "Equal" if b < a => truth(false),
            "Greater" | "GreaterOrEqual" if b < a => truth(true),
            "Less" | "LessOrEqual" if b < a => truth(false),
            _ => Some(Unknown),
        },
        (Known(a), Batch(b)) => match op {
            "Mul" | "Add" | "Max" | "Min" | "Equal" => two(op, Batch(b), Known(a), whole),
            _ => Some(Unknown),
        },
        (Batch(a), Batch(b)) => match op {
            "Add" => Some(if a + b == 0.0 { Known(0.0) } else { Batch(a + b) }),
            "Sub" => Some(if a == b { Known(0.0) } else { Batch(a - b) }),
            "Div" if b != 0.0 && (a / b).fract() == 0.0 => Some(Known(a / b)),
            "Equal" => truth(a == b),
            "Max" | "Min" if a == b => Some(Batch(a)),
            _ => Some(Unknown),
        },
        _ => Some(Unknown),
    }
}

pub(super) fn where_(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let all = [call.constant(0)?, call.constant(1)?, call.constant(2)?];
    let dtype = all.get(1)?.dtype();
    let each = |items: &[Item]| match items {
        [Known(truth), yes, no] => Some(if *truth == 0.0 { *no } else { *yes }),
        _ => Some(Unknown),
    };
    Some(vec![broadcast(call, &all, dtype, each)?])
}

/// Some constants, aligned from their last axes, number by number.
fn broadcast(
    call: &mut Call<'_, '_, '_>,
    all: &[Constant],
    dtype: DType,
    each: impl Fn(&[Item]) -> Option<Item>,
) -> Option<Constant> {
    let rank = all.iter().map(|constant| constant.shape().len()).max()?;
    let aligned = |constant: &Constant| [vec![1; rank - constant.shape().len()], constant.shape().to_vec()].concat();
    let shapes: Vec<Vec<usize>> = all.iter().map(aligned).collect();
    let mut shape = vec![1; rank];
    for lengths in &shapes {
        for (common, length) in shape.iter_mut().zip(lengths) {
            match (*common, *length) {
                (_, 1) => {}
                (1, length) => *common = length,
                (a, b) if a == b => {}
                _ => return None,
            }
        }
    }
    let count = call.room(&shape)?;
    if count == 0 {
        return Constant::computed(dtype, shape, Vec::new());
    }
    let items = all.iter().map(Constant::items).collect::<Option<Vec<_>>>()?;
    let strides: Vec<Vec<usize>> = shapes.iter().map(|lengths| steps(lengths)).collect();
    let own = steps_of(&shape);
    let mut out = Vec::with_capacity(count);
    for number in 0..count {
        let at = |strides: &Vec<usize>| {
            own.iter().zip(&shape).zip(strides).map(|((own, length), stride)| number / own % length * stride).sum()
        };
        let picked = strides.iter().zip(&items).map(|(strides, items)| {
            let place: usize = at(strides);
            items.get(place).copied()
        });
        out.push(each(&picked.collect::<Option<Vec<Item>>>()?)?);
    }
    Constant::computed(dtype, shape, out)
}

/// Numbers to skip for each axis.
fn steps_of(shape: &[usize]) -> Vec<usize> {
    packed_strides(shape).into_iter().map(|stride| usize::try_from(stride).unwrap_or(1).max(1)).collect()
}

/// The same, nought for an axis of length 1.
fn steps(shape: &[usize]) -> Vec<usize> {
    steps_of(shape).into_iter().zip(shape).map(|(step, length)| if *length == 1 { 0 } else { step }).collect()
}

/// Totals and the like over some or all axes.
pub(super) fn reduce(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let constant = call.constant(0)?;
    let axes = call.axes_said(1)?;
    let keep = call.attributes.flag("keepdims", true);
    let none = call.attributes.flag("noop_with_empty_axes", false);
    let rank = constant.shape().len();
    let axes = match axes {
        Some(axes) if !axes.is_empty() => {
            axes.iter().map(|axis| axis_of(*axis, rank)).collect::<Option<Vec<usize>>>()?
        }
        _ if none => return Some(vec![constant]),
        _ => (0..rank).collect(),
    };
    let op = match call.node.op.as_str() {
        "ReduceProd" => "Mul",
        "ReduceMax" => "Max",
        "ReduceMin" => "Min",
        _ => "Add",
    };
    let whole = !constant.dtype().is_real();
    let squares = matches!(call.node.op.as_str(), "ReduceL2" | "ReduceSumSquare");
    let kept: Vec<usize> = constant
        .shape()
        .iter()
        .enumerate()
        .map(|(axis, length)| if axes.contains(&axis) { 1 } else { *length })
        .collect();
    let count = call.room(&kept)?;
    call.room(constant.shape())?;
    let (own, to) = (steps_of(constant.shape()), steps(&kept));
    let mut out: Vec<Option<Item>> = vec![None; count];
    for (number, item) in constant.items()?.iter().enumerate() {
        let item = match item {
            Known(number) if squares => Known(number * number),
            Batch(_) if squares => Unknown,
            item => *item,
        };
        let place = own
            .iter()
            .zip(constant.shape())
            .zip(&to)
            .map(|((own, length), step)| number / own % length * step)
            .sum::<usize>();
        let total = out.get_mut(place)?;
        *total = Some(match total {
            None => item,
            Some(total) => two(op, *total, item, whole)?,
        });
    }
    let share = constant.count() as f64 / count.max(1) as f64;
    let ended = |item: Option<Item>| match (item, call.node.op.as_str()) {
        // Means of whole numbers are whole, as their quotients are.
        (Some(total), "ReduceMean") => two("Div", total, Known(share), whole),
        (Some(Known(total)), "ReduceL2") if whole => Some(Known(total.sqrt().trunc())),
        (Some(Known(total)), "ReduceL2") => Some(Known(total.sqrt())),
        (Some(item), _) => Some(item),
        (None, "ReduceProd") => Some(Known(1.0)),
        (None, "ReduceSum" | "ReduceSumSquare" | "ReduceL2") => Some(Known(0.0)),
        (None, _) => None,
    };
    let items = out.into_iter().map(ended).collect::<Option<Vec<Item>>>()?;
    let mut shape = kept;
    if !keep {
        shape =
            shape.into_iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, length)| length).collect();
    }
    computed(constant.dtype(), shape, items)
}
