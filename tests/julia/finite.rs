//! Gradients against finite differences: the matrix is linear in the storage, so a step of one is exact.

use crate::sets::*;
use pontil::{
    limits::Limits,
    params::{Kind, Layout, Params, STORAGE},
    tensor::View,
};

/// A leaf of each type with the sizes N and n, as a set of it alone.
fn leaves(big: usize, n: usize) -> Vec<Params> {
    let strict = n * n.saturating_sub(1) / 2;
    let mut all = Vec::new();
    let mut one = |build: &dyn Fn(&mut Params)| {
        let mut set = Params::default();
        build(&mut set);
        all.push(set);
    };
    one(&|set| {
        packed(set, 0, "x", "SymmetricMatrix", n as i64, &vec![0.; n * (n + 1) / 2]);
    });
    for name in ["SkewSymMatrix", "LowerTriangular", "UpperTriangular"] {
        one(&|set| {
            packed(set, 0, "x", name, n as i64, &vec![0.; strict]);
        });
    }
    for name in ["StiefelManifold", "GrassmannManifold"] {
        one(&|set| {
            let leaf = set.branch_of(0, "x", Kind::Structured, name).unwrap();
            add(set, leaf, STORAGE, array(&[big, n], &vec![0.; big * n]));
        });
    }
    one(&|set| {
        lift(set, 0, "x", [big, n], Some(&vec![0.; strict]), &vec![0.; (big - n) * n]);
    });
    one(&|set| {
        lift(set, 0, "x", [big, n], None, &vec![0.; (big - n) * n]);
    });
    all
}

#[test]
fn storage_gradients_are_finite_differences() {
    let mut checked = 0;
    for big in 1..=6 {
        for n in 1..=big {
            for set in leaves(big, n) {
                let layout = good(|faults| Layout::of(&set, 0, faults));
                let dense = |numbers: &[f64]| {
                    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                    let shape = [numbers.len()];
                    let view = View::new(pontil::tensor::DType::F64, &shape, None, 0, &bytes);
                    let moved = good(|faults| layout.unflatten(&view, faults));
                    registry().dense(&moved, at(&moved, "/x"), &Limits::default()).unwrap()
                };
                let point: Vec<f64> = (0..layout.count()).map(|k| f64::from((k * 7 % 5) as u8)).collect();
                let before = dense(&point);
                let cotangent: Vec<f64> = (0..before.count()).map(|k| f64::from((k * 11 % 13) as u8) - 6.0).collect();
                let size: Vec<usize> = before.shape().iter().rev().copied().collect();
                let mut from = Params::default();
                add(&mut from, 0, "x", array(&size, &cotangent));
                let gradient = good(|faults| registry().gradient(&set, &from, faults)).unwrap();
                let found = numbers(&gradient, "/x");
                for k in 0..point.len() {
                    let mut stepped = point.clone();
                    stepped[k] += 1.0;
                    let pairs = doubles(&dense(&stepped)).into_iter().zip(doubles(&before));
                    let change: f64 = pairs.zip(&cotangent).map(|((after, before), g)| (after - before) * g).sum();
                    assert_eq!(found[k], change, "{:?} N={big} n={n} k={k}", set.type_name(at(&set, "/x")));
                }
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 21 * 8);
}
