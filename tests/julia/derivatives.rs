//! Gradients over what is stored.

use crate::sets::*;
use pontil::{
    faults::Code,
    params::{At, Kind, Leaf, Params, STORAGE, Value, leaf::map_cotangent},
    tensor::DType,
};

/// The gradient of a set, `params` around the cotangent.
fn gradient(primal: &Params, cotangent: &Params) -> Option<Params> {
    good(|faults| registry().gradient(primal, cotangent, faults))
}

/// `{params: inner}`.
fn pulled_back(inner: &Params) -> Params {
    let mut outer = Params::default();
    outer.graft(0, "params", inner, 0).unwrap();
    outer
}

fn one(key: &str, value: Value) -> Params {
    let mut params = Params::default();
    add(&mut params, 0, key, value);
    params
}

#[test]
fn worked_gradients() {
    // Rows 1 2 3, 4 5 6, 7 8 9.
    let g = array(&[3, 3], &[1., 4., 7., 2., 5., 8., 3., 6., 9.]);
    let cases: [(&str, usize, &[f64]); 4] = [
        ("SymmetricMatrix", 6, &[1., 6., 5., 10., 14., 9.]),
        ("SkewSymMatrix", 3, &[2., 4., 2.]),
        ("LowerTriangular", 3, &[4., 7., 8.]),
        ("UpperTriangular", 3, &[2., 3., 6.]),
    ];
    for (name, count, wanted) in cases {
        let mut primal = Params::default();
        packed(&mut primal, 0, "x", name, 3, &vec![0.; count]);
        assert_eq!(numbers(&gradient(&primal, &one("x", g.clone())).unwrap(), "/x"), wanted, "{name}");
    }
    let mut primal = Params::default();
    lift(&mut primal, 0, "x", [3, 2], Some(&[0.]), &[0., 0.]);
    assert_eq!(numbers(&gradient(&primal, &one("x", g)).unwrap(), "/x"), [2., 4., 2.]);
}

#[test]
fn untouched_layers_and_leaves_give_zeros() {
    let set = example();
    let mut touched = Params::default();
    let l1 = branch(&mut touched, 0, "L1", Kind::Named);
    add(&mut touched, l1, "W", Value::Tensor(typed(DType::F32, &[1, 2], &[5., 6.])));
    add(&mut touched, l1, "b", Value::None);
    add(&mut touched, 0, "L3", Value::Int(0));
    let found = gradient(&set, &pulled_back(&touched)).unwrap();
    assert_eq!(
        (found.kind(0), numbers(&found, "/L1/W"), numbers(&found, "/L1/b")),
        (Some(Kind::Parameters), vec![5., 6.], vec![0.])
    );
    assert_eq!((numbers(&found, "/L2/S"), numbers(&found, "/L3/G")), (vec![0.; 3], vec![0.; 5]));
    assert_eq!(found.whole(at(&found, "/L3/G/metadata/N")), Some(3));
    assert_eq!(
        good(|faults| found.eltype(0, faults)),
        Some(DType::F64),
        "the leaf's element type, not the cotangent's"
    );
}

#[test]
fn a_cotangent_that_is_a_hole_gives_nothing() {
    assert!(gradient(&example(), &Params::default()).is_none());
    let inner = gradient(&example(), &pulled_back(&Params::default())).unwrap();
    assert_eq!(numbers(&inner, ""), [0.; 11]);
}

#[test]
fn a_set_is_returned_as_it_is() {
    let set = example();
    let halves = example().converted(DType::F32).unwrap();
    same(&gradient(&set, &halves).unwrap(), &halves);
    let mut outer = Params::new(Kind::Named);
    outer.graft(0, "net", &set, 0).unwrap();
    add(&mut outer, 0, "k", array(&[1], &[1.]));
    let mut cotangent = Params::new(Kind::Named);
    cotangent.graft(0, "net", &halves, 0).unwrap();
    let found = gradient(&outer, &cotangent).unwrap();
    assert_eq!((numbers(&found, "/net/L1/W"), numbers(&found, "/k")), (vec![1., 2.], vec![0.]));
}

