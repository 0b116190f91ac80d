//! Layers that change the shape and no number: flatten, reshape, permute, squeeze, select, shuffles.

use super::call::Call;
use crate::describe::Op;
use crate::describe::lowering::{Axes, Value, channels_last, plain};
use crate::faults::Code;

/// `torch.nn.Flatten` and `flatten`; PyTorch's function starts at the batch unless told otherwise, Pontil's text at axis 1.
pub(super) fn flatten(call: &mut Call) -> Option<Value> {
    let start = call.args.whole("start_dim", Some(1));
    let end = call.args.whole("end_dim", Some(-1));
    call.done()?;
    let value = call.input()?;
    let whole = start == 1 && end == -1;
    let as_it_lies = whole && value.axes.as_ref().is_some_and(in_order_but_for_ones);
    let value = if as_it_lies { value } else { call.plain(&value) };
    let order = match &value.axes {
        Some(axes) => {
            let rank = axes.rank();
            let (first, last) = (call.axis(start, rank)?, call.axis(end, rank)?);
            let Some(joined) = last.checked_sub(first) else {
                return call.refuse(Code::LayerShape, "end_dim lies before start_dim");
            };
            Some(plain(rank - joined))
        }
        None if start == 0 => {
            return call.refuse(Code::LayerShape, "start_dim 0 is the batch; examples are never mixed");
        }
        None => whole.then(|| plain(1)),
    };
    let made = call.make(&Op::Flatten { start, end }, &[&value], order)?;
    Some(Value { image: false, ..made })
}

/// Whether the numbers lie as PyTorch has them, because only axes of length 1 are elsewhere.
fn in_order_but_for_ones(axes: &Axes) -> bool {
    axes.order.iter().filter(|axis| axes.length(**axis) != Some(1)).is_sorted()
}

/// `reshape(each)`: the shape of one example, one length may be −1.
pub(super) fn reshape(call: &mut Call) -> Option<Value> {
    let want = "the shape of one example, one length of which may be -1";
    let each = lengths(call, "each", want);
    call.done()?;
    let value = call.input()?;
    let value = call.plain(&value);
    reshaped(call, &value, each)
}

/// Lengths from 1, one of which may be −1.
fn lengths(call: &mut Call, key: &'static str, want: &str) -> Vec<i64> {
    let given = call.args.wholes(key, want).unwrap_or_default();
    let open = given.iter().filter(|length| **length == -1).count();
    if given.is_empty() || open > 1 || given.iter().any(|length| *length < -1 || *length == 0) {
        call.args.wrong(key, &format!("wants {want}"));
    }
    given
}

/// `torch.nn.Unflatten(dim, unflattened_size)` and `unflatten(dim, sizes)`: one axis made into several.
pub(super) fn unflatten(call: &mut Call) -> Option<Value> {
    let dim = call.args.whole("dim", None);
    let key = if call.layer.kind == "unflatten" { "sizes" } else { "unflattened_size" };
    let sizes = lengths(call, key, "lengths, one of which may be -1");
    call.done()?;
    let value = call.input()?;
    let axes = call.axes(&value)?;
    let axis = call.axis(dim, axes.rank())?;
    let value = call.plain(&value);
    let known: Vec<i64> = axes.lengths.iter().map(|length| length.map_or(-1, |length| length as i64)).collect();
    let (before, after) = (known.get(..axis)?, known.get(axis + 1..)?);
    let each: Vec<i64> = before.iter().chain(&sizes).chain(after).copied().collect();
    reshaped(call, &value, each)
}

/// The layer itself as a reshape of a value that lies in PyTorch's order.
fn reshaped(call: &mut Call, value: &Value, each: Vec<i64>) -> Option<Value> {
    let each = settled(call, each)?;
    let order = Some(plain(each.len()));
    let made = call.make(&Op::Reshape { each }, &[value], order)?;
    Some(Value { image: false, ..made })
}

/// A reshape can leave one length open.
fn settled(call: &mut Call, each: Vec<i64>) -> Option<Vec<i64>> {
    if each.iter().filter(|length| **length == -1).count() > 1 {
        return call
            .refuse(Code::Input, "it needs lengths that are not known; state the shape of one example of the input");
    }
    Some(each)
}

/// `permute(dims)`: the numbers stay where they lie, their axes get other names.
pub(super) fn permute(call: &mut Call) -> Option<Value> {
    let dims = call.args.wholes("dims", "the axes in their new order, the batch (0) first").unwrap_or_default();
    if dims.first() != Some(&0) {
        call.args.wrong("dims", "wants the axes in their new order, the batch (0) first");
    }
    call.done()?;
    let value = call.input()?;
    let axes = value.axes.clone().unwrap_or_else(|| Axes::plain(vec![None; dims.len().saturating_sub(1)]));
    let rank = axes.rank();
    let moved: Option<Vec<usize>> = dims.iter().skip(1).map(|dim| call.axis(*dim, rank)).collect();
    renamed(call, &Value { axes: Some(axes), ..value }, &moved?)
}

