//! The same numbers along other axes, and nodes that change nothing.

use super::super::build::Given;
use super::super::call::Call;
use super::super::constant::Item;
use super::super::flow::{Flow, Kind};
use super::{joined, truth};
use crate::describe::lowering::{Axes, left, plain, without};
use crate::describe::{Binary, Op};
use crate::faults::Code;
use crate::tensor::count;

/// The element type of what is true or false.
const TRUTHS: i64 = 9;

const UNKNOWN: &str = "it wants lengths that are not known: state the shape of one example of the input";

pub(super) fn identity(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    call.flow(0)
}

/// Out of training it gives on what it gets; so does a second output, the mask, which is not made.
pub(super) fn dropout(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.attributes.ignore(&["ratio", "seed", "is_test"]);
    call.done()?;
    if call.constant(2).and_then(|training| training.scalar()).is_some_and(|training| training != 0.0) {
        return call.unsupported("training_mode draws numbers at random, which is not read");
    }
    call.flow(0)
}

/// Among real numbers nothing changes: the network computes in singles throughout.
pub(super) fn cast(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let to = call.attributes.int("to", 0);
    call.attributes.ignore(&["saturate", "round_mode"]);
    call.done()?;
    let flow = call.flow(0)?;
    let real = matches!(to, 1 | 10 | 11 | 16);
    let whole = matches!(to, 6 | 7);
    if flow.kind == Kind::Real && to == TRUTHS {
        return truth::of(call, &flow);
    }
    match (flow.kind, real, whole) {
        (Kind::Real, true, _) | (Kind::Ids, _, true) => Some(flow),
        (Kind::Real, ..) => call.unsupported("real numbers are made whole, which is not read"),
        (Kind::Ids, ..) => call.unsupported("whole numbers of an input are made real, which is not read"),
    }
}

pub(super) fn cast_like(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.attributes.ignore(&["saturate", "round_mode"]);
    call.done()?;
    let flow = call.flow(0)?;
    let real = match call.given.get(1) {
        Some(Some(Given::Constant(constant))) => constant.dtype().is_real(),
        Some(Some(Given::Flow(like))) => like.kind == Kind::Real,
        _ => false,
    };
    if real && flow.kind == Kind::Real {
        return Some(flow);
    }
    call.unsupported("it is read among real numbers alone")
}

pub(super) fn transpose(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let perm = call.attributes.ints("perm");
    call.done()?;
    let flow = call.flow(0)?;
    let rank = flow.rank();
    let perm = perm.unwrap_or_else(|| (0..rank).rev().filter_map(|axis| i64::try_from(axis).ok()).collect());
    let each = i64::try_from(rank).unwrap_or(0);
    if perm.len() != rank || !(0..each).all(|axis| perm.contains(&axis)) {
        return call.refuse(Code::LayerShape, &format!("perm must name each of the {rank} axes once"));
    }
    let batch = i64::try_from(flow.at).unwrap_or(0);
    let at = perm.iter().position(|axis| *axis == batch).unwrap_or(0);
    let rest = perm.iter().filter(|axis| **axis != batch);
    let rest = rest.map(|axis| call.axis(*axis, &flow)).collect::<Option<Vec<usize>>>()?;
    let moved: Vec<usize> = (0..flow.merged).chain(rest).collect();
    Some(Flow { at, ..Call::renamed(&flow, &moved) })
}

pub(super) fn flatten(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axis = call.attributes.int("axis", 1);
    call.done()?;
    let flow = call.real(0)?;
    let rank = i64::try_from(flow.rank()).unwrap_or(0);
    let axis = if axis < 0 { axis.saturating_add(rank) } else { axis };
    if axis == 0 {
        return call.unsupported("axis 0 joins the batch with everything; examples are never mixed");
    }
    if !(1..=rank).contains(&axis) {
        return call.refuse(Code::LayerShape, &format!("axis {axis} is outside of the {rank} axes that reach it"));
    }
    let first = usize::try_from(axis).unwrap_or(1) - 1 + flow.merged;
    let lengths = flow.lengths();
    let of = |lengths: &[Option<usize>]| {
        lengths.iter().copied().collect::<Option<Vec<usize>>>().and_then(|known| count(&known))
    };
    let (Some(before), rest) = (of(lengths.get(..first)?), of(lengths.get(first..)?)) else {
        return call.refuse(Code::Input, UNKNOWN);
    };
    let each = if before == 1 { vec![rest] } else { vec![Some(before), rest] };
    shaped(call, &flow, each, usize::from(before != 1))
}

