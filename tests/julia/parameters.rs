//! Access, construction, equality.

use crate::sets::*;
use pontil::{
    faults::Code,
    params::{Kind, Params, Value, conform},
    tensor::DType,
};

#[test]
fn access_and_keyed_construction() {
    let set = example();
    let keys: Vec<String> = set.children(0).iter().map(|&child| set.key(child).unwrap().to_string()).collect();
    assert_eq!(keys, ["L1", "L2", "L3"]);
    assert_eq!(set.kind(0), Some(Kind::Parameters));
    assert_eq!(set.child(0, &text("L2")), set.children(0).get(1).copied());
    assert_eq!(set.child(0, &text("L9")), None);
}

#[test]
fn host_axis_order() {
    let set = example();
    let stored = set.tensor(at(&set, "/L1/W")).unwrap();
    let seen = stored.reversed().unwrap();
    assert_eq!((stored.shape(), seen.shape(), seen.view().strides), (&[2, 1][..], &[1, 2][..], Some(&[1i64, 1][..])));
    assert_eq!(doubles(&seen), [1., 2.]);
}

#[test]
fn equality_names_the_first_difference() {
    let differs = |change: &dyn Fn(&mut Params)| {
        let mut other = example();
        change(&mut other);
        example().difference(&other).map(|difference| (difference.path.to_string(), difference.message))
    };
    assert_eq!(differs(&|_| ()), None);
    let set = |path: &'static str, value: Value| move |set: &mut Params| set.set(at(set, path), value.clone()).unwrap();
    type Spoil<'a> = &'a dyn Fn(&mut Params);
    let cases: [(Spoil<'_>, &str, &str); 6] = [
        (&set("/L1/b", array(&[1], &[4.])), "/L1/b", "other numbers"),
        (&set("/L1/b", array(&[1, 1], &[3.])), "/L1/b", "shape 1 against 1x1"),
        (&set("/L1/b", Value::Tensor(typed(DType::F32, &[1], &[3.]))), "/L1/b", "F64 against F32"),
        (&set("/L1/b", number(3.)), "/L1/b", "a tensor against a typed scalar"),
        (&|set| set.remove(at(set, "/L2")).unwrap(), "", "keys 'L1', 'L2', 'L3' against keys 'L1', 'L3'"),
        (&set("/L3/G/metadata/N", Value::Int(4)), "/L3/G/metadata/N", "other numbers"),
    ];
    for (change, path, says) in cases {
        let (found, message) = differs(change).unwrap();
        assert_eq!(found, path);
        assert!(message.contains(says), "{message}");
    }
    let first = differs(&|set: &mut Params| {
        set.set(at(set, "/L3/G/storage/B"), array(&[1, 2], &[0., 0.])).unwrap();
        set.set(at(set, "/L2/S/storage"), array(&[3], &[0.; 3])).unwrap();
    });
    assert_eq!(first.unwrap().0, "/L2/S/storage");
}

#[test]
fn permuted_keys_differ_and_kinds_too() {
    let set = |keys: [&str; 2], kind| {
        let mut set = Params::new(kind);
        keys.iter().for_each(|key| {
            add(&mut set, 0, key, array(&[1], &[1.]));
        });
        set
    };
    let one = set(["a", "b"], Kind::Parameters);
    assert!(one.difference(&set(["b", "a"], Kind::Parameters)).is_some());
    assert!(one.difference(&set(["a", "b"], Kind::Named)).unwrap().message.contains("a parameter set"));
    let nan = |bits: u64| {
        let mut set = Params::new(Kind::Parameters);
        add(&mut set, 0, "a", array(&[1], &[f64::from_bits(bits)]));
        set
    };
    assert_eq!(nan(f64::NAN.to_bits()).difference(&nan(f64::NAN.to_bits())), None);
}

#[test]
fn conforming_is_strict_and_says_all() {
    let prototype = example();
    let mut shuffled = Params::new(Kind::Named);
    for key in ["L3", "L1", "L2"] {
        shuffled.graft(0, key, &prototype, at(&prototype, &format!("/{key}"))).unwrap();
    }
    same(&good(|faults| conform(&shuffled, &prototype, faults)), &prototype);
    let mut wrong = shuffled.clone();
    wrong.set(at(&wrong, "/L1/W"), array(&[2, 1], &[1., 2.])).unwrap();
    wrong.set(at(&wrong, "/L1/b"), Value::Tensor(typed(DType::F32, &[1], &[3.]))).unwrap();
    wrong.remove(at(&wrong, "/L2/S")).unwrap();
    let l2 = at(&wrong, "/L2");
    add(&mut wrong, l2, "T", number(1.));
    wrong.set(at(&wrong, "/L3/G/metadata/N"), Value::Int(4)).unwrap();
    wrong.set(at(&wrong, "/L3/G/storage/B"), array(&[2, 1], &[0.; 2])).unwrap();
    add(&mut wrong, 0, "L4", Value::None);
    let faults = refused(|faults| conform(&wrong, &prototype, faults));
    let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.to_string())).collect();
    let wanted = [
        (Code::Shape, "/L1/W"),
        (Code::Eltype, "/L1/b"),
        (Code::Missing, "/L2/S"),
        (Code::Unexpected, "/L2/T"),
        (Code::Shape, "/L3/G"),
        (Code::Shape, "/L3/G/storage/B"),
        (Code::Unexpected, "/L4"),
    ];
    assert_eq!(found, wanted.map(|(code, path)| (code, path.to_owned())));
}

#[test]
fn a_prototype_tells_leaves_and_branches_apart() {
    let mut prototype = Params::new(Kind::Parameters);
    packed(&mut prototype, 0, "S", "SymmetricMatrix", 2, &[0.; 3]);
    add(&mut prototype, 0, "W", array(&[1], &[0.]));
    let tuple = branch(&mut prototype, 0, "t", Kind::Tuple);
    add(&mut prototype, tuple, "", number(0.));
    let mut loose = Params::new(Kind::Named);
    add(&mut loose, 0, "S", array(&[3], &[0.; 3]));
    branch(&mut loose, 0, "W", Kind::Named);
    let named = branch(&mut loose, 0, "t", Kind::Named);
    add(&mut loose, named, "1", number(5.));
    let faults = refused(|faults| conform(&loose, &prototype, faults));
    let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.to_string())).collect();
    assert_eq!(found, [(Code::Kind, "/S".to_owned()), (Code::Kind, "/W".to_owned())]);
    for key in ["/S", "/W"] {
        loose.remove(at(&loose, key)).unwrap();
    }
    packed(&mut loose, 0, "S", "SkewSymMatrix", 2, &[0.]);
    add(&mut loose, 0, "W", array(&[1], &[1.]));
    assert_eq!(refused(|faults| conform(&loose, &prototype, faults))[0].code, Code::Type);
}
