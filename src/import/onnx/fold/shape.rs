//! Shapes, and constants cut, joined and put into other shapes.

use super::super::build::Given;
use super::super::call::{Call, LOOKED_AT};
use super::super::constant::{Constant, Item};
use super::super::flow::Kind;
use super::super::run::Run;
use super::{axis_of, computed};
use crate::formats::onnx::{Setting, dtype};
use crate::tensor::{DType, count};
use Item::{Batch, Known, Unknown};

/// The lengths of a value as the graph sees them.
fn lengths(call: &Call<'_, '_, '_>) -> Option<Vec<Item>> {
    match call.given.first()?.as_ref()? {
        Given::Constant(constant) => Some(constant.shape().iter().map(|length| Known(*length as f64)).collect()),
        Given::Flow(flow) => {
            let batch = flow.factor().map_or(Unknown, |factor| Batch(factor as f64));
            let rest = flow.lengths().into_iter().skip(flow.merged);
            let rest = rest.map(|length| length.map_or(Unknown, |length| Known(length as f64)));
            let mut all: Vec<Item> = rest.collect();
            all.insert(flow.at.min(all.len()), batch);
            Some(all)
        }
        Given::Refused => None,
    }
}

pub(super) fn shape(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let (start, end) = (call.attributes.int("start", 0), call.attributes.maybe_int("end"));
    call.done()?;
    let all = lengths(call)?;
    let rank = i64::try_from(all.len()).ok()?;
    let held =
        |place: i64| usize::try_from(if place < 0 { place.saturating_add(rank) } else { place }.clamp(0, rank)).ok();
    let (start, end) = (held(start)?, held(end.unwrap_or(rank))?);
    Some(vec![Constant::wholes(all.get(start..end.max(start))?.to_vec())])
}

pub(super) fn size(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let total = lengths(call)?.into_iter().try_fold(Known(1.0), |total, length| match (total, length) {
        (Known(a), Known(b)) => Some(Known(a * b)),
        (Known(a), Batch(b)) | (Batch(a), Known(b)) => Some(Batch(a * b)),
        _ => None,
    });
    computed(DType::I64, Vec::new(), vec![total?])
}

/// The numbers of a `Constant` node.
pub(super) fn constant(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let node = call.node;
    let [attribute] = &node.attributes[..] else {
        return call.refuse(crate::faults::Code::Attribute, "a constant wants one attribute that says its numbers");
    };
    let list = |numbers: Vec<f64>, dtype: DType, shape: Vec<usize>| {
        computed(dtype, shape, numbers.into_iter().map(Known).collect())
    };
    match (attribute.name.as_str(), &attribute.setting) {
        ("value", Setting::Tensor(stored)) => {
            let data = call.build.data;
            let tensor = data.tensor(stored, call.build.low.faults).ok()?;
            Some(vec![Constant::stored(tensor, None)])
        }
        ("value_float", Setting::Float(number)) => list(vec![f64::from(*number)], DType::F32, Vec::new()),
        ("value_int", Setting::Int(number)) => list(vec![*number as f64], DType::I64, Vec::new()),
        ("value_floats", Setting::Floats(numbers)) => {
            list(numbers.iter().map(|number| f64::from(*number)).collect(), DType::F32, vec![numbers.len()])
        }
        ("value_ints", Setting::Ints(numbers)) => {
            list(numbers.iter().map(|number| *number as f64).collect(), DType::I64, vec![numbers.len()])
        }
        _ => call.unsupported("a constant of texts, or of a sparse tensor, is not read"),
    }
}

pub(super) fn constant_of_shape(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let (number, dtype) = match call.attributes.tensor("value") {
        None => (0.0, DType::F32),
        Some(stored) => {
            let data = call.build.data;
            let tensor = data.tensor(stored, call.build.low.faults).ok()?;
            let constant = Constant::stored(tensor, None);
            (constant.scalar()?, constant.dtype())
        }
    };
    call.done()?;
    let constant = call.constant(0)?;
    call.room(constant.shape())?;
    let lengths = constant.items()?;
    // One number for every example is the same for a batch of one.
    let length = |item: &Item| match item {
        Known(length) => usize::try_from(*length as i64).ok(),
        Batch(_) => Some(1),
        Unknown => None,
    };
    let shape = lengths.iter().map(length).collect::<Option<Vec<usize>>>()?;
    let count = call.room(&shape)?;
    computed(dtype, shape, vec![Known(number); count])
}

pub(super) fn range(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let dtype = call.constant(0)?.dtype();
    let [start, limit, delta] = [0, 1, 2].map(|place| call.constant(place).and_then(|constant| constant.scalar()));
    let (start, limit, delta) = (start?, limit?, delta?);
    let many = ((limit - start) / delta).ceil().max(0.0);
    if !many.is_finite() || many > 1e9 {
        return None;
    }
    let many = call.room(&[many as usize])?;
    computed(dtype, vec![many], (0..many).map(|place| Known(start + place as f64 * delta)).collect())
}

pub(super) fn identity(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    Some(vec![call.constant(0)?])
}