/// `transpose(dim0, dim1)`.
pub(super) fn transpose(call: &mut Call) -> Option<Value> {
    let (first, second) = (call.args.whole("dim0", None), call.args.whole("dim1", None));
    call.done()?;
    let value = call.input()?;
    let rank = call.axes(&value)?.rank();
    let (first, second) = (call.axis(first, rank)?, call.axis(second, rank)?);
    let mut moved = plain(rank);
    moved.swap(first, second);
    renamed(call, &value, &moved)
}

/// PyTorch's new axis `i` is its old axis `moved[i]`.
fn renamed(call: &mut Call, value: &Value, moved: &[usize]) -> Option<Value> {
    let axes = call.axes(value)?;
    let mut sorted = moved.to_vec();
    sorted.sort_unstable();
    if sorted != plain(axes.rank()) {
        return call.refuse(Code::LayerShape, &format!("dims must name each of the {} axes once", axes.rank() + 1));
    }
    let order = axes.order.iter().filter_map(|old| moved.iter().position(|from| from == old)).collect();
    let lengths = moved.iter().map(|from| axes.length(*from)).collect();
    let made = call.keep(&Op::Identity, value)?;
    Some(Value { axes: Some(Axes { order, lengths }), image: false, ..made })
}

/// `unsqueeze(dim)`: an axis of length 1 where `dim` says.
pub(super) fn unsqueeze(call: &mut Call) -> Option<Value> {
    let dim = call.args.whole("dim", None);
    call.done()?;
    let value = call.input()?;
    let (op, order) = unsqueezed(call, &value, dim)?;
    let made = call.make(&op, &[&value], Some(order))?;
    Some(Value { image: false, ..made })
}

/// The operation of an unsqueeze and the order in which the axes lie afterwards.
fn unsqueezed(call: &mut Call, value: &Value, dim: i64) -> Option<(Op, Vec<usize>)> {
    let axes = call.axes(value)?;
    let axis = call.axis(dim, axes.rank() + 1)?;
    let place = if axis < axes.rank() { axes.place(axis) } else { axes.rank() };
    let mut order: Vec<usize> = axes.order.iter().map(|old| old + usize::from(*old >= axis)).collect();
    order.insert(place, axis);
    Some((Op::Unsqueeze { axes: vec![place as i64 + 1] }, order))
}

/// `squeeze(dim)`: takes axes away that are of length 1; others stay, as PyTorch has it.
pub(super) fn squeeze(call: &mut Call) -> Option<Value> {
    let dims = call.args.wholes("dim", "an axis or a list of axes");
    if dims.is_none() {
        call.args.wrong("dim", "must be given: without it a batch of one would lose its axis");
    }
    call.done()?;
    let value = call.input()?;
    let axes = call.axes(&value)?;
    let mut gone = Vec::new();
    for dim in dims? {
        let axis = call.axis(dim, axes.rank())?;
        match axes.length(axis) {
            Some(1) => gone.push(axis),
            Some(_) => {}
            None => {
                let what = "whether its axis is of length 1 is not known; state the shape of one example of the input";
                return call.refuse(Code::Input, what);
            }
        }
    }
    if gone.is_empty() {
        return call.keep(&Op::Identity, &value);
    }
    let places = gone.iter().map(|axis| axes.place(*axis) as i64 + 1).collect();
    reduced(call, &Op::Squeeze { axes: places }, &value, &axes.order, &gone)
}

/// The layer itself as an operation that takes axes away.
pub(super) fn reduced(call: &mut Call, op: &Op, value: &Value, order: &[usize], gone: &[usize]) -> Option<Value> {
    let made = call.make(op, &[value], Some(without(order, gone)))?;
    Some(Value { image: made.image && !gone.contains(&0), ..made })
}

/// How the axes lie when some of PyTorch's are gone.
fn without(order: &[usize], gone: &[usize]) -> Vec<usize> {
    let left = order.iter().filter(|axis| !gone.contains(axis));
    left.map(|axis| axis - gone.iter().filter(|other| *other < axis).count()).collect()
}

/// `select(dim, index)`: one place of an axis, which goes.
pub(super) fn select(call: &mut Call) -> Option<Value> {
    let (dim, index) = (call.args.whole("dim", None), call.args.whole("index", None));
    call.done()?;
    let value = call.input()?;
    let axes = call.axes(&value)?;
    let axis = call.axis(dim, axes.rank())?;
    let written = axes.place(axis) as i64 + 1;
    let slice = Op::Slice { axis: written, start: index, end: after(index, 1), step: 1 };
    let taken = call.step("place", &slice, &[&value], Some(axes.order.clone()));
    reduced(call, &Op::Squeeze { axes: vec![written] }, &taken, &axes.order, &[axis])
}

/// `narrow(dim, start, length)`.
pub(super) fn narrow(call: &mut Call) -> Option<Value> {
    let (dim, start) = (call.args.whole("dim", None), call.args.whole("start", None));
    let length = call.args.length("length", None);
    call.done()?;
    let value = call.input()?;
    let axis = call.lying(dim, &value)?;
    call.keep(&Op::Slice { axis, start, end: after(start, length as i64), step: 1 }, &value)
}