#[test]
fn a_structured_cotangent_holds_gradients_already() {
    let set = example();
    let mut inner = Params::default();
    let l2 = branch(&mut inner, 0, "L2", Kind::Named);
    packed(&mut inner, l2, "S", "Sym", 2, &[7., 8., 9.]);
    let found = gradient(&set, &pulled_back(&inner)).unwrap();
    assert_eq!(numbers(&found, "/L2/S"), [7., 8., 9.]);
    inner.remove(at(&inner, "/L2/S")).unwrap();
    packed(&mut inner, l2, "S", "SkewSymMatrix", 2, &[7.]);
    assert!(
        refused(|faults| registry().gradient(&set, &pulled_back(&inner), faults))[0].message.contains("SkewSymMatrix")
    );
}

#[test]
fn fields_are_gradients_already() {
    let mut primal = Params::default();
    packed(&mut primal, 0, "S", "SymmetricMatrix", 2, &[0.; 3]);
    lift(&mut primal, 0, "H", [3, 2], Some(&[0.]), &[0., 0.]);
    let g = two_block(&mut primal, 0, "G", &[0.; 3], &[0.; 2]);
    assert_eq!(primal.type_name(g), Some(&text("TwoBlock")));
    let mut cotangent = Params::default();
    let s = branch(&mut cotangent, 0, "S", Kind::Named);
    add(&mut cotangent, s, "S", array(&[3], &[1., 2., 3.]));
    add(&mut cotangent, s, "n", Value::None);
    let h = branch(&mut cotangent, 0, "H", Kind::Named);
    let a = branch(&mut cotangent, h, "A", Kind::Named);
    add(&mut cotangent, a, "S", array(&[1], &[4.]));
    for key in ["B", "N", "n"] {
        add(&mut cotangent, h, key, Value::None);
    }
    let g = branch(&mut cotangent, 0, "G", Kind::Named);
    add(&mut cotangent, g, "B", array(&[1, 2], &[5., 6.]));
    let found = gradient(&primal, &cotangent).unwrap();
    assert_eq!(numbers(&found, "/S"), [1., 2., 3.]);
    assert_eq!(numbers(&found, "/H"), [4., 0., 0.]);
    assert_eq!(numbers(&found, "/G"), [0., 0., 0., 5., 6.]);
    let tuple = branch(&mut cotangent, 0, "T", Kind::Tuple);
    add(&mut cotangent, tuple, "", array(&[1], &[1.]));
    cotangent.remove(at(&cotangent, "/T")).unwrap();
    cotangent.set(at(&cotangent, "/S/n"), number(1.)).unwrap();
    assert_eq!(refused(|faults| registry().gradient(&primal, &cotangent, faults))[0].path, *"/S");
}

#[test]
fn a_block_may_have_a_cotangent_of_its_matrix() {
    let mut primal = Params::default();
    lift(&mut primal, 0, "H", [3, 2], Some(&[0.]), &[0., 0.]);
    let mut cotangent = Params::default();
    let h = branch(&mut cotangent, 0, "H", Kind::Tuple);
    add(&mut cotangent, h, "", array(&[2, 2], &[0., 5., 1., 0.]));
    add(&mut cotangent, h, "", array(&[1, 2], &[7., 8.]));
    assert_eq!(numbers(&gradient(&primal, &cotangent).unwrap(), "/H"), [4., 7., 8.]);
}