/// The value in another shape of one example, `merged` axes of it joined with the batch. One length may be open.
pub(super) fn shaped(
    call: &mut Call<'_, '_, '_>,
    flow: &Flow,
    each: Vec<Option<usize>>,
    merged: usize,
) -> Option<Flow> {
    let flow = call.packed(flow);
    let order = plain(each.len());
    if flow.lengths() == each && flow.axes().order == order {
        return Some(Flow { merged, ..flow });
    }
    if each.iter().filter(|length| length.is_none()).count() > 1 {
        return call.refuse(Code::Input, UNKNOWN);
    }
    let op = match &each[..] {
        [_] if flow.each() > 1 => Op::Flatten { start: 1, end: -1 },
        _ => {
            let length = |length: &Option<usize>| length.map_or(-1, |length| i64::try_from(length).unwrap_or(i64::MAX));
            Op::Reshape { each: each.iter().map(length).collect() }
        }
    };
    let mut made = call.make(&op, &[&flow], order)?;
    if let Some(axes) = made.value.axes.as_mut().filter(|axes| axes.rank() == each.len()) {
        // What the graph says of a length is known here, too.
        let known = axes.lengths.iter().zip(&each).map(|(made, said)| made.or(*said)).collect();
        *axes = Axes { order: axes.order.clone(), lengths: known };
    }
    Some(Flow { merged, ..made })
}

/// The shape that a reshape asks for, with the batch in front: axes of one example, and how many are joined with the batch.
pub(super) fn reshape(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let zero = call.attributes.flag("allowzero", false);
    let said = call.constant_needed(1, "shape")?;
    call.done()?;
    let flow = call.anywhere(0)?;
    call.room(said.shape())?;
    let Some(items) = said.items() else {
        return call.refuse(Code::LayerShape, "its shape is no list of whole numbers");
    };
    let lengths = flow.lengths();
    let (each, batch) = (flow.count(), call.build.batch);
    // Lengths as they are said, those copied from the input and the open one put in.
    let mut wanted: Vec<Option<Item>> = Vec::new();
    for (axis, item) in items.iter().enumerate() {
        wanted.push(match *item {
            Item::Known(-1.0) => None,
            Item::Known(0.0) if !zero && axis == flow.at => match flow.factor() {
                Some(factor) => Some(Item::Batch(factor as f64)),
                None => return call.refuse(Code::Input, UNKNOWN),
            },
            Item::Known(0.0) if !zero => match lengths.get(axis - usize::from(axis > flow.at) + flow.merged) {
                Some(Some(length)) => Some(Item::Known(*length as f64)),
                Some(None) => Some(Item::Unknown),
                None => {
                    return call.refuse(
                        Code::LayerShape,
                        &format!("its shape copies axis {axis}, which what reaches it does not have"),
                    );
                }
            },
            item => Some(item),
        });
    }
    let in_front = (flow.at, flow.pre) == (0, 0);
    let plain = if in_front { example(&wanted, each, batch, flow.factor()) } else { None };
    let Some(shape) = plain else {
        if let Some(made) = joined::reshaped(call, &flow, &wanted) {
            return Some(made);
        }
        let shown: Vec<String> = wanted.iter().map(shown).collect();
        let what = format!(
            "to the shape [{}] it does not keep the numbers of one example in their order, or wants lengths that are not known; examples are never mixed",
            shown.join(", ")
        );
        return call.unsupported(&what);
    };
    let (mut shape, factor) = shape;
    if factor != Some(1) {
        shape.insert(0, factor);
    }
    shaped(call, &flow, shape, usize::from(factor != Some(1)))
}

/// A length as a message shows it.
fn shown(item: &Option<Item>) -> String {
    match item {
        None => "-1".into(),
        Some(Item::Known(length)) => format!("{length}"),
        Some(Item::Batch(1.0)) => "batch".into(),
        Some(Item::Batch(times)) => format!("{times} batch"),
        Some(Item::Unknown) => "?".into(),
    }
}

