//! Sets to vectors and back.

use crate::sets::*;
use pontil::{
    capi::allocator::count,
    faults::Code,
    params::{Kind, Layout, Params, Value},
    tensor::{DType, Tensor, View, ViewMut},
};

fn of(set: &Params) -> Layout {
    good(|faults| Layout::of(set, Params::ROOT, faults))
}

fn flatten(set: &Params) -> Vec<f64> {
    doubles(&good(|faults| of(set).flatten(set, 0, faults)))
}

fn unflatten(layout: &Layout, flat: &Tensor) -> Params {
    good(|faults| layout.unflatten(&flat.view(), faults))
}

#[test]
fn round_trip() {
    let mut mixed = Params::new(Kind::Parameters);
    add(&mut mixed, 0, "a", number(1.5));
    add(&mut mixed, 0, "b", array(&[0], &[]));
    let tuple = branch(&mut mixed, 0, "d", Kind::Tuple);
    add(&mut mixed, tuple, "", array(&[1], &[2.]));
    add(&mut mixed, tuple, "", array(&[2], &[3., 4.]));
    for set in [example(), mixed, crate::leaves::go_family()] {
        let layout = of(&set);
        let flat = good(|faults| layout.flatten(&set, 0, faults));
        same(&unflatten(&layout, &flat), &set);
        assert_eq!(doubles(&good(|faults| layout.flatten(&unflatten(&layout, &flat), 0, faults))), doubles(&flat));
    }
}

#[test]
fn declaration_order_and_column_major() {
    assert_eq!(flatten(&example()), (1..=11).map(f64::from).collect::<Vec<_>>());
    let mut set = Params::new(Kind::Parameters);
    add(&mut set, 0, "W", array(&[2, 2], &[1., 2., 3., 4.]));
    assert_eq!(flatten(&set), [1., 2., 3., 4.]);
    let turned = tensor(&[2, 2], &[1., 3., 2., 4.]).reversed().unwrap();
    set.set(at(&set, "/W"), Value::Tensor(turned)).unwrap();
    assert_eq!(flatten(&set), [1., 2., 3., 4.], "a strided array counts in its own order");
}

#[test]
fn element_types_are_kept_or_stated() {
    let single = example().converted(DType::F32).unwrap();
    let layout = of(&single);
    assert_eq!(good(|faults| layout.flatten(&single, 0, faults)).dtype(), DType::F32);
    let wide = good(|faults| layout.flatten_as(DType::F64, &single, 0, faults));
    assert_eq!((wide.dtype(), doubles(&wide)[10]), (DType::F64, 11.0));
    let rebuilt = unflatten(&layout, &wide);
    assert_eq!(good(|faults| rebuilt.eltype(0, faults)), Some(DType::F64));
    let mut whole = Params::new(Kind::Parameters);
    add(&mut whole, 0, "n", Value::Tensor(typed(DType::I64, &[1], &[3.])));
    let fault = refused(|faults| of(&single).flatten_as(DType::I32, &single, 0, faults));
    assert_eq!(fault[0].code, Code::Eltype);
    let mut kept = whole.clone();
    let fault = of(&whole).scatter(&View::of_f32(&[1], &[2.5]), &mut kept, 0).unwrap_err();
    assert_eq!(fault.code, Code::Eltype);
    same(&kept, &whole);
}

#[test]
fn structured_leaves_keep_type_and_metadata() {
    let set = example();
    let rebuilt = unflatten(&of(&set), &tensor(&[11], &[0.5; 11]));
    let leaf = at(&rebuilt, "/L3/G");
    assert_eq!(rebuilt.type_name(leaf).unwrap(), "TwoBlock");
    assert_eq!(rebuilt.whole(at(&rebuilt, "/L3/G/metadata/N")), Some(3));
    assert_eq!(numbers(&rebuilt, "/L3/G"), [0.5; 5]);
}

#[test]
fn nothing_is_shared() {
    let (set, flat) = (example(), tensor(&[11], &[0.0; 11]));
    let layout = of(&set);
    let mut rebuilt = unflatten(&layout, &flat);
    layout.scatter(&tensor(&[11], &[7.0; 11]).view(), &mut rebuilt, 0).unwrap();
    assert_eq!(doubles(&flat), [0.0; 11]);
    let copy = rebuilt.clone();
    layout.scatter(&tensor(&[11], &[8.0; 11]).view(), &mut rebuilt, 0).unwrap();
    assert_eq!((flatten(&copy), flatten(&rebuilt)), (vec![7.0; 11], vec![8.0; 11]));
}