pub(super) fn cast(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let to = call.attributes.int("to", 0);
    of_dtype(call, dtype(to).ok()?)
}

pub(super) fn cast_like(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let to = match call.given.get(1)?.as_ref()? {
        Given::Constant(like) => like.dtype(),
        Given::Flow(like) if like.kind == Kind::Real => DType::F32,
        _ => DType::I64,
    };
    of_dtype(call, to)
}

/// Input 0 in another element type.
fn of_dtype(call: &mut Call<'_, '_, '_>, to: DType) -> Option<Vec<Constant>> {
    let constant = call.constant(0)?;
    if let Some(same) = constant.widened(to) {
        return Some(vec![same]);
    }
    match constant.is_stored() {
        true => call.copy(constant.count(), size_of::<Item>())?,
        false => call.room(constant.shape()).map(|_| ())?,
    }
    Some(vec![constant.rounded(to)?])
}

/// A constant in another shape of the same count.
fn reshaped(call: &mut Call<'_, '_, '_>, constant: &Constant, shape: Vec<usize>) -> Option<Constant> {
    call.copy(constant.bytes_to_reshape(), 1)?;
    constant.reshaped(shape)
}

pub(super) fn reshape(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let keep = call.attributes.flag("allowzero", false);
    let constant = call.constant(0)?;
    let said = call.constant(1)?;
    call.room(said.shape())?;
    let written = said.integers()?;
    let mut lengths: Vec<Option<usize>> = Vec::new();
    for (axis, length) in written.iter().enumerate() {
        lengths.push(match *length {
            -1 => None,
            0 if !keep => Some(*constant.shape().get(axis)?),
            length => Some(usize::try_from(length).ok()?),
        });
    }
    let stated = count(&lengths.iter().flatten().copied().collect::<Vec<usize>>())?;
    let open = constant.count().checked_div(stated).unwrap_or(0);
    let shape = lengths.into_iter().map(|length| length.unwrap_or(open)).collect();
    Some(vec![reshaped(call, &constant, shape)?])
}

pub(super) fn flatten(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axis = call.attributes.int("axis", 1);
    let constant = call.constant(0)?;
    let rank = i64::try_from(constant.shape().len()).ok()?;
    let axis = usize::try_from(if axis < 0 { axis.checked_add(rank)? } else { axis }).ok()?;
    let (first, rest) = constant.shape().split_at_checked(axis)?;
    Some(vec![reshaped(call, &constant, vec![count(first)?, count(rest)?])?])
}

pub(super) fn transpose(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let constant = call.constant(0)?;
    let rank = constant.shape().len();
    let axes = match call.attributes.ints("perm") {
        Some(axes) => axes.into_iter().map(|axis| usize::try_from(axis).ok()).collect::<Option<Vec<usize>>>()?,
        None => (0..rank).rev().collect(),
    };
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..rank) {
        return None;
    }
    if !constant.is_stored() {
        call.room(constant.shape())?;
    }
    Some(vec![constant.permuted(&axes)?])
}

pub(super) fn squeeze(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axes = call.axes_said(1)?;
    let constant = call.constant(0)?;
    let rank = constant.shape().len();
    let gone = match axes {
        Some(axes) => axes.iter().map(|axis| axis_of(*axis, rank)).collect::<Option<Vec<usize>>>()?,
        None => (0..rank).filter(|axis| constant.shape().get(*axis) == Some(&1)).collect(),
    };
    let kept = constant.shape().iter().enumerate().filter(|(axis, _)| !gone.contains(axis));
    Some(vec![reshaped(call, &constant, kept.map(|(_, length)| *length).collect())?])
}

pub(super) fn unsqueeze(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axes = call.axes_said(1)??;
    let constant = call.constant(0)?;
    let rank = constant.shape().len() + axes.len();
    let mut axes = axes.iter().map(|axis| axis_of(*axis, rank)).collect::<Option<Vec<usize>>>()?;
    axes.sort_unstable();
    let mut shape = constant.shape().to_vec();
    for axis in axes {
        if axis > shape.len() {
            return None;
        }
        shape.insert(axis, 1);
    }
    Some(vec![reshaped(call, &constant, shape)?])
}

pub(super) fn expand(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let constant = call.constant(0)?;
    let said = call.constant(1)?;
    call.room(said.shape())?;
    let wanted = said.items()?;
    let rank = wanted.len().max(constant.shape().len());
    let own = [vec![1; rank - constant.shape().len()], constant.shape().to_vec()].concat();
    let wanted = [vec![Known(1.0); rank - wanted.len()], wanted.to_vec()].concat();
    let mut repeats = Vec::new();
    for (length, item) in own.iter().zip(&wanted) {
        repeats.push(match item {
            // The same for every example.
            Batch(_) if *length == 1 => 1,
            Known(wanted) if *length == 1 => usize::try_from(*wanted as i64).ok()?,
            Known(wanted) if *wanted == 1.0 || *wanted == *length as f64 => 1,
            _ => return None,
        });
    }
    let constant = reshaped(call, &constant, own)?;
    repeated(call, &constant, &repeats)
}

