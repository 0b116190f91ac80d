//! The description that grows while the layers of another framework are lowered one by one.
//!
//! That framework has its own order of axes, Pontil has channels last. A [`Value`] knows how its axes lie against the
//! framework's; [`Lowering`] puts layers down and turns values where a layer depends on the order. Two readers want a value
//! turned alike: they share the permute. Called by `torch` and by the importers of graphs.

mod port;
mod value;

pub(crate) use port::port;
pub(crate) use value::{Axes, Value, at_port, channels_last, left, plain, without};

use super::lower::unused;
use super::shapes::infer;
use super::spell::spell;
use super::{GraphValue, Layer, Op, Position};
use crate::faults::Faults;
use crate::tensor::DType;
use std::collections::{HashMap, HashSet};

/// What has been lowered so far.
pub(crate) struct Lowering<'f> {
    pub(crate) faults: &'f mut Faults,
    /// Layers in Pontil's words.
    pub(crate) layers: Vec<Layer>,
    /// Names of layers and inputs, those to come among them.
    taken: HashSet<String>,
    /// Permutes by what they turn and how, so that two readers share one.
    turned: HashMap<(String, Vec<usize>), String>,
}

impl<'f> Lowering<'f> {
    pub(crate) fn new(taken: HashSet<String>, faults: &'f mut Faults) -> Lowering<'f> {
        Lowering { faults, layers: Vec::new(), taken, turned: HashMap::new() }
    }

    /// A name nobody has, made of the layer it serves and of what it does.
    pub(crate) fn name(&mut self, of: &str, does: &str) -> String {
        unused(of, does, &mut self.taken)
    }

    /// This name, or if somebody has it one made of it: a layer that is called a second time.
    pub(crate) fn named(&mut self, name: &str) -> String {
        match self.taken.insert(name.to_owned()) {
            true => name.to_owned(),
            false => self.name(name, "call"),
        }
    }

    /// Puts a layer down; its axes then lie in `order` (none: their number is not known).
    pub(crate) fn put(
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
    pub(crate) fn turn(&mut self, of: (&str, Position), value: &Value, order: &[usize]) -> Value {
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

/// The word of an operation.
pub(crate) fn word(op: &Op) -> String {
    spell(op, Position::default()).0
}

/// Lengths of what an operation makes, as far as they can be told. One that does not take its inputs tells nothing here; the
/// check of the lowered description says why.
fn after(op: &Op, inputs: Vec<Vec<Option<usize>>>) -> Option<Vec<Option<usize>>> {
    let value = |shape| GraphValue { dtype: DType::F32, shape: Some(shape), batched: true };
    let values: Vec<GraphValue> = inputs.into_iter().map(value).collect();
    infer(&mut op.clone(), &values.iter().collect::<Vec<_>>()).ok().flatten()
}
