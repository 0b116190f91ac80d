//! Layers whose order of running is known: each value carries how its numbers lie against PyTorch's.

use super::{
    Stated, misuse,
    row::{Row, reads, turn as turn_row, untold},
};
use crate::{
    describe::{Graph, Node, Op, SlotId, ValueId},
    faults::{Faults, quoted_str},
    network::Turn,
    tensor::{lengths_text, shape_text},
};
use std::{collections::HashMap, rc::Rc};

/// How a value lies against PyTorch's.
#[derive(Clone, Debug, PartialEq)]
enum Order {
    /// As in PyTorch, but for channels, which are last here and first there if the value is an image.
    Plain,
    /// As in PyTorch without exception: channels were put first, or are gone.
    First,
    /// A row by places here and by channels there.
    Row(Row),
    /// Not to be told, and why.
    Untold(Rc<str>),
}

#[derive(Clone, Debug)]
struct Flow {
    order: Order,
    /// Window axes of the nearest layer before that walks over places.
    walked: Option<usize>,
    /// Slots whose numbers the order of this row's numbers came from.
    makers: Vec<SlotId>,
}

/// Turns what reads a flattened row; states what can not be told.
pub(super) fn turn(graph: &Graph, stated: &Stated<'_>, turns: &mut [Turn], faults: &mut Faults) {
    for (path, _) in stated.flattened {
        let node = graph.nodes.iter().find(|node| node.name == *path);
        if !node.is_some_and(|node| makes_row(graph, node)) {
            faults.push(misuse(path, "there is no flatten of this name."));
        }
    }
    let mut walk = Walk { graph, stated, turns, faults, flows: vec![None; graph.values.len()], held: HashMap::new() };
    for port in &graph.inputs {
        // A port the host wants channels first begins with the permutation to channels last.
        let permuted =
            graph.nodes.iter().any(|node| node.inputs == [port.value] && matches!(node.op, Op::Permute { .. }));
        let order = if stated.channels_first && permuted { Order::First } else { Order::Plain };
        walk.flows[port.value] = Some(Flow { order, walked: None, makers: Vec::new() });
    }
    for node in &graph.nodes {
        if let Some(flow) = walk.before(node) {
            walk.flows[node.output] = Some(walk.through(node, flow));
        }
    }
}

struct Walk<'a> {
    graph: &'a Graph,
    stated: &'a Stated<'a>,
    turns: &'a mut [Turn],
    faults: &'a mut Faults,
    /// By value; none for constants.
    flows: Vec<Option<Flow>>,
    /// The order in which the numbers of a slot were read, by the first of the layers that hold it.
    held: HashMap<SlotId, Order>,
}

