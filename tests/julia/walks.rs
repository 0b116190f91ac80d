//! Walks over one tree or several.

use crate::sets::*;
use pontil::{
    faults::{Code, Fault},
    limits::Limits,
    params::{At, Depth, Kind, Leaf, Params, Value, each, fold, map, map_into},
};

/// Numbers of all leaves at a place, added and multiplied.
fn sum(factor: f64) -> impl Fn(&[At<'_>]) -> Result<Leaf, Fault> {
    move |leaves| {
        let all = leaves.iter().map(|leaf| doubles(&leaf.params.numbers(leaf.node).unwrap()));
        let total = all.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect()).unwrap();
        let first = leaves[0].params.numbers(leaves[0].node).unwrap();
        let size: Vec<usize> = first.shape().iter().rev().copied().collect();
        let numbers: Vec<f64> = total.iter().map(|number| number * factor).collect();
        Ok(Leaf::Value(array(&size, &numbers)))
    }
}

#[test]
fn mapstorage_keeps_structured_leaves() {
    let twice = map(&[&example()], Depth::Storage, sum(2.0)).unwrap();
    assert_eq!(numbers(&twice, "/L3/G"), [14., 16., 18., 20., 22.]);
    assert_eq!((twice.kind(0), twice.type_name(at(&twice, "/L2/S"))), (Some(Kind::Parameters), Some(&text("Sym"))));
}

#[test]
fn mapparameters_sees_whole_leaves() {
    let registry = registry();
    let twice = map(&[&example()], Depth::Leaves, |leaves| {
        let dense = registry.dense(leaves[0].params, leaves[0].node, &Limits::default())?;
        let size: Vec<usize> = dense.shape().iter().rev().copied().collect();
        let numbers: Vec<f64> = doubles(&dense).iter().map(|number| number * 2.0).collect();
        Ok(Leaf::Value(array(&size, &numbers)))
    })
    .unwrap();
    assert_eq!(numbers(&twice, "/L2/S"), [8., 10., 10., 12.]);
    assert_eq!(twice.kind(at(&twice, "/L3/G")), Some(Kind::Tensor));
    let kept = map(&[&example()], Depth::Leaves, |leaves| {
        let At { params, node } = leaves[0];
        Ok(match params.value(node) {
            Some(value) => Leaf::Value(value.clone()),
            None => Leaf::Structured(params.subtree(node)?),
        })
    });
    same(&kept.unwrap(), &example());
}

#[test]
fn several_trees_and_a_set_beside_a_named_branch() {
    let mut bare = example();
    bare.set_root(Kind::Named).unwrap();
    let total = map(&[&example(), &bare, &example()], Depth::Storage, sum(1.0)).unwrap();
    assert_eq!((total.kind(0), numbers(&total, "/L1/W")), (Some(Kind::Parameters), vec![3., 6.]));
    let total = map(&[&bare, &example()], Depth::Storage, sum(1.0)).unwrap();
    assert_eq!(total.kind(0), Some(Kind::Named));
}

#[test]
fn mismatched_keys_name_both_lists() {
    let mut other = example();
    other.remove(at(&other, "/L2")).unwrap();
    for fault in [
        map(&[&example(), &other], Depth::Storage, sum(1.0)).unwrap_err(),
        each(&[&example(), &other], Depth::Leaves, |_| Ok(())).unwrap_err(),
    ] {
        assert_eq!(fault.code, Code::Shape);
        assert!(
            fault.message.contains("'L1', 'L2', 'L3'") && fault.message.contains("'L1', 'L3'"),
            "{}",
            fault.message
        );
    }
}

#[test]
fn in_place() {
    let mut into = example();
    map_into(&mut into, &[&example(), &example()], Depth::Storage, |leaves| sum(1.0)(&leaves[1..])).unwrap();
    assert_eq!(numbers(&into, "/L3/G"), [14., 16., 18., 20., 22.]);
    let before = into.clone();
    let failed =
        map_into(&mut into, &[&example()], Depth::Storage, |leaves| match leaves[0].params.path(leaves[0].node) {
            Some(path) if path == *"/L1/b" => Err(Fault::new(Code::Value, "Enough.")),
            _ => sum(1.0)(leaves),
        });
    assert_eq!(failed.unwrap_err().code, Code::Value);
    same(&into, &before);
}

#[test]
fn nothing_is_skipped_or_handed_over() {
    let mut gaps = example();
    gaps.set(at(&gaps, "/L1/b"), Value::None).unwrap();
    let (l2, mut into) = (at(&gaps, "/L2"), example());
    let mut holder = Params::new(Kind::List);
    add(&mut holder, 0, "", Value::None);
    gaps.replace(l2, &holder, 1).unwrap();
    let mut seen = Vec::new();
    each(&[&example(), &gaps], Depth::Leaves, |leaves| {
        seen.push(leaves[0].params.path(leaves[0].node).unwrap().to_string());
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, ["/L1/W", "/L3/G"]);
    map_into(&mut into, &[&gaps], Depth::Storage, sum(1.0)).unwrap();
    assert_eq!(
        (numbers(&into, "/L1/b"), numbers(&into, "/L1/W"), numbers(&into, "/L2/S")),
        (vec![3.], vec![2., 4.], vec![4., 5., 6.])
    );
    assert!(map(&[&example(), &gaps], Depth::Leaves, sum(1.0)).is_err(), "a branch that is nothing");
    let mut leaf = example();
    leaf.set(at(&leaf, "/L1/b"), Value::None).unwrap();
    let mut nothing = 0;
    map(&[&example(), &leaf], Depth::Leaves, |leaves| {
        nothing += usize::from(leaves[1].params.kind(leaves[1].node) == Some(Kind::None));
        Ok(Leaf::Value(Value::None))
    })
    .unwrap();
    assert_eq!(nothing, 1);
    leaf.replace(at(&leaf, "/L2/S"), &holder, 1).unwrap();
    assert!(map(&[&example(), &leaf], Depth::Storage, sum(1.0)).is_err(), "nothing beside a structured leaf");
}

#[test]
fn fold_order_and_counts() {
    let registry = registry();
    let lengths = fold(&example(), Vec::new(), |mut all, leaf| {
        all.push(registry.dense(leaf.params, leaf.node, &Limits::default()).unwrap().count());
        all
    });
    assert_eq!(lengths, [2, 1, 4, 9]);
    let mut tuple = Params::new(Kind::Tuple);
    (0..12).for_each(|i| {
        add(&mut tuple, 0, "", Value::Int(i));
    });
    let order = fold(&tuple, String::new(), |all, leaf| format!("{all} {}", leaf.params.whole(leaf.node).unwrap()));
    assert_eq!(order, " 0 1 2 3 4 5 6 7 8 9 10 11");
}