/// The lengths of one example behind the first axis, and how many examples of the first axis one example is.
fn example(
    wanted: &[Option<Item>],
    each: Option<usize>,
    batch: Option<usize>,
    own: Option<usize>,
) -> Option<(Vec<Option<usize>>, Option<usize>)> {
    let (first, rest) = wanted.split_first()?;
    let whole =
        |length: f64| (length >= 1.0 && length.fract() == 0.0 && length <= 2f64.powi(53)).then_some(length as usize);
    let mut lengths: Vec<Option<usize>> = Vec::new();
    let mut open = None;
    for (axis, item) in rest.iter().enumerate() {
        lengths.push(match item {
            Some(Item::Known(length)) => Some(whole(*length)?),
            Some(Item::Unknown) => None,
            Some(Item::Batch(_)) => return None,
            None => {
                open = Some(axis);
                None
            }
        });
    }
    let unknown = lengths.iter().filter(|length| length.is_none()).count() - usize::from(open.is_some());
    let product = count(&lengths.iter().flatten().copied().collect::<Vec<usize>>())?;
    let divided = |each: usize, by: usize| (by > 0 && each.is_multiple_of(by)).then(|| each / by);
    let factor = match first {
        Some(Item::Batch(times)) => Some(whole(*times)?),
        // Nothing else is open: the batch is, with what one example has beside the other lengths.
        None if unknown == 0 => match each {
            Some(each) => Some(divided(each, product)?),
            None => own.filter(|own| *own == 1),
        },
        None => Some(1),
        Some(Item::Known(length)) => {
            let length = whole(*length)?;
            let factor = divided(length, batch?)?;
            let fits = each.is_none_or(|each| match (open, unknown) {
                (None, 0) => factor.checked_mul(product) == Some(each),
                _ => divided(each, factor.saturating_mul(product)).is_some(),
            });
            Some(fits.then_some(factor)?)
        }
        Some(Item::Unknown) => return None,
    };
    if let (Some(open), Some(each), Some(factor), 0) = (open, each, factor, unknown) {
        *lengths.get_mut(open)? = Some(divided(each, factor.checked_mul(product)?)?);
    }
    Some((lengths, factor))
}

pub(super) fn unsqueeze(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.axes_said(1)?;
    call.done()?;
    let mut flow = call.flow(0)?;
    let Some(axes) = axes else { return call.refuse(Code::Attribute, "it says no axes") };
    let rank = flow.rank() + axes.len();
    let place = |axis: &i64| usize::try_from(if *axis < 0 { axis + rank as i64 } else { *axis }).ok();
    let mut added = axes.iter().filter_map(place).filter(|place| *place < rank).collect::<Vec<usize>>();
    added.sort_unstable();
    added.dedup();
    if added.len() != axes.len() {
        return call.refuse(Code::LayerShape, &format!("it wants each of its axes once, within the {rank} it makes"));
    }
    let kept = (0..rank).filter(|place| !added.contains(place));
    let at = kept.into_iter().nth(flow.at)?;
    let mut order = flow.axes().order;
    let mut places = Vec::new();
    for axis in added.iter().map(|place| place - usize::from(*place > at) + flow.merged) {
        let place = order.iter().position(|lying| *lying == axis).unwrap_or(order.len());
        order.iter_mut().filter(|old| **old >= axis).for_each(|old| *old += 1);
        order.insert(place, axis);
        places.iter_mut().filter(|before| **before >= place).for_each(|before| *before += 1);
        places.push(place);
        flow.channel = flow.channel.map(|channel| channel + usize::from(channel >= axis));
    }
    let axes = places.iter().filter_map(|place| i64::try_from(place + 1).ok()).collect();
    let made = call.make(&Op::Unsqueeze { axes }, &[&flow], order)?;
    Some(Flow { value: made.value, origin: None, at, ..flow })
}

pub(super) fn squeeze(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.axes_said(1)?;
    call.done()?;
    let flow = call.flow(0)?;
    let lengths = flow.lengths();
    let gone = match axes {
        Some(axes) => axes.iter().map(|axis| call.axis(*axis, &flow)).collect::<Option<Vec<usize>>>()?,
        None if lengths.iter().all(Option::is_some) => {
            (flow.merged..lengths.len()).filter(|axis| lengths.get(*axis) == Some(&Some(1))).collect()
        }
        None => return call.refuse(Code::Input, UNKNOWN),
    };
    if gone.is_empty() {
        return Some(flow);
    }
    squeezed(call, &flow, &gone)
}

