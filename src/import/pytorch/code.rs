//! A network written as code: its layers are known, the order in which they run is not.

use super::{
    Stated, misuse,
    row::{Row, reads, turn as turn_row, untold},
};
use crate::{
    describe::{Description, Graph, Op},
    faults::Faults,
    network::Turn,
};

/// Turns the layers the host made a statement about. Where images are possible, every dense or normalisation layer without
/// a statement stays untold (its own bias excepted, in a dense layer).
pub(super) fn turn(
    graph: &Graph,
    description: &Description,
    stated: &Stated<'_>,
    turns: &mut [Turn],
    faults: &mut Faults,
) {
    for (path, shape) in stated.flattened {
        let node = graph.nodes.iter().find(|node| node.name == *path);
        match node.and_then(reads) {
            None => faults.push(misuse(path, "there is no dense or normalisation layer of this name.")),
            Some(_) if !(1..=4).contains(&shape.len()) => {
                faults.push(misuse(path, "a shape of one to four axes is wanted."));
            }
            Some(length) if Row::of(shape).is_none_or(|row| row.length() != length) => {
                faults.push(misuse(
                    path,
                    &format!("the layer reads {length} numbers, and the shape holds another count."),
                ));
            }
            Some(_) => {}
        }
    }
    let kind = |layer: usize| description.layers.get(layer).map_or("", |layer| layer.kind.as_str());
    let remade = graph.nodes.iter().any(|node| matches!(&node.op, Op::Reshape { each } if each.len() > 1));
    let images = stated.example.is_some_and(|example| example.len() > 1)
        || graph.nodes.iter().any(|node| of_images(&node.op) || kind(node.layer).starts_with("spatialdropout"));
    for node in &graph.nodes {
        if reads(node).is_none() {
            continue;
        }
        let statement = stated.flattened.iter().find(|(path, _)| *path == node.name);
        match statement.and_then(|(_, shape)| Row::of(shape)) {
            _ if remade => {
                untold(node, "the network makes images of rows, and its order of running is not known.", turns)
            }
            Some(row) => turn_row(graph, node, row, turns),
            None if images => {
                let reason =
                    "images may reach it, and the order of running is not known; state by `flattened` what does.";
                untold(node, reason, turns);
            }
            None => {}
        }
    }
}

/// Whether a layer shows that images are about.
fn of_images(op: &Op) -> bool {
    matches!(
        op,
        Op::Conv(_)
            | Op::ConvTranspose { .. }
            | Op::Pool { .. }
            | Op::AdaptivePool { .. }
            | Op::GlobalPool { .. }
            | Op::Upsample { .. }
            | Op::Flatten { .. }
            | Op::Reshape { .. }
    )
}
