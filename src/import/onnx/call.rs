//! A node being lowered: what it takes, its attributes, and the layers it becomes.

use super::attributes::Attributes;
use super::build::{Build, Given};
use super::constant::Constant;
use super::flow::Flow;
use super::held::Number;
use super::wiring::fault;
use crate::describe::lowering::{Axes, Value, channels_last, plain};
use crate::describe::{MOST_AXES, Op, Position};
use crate::faults::Code;
use crate::formats::onnx::Node;
use crate::network::Turn;
use crate::tensor::count;

/// How many numbers that are looked at count as one that is computed.
pub(super) const LOOKED_AT: usize = 64;

/// One node of the graph being lowered.
pub(super) struct Call<'a, 'b, 'f> {
    pub(super) node: &'a Node,
    pub(super) number: usize,
    pub(super) attributes: Attributes<'a>,
    pub(super) build: &'b mut Build<'a, 'f>,
    /// What it takes; none where an input is left out.
    pub(super) given: Vec<Option<Given>>,
    /// The name of its layer.
    pub(super) name: &'a str,
    /// Values it makes beside the first.
    pub(super) more: Vec<Flow>,
    /// Whether the layer that carries the name has been put down.
    pub(super) named: bool,
}

impl<'a> Call<'a, '_, '_> {
    /// Refuses the node.
    pub(super) fn refuse<T>(&mut self, code: Code, what: &str) -> Option<T> {
        let fault = fault(self.node, self.number, code, what);
        self.build.low.faults.push(fault);
        None
    }

    /// Refuses something the operator may do and this library does not.
    pub(super) fn unsupported<T>(&mut self, what: &str) -> Option<T> {
        self.refuse(Code::Unsupported, what)
    }

    /// Goes on only if every attribute was read and right. To be called once all have been read.
    pub(super) fn done(&mut self) -> Option<()> {
        let complaints = self.attributes.complaints();
        if complaints.is_empty() {
            return Some(());
        }
        self.refuse(Code::Attribute, &complaints.join("; "))
    }

    /// Takes room for numbers of this shape that are computed; refuses the node if there is none.
    pub(super) fn room(&mut self, shape: &[usize]) -> Option<usize> {
        match count(shape).and_then(|count| Some((count, self.build.numbers.checked_sub(count)?))) {
            Some((count, left)) => {
                self.build.numbers = left;
                Some(count)
            }
            None => self.refuse(Code::Limit, "it would compute more numbers than a graph of this size has room for"),
        }
    }

    /// Takes room for a copy of numbers of the file, each of `size` bytes; refuses the node if there is none.
    pub(super) fn copy(&mut self, count: usize, size: usize) -> Option<()> {
        match count.checked_mul(size).and_then(|bytes| self.build.copies.checked_sub(bytes)) {
            Some(left) => {
                self.build.copies = left;
                Some(())
            }
            None => self
                .refuse(Code::Limit, "it would copy more of the file's numbers than a graph of this size has room for"),
        }
    }

    /// Takes room for numbers of the file that are looked at and not kept: a share of what computed ones take. None, without a
    /// fault, if they are more than there is room for.
    pub(super) fn look(&mut self, shape: &[usize]) -> Option<()> {
        let count = count(shape).filter(|count| *count <= self.build.numbers)?;
        self.build.numbers -= count / LOOKED_AT;
        Some(())
    }

    /// Whether it stands for several nodes of the graph, and may have attributes that ONNX does not.
    pub(super) fn is_lifted(&self) -> bool {
        self.node.domain == super::lift::OWN
    }

    /// The version of the operators.
    pub(super) fn opset(&self) -> i64 {
        self.build.opset
    }

    /// The axis of one example, in the graph's order, for an axis of the graph.
    pub(super) fn axis(&mut self, axis: i64, flow: &Flow) -> Option<usize> {
        let rank = i64::try_from(flow.rank()).unwrap_or(i64::MAX);
        let found = usize::try_from(if axis < 0 { axis.saturating_add(rank) } else { axis }).ok();
        match found.filter(|found| *found < flow.rank()) {
            Some(found) if found == flow.at => {
                self.unsupported(&format!("axis {axis} is the batch; examples are never mixed"))
            }
            Some(found) => Some(found - usize::from(found > flow.at) + flow.merged),
            None => self.refuse(Code::LayerShape, &format!("axis {axis} is outside of the {rank} axes that reach it")),
        }
    }