/// The place after `length` places from `start`; a start counted from the end may reach it.
fn after(start: i64, length: i64) -> Option<i64> {
    let end = start.saturating_add(length);
    (start >= 0 || end < 0).then_some(end)
}

/// `cat(dim)`.
pub(super) fn cat(call: &mut Call) -> Option<Value> {
    let dim = call.args.whole("dim", Some(1));
    call.done()?;
    let values = call.alike()?;
    let axis = call.lying(dim, values.first()?)?;
    joined(call, &values, axis)
}

/// `stack(dim)`: each gets an axis of length 1, along which they are joined.
pub(super) fn stack(call: &mut Call) -> Option<Value> {
    let dim = call.args.whole("dim", None);
    call.done()?;
    let mut values = call.alike()?;
    for value in &mut values {
        let (op, order) = unsqueezed(call, value, dim)?;
        *value = call.step("unsqueeze", &op, &[&*value], Some(order));
        value.image = false;
    }
    let axis = call.lying(dim, values.first()?)?;
    joined(call, &values, axis)
}

fn joined(call: &mut Call, values: &[Value], axis: i64) -> Option<Value> {
    let order = values.first()?.axes.as_ref().map(|axes| axes.order.clone());
    call.make(&Op::Concat { axis }, &values.iter().collect::<Vec<_>>(), order)
}

/// Channels `c·r² + i·r + j` become the places `(i, j)` of a tile of channel `c`.
pub(super) fn pixel_shuffle(call: &mut Call) -> Option<Value> {
    let factor = call.args.length("upscale_factor", None) as i64;
    call.done()?;
    let value = call.windows(2)?;
    let [height, width, channels] = image(call, &value)?;
    let tile = factor.saturating_mul(factor);
    if channels == -1 || channels % tile != 0 {
        return call.refuse(Code::LayerShape, "the channels that reach it are no multiple of upscale_factor squared");
    }
    let split = vec![height, width, channels / tile, factor, factor];
    let whole = vec![times(height, factor), times(width, factor), channels / tile];
    tiled(call, &value, split, &[0, 1, 4, 2, 5, 3], whole)
}

/// The other way round.
pub(super) fn pixel_unshuffle(call: &mut Call) -> Option<Value> {
    let factor = call.args.length("downscale_factor", None) as i64;
    call.done()?;
    let value = call.windows(2)?;
    let [height, width, channels] = image(call, &value)?;
    if [height, width].iter().any(|length| *length != -1 && length % factor != 0) {
        return call.refuse(Code::LayerShape, "the images that reach it are no multiple of downscale_factor");
    }
    let part = |length: i64| if length == -1 { -1 } else { length / factor };
    let split = vec![part(height), factor, part(width), factor, channels];
    let whole = vec![part(height), part(width), times(channels, factor.saturating_mul(factor))];
    tiled(call, &value, split, &[0, 1, 3, 5, 2, 4], whole)
}

/// Channels in `groups` rows are read by columns.
pub(super) fn channel_shuffle(call: &mut Call) -> Option<Value> {
    let groups = call.args.length("groups", None) as i64;
    call.done()?;
    let (value, rank) = call.channels()?;
    let lying = known(call, &value)?;
    let (channels, places) = lying.split_last()?;
    if *channels == -1 || channels % groups != 0 {
        return call.refuse(Code::LayerShape, "the channels that reach it are no multiple of groups");
    }
    let split = places.iter().copied().chain([groups, channels / groups]).collect();
    let mut axes: Vec<i64> = (0..=rank as i64 + 1).collect();
    axes.swap(rank, rank + 1);
    tiled(call, &value, split, &axes, lying.clone())
}

/// Lengths as the axes lie, −1 where not known.
fn known(call: &mut Call, value: &Value) -> Option<Vec<i64>> {
    let lying = call.axes(value)?.as_lying();
    Some(lying.into_iter().map(|length| length.map_or(-1, |length| length as i64)).collect())
}

fn image(call: &mut Call, value: &Value) -> Option<[i64; 3]> {
    known(call, value)?.try_into().ok()
}

fn times(length: i64, factor: i64) -> i64 {
    if length == -1 { -1 } else { length.saturating_mul(factor) }
}

/// Splits axes, moves the parts, and joins them again, channels last.
fn tiled(call: &mut Call, value: &Value, split: Vec<i64>, axes: &[i64], whole: Vec<i64>) -> Option<Value> {
    let (split, whole) = (settled(call, split)?, settled(call, whole)?);
    let (parts, rank) = (split.len(), whole.len());
    let split = call.step("split", &Op::Reshape { each: split }, &[value], Some(plain(parts)));
    let moved = call.step("permute", &Op::Permute { axes: axes.to_vec() }, &[&split], Some(plain(parts)));
    call.make(&Op::Reshape { each: whole }, &[&moved], Some(channels_last(rank)))
}
