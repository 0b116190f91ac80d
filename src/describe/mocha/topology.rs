//! In which order the layers of a network run, and whether gradients could find their way back.
//!
//! Mocha's rules: level by level, in each level the layers that change a blob in place first, then the others, each in the
//! order as written. A layer in place depends on the maker of its blob alone. Called for a network in Mocha's words.

use crate::describe::{Position, at};
use crate::faults::{Code, Fault, Faults, quoted_str};
use std::collections::{HashMap, HashSet};

/// How a layer is connected.
#[derive(Clone, Debug, Default)]
pub(super) struct Wire<'a> {
    pub(super) name: &'a str,
    pub(super) bottoms: Vec<&'a str>,
    pub(super) tops: Vec<&'a str>,
    pub(super) in_place: bool,
    pub(super) sink: bool,
    /// Whether gradients go back through it.
    pub(super) back: bool,
    pub(super) parameters: bool,
    pub(super) position: Position,
}

impl Wire<'_> {
    fn fault(&self, code: Code, what: &str) -> Fault {
        at(self.position, code, format!("layer {}: {what}", quoted_str(self.name))).path(self.name)
    }

    fn makes(&self) -> &[&str] {
        if self.sink || self.in_place { &[] } else { &self.tops }
    }
}

/// The places of the layers in running order; every blob that is made twice, by nothing or in a ring is a fault.
pub(super) fn sorted(wires: &[Wire], inputs: &[&str], faults: &mut Faults) -> Vec<usize> {
    let mark = faults.mark();
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for (place, wire) in wires.iter().enumerate() {
        for top in wire.makes() {
            if let Some(first) = makers.insert(top, place) {
                let by = wires.get(first).map(|first| first.name).unwrap_or_default();
                let what = format!("its top {} is made by layer {} already", quoted_str(top), quoted_str(by));
                faults.push(wire.fault(Code::Connection, &what));
            }
        }
    }
    let mut waits = vec![0usize; wires.len()];
    let mut feeds: Vec<Vec<usize>> = vec![Vec::new(); wires.len()];
    for (place, wire) in wires.iter().enumerate() {
        for bottom in &wire.bottoms {
            match makers.get(bottom) {
                Some(&maker) => {
                    waits[place] += 1;
                    feeds[maker].push(place);
                }
                None if inputs.contains(bottom) => {}
                None => {
                    let what = format!(
                        "its bottom {} is made by no layer, and is no input with a shape under \"inputs\"",
                        quoted_str(bottom)
                    );
                    faults.push(wire.fault(Code::Connection, &what));
                }
            }
        }
    }
    if faults.refused_since(mark).is_err() {
        return Vec::new();
    }
    let mut order = Vec::new();
    let mut level: Vec<usize> = (0..wires.len()).filter(|&place| waits[place] == 0).collect();
    while !level.is_empty() {
        level.sort_by_key(|&place| (!wires[place].in_place, place));
        let mut next = Vec::new();
        for &place in &level {
            for &fed in &feeds[place] {
                waits[fed] -= 1;
                if waits[fed] == 0 {
                    next.push(fed);
                }
            }
        }
        order.append(&mut level);
        level = next;
    }
    if order.len() < wires.len() {
        ring(wires, &makers, &waits, faults);
    }
    order
}

/// The fault of layers that feed one another, named along the ring.
fn ring(wires: &[Wire], makers: &HashMap<&str, usize>, waits: &[usize], faults: &mut Faults) {
    const SHOWN: usize = 8;
    let before = |place: usize| {
        let bottoms = wires[place].bottoms.iter().filter_map(|bottom| makers.get(bottom).copied());
        bottoms.into_iter().find(|&maker| waits[maker] > 0)
    };
    let Some(mut place) = (0..wires.len()).find(|&place| waits[place] > 0) else { return };
    let mut seen = HashSet::new();
    while seen.insert(place) {
        match before(place) {
            Some(maker) => place = maker,
            None => return,
        }
    }
    let (first, mut names) = (place, Vec::new());
    loop {
        names.push(quoted_str(wires[place].name));
        match before(place) {
            Some(maker) if maker != first => place = maker,
            _ => break,
        }
    }
    names.reverse();
    let more = if names.len() > SHOWN { " → …" } else { "" };
    let shown: Vec<String> = names.into_iter().take(SHOWN).collect();
    let what = format!("layers feed one another in a ring: {}{more}", shown.join(" → "));
    faults.push(at(wires[first].position, Code::Cycle, what).path(wires[first].name));
}

/// Faults that would keep a network from being trained; `wires` in running order.
pub(super) fn trainable(wires: &[Wire], faults: &mut Faults) {
    let mut needed: HashSet<&str> = HashSet::new();
    for wire in wires {
        let wanted = wire.back && (wire.parameters || wire.bottoms.iter().any(|bottom| needed.contains(bottom)));
        if wanted {
            needed.extend(wire.makes());
        }
    }
    let mut taken: HashMap<&str, &str> = HashMap::new();
    for wire in wires.iter().filter(|wire| wire.back && !wire.in_place) {
        for bottom in wire.bottoms.iter().filter(|bottom| needed.contains(*bottom)) {
            if let Some(other) = taken.insert(bottom, wire.name) {
                let what = format!(
                    "its bottom {} is taken by layer {} as well, and gradients come from one: use a SplitLayer",
                    quoted_str(bottom),
                    quoted_str(other)
                );
                faults.push(wire.fault(Code::Connection, &what));
            }
        }
    }
    let mut led: HashSet<&str> = HashSet::new();
    for wire in wires.iter().rev().filter(|wire| wire.back) {
        for top in wire.makes().iter().filter(|top| needed.contains(*top) && !led.contains(*top)) {
            let what = format!("its top {} does not lead to a loss", quoted_str(top));
            faults.push(wire.fault(Code::Loss, &what));
        }
        if wire.sink || !wire.in_place {
            led.extend(&wire.bottoms);
        }
    }
}