#[test]
fn in_place_without_allocation() {
    let mut set = example();
    add(&mut set, 0, "s", number(12.0));
    add(&mut set, 0, "i", Value::Real(13.0));
    let layout = of(&set);
    let shape = [layout.count()];
    let (mut doubles, mut singles) = ([0u8; 13 * 8], [0f32; 13]);
    let flat = good(|faults| layout.flatten(&set, 0, faults));
    layout.scatter(&flat.view(), &mut set, 0).unwrap();
    let copy = set.clone();
    let numbers = [2f32; 13];
    let before = count();
    for _ in 0..100 {
        layout.gather(&set, 0, &mut ViewMut::new(DType::F64, &shape, None, 0, &mut doubles)).unwrap();
        layout.gather(&set, 0, &mut ViewMut::of_f32(&shape, &mut singles)).unwrap();
    }
    assert_eq!(count() - before, 0, "allocations of the way out");
    drop(copy);
    layout.scatter(&flat.view(), &mut set, 0).unwrap();
    let before = count();
    for _ in 0..100 {
        layout.scatter(&View::of_f32(&shape, &numbers), &mut set, 0).unwrap();
    }
    assert_eq!(count() - before, 0, "allocations of the way back");
    assert_eq!(singles[10..], [11., 12., 13.]);
    assert_eq!(flatten(&set), [2.0; 13]);
}

#[test]
fn strided_vectors() {
    let mut set = example();
    let layout = of(&set);
    let mut table = [0f32; 33];
    let shape = [11];
    let bytes = bytemuck::cast_slice_mut(&mut table);
    layout.gather(&set, 0, &mut ViewMut::new(DType::F32, &shape, Some(&[-3]), 31, bytes)).unwrap();
    assert_eq!((table[31], table[1], table[0]), (1.0, 11.0, 0.0));
    let bytes = bytemuck::cast_slice(&table);
    layout.scatter(&View::new(DType::F32, &shape, Some(&[3]), 1, bytes), &mut set, 0).unwrap();
    assert_eq!(flatten(&set), (1..=11).rev().map(f64::from).collect::<Vec<_>>());
}

#[test]
fn length_mismatches() {
    let mut set = example();
    let layout = of(&set);
    let mut ten = [0f32; 10];
    let out = layout.gather(&set, 0, &mut ViewMut::of_f32(&[10], &mut ten)).unwrap_err();
    let back = layout.scatter(&View::of_f32(&[10], &ten), &mut set, 0).unwrap_err();
    assert_eq!((out.code, &out.message), (Code::Shape, &back.message));
    assert!(out.message.contains("10") && out.message.contains("11"), "{}", out.message);
    same(&set, &example());
    let mut other = Params::new(Kind::Parameters);
    add(&mut other, 0, "L1", array(&[11], &[0.; 11]));
    assert_eq!(layout.scatter(&tensor(&[11], &[1.; 11]).view(), &mut other, 0).unwrap_err().code, Code::Shape);
    assert_eq!(numbers(&other, "/L1"), [0.; 11]);
}

#[test]
fn jacobian_rows() {
    let layout = of(&example());
    let numbers: Vec<f64> = (0..22).map(f64::from).collect();
    // In Julia an 11 x 2 matrix, here of the shape [2, 11]: axis 1 counts the numbers of the set.
    let blocks = good(|faults| layout.unflatten_rows(&tensor(&[11, 2], &numbers), 1, faults));
    let block = |path: &str| blocks.tensor(at(&blocks, path)).unwrap().clone();
    assert_eq!((block("/L1/W").shape(), doubles(&block("/L1/W"))), (&[2, 2][..], vec![0., 1., 11., 12.]));
    assert_eq!((block("/L2/S").shape(), doubles(&block("/L2/S"))), (&[2, 3][..], vec![3., 4., 5., 14., 15., 16.]));
    assert_eq!(doubles(&block("/L3/G/A")), [6., 7., 8., 17., 18., 19.]);
    assert_eq!(block("/L3/G/B").shape(), [2, 2]);
    assert_eq!(blocks.kind(0), Some(Kind::Parameters));
    let turned = good(|faults| layout.unflatten_rows(&tensor(&[2, 11], &numbers), 0, faults));
    assert_eq!(turned.tensor(at(&turned, "/L2/S")).unwrap().shape(), [3, 2]);
    assert_eq!(refused(|faults| layout.unflatten_rows(&tensor(&[2, 11], &numbers), 1, faults))[0].code, Code::Shape);
}