    /// Such an axis as it lies, written with the batch as 0.
    pub(super) fn lying(&self, axis: usize, flow: &Flow) -> i64 {
        flow.axes().place(axis) as i64 + 1
    }

    /// Input 0, channels last, with one to three window axes.
    pub(super) fn windows(&mut self) -> Option<(Flow, usize)> {
        let flow = self.whole(0)?;
        match flow.each() {
            each @ 2..=4 => Some((self.image(&flow), each - 1)),
            each => self.refuse(
                Code::LayerShape,
                &format!("it wants the batch, channels and one to three window axes, and gets {} axes", each + 1),
            ),
        }
    }

    /// A value whose first axis is that of channels, channels last.
    pub(super) fn image(&mut self, flow: &Flow) -> Flow {
        let read =
            flow.origin.as_ref().and_then(|(input, axes)| Some((self.build.hints.get_mut(*input)?, axes.first()?)));
        if let Some((hint, channel)) = read {
            hint.get_or_insert(*channel);
        }
        let mut turned = self.turn(flow, &channels_last(flow.each()));
        turned.channel = Some(0);
        turned
    }

    /// The value with its axes in `order`.
    pub(super) fn turn(&mut self, flow: &Flow, order: &[usize]) -> Flow {
        let value = self.build.low.turn((self.name, Position::default()), &flow.value, order);
        Flow { value, ..flow.clone() }
    }

    /// The value with its axes in the graph's order.
    pub(super) fn plain(&mut self, flow: &Flow) -> Flow {
        self.turn(flow, &plain(flow.each()))
    }

    /// The value with its numbers in the graph's order: axes of length 1 may lie anywhere.
    pub(super) fn packed(&mut self, flow: &Flow) -> Flow {
        let axes = flow.axes();
        if axes.order.iter().filter(|axis| axes.length(**axis) != Some(1)).is_sorted() {
            return flow.clone();
        }
        self.plain(flow)
    }

    /// A layer before the one that carries the name, on one value whose axes stay as they lie.
    pub(super) fn step(&mut self, does: &str, op: &Op, flow: &Flow) -> Flow {
        let order = flow.axes().order;
        let value = self.put(Some(does), op, &[&flow.value], order, Vec::new());
        flow.with(value)
    }

    /// The layer itself on one value whose axes stay as they lie.
    pub(super) fn keep(&mut self, op: &Op, flow: &Flow) -> Option<Flow> {
        self.keep_with(op, flow, Vec::new())
    }

    /// The same with numbers of its own.
    pub(super) fn keep_with(&mut self, op: &Op, flow: &Flow, numbers: Vec<Number>) -> Option<Flow> {
        let order = flow.axes().order;
        let value = self.put(None, op, &[&flow.value], order, numbers);
        Some(flow.with(value))
    }

    /// The layer itself, whose axes lie in `order`.
    pub(super) fn make(&mut self, op: &Op, flows: &[&Flow], order: Vec<usize>) -> Option<Flow> {
        if order.len() > MOST_AXES {
            return self.refuse(Code::Limit, &format!("it makes more than {MOST_AXES} axes"));
        }
        let values: Vec<&Value> = flows.iter().map(|flow| &flow.value).collect();
        Some(Flow::new(self.put(None, op, &values, order, Vec::new())))
    }

    /// A layer; the first without a word for what it does carries the name.
    pub(super) fn put(
        &mut self,
        does: Option<&str>,
        op: &Op,
        values: &[&Value],
        order: Vec<usize>,
        numbers: Vec<Number>,
    ) -> Value {
        let name = match does {
            None if !std::mem::replace(&mut self.named, true) => self.name.to_owned(),
            does => self.build.low.name(self.name, does.unwrap_or("more")),
        };
        let slots = self.build.held.hold(&name, numbers, self.node);
        let value = self.build.low.put(name, Position::default(), op, values, Some(order));
        if let Some(last) = self.build.low.layers.last_mut() {
            last.slots = slots;
        }
        value
    }