#[test]
fn shapes_that_do_not_fit_are_all_told() {
    let mut set = example();
    let tuple = branch(&mut set, 0, "t", Kind::Tuple);
    add(&mut set, tuple, "", number(1.));
    let mut inner = Params::default();
    let l1 = branch(&mut inner, 0, "L1", Kind::Named);
    add(&mut inner, l1, "W", array(&[2, 1], &[1., 2.]));
    add(&mut inner, l1, "c", array(&[1], &[1.]));
    let l2 = branch(&mut inner, 0, "L2", Kind::Named);
    add(&mut inner, l2, "S", array(&[3, 3], &[1.; 9]));
    let t = branch(&mut inner, 0, "t", Kind::Tuple);
    (0..2).for_each(|_| {
        add(&mut inner, t, "", number(1.));
    });
    add(&mut inner, 0, "L3", array(&[1], &[1.]));
    let faults = refused(|faults| registry().gradient(&set, &pulled_back(&inner), faults));
    let paths: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
    assert_eq!(paths, ["/L1", "/L1/W", "/L2/S", "/L3", "/t"]);
    assert!(faults.iter().all(|fault| fault.code == Code::Shape));
    let mut bare = example();
    bare.set_root(Kind::Named).unwrap();
    assert_eq!(refused(|faults| registry().gradient(&bare, &example(), faults))[0].path, *"/");
    assert_eq!(refused(|faults| registry().gradient(&bare, &pulled_back(&example()), faults))[0].path, *"/");
    assert!(refused(|faults| registry().gradient(&example(), &bare, faults))[0].message.contains("params"));
}

#[test]
fn element_types_of_gradients() {
    let mut primal = Params::default();
    add(&mut primal, 0, "i", Value::Tensor(typed(DType::I32, &[1], &[1.])));
    add(&mut primal, 0, "f", Value::Tensor(typed(DType::F32, &[1], &[1.])));
    add(&mut primal, 0, "z", Value::None);
    let mut cotangent = one("f", array(&[1], &[2.]));
    let found = gradient(&primal, &cotangent).unwrap();
    let dtypes = |found: &Params| ["/i", "/f"].map(|path| found.tensor(at(found, path)).unwrap().dtype());
    assert_eq!(dtypes(&found), [DType::F32, DType::F32], "zeros take the element type of what was made");
    assert_eq!(found.kind(at(&found, "/z")), Some(Kind::None));
    add(&mut cotangent, 0, "i", array(&[1], &[3.5]));
    assert_eq!(dtypes(&gradient(&primal, &cotangent).unwrap()), [DType::F64, DType::F32]);
    let complex = tensor(&[1], &[1.]).converted(DType::C128).unwrap();
    let found = gradient(&primal, &one("f", Value::Tensor(complex))).unwrap();
    assert_eq!(dtypes(&found), [DType::C128, DType::C128], "another number type passes through");
}

#[test]
fn map_cotangent_calls_once_for_each_leaf_that_is_touched() {
    let mut calls = Vec::new();
    let mut inner = Params::default();
    inner.graft(0, "L1", &example(), at(&example(), "/L1")).unwrap();
    let mut make = |leaf: At<'_>, cotangent: At<'_>| {
        calls.push(leaf.params.path(leaf.node).unwrap().to_string());
        Ok(Leaf::Value(cotangent.params.value(cotangent.node).unwrap().clone()))
    };
    let found = good(|faults| map_cotangent(&example(), &pulled_back(&inner), &mut make, faults)).unwrap();
    assert_eq!(calls, ["/L1/W", "/L1/b"]);
    assert_eq!(numbers(&found, ""), [1., 2., 3., 0., 0., 0., 0., 0., 0., 0., 0.]);
}

#[test]
fn gradient_flat_equals_structured() {
    let set = example();
    let mut inner = Params::default();
    for key in ["L1", "L2"] {
        inner.graft(0, key, &set, at(&set, &format!("/{key}"))).unwrap();
    }
    let leaf = at(&inner, "/L2/S");
    let mut dense = Params::new(Kind::List);
    add(&mut dense, 0, "", array(&[2, 2], &[1., 2., 3., 4.]));
    inner.replace(leaf, &dense, 1).unwrap();
    let found = gradient(&set, &pulled_back(&inner)).unwrap();
    let layout = good(|faults| pontil::params::Layout::of(&set, 0, faults));
    assert_eq!(doubles(&good(|faults| layout.flatten(&found, 0, faults)))[..6], [1., 2., 3., 1., 5., 4.]);
    assert_eq!(found.storage(at(&found, "/L2/S")), found.find(0, format!("/L2/S/{STORAGE}").as_bytes()));
}
