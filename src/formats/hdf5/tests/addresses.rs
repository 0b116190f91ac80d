//! Addresses that lead back: each one of a file to each structure of it, itself among them, and trees whose children they
//! are themselves. It ends, without a panic.

use super::{bombs::cost, mutants::bases, mutate::Mutator};

/// Changes of one file at most; those of larger ones are taken evenly.
const MOST: usize = 400;

#[test]
fn every_address_to_every_structure() {
    let mut ran = 0;
    for (_, bytes) in bases() {
        let mutator = Mutator::of(&bytes);
        let changes: Vec<(usize, u64)> = mutator
            .addresses()
            .into_iter()
            .flat_map(|(at, others)| others.into_iter().map(move |to| (at, to)))
            .collect();
        for &(at, to) in changes.iter().step_by(changes.len().div_ceil(MOST).max(1)) {
            cost(&mutator.led(at, to));
            ran += 1;
        }
    }
    assert!(ran > 1000, "{ran}");
}

/// A node of a B-tree of the first version becomes an inner one, and every child of it is itself.
#[test]
fn trees_that_are_their_own_children() {
    let mut ran = 0;
    for (name, bytes) in bases() {
        let has_children = |at: &usize| bytes[*at..at + 4] == *b"TREE" && bytes[at + 6..at + 8] != [0, 0];
        for at in (0..bytes.len().saturating_sub(24)).filter(has_children) {
            let mut changed = bytes.clone();
            changed[at + 5] = 1;
            for place in (at + 24..(at + 600).min(bytes.len() - 8)).step_by(8) {
                changed[place..place + 8].copy_from_slice(&(at as u64).to_le_bytes());
            }
            assert!(!cost(&changed).is_empty(), "{name} {at}");
            ran += 1;
        }
    }
    assert!(ran > 5, "{ran}");
}