    /// A constant as a layer of its own, its axes those of `like`'s example and lying as they do; those of length 1 before its
    /// last `least` ones are left out. Refused where its first axis would meet the batch.
    pub(super) fn parameter(&mut self, constant: &Constant, like: &Flow, least: usize) -> Option<Flow> {
        let (mut shape, mut number) = self.beside(constant, like, "value")?;
        let missing = least.min(like.each()).saturating_sub(shape.len());
        if missing > 0 {
            shape.splice(0..0, vec![1; missing]);
            number.turn = number.turn.to(&shape);
        }
        let order = if shape.len() == like.each() { like.axes().order } else { plain(shape.len()) };
        let value = self.put(Some("value"), &Op::Parameter { shape }, &[], order, vec![number]);
        Some(Flow::new(value).like(like))
    }

    /// The shape a constant has beside a value, aligned with it from the last axes and lying as it does, and its numbers.
    pub(super) fn beside(
        &mut self,
        constant: &Constant,
        like: &Flow,
        slot: &'static str,
    ) -> Option<(Vec<usize>, Number)> {
        let aligned = self.aligned(constant.shape(), like)?;
        let order = like.axes().order;
        let turned: Vec<usize> = order.iter().filter_map(|axis| aligned.get(*axis).copied()).collect();
        let first = turned.iter().position(|length| *length != 1).unwrap_or(turned.len());
        let shape = turned.get(first..).unwrap_or_default().to_vec();
        let turn = Turn::new(constant.shape(), &aligned, order, &shape);
        Some((shape, Number { slot, constant: constant.clone(), turn }))
    }

    /// Lengths for every axis of one example of `like`, 1 where the constant has none.
    fn aligned(&mut self, shape: &[usize], like: &Flow) -> Option<Vec<usize>> {
        let rank = like.rank();
        let before = shape.len().saturating_sub(rank);
        if shape.iter().take(before).any(|length| *length != 1) {
            let what = format!("a constant of {} axes would give what reaches it more axes", shape.len());
            return self.unsupported(&what);
        }
        let own = shape.get(before..).unwrap_or_default();
        let mut aligned = vec![1; rank - own.len()];
        aligned.extend(own);
        if aligned.remove(like.at) != 1 {
            let what = "a constant has another number for each example: it was written for a batch of one length";
            return self.unsupported(what);
        }
        aligned.splice(0..0, vec![1; like.merged]);
        Some(aligned)
    }

    /// Two or more values and constants with their axes in a common order; the values have equally many axes.
    pub(super) fn alike(&mut self, places: std::ops::Range<usize>) -> Option<Vec<Flow>> {
        let flows: Vec<Option<Flow>> = places
            .clone()
            .map(|place| match self.given.get(place) {
                Some(Some(Given::Flow(flow))) => Some(flow.clone()),
                _ => None,
            })
            .collect();
        let most = flows.iter().flatten().max_by_key(|flow| flow.each()).cloned();
        let Some(like) = most else {
            return self.refuse(Code::Connection, "it takes constants alone");
        };
        for flow in flows.iter().flatten() {
            if flow.kind != super::flow::Kind::Real {
                return self.unsupported("it takes whole numbers of an input, which are read to look up rows alone");
            }
            let joined = |flow: &Flow| (flow.each(), flow.merged, flow.at, flow.pre);
            if joined(flow) != joined(&like) {
                let what = format!(
                    "its inputs have {} and {} axes: the batch of one would meet another axis of the other",
                    flow.rank(),
                    like.rank()
                );
                return self.refuse(Code::LayerShape, &what);
            }
        }
        let order = like.axes().order;
        let mut all = Vec::new();
        for (place, flow) in places.zip(flows) {
            all.push(match flow {
                Some(flow) => self.turn(&flow, &order),
                None => {
                    let constant = self.constant_needed(place, "number")?;
                    self.parameter(&constant, &like, like.each())?
                }
            });
        }
        Some(all)
    }

    /// The axes of a value under other names: axis `i` of the graph's new order is axis `moved[i]` of the old one.
    pub(super) fn renamed(flow: &Flow, moved: &[usize]) -> Flow {
        let axes = flow.axes();
        let order = axes.order.iter().filter_map(|old| moved.iter().position(|from| from == old)).collect();
        let lengths = moved.iter().map(|from| axes.length(*from)).collect();
        let channel = flow.channel.and_then(|old| moved.iter().position(|from| *from == old));
        let origin = flow
            .origin
            .as_ref()
            .map(|(input, of)| (*input, moved.iter().filter_map(|from| of.get(*from).copied()).collect()));
        let value = Value { axes: Some(Axes { order, lengths }), ..flow.value.clone() };
        Flow { value, channel, origin, ..flow.clone() }
    }
}
