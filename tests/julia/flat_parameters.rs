//! A vector that knows its layout.

use crate::sets::*;
use pontil::{
    faults::Code,
    params::{Flat, Kind, Params},
    tensor::DType,
};

#[test]
fn a_vector_and_its_set() {
    let flat = good(|faults| Flat::of(&example(), faults));
    assert_eq!(doubles(flat.numbers()), (1..=11).map(f64::from).collect::<Vec<_>>());
    same(&good(|faults| flat.to_set(faults)), &example());
}

#[test]
fn length_must_match() {
    let flat = good(|faults| Flat::of(&example(), faults));
    let fault = Flat::new(tensor(&[10], &[0.; 10]), flat.layout().clone()).unwrap_err();
    assert_eq!(fault.code, Code::Shape);
    assert!(fault.message.contains("10") && fault.message.contains("11"));
}

#[test]
fn other_numbers_keep_the_layout_if_their_count_is_the_same() {
    let flat = good(|faults| Flat::of(&example(), faults));
    let single = flat.with(flat.numbers().converted(DType::F32).unwrap()).unwrap();
    assert!(std::sync::Arc::ptr_eq(single.layout(), flat.layout()));
    assert_eq!(good(|faults| good(|faults| single.to_set(faults)).eltype(0, faults)), Some(DType::F32));
    assert!(flat.with(tensor(&[12], &[0.; 12])).is_err());
}

#[test]
fn reads_a_layer_and_tells_an_unknown_one() {
    let flat = good(|faults| Flat::of(&example(), faults));
    let (set, layer) = good(|faults| flat.entry(&text("L1"), faults));
    assert_eq!((set.path(layer).unwrap().to_string(), numbers(&set, "/L1/W")), ("/L1".into(), vec![1., 2.]));
    let fault = refused(|faults| flat.entry(&text("L9"), faults)).remove(0);
    assert_eq!(fault.code, Code::NoPath);
    for word in ["L9", "'L1', 'L2', 'L3'"] {
        assert!(fault.message.contains(word), "{}", fault.message);
    }
}

#[test]
fn a_bare_named_tuple_does_not_become_a_set() {
    let mut bare = Params::new(Kind::Named);
    add(&mut bare, 0, "a", array(&[2], &[1., 2.]));
    let flat = good(|faults| Flat::of(&bare, faults));
    assert_eq!(refused(|faults| flat.to_set(faults))[0].code, Code::Kind);
}
