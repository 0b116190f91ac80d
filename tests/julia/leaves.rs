//! What a leaf is, and its element type.

use crate::sets::*;
use pontil::{
    faults::Code,
    limits::Limits,
    params::{Kind, Params, STORAGE, Value},
    tensor::DType,
};

#[test]
fn freeparameters_of_arrays_and_numbers_is_the_identity() {
    let mut set = Params::new(Kind::Parameters);
    let leaves = [add(&mut set, 0, "W", array(&[2, 2], &[1., 2., 3., 4.])), add(&mut set, 0, "a", number(1.5))];
    for leaf in leaves {
        assert_eq!(set.storage(leaf), Some(leaf));
        assert_eq!(set.metadata(leaf), None);
    }
    assert_eq!(set.storage(Params::ROOT), None);
}

#[test]
fn freeparameters_of_the_eight_is_their_storage_and_rebuild_its_inverse() {
    let set = go_family();
    for &leaf in set.children(Params::ROOT) {
        let storage = set.storage(leaf).unwrap();
        assert_eq!(set.key(storage), Some(&text(STORAGE)));
        same(&set.rebuild(leaf, &set, storage).unwrap(), &set.subtree(leaf).unwrap());
    }
}

#[test]
fn rebuild_takes_another_element_type() {
    let set = go_family();
    let single = set.converted(DType::F32).unwrap();
    assert_eq!(good(|faults| single.eltype(0, faults)), Some(DType::F32));
    for (&leaf, &other) in set.children(0).iter().zip(single.children(0)) {
        let rebuilt = set.rebuild(leaf, &single, single.storage(other).unwrap()).unwrap();
        same(&rebuilt, &single.subtree(other).unwrap());
        assert_eq!(rebuilt.type_name(0), set.type_name(leaf));
        let dense = registry().dense(&rebuilt, 0, &Limits::default()).unwrap();
        assert_eq!(dense.dtype(), DType::F32);
    }
}

#[test]
fn a_type_that_nobody_registered_names_itself_and_both_remedies() {
    let leaf = alone("MysteryMatrix", 2, &[1., 2., 3.]);
    let fault = registry().dense(&leaf, 0, &Limits::default()).unwrap_err();
    assert_eq!(fault.code, Code::Type);
    for word in ["MysteryMatrix", "Register it", "prototype"] {
        assert!(fault.message.contains(word), "{}", fault.message);
    }
    assert_eq!(refused(|faults| registry().check(&leaf, false, faults))[0].code, Code::Type);
    good(|faults| registry().check(&leaf, true, faults));
    same(&leaf.rebuild(0, &leaf, leaf.storage(0).unwrap()).unwrap(), &leaf);
}

#[test]
fn metadata_values() {
    let set = go_family();
    let told = |path: &str| set.whole(at(&set, path)).unwrap();
    assert_eq!([told("/symmetric/metadata/n"), told("/stiefhor/metadata/N"), told("/stiefhor/metadata/n")], [3, 6, 3]);
    assert_eq!(set.metadata(at(&set, "/stiefel")), None);
}

#[test]
fn branches_and_leaves_are_told_apart() {
    let set = example();
    assert!(set.kind(0).unwrap().is_branch() && set.kind(at(&set, "/L1")).unwrap().is_branch());
    assert!(!set.kind(at(&set, "/L1/W")).unwrap().is_branch());
    assert_eq!(set.kind(at(&set, "/L2/S")), Some(Kind::Structured));
}

#[test]
fn parameter_eltype() {
    let eltype = |values: &[Value]| {
        let mut set = Params::new(Kind::Parameters);
        values.iter().enumerate().for_each(|(i, value)| {
            add(&mut set, 0, &i.to_string(), value.clone());
        });
        let mut faults = pontil::faults::Faults::default();
        set.eltype(0, &mut faults).map_err(|_| faults.text())
    };
    let single = Value::Tensor(typed(DType::F32, &[2], &[1., 2.]));
    assert_eq!(eltype(&[]), Ok(None));
    assert_eq!(eltype(&[array(&[0], &[])]), Ok(Some(DType::F64)));
    assert_eq!(eltype(&[array(&[1], &[1.]), Value::None, Value::Text("x".into()), number(1.0)]), Ok(Some(DType::F64)));
    assert_eq!(eltype(&[single.clone(), single.clone()]), Ok(Some(DType::F32)));
    let both = eltype(&[single.clone(), array(&[1], &[2.])]).unwrap_err();
    assert!(both.contains("F32") && both.contains("F64"), "{both}");
    assert!(eltype(&[Value::Int(1), array(&[1], &[2.])]).unwrap_err().contains("I64"));
    let three = eltype(&[single, array(&[1], &[2.]), Value::Int(1), Value::Int(2)]).unwrap_err();
    assert_eq!(three.lines().count(), 2);
}

