//! An order in which layers can run: the written one where it is one.

use super::connect::Wiring;
use crate::describe::{Description, at};
use crate::faults::{Code, Faults, quoted_str};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The layers in running order; those in a ring, and what waits for them, are left out and the rings told.
pub(super) fn order(description: &Description, wiring: &Wiring, faults: &mut Faults) -> Vec<usize> {
    let count = description.layers.len();
    let before = |layer: usize| {
        wiring.sources[layer].iter().flatten().filter_map(|value| value.checked_sub(wiring.inputs.len()))
    };
    let mut waits = vec![0usize; count];
    let mut readers = vec![Vec::new(); count];
    for (layer, waiting) in waits.iter_mut().enumerate() {
        for source in before(layer) {
            *waiting += 1;
            readers[source].push(layer);
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..count).filter(|&layer| waits[layer] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse(layer)) = ready.pop() {
        order.push(layer);
        for &reader in &readers[layer] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                ready.push(Reverse(reader));
            }
        }
    }
    if order.len() < count {
        // Every layer still waiting has a source still waiting: following one from each ends in a ring.
        let next = |layer: usize| before(layer).find(|&source| waits[source] > 0);
        rings(&waits, next, |ring| tell(description, ring, faults));
    }
    order
}

/// Finds each ring of `next` once, from the first layer on.
fn rings(waits: &[usize], next: impl Fn(usize) -> Option<usize>, mut found: impl FnMut(&[usize])) {
    let mut walk_of = vec![0usize; waits.len()];
    for start in (0..waits.len()).filter(|&layer| waits[layer] > 0) {
        let (mut walk, mut at) = (Vec::new(), Some(start));
        while let Some(layer) = at {
            if walk_of[layer] != 0 {
                if walk_of[layer] == start + 1 {
                    let from = walk.iter().position(|&visited| visited == layer).unwrap_or(0);
                    found(&walk[from..]);
                }
                break;
            }
            walk_of[layer] = start + 1;
            walk.push(layer);
            at = next(layer);
        }
    }
}

/// A fault at the ring's first layer as written, the ring named in the order in which values would go round.
fn tell(description: &Description, ring: &[usize], faults: &mut Faults) {
    const SHOWN: usize = 4;
    let first = ring.iter().enumerate().min_by_key(|(_, layer)| **layer).map_or(0, |(place, _)| place);
    let round = (0..ring.len()).map(|step| ring[(first + ring.len() - step) % ring.len()]);
    let layer = &description.layers[ring[first]];
    let mut names: Vec<String> = round.take(SHOWN).map(|layer| quoted_str(&description.layers[layer].name)).collect();
    if ring.len() > SHOWN {
        names.push(format!("\u{2026} ({} layers)", ring.len()));
    }
    names.push("the first again".into());
    let message = format!("layers feed one another in a ring: {}", names.join(" to "));
    faults.push(at(layer.position, Code::Cycle, message).path(&layer.name));
}