pub(super) fn tile(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let constant = call.constant(0)?;
    let said = call.constant(1)?;
    call.room(said.shape())?;
    let repeats = said.items()?;
    let repeats = repeats.iter().enumerate().map(|(axis, item)| match item {
        Known(number) => usize::try_from(*number as i64).ok(),
        Batch(_) if constant.shape().get(axis) == Some(&1) => Some(1),
        _ => None,
    });
    let repeats = repeats.collect::<Option<Vec<usize>>>()?;
    repeated(call, &constant, &repeats)
}

/// A constant so many times along each axis.
fn repeated(call: &mut Call<'_, '_, '_>, constant: &Constant, repeats: &[usize]) -> Option<Vec<Constant>> {
    if repeats.iter().all(|times| *times == 1) {
        return Some(vec![constant.clone()]);
    }
    let mut made = constant.clone();
    for (axis, times) in repeats.iter().enumerate() {
        if *times != 1 {
            call.room(&[*times])?;
            made = joined(call, &vec![made.clone(); *times], axis)?;
        }
    }
    Some(vec![made])
}

pub(super) fn concat(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axis = call.attributes.int("axis", 1);
    let all = (0..call.given.len()).map(|place| call.constant(place)).collect::<Option<Vec<Constant>>>()?;
    let axis = axis_of(axis, all.first()?.shape().len())?;
    Some(vec![joined(call, &all, axis)?])
}

fn joined(call: &mut Call<'_, '_, '_>, all: &[Constant], axis: usize) -> Option<Constant> {
    let first = all.first()?;
    let mut shape = first.shape().to_vec();
    let length = all.iter().map(|constant| constant.shape().get(axis).copied()).sum::<Option<usize>>()?;
    *shape.get_mut(axis)? = length;
    if call.room(&shape)? == 0 {
        return Constant::computed(first.dtype(), shape, Vec::new());
    }
    let outer = count(shape.get(..axis)?)?;
    let inner = count(shape.get(axis + 1..)?)?;
    let parts = all.iter().map(|constant| Some((constant.items()?, constant.shape().get(axis)? * inner)));
    let parts = parts.collect::<Option<Vec<_>>>()?;
    let mut items = Vec::new();
    for row in 0..outer {
        for (part, run) in &parts {
            items.extend(part.get(row * run..(row + 1) * run)?);
        }
    }
    Constant::computed(first.dtype(), shape, items)
}

/// Places `take` of an axis.
fn taken(call: &mut Call<'_, '_, '_>, constant: &Constant, axis: usize, take: &[usize]) -> Option<Constant> {
    let mut shape = constant.shape().to_vec();
    let length = std::mem::replace(shape.get_mut(axis)?, take.len());
    if call.room(&shape)? == 0 {
        return Constant::computed(constant.dtype(), shape, Vec::new());
    }
    let outer = count(shape.get(..axis)?)?;
    let inner = count(shape.get(axis + 1..)?)?;
    // Axes in another order are put in order first.
    call.room(&[constant.bytes_to_reshape() / LOOKED_AT])?;
    let starts = (0..outer).flat_map(|row| take.iter().map(move |place| (row * length + place) * inner));
    let items = constant.runs(starts.map(|start| start..start + inner))?;
    Constant::computed(constant.dtype(), shape, items)
}

pub(super) fn gather(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axis = call.attributes.int("axis", 0);
    let (constant, places) = (call.constant(0)?, call.constant(1)?);
    let axis = axis_of(axis, constant.shape().len())?;
    let length = *constant.shape().get(axis)?;
    call.room(&[places.count().div_ceil(LOOKED_AT)])?;
    let take = places.integers()?.into_iter().map(|place| axis_of(place, length)).collect::<Option<Vec<usize>>>()?;
    let made = taken(call, &constant, axis, &take)?;
    let (before, after) = (constant.shape().get(..axis)?, constant.shape().get(axis + 1..)?);
    Some(vec![made.reshaped([before, places.shape(), after].concat())?])
}

pub(super) fn slice(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let mut made = call.constant(0)?;
    let rank = made.shape().len();
    for (axis, [start, end, step]) in call.ranges()? {
        let axis = axis_of(axis, rank)?;
        let run = Run::of(*made.shape().get(axis)?, [start, end, step])?;
        call.room(&[run.count])?;
        made = taken(call, &made, axis, &run.places())?;
    }
    Some(vec![made])
}

pub(super) fn split(call: &mut Call<'_, '_, '_>) -> Option<Vec<Constant>> {
    let axis = call.attributes.int("axis", 0);
    let constant = call.constant(0)?;
    let axis = axis_of(axis, constant.shape().len())?;
    let parts = call.parts(*constant.shape().get(axis)?)?;
    let mut made = Vec::new();
    let mut start = 0;
    for length in parts {
        call.room(&[length])?;
        let take: Vec<usize> = (start..start + length).collect();
        made.push(taken(call, &constant, axis, &take)?);
        start += length;
    }
    Some(made)
}