impl Walk<'_> {
    /// What reaches a layer: of several inputs the order they have in common.
    fn before(&self, node: &Node) -> Option<Flow> {
        let mut flows = node.inputs.iter().filter_map(|&value| self.flows[value].as_ref());
        let mut joined = flows.next()?.clone();
        for flow in flows {
            if joined.order != flow.order {
                joined.order = untold_by(node, "joins values of different orders");
            }
            joined.walked = joined.walked.or(flow.walked);
            joined.makers.extend(&flow.makers);
        }
        joined.makers.sort_unstable();
        joined.makers.dedup();
        Some(joined)
    }

    fn through(&mut self, node: &Node, mut flow: Flow) -> Flow {
        if let Some(dims) = walks(&node.op) {
            flow.walked = Some(dims);
        }
        match &node.op {
            Op::Conv(_) | Op::ConvTranspose { .. } => {
                flow.order = match flow.order {
                    Order::Plain | Order::First => Order::Plain,
                    order => carried(self.graph, node, &order),
                };
                if let Order::Untold(reason) = &flow.order {
                    untold(node, reason, self.turns);
                }
                flow.makers.clear();
            }
            Op::Dense { .. } => {
                self.read(node, &flow.order);
                flow = Flow { order: Order::Plain, walked: None, makers: node.slots.clone() };
            }
            Op::BatchNorm { .. }
            | Op::LayerNorm { .. }
            | Op::GroupNorm { .. }
            | Op::Prelu { .. }
            | Op::Scale { .. }
            | Op::PositionTable { .. } => {
                self.read(node, &flow.order);
                flow.makers.extend(&node.slots);
            }
            Op::Flatten { .. } | Op::Reshape { .. } => flow.order = self.reshaped(node, &flow),
            Op::Permute { axes } => flow.order = permuted(node, axes, &flow),
            _ => flow.order = carried(self.graph, node, &flow.order),
        }
        flow
    }

    /// A layer whose numbers go by the last axis.
    fn read(&mut self, node: &Node, order: &Order) {
        let first = node.slots.first().map(|&slot| self.held.entry(slot).or_insert_with(|| order.clone()).clone());
        if first.is_some_and(|first| first != *order) {
            return untold(node, "two layers hold it, and read rows of different orders.", self.turns);
        }
        match order {
            Order::Row(row) if reads(node) == Some(row.length()) => turn_row(self.graph, node, *row, self.turns),
            Order::Row(row) => {
                let (wanted, length) = (reads(node).unwrap_or(1), row.length());
                if wanted != 1 {
                    let message =
                        format!("{length} numbers are stated, and '{}' reads {wanted}.", quoted_str(&node.name));
                    self.faults.push(misuse(&node.name, &message));
                }
            }
            Order::Untold(reason) => untold(node, reason, self.turns),
            Order::Plain | Order::First => {}
        }
    }

    /// Names the two that contradict each other: a statement and what reaches its flatten by the shape of the input.
    fn unlike(&self, stated: &[usize], reaches: &[Option<usize>]) -> String {
        let input = self.graph.inputs.first().and_then(|port| self.graph.values[port.value].shape.as_deref());
        let of = input.map_or(String::new(), |input| format!(" of an example of {}", lengths_text(input)));
        format!(
            "{} is stated, and {} reaches it{of}, window axes first and channels last.",
            shape_text(stated),
            lengths_text(reaches)
        )
    }

    /// A flatten or reshape: what becomes of the order.
    fn reshaped(&mut self, node: &Node, flow: &Flow) -> Order {
        let value: Option<&ValueId> = node.inputs.first();
        let given = value.and_then(|&value| self.graph.values[value].known());
        let rank = value.and_then(|&value| self.graph.values[value].shape.as_ref().map(Vec::len));
        if !makes_row(self.graph, node) {
            if given.is_some() && given == self.graph.values[node.output].known() {
                return flow.order.clone();
            }
            for &slot in &flow.makers {
                let reason = format!("its row becomes an image in '{}'.", quoted_str(&node.name));
                self.turns[slot] = self.turns[slot].clone().untold(reason);
            }
            return match &flow.order {
                Order::Plain if given.as_ref().is_some_and(|shape| shape.len() == 1) => Order::Plain,
                Order::Untold(reason) => Order::Untold(reason.clone()),
                _ => untold_by(node, "makes one image of another"),
            };
        }
        let stated = self.stated.flattened.iter().find(|(path, _)| *path == node.name).map(|(_, shape)| shape);
        if let Some(stated) = stated {
            if !(1..=4).contains(&stated.len()) || Row::of(stated).is_none() {
                self.faults.push(misuse(&node.name, "a shape of one to four axes is wanted."));
                return Order::Plain;
            }
            let reaches = value.and_then(|&value| self.graph.values[value].shape.as_deref());
            if let Some(reaches) = reaches.filter(|reaches| !fits(reaches, stated)) {
                self.faults.push(misuse(&node.name, &self.unlike(stated, reaches)));
                return Order::Plain;
            }
        }
        match (&flow.order, stated.or(given.as_ref())) {
            (Order::Plain, None) if rank.is_some_and(|rank| rank < 2) => Order::Plain,
            (Order::Plain, None) => {
                untold_by(node, "is handed a shape that is not known: state it by `example` or `flattened`")
            }
            (Order::Plain, Some(shape)) => match (shape.len(), flow.walked) {
                (0 | 1, _) => Order::Plain,
                (3 | 4, _) | (2, Some(1)) => Row::of(shape).map_or(Order::Plain, Order::Row),
                _ => untold_by(
                    node,
                    "is handed two axes that may be places and channels or rows and columns: PyTorch's words would tell",
                ),
            },
            (Order::First, _) => Order::Plain,
            (order, _) => order.clone(),
        }
    }
}

