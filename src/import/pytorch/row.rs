//! A row of places and channels: PyTorch writes channel by channel what is here place by place.

use crate::{
    describe::{Graph, Node, Op},
    network::Turn,
};

/// What a flatten made its row of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub places: usize,
    pub channels: usize,
}

impl Row {
    /// The row of a shape of one example, channels last; none if its numbers can not be counted.
    pub fn of(shape: &[usize]) -> Option<Row> {
        let (&channels, window) = shape.split_last()?;
        let places = crate::tensor::count(window)?;
        places.checked_mul(channels)?;
        Some(Row { places, channels })
    }

    /// How many numbers.
    pub fn length(self) -> usize {
        self.places * self.channels
    }
}

/// The length of the row a layer's numbers go by; none if it has no such numbers.
pub(super) fn reads(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Dense { inputs, .. } => Some(*inputs),
        Op::BatchNorm { features, .. } | Op::GroupNorm { features, .. } => Some(*features),
        Op::Prelu { features } if *features > 1 => Some(*features),
        Op::LayerNorm { shape, .. } | Op::Scale { shape } | Op::PositionTable { shape } => shape.last().copied(),
        _ => None,
    }
}

/// Turns the numbers of a layer that reads `row`: the rows of a dense weight, every number of the others.
pub(super) fn turn(graph: &Graph, node: &Node, row: Row, turns: &mut [Turn]) {
    let Row { places, channels } = row;
    if places == 1 || channels == 1 {
        return;
    }
    if matches!(node.op, Op::GroupNorm { groups, features, .. } if groups > 1 && groups < features) {
        return untold(node, "its groups are neighbours in the row, which lie otherwise in PyTorch's.", turns);
    }
    let slots = if matches!(node.op, Op::Dense { .. }) { node.slots.get(..1) } else { Some(&node.slots[..]) };
    for &slot in slots.unwrap_or_default() {
        let shape = &graph.slots[slot].shape;
        turns[slot] = match (&node.op, &shape[..]) {
            (Op::Dense { .. }, &[inputs, outputs]) if inputs == row.length() => {
                Turn::new(&[outputs, inputs], &[outputs, channels, places], vec![2, 1, 0], shape)
            }
            (_, &[length]) if length == row.length() => Turn::new(shape, &[channels, places], vec![1, 0], shape),
            _ => {
                turns[slot].clone().untold("it does not go by the numbers of the row that the flatten before it makes.")
            }
        };
    }
}

/// Leaves the numbers of a layer untold: the weight of a dense layer, every number of the others.
pub(super) fn untold(node: &Node, reason: &str, turns: &mut [Turn]) {
    let slots = if matches!(node.op, Op::Dense { .. }) { node.slots.get(..1) } else { Some(&node.slots[..]) };
    for &slot in slots.unwrap_or_default() {
        turns[slot] = turns[slot].clone().untold(reason);
    }
}