#[test]
fn parameter_eltype_reads_storage_and_not_metadata() {
    let mut set = Params::new(Kind::Parameters);
    let leaf = set.branch_of(0, "S", Kind::Structured, "SymmetricMatrix").unwrap();
    add(&mut set, leaf, STORAGE, Value::Tensor(typed(DType::F32, &[3], &[1., 2., 3.])));
    assert_eq!(good(|faults| set.eltype(0, faults)), Some(DType::F32));
}

#[test]
fn storages_that_do_not_fit() {
    let cases = [
        (alone("SymmetricMatrix", 2, &[1., 2., 3., 4.]), Code::Shape, "4"),
        (alone("LowerTriangular", 3, &[1., 2., 3., 4., 5., 6.]), Code::Shape, "wants 3"),
        (alone("SkewSymMatrix", -1, &[]), Code::NoPath, "'n'"),
        (alone("UpperTriangular", i64::MAX, &[1.]), Code::Shape, "more than can be counted"),
        (alone("StiefelManifold", 2, &[1., 2.]), Code::Shape, "two axes"),
        (alone("StiefelLieAlgHorMatrix", 2, &[1., 2.]), Code::NoPath, "'N'"),
    ];
    for (leaf, code, says) in cases {
        let faults = refused(|faults| registry().check(&leaf, false, faults));
        assert_eq!((faults[0].code, faults.len()), (code, 1), "{}", faults[0].message);
        assert!(faults[0].message.contains(says), "{}", faults[0].message);
        assert!(registry().dense(&leaf, 0, &Limits::default()).is_err());
    }
    let mut set = Params::default();
    lift(&mut set, 0, "a", [6, 3], Some(&[1., 2., 3., 4., 5., 6.]), &[0.; 9]);
    lift(&mut set, 0, "b", [6, 3], Some(&[1., 2., 3.]), &[0.; 9]);
    let wrong = at(&set, "/b/storage/1");
    set.set(wrong, array(&[2, 3], &[0.; 6])).unwrap();
    let faults = refused(|faults| registry().check(&set, false, faults));
    let paths: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
    assert_eq!(paths, ["/a/storage/0", "/b"]);
}

#[test]
fn a_dense_form_is_bounded() {
    let mut set = Params::default();
    let leaf = lift(&mut set, 0, "a", [1 << 40, 0], None, &[]);
    let fault = registry().dense(&set, leaf, &Limits::default()).unwrap_err();
    assert_eq!(fault.code, Code::Limit);
}

/// All eight types, as the upstream extension stores them.
pub fn go_family() -> Params {
    let mut set = Params::new(Kind::Parameters);
    for name in ["StiefelManifold", "GrassmannManifold"] {
        let leaf = set
            .branch_of(0, if name.starts_with('S') { "stiefel" } else { "grassmann" }, Kind::Structured, name)
            .unwrap();
        add(&mut set, leaf, STORAGE, array(&[3, 2], &[1., 0., 0., 0., 1., 0.]));
    }
    packed(&mut set, 0, "symmetric", "SymmetricMatrix", 3, &[1., 2., 3., 4., 5., 6.]);
    packed(&mut set, 0, "skew", "SkewSymMatrix", 3, &[1., 2., 3.]);
    packed(&mut set, 0, "lower", "LowerTriangular", 3, &[1., 2., 3.]);
    packed(&mut set, 0, "upper", "UpperTriangular", 3, &[1., 2., 3.]);
    let b: Vec<f64> = (1..10).map(f64::from).collect();
    lift(&mut set, 0, "stiefhor", [6, 3], Some(&[1., 2., 3.]), &b);
    lift(&mut set, 0, "grasshor", [6, 3], None, &b);
    set
}