/// Whether a statement has the lengths that are known.
fn fits(known: &[Option<usize>], stated: &[usize]) -> bool {
    known.len() == stated.len() && known.iter().zip(stated).all(|(known, &stated)| known.is_none_or(|k| k == stated))
}

/// Whether a layer makes a row of one axis of whatever it gets.
fn makes_row(graph: &Graph, node: &Node) -> bool {
    match &node.op {
        Op::Reshape { each } => each.len() == 1,
        Op::Flatten { .. } => graph.values[node.output].shape.as_ref().is_some_and(|shape| shape.len() == 1),
        _ => false,
    }
}

/// The window axes of a layer that walks over places.
fn walks(op: &Op) -> Option<usize> {
    match op {
        Op::Conv(conv) | Op::ConvTranspose { conv, .. } => Some(conv.window.size.len()),
        Op::Pool { window, .. } => Some(window.size.len()),
        Op::AdaptivePool { places, .. } => Some(places.len()),
        Op::GlobalPool { dims, .. } | Op::Upsample { dims, .. } => Some(*dims),
        _ => None,
    }
}

/// A permutation that was written: channels to the front or back again, or to the back of an input that nothing has read
/// yet; any other leaves nothing to tell.
fn permuted(node: &Node, axes: &[i64], flow: &Flow) -> Order {
    let order = &flow.order;
    let fresh = flow.makers.is_empty() && flow.walked.is_none();
    let rank = axes.len() as i64;
    let to_front: Vec<i64> = [rank - 1].into_iter().chain(0..rank - 1).collect();
    let to_back: Vec<i64> = (1..rank).chain([0]).collect();
    match order {
        _ if axes.iter().copied().eq(0..rank) => order.clone(),
        Order::Plain if axes == to_front => Order::First,
        Order::First if axes == to_back => Order::Plain,
        Order::Plain if fresh && axes == to_back => Order::Plain,
        Order::Untold(reason) => Order::Untold(reason.clone()),
        _ => untold_by(node, "puts axes into another order"),
    }
}

/// The order that a layer without numbers of its own, or a kernel, leaves behind.
fn carried(graph: &Graph, node: &Node, order: &Order) -> Order {
    let rank = |value: ValueId| graph.values[value].shape.as_ref().map(Vec::len);
    let given = node.inputs.first().and_then(|&value| rank(value));
    match (order, &node.op) {
        (
            _,
            Op::Identity
            | Op::Unary(_)
            | Op::Binary(_)
            | Op::Softmax { .. }
            | Op::L2Normalize { .. }
            | Op::Constant { .. },
        )
        | (Order::Untold(_), _) => order.clone(),
        (Order::Row(_), _) => untold_by(node, "does not keep the row of a flatten whole"),
        (Order::First, op) if walks(op).is_some() => untold_by(node, "walks over an image whose channels are first"),
        (_, Op::MatMul) if given != Some(1) => untold_by(node, "makes other axes"),
        (Order::Plain, Op::Unsqueeze { .. }) if given != Some(1) => untold_by(node, "adds an axis"),
        // What is left is places alone, and lies as in PyTorch.
        (Order::Plain, Op::Reduce { axes, keep: false, .. } | Op::Squeeze { axes })
            if given.is_none_or(|rank| axes.contains(&(rank as i64 - 1))) =>
        {
            Order::First
        }
        _ => order.clone(),
    }
}

/// Untold because of what a layer before does.
fn untold_by(node: &Node, does: &str) -> Order {
    Order::Untold(format!("'{}', which stands before it, {does}.", quoted_str(&node.name)).into())
}
