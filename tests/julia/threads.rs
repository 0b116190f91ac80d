//! One set read by many threads, and changed by one that has a copy: a copy shares the numbers until it is written.

use crate::{
    files_out::{back, written},
    sets::{doubles, example, good, same},
};
use pontil::{
    params::{Layout, Params},
    tensor::{DType, View},
};
use std::thread;

const THREADS: usize = 8;

const ROUNDS: usize = 20;

#[test]
fn eight_threads_load_flatten_and_save_one_set() {
    let set = example();
    let bytes = written(&set);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let read = back(&bytes, None);
                    same(&read, &set);
                    let layout = good(|faults| Layout::of(&set, Params::ROOT, faults));
                    let flat = good(|faults| layout.flatten(&read, Params::ROOT, faults));
                    assert_eq!(doubles(&flat), (1..=11).map(f64::from).collect::<Vec<_>>());
                    assert_eq!(written(&set), bytes);
                }
            });
        }
    });
}

#[test]
fn one_changes_its_copy_while_others_read() {
    let set = example();
    let layout = good(|faults| Layout::of(&set, Params::ROOT, faults));
    let flatten = |set: &Params| doubles(&good(|faults| layout.flatten(set, Params::ROOT, faults)));
    let before = flatten(&set);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut copy = set.clone();
            for round in 0..THREADS * ROUNDS {
                let numbers = vec![round as f64; layout.count()];
                let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                let shape = [numbers.len()];
                layout.scatter(&View::new(DType::F64, &shape, None, 0, &raw), &mut copy, Params::ROOT).unwrap();
                assert_eq!(flatten(&copy), numbers);
            }
        });
        for _ in 1..THREADS {
            scope.spawn(|| (0..ROUNDS).for_each(|_| assert_eq!(flatten(&set), before)));
        }
    });
    assert_eq!(flatten(&set), before);
}
