//! An order in which layers can run: the written one where it is one.

use super::connect::Wiring;
use crate::describe::{Description, at};
use crate::faults::{Code, Faults, quoted_str};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The layers in running order; those in a ring, and what waits for them, are left out and the rings told.
pub(super) fn order(description: &Description, wiring: &Wiring, faults: &mut Faults) -> Vec<usize> {
    let inputs = wiring.inputs.len();
    let before =
        |sources: &Vec<Option<usize>>| sources.iter().flatten().filter_map(|value| value.checked_sub(inputs)).collect();
    let sources: Vec<Vec<usize>> = wiring.sources.iter().map(before).collect();
    running(&sources, |ring| tell(description, ring, faults))
}

/// Of numbered things, each with those it waits for, an order in which each comes after those; of several that may come, the
/// one of the lowest number. What stands in a ring, or waits for one, is left out; `found` is given each ring, each thing
/// followed by one it waits for.
pub(crate) fn running(sources: &[Vec<usize>], found: impl FnMut(&[usize])) -> Vec<usize> {
    let count = sources.len();
    let mut waits = vec![0usize; count];
    let mut readers = vec![Vec::new(); count];
    for (thing, sources) in sources.iter().enumerate() {
        waits[thing] = sources.len();
        sources.iter().for_each(|&source| readers[source].push(thing));
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..count).filter(|&thing| waits[thing] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse(thing)) = ready.pop() {
        order.push(thing);
        for &reader in &readers[thing] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                ready.push(Reverse(reader));
            }
        }
    }
    if order.len() < count {
        // Everything still waiting has a source still waiting: following one from each ends in a ring.
        rings(&waits, |thing| sources[thing].iter().copied().find(|&source| waits[source] > 0), found);
    }
    order
}

/// Finds each ring of `next` once, from the first thing on.
fn rings(waits: &[usize], next: impl Fn(usize) -> Option<usize>, mut found: impl FnMut(&[usize])) {
    let mut walk_of = vec![0usize; waits.len()];
    for start in (0..waits.len()).filter(|&thing| waits[thing] > 0) {
        let (mut walk, mut at) = (Vec::new(), Some(start));
        while let Some(thing) = at {
            if walk_of[thing] != 0 {
                if walk_of[thing] == start + 1 {
                    let from = walk.iter().position(|&visited| visited == thing).unwrap_or(0);
                    found(&walk[from..]);
                }
                break;
            }
            walk_of[thing] = start + 1;
            walk.push(thing);
            at = next(thing);
        }
    }
}

/// A fault at the ring's first layer as written, the ring named in the order in which values would go round.
fn tell(description: &Description, ring: &[usize], faults: &mut Faults) {
    let (first, names) = round(ring, |layer| description.layers[layer].name.as_str());
    let layer = &description.layers[first];
    let message = format!("layers feed one another in a ring: {names}");
    faults.push(at(layer.position, Code::Cycle, message).path(&layer.name));
}

/// The lowest thing of a ring, and the ring in words from there on, in the order in which values would go round.
pub(crate) fn round<'a>(ring: &[usize], name: impl Fn(usize) -> &'a str) -> (usize, String) {
    const SHOWN: usize = 4;
    let first = ring.iter().enumerate().min_by_key(|(_, thing)| **thing).map_or(0, |(place, _)| place);
    let round = (0..ring.len()).map(|step| ring[(first + ring.len() - step) % ring.len()]);
    let mut names: Vec<String> = round.take(SHOWN).map(|thing| quoted_str(name(thing))).collect();
    if ring.len() > SHOWN {
        names.push(format!("\u{2026} ({} layers)", ring.len()));
    }
    names.push("the first again".into());
    (ring[first], names.join(" to "))
}
