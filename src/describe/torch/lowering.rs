//! The description that grows while PyTorch's layers are lowered one by one, and the call of one of them.

use super::args::{Args, fault};
use super::value::{Axes, Value, channels_last, plain};
use crate::describe::check::MOST_AXES;
use crate::describe::lower::unused;
use crate::describe::shapes::infer;
use crate::describe::spell::spell;
use crate::describe::{GraphValue, Layer, Op, Position};
use crate::faults::{Code, Faults, quoted_str};
use crate::tensor::DType;
use std::collections::{HashMap, HashSet};

/// What has been lowered so far.
pub(super) struct Lowering<'f> {
    pub(super) faults: &'f mut Faults,
    /// Layers in Pontil's words.
    pub(super) layers: Vec<Layer>,
    /// Names of layers and inputs, those to come among them.
    taken: HashSet<String>,
    /// Permutes by what they turn and how, so that two readers share one.
    turned: HashMap<(String, Vec<usize>), String>,
}

impl<'f> Lowering<'f> {
    pub(super) fn new(taken: HashSet<String>, faults: &'f mut Faults) -> Lowering<'f> {
        Lowering { faults, layers: Vec::new(), taken, turned: HashMap::new() }
    }

    /// Puts a layer down; its axes then lie in `order` (none: their number is not known).
    fn put(
        &mut self,
        name: String,
        position: Position,
        op: &Op,
        inputs: &[&Value],
        order: Option<Vec<usize>>,
    ) -> Value {
        let axes = order.map(|order| {
            let lying: Option<Vec<_>> = inputs.iter().map(|value| Some(value.axes.as_ref()?.as_lying())).collect();
            let lengths = lying.and_then(|lying| after(op, lying));
            let lengths = lengths.filter(|lengths| lengths.len() == order.len());
            Axes::lying(order, &lengths.unwrap_or_default())
        });
        let (kind, attributes) = spell(op, position);
        let from = inputs.iter().map(|value| value.name.clone()).collect();
        self.layers.push(Layer { name: name.clone(), kind, slots: None, attributes, from, position });
        Value { name, axes, image: inputs.iter().any(|value| value.image) }
    }

    /// The value with its axes in `order`, by a permute if they do not lie so yet; `of` names the layer or output it is
    /// for. A value whose number of axes is not known lies as it is.
    pub(super) fn turn(&mut self, of: (&str, Position), value: &Value, order: &[usize]) -> Value {
        let Some(axes) = value.axes.as_ref().filter(|axes| axes.order != order) else { return value.clone() };
        let moves: Vec<usize> = order.iter().map(|axis| axes.place(*axis)).collect();
        let key = (value.name.clone(), moves);
        let turned = Axes { order: order.to_vec(), lengths: axes.lengths.clone() };
        if let Some(name) = self.turned.get(&key) {
            return Value { name: name.clone(), axes: Some(turned), image: value.image };
        }
        let name = unused(of.0, "permute", &mut self.taken);
        let written = [0].into_iter().chain(key.1.iter().map(|place| *place as i64 + 1)).collect();
        let made = self.put(name, of.1, &Op::Permute { axes: written }, &[value], Some(order.to_vec()));
        self.turned.insert(key, made.name.clone());
        Value { axes: Some(turned), ..made }
    }
}

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
        let name = unused(&self.layer.name, does, &mut self.low.taken);
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

/// Lengths of what an operation makes, as far as they can be told. One that does not take its inputs tells nothing here; the
/// check of the lowered description says why.
fn after(op: &Op, inputs: Vec<Vec<Option<usize>>>) -> Option<Vec<Option<usize>>> {
    let value = |shape| GraphValue { dtype: DType::F32, shape: Some(shape), batched: true };
    let values: Vec<GraphValue> = inputs.into_iter().map(value).collect();
    infer(&mut op.clone(), &values.iter().collect::<Vec<_>>()).ok().flatten()
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