/// The value without some axes of length 1.
pub(super) fn squeezed(call: &mut Call<'_, '_, '_>, flow: &Flow, gone: &[usize]) -> Option<Flow> {
    let places = gone.iter().map(|axis| call.lying(*axis, flow)).collect();
    let order = without(&flow.axes().order, gone);
    let made = call.make(&Op::Squeeze { axes: places }, &[flow], order)?;
    let channel = flow.channel.and_then(|channel| left(channel, gone));
    let at = flow.at - gone.iter().filter(|axis| flow.position(**axis) < flow.at).count();
    Some(Flow { value: made.value, origin: None, channel, at, ..flow.clone() })
}

pub(super) fn expand(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let wanted = call.constant_needed(1, "shape")?;
    let flow = call.real(0)?;
    call.room(wanted.shape())?;
    let Some(items) = wanted.items() else {
        return call.refuse(Code::LayerShape, "its shape is no list of whole numbers");
    };
    if items.len() > flow.rank() {
        return call.unsupported("it puts axes before the batch");
    }
    let mut times = vec![1; flow.each()];
    let first = flow.rank() - items.len();
    for (axis, item) in items.iter().enumerate().map(|(axis, item)| (axis + first, item)) {
        match (axis, item) {
            (_, Item::Known(1.0)) | (0, Item::Batch(_)) => {}
            (0, Item::Known(length)) if call.build.batch.is_some_and(|batch| batch as f64 == *length) => {}
            (1.., Item::Known(length)) => {
                let place = axis - 1 + flow.merged;
                match flow.lengths().get(place).copied().flatten() {
                    Some(1) => *times.get_mut(place)? = *length as usize,
                    Some(own) if own as f64 == *length => {}
                    Some(_) => return call.refuse(Code::LayerShape, "its shape does not fit what reaches it"),
                    None => return call.refuse(Code::Input, UNKNOWN),
                }
            }
            _ => return call.unsupported("it repeats examples, or wants lengths that are not known"),
        }
    }
    repeated(call, None, &flow, times)
}

/// Axes of length 1 made longer: a product with as many ones.
fn repeated(call: &mut Call<'_, '_, '_>, does: Option<&str>, flow: &Flow, times: Vec<usize>) -> Option<Flow> {
    if times.iter().all(|times| *times == 1) {
        return Some(flow.clone());
    }
    let many = call.room(&times)?;
    let order = flow.axes().order;
    let lying = order.iter().filter_map(|axis| times.get(*axis).copied()).collect();
    let ones = Op::Constant { shape: lying, values: vec![1.0; many] };
    let ones = call.put(Some("ones"), &ones, &[], order.clone(), Vec::new());
    let made = call.put(does, &Op::Binary(Binary::Multiply), &[&flow.value, &ones], order, Vec::new());
    Some(flow.with(made))
}

pub(super) fn tile(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let repeats = call.wholes(1, "repeats")?;
    let flow = call.whole(0)?;
    let repeats = repeats.unwrap_or_default();
    if repeats.len() != flow.rank() || repeats.first() != Some(&1) {
        return call.unsupported("it repeats examples, or has not a number for each axis");
    }
    let lengths: Option<Vec<usize>> = flow.lengths().into_iter().collect();
    let times: Option<Vec<usize>> =
        repeats.iter().skip(1).map(|times| usize::try_from(*times).ok().filter(|times| *times > 0)).collect();
    let (Some(lengths), Some(times)) = (lengths, times) else { return call.refuse(Code::Input, UNKNOWN) };
    let flow = call.plain(&flow);
    let split: Vec<usize> = lengths.iter().flat_map(|length| [1, *length]).collect();
    let whole: Vec<usize> = lengths.iter().zip(&times).map(|(length, times)| length.saturating_mul(*times)).collect();
    let spread: Vec<usize> = times.iter().flat_map(|times| [*times, 1]).collect();
    let each = |shape: &[usize]| shape.iter().filter_map(|length| i64::try_from(*length).ok()).collect();
    let order = plain(split.len());
    let cut = call.put(Some("split"), &Op::Reshape { each: each(&split) }, &[&flow.value], order, Vec::new());
    let cut = Flow::new(cut);
    let many = repeated(call, Some("repeat"), &cut, spread)?;
    call.make(&Op::Reshape { each: each(&whole) }, &[&many], plain(whole.len()))
}
