//! A layer of PyTorch's being lowered: its arguments, what it takes, and what the rows of `table` do with them.

use crate::describe::args::{Args, fault};
use crate::describe::check::MOST_AXES;
use crate::describe::lowering::{Axes, Lowering, Value, channels_last, plain};
use crate::describe::{Layer, Op};
use crate::faults::{Code, quoted_str};
use std::collections::HashSet;

/// One layer of PyTorch's being lowered.
pub(super) struct Call<'a, 'l, 'f> {
    pub(super) layer: &'a Layer,
    pub(super) args: Args<'a>,
    /// What it takes; none where the layer that makes it was refused.
    pub(super) inputs: Vec<Option<Value>>,
    pub(super) low: &'l mut Lowering<'f>,
}

impl Call<'_, '_, '_> {
    /// Goes on only if every argument was right. To be called once all have been read, before an input is.
    pub(super) fn done(&mut self) -> Option<()> {
        self.args.done(self.low.faults)
    }

    /// The first input; none if what makes it was refused.
    pub(super) fn input(&self) -> Option<Value> {
        self.inputs.first().cloned().flatten()
    }

    /// All inputs; none if what makes one of them was refused.
    pub(super) fn all(&self) -> Option<Vec<Value>> {
        self.inputs.iter().cloned().collect()
    }

    /// Refuses the layer.
    pub(super) fn refuse<T>(&mut self, code: Code, what: &str) -> Option<T> {
        self.low.faults.push(fault(self.layer, self.layer.position, code, what));
        None
    }

    /// The axes of a value; refuses the layer if their number is not known.
    pub(super) fn axes(&mut self, value: &Value) -> Option<Axes> {
        value.axes.clone().or_else(|| {
            let what = format!(
                "how many axes {} has is not known here; state the shape of one example of the input",
                quoted_str(&value.name)
            );
            self.refuse(Code::Input, &what)
        })
    }

    /// PyTorch's axis of one example for its `dim`, which counts the batch as 0; `rank` axes of one example.
    pub(super) fn axis(&mut self, dim: i64, rank: usize) -> Option<usize> {
        let whole = rank as i64 + 1;
        match if dim < 0 { dim.checked_add(whole).unwrap_or(-1) } else { dim } {
            0 => self.refuse(Code::LayerShape, &format!("dim {dim} is the batch; examples are never mixed")),
            axis if (1..whole).contains(&axis) => Some(axis as usize - 1),
            _ => self.refuse(Code::LayerShape, &format!("dim {dim} is outside of the {whole} axes that reach it")),
        }
    }

    /// The same as an axis of the value as it lies, written with the batch as 0.
    pub(super) fn lying(&mut self, dim: i64, value: &Value) -> Option<i64> {
        match &value.axes {
            Some(axes) => Some(axes.place(self.axis(dim, axes.rank())?) as i64 + 1),
            None if dim == 0 => self.axis(0, 0).map(|_| 0),
            None => Some(dim),
        }
    }

    /// The first input, channels last, with `dims` window axes.
    pub(super) fn windows(&mut self, dims: usize) -> Option<Value> {
        let mut value = self.input()?;
        let axes = value.axes.get_or_insert_with(|| Axes::plain(vec![None; dims + 1]));
        if axes.rank() != dims + 1 {
            let what =
                format!("it wants {} axes, [batch, channels] and {dims} more, and gets {}", dims + 2, axes.rank() + 1);
            return self.refuse(Code::LayerShape, &what);
        }
        value.image = true;
        Some(self.turn(&value, &channels_last(dims + 1)))
    }

    /// The first input, channels last, of any number of axes.
    pub(super) fn channels(&mut self) -> Option<(Value, usize)> {
        let mut value = self.input()?;
        let rank = self.axes(&value)?.rank();
        value.image = true;
        if rank == 0 {
            return self.refuse(Code::LayerShape, "it wants channels and gets one number an example");
        }
        Some((self.turn(&value, &channels_last(rank)), rank))
    }

    /// The value with its axes in `order`.
    pub(super) fn turn(&mut self, value: &Value, order: &[usize]) -> Value {
        self.low.turn((&self.layer.name, self.layer.position), value, order)
    }

    /// The value with its axes in PyTorch's order.
    pub(super) fn plain(&mut self, value: &Value) -> Value {
        self.plain_tail(value, usize::MAX)
    }

    /// The value with at least its last `count` axes where PyTorch has them.
    pub(super) fn plain_tail(&mut self, value: &Value, count: usize) -> Value {
        let Some(axes) = &value.axes else { return value.clone() };
        let order = plain(axes.rank());
        let before = order.len().saturating_sub(count);
        if axes.order.get(before..) == order.get(before..) { value.clone() } else { self.turn(value, &order) }
    }

    /// The inputs in one common order. Refused if they have not the same number of axes: PyTorch would then line up the
    /// batch of one with another axis of the other.
    pub(super) fn alike(&mut self) -> Option<Vec<Value>> {
        let values = self.all()?;
        let axes: Option<Vec<&Axes>> = values.iter().map(|value| value.axes.as_ref()).collect();
        let order = axes.and_then(|axes| axes.first().map(|first| first.order.clone()));
        let ranks: HashSet<usize> = values.iter().filter_map(|value| Some(value.axes.as_ref()?.rank())).collect();
        if ranks.len() > 1 {
            let ranks: Vec<String> =
                values.iter().filter_map(|value| Some((value.axes.as_ref()?.rank() + 1).to_string())).collect();
            let what = format!(
                "its inputs have {} axes; with unlike numbers of axes the batch of one would meet another axis of the other",
                ranks.join(" and ")
            );
            return self.refuse(Code::LayerShape, &what);
        }
        let turn = |value: &Value| match &order {
            Some(order) => self.turn(value, order),
            None => self.plain(value),
        };
        Some(values.iter().map(turn).collect())
    }

    /// A layer before the one that carries the name.
    pub(super) fn step(&mut self, does: &str, op: &Op, inputs: &[&Value], order: Option<Vec<usize>>) -> Value {
        let name = self.low.name(&self.layer.name, does);
        self.low.put(name, self.layer.position, op, inputs, order)
    }

    /// A layer before the one that carries the name, over the slots of that one.
    pub(super) fn step_with_slots(&mut self, does: &str, op: &Op, input: &Value, order: Option<Vec<usize>>) -> Value {
        let made = self.step(does, op, &[input], order);
        if let Some(last) = self.low.layers.last_mut() {
            last.slots = Some(self.layer.slots.as_ref().unwrap_or(&self.layer.name).clone());
        }
        made
    }

    /// The layer itself, under its name and over its slots.
    pub(super) fn make(&mut self, op: &Op, inputs: &[&Value], order: Option<Vec<usize>>) -> Option<Value> {
        if order.as_ref().is_some_and(|order| order.len() > MOST_AXES) {
            return self.refuse(Code::Limit, &format!("it makes more than {MOST_AXES} axes"));
        }
        let made = self.low.put(self.layer.name.clone(), self.layer.position, op, inputs, order);
        let slots = self.layer.slots.as_ref().filter(|slots| has_slots(op) && **slots != self.layer.name);
        if let Some(last) = self.low.layers.last_mut() {
            last.slots = slots.cloned();
        }
        Some(made)
    }

    /// The layer itself on one value, whose axes stay as they lie.
    pub(super) fn keep(&mut self, op: &Op, value: &Value) -> Option<Value> {
        self.make(op, &[value], value.axes.as_ref().map(|axes| axes.order.clone()))
    }
}

fn has_slots(op: &Op) -> bool {
    matches!(
        op,
        Op::Dense { .. }
            | Op::Conv(_)
            | Op::ConvTranspose { .. }
            | Op::BatchNorm { .. }
            | Op::LayerNorm { .. }
            | Op::GroupNorm { .. }
            | Op::Prelu { .. }
            | Op::Scale { .. }
            | Op::PositionTable { .. }
            | Op::Embedding { .. }
    )
}
