//! Ranges of a set in its flat vector.

use crate::sets::*;
use pontil::{
    faults::Code,
    params::{Kind, Layout, Params, STORAGE, Value},
};

fn of(set: &Params) -> Layout {
    good(|faults| Layout::of(set, Params::ROOT, faults))
}

#[test]
fn ranges_of_the_example() {
    let layout = of(&example());
    let ranges: Vec<_> = ["", "/L1", "/L1/W", "/L1/b", "/L2", "/L2/S", "/L3", "/L3/G", "/L3/G/storage/A"]
        .map(|path| layout.range(path.as_bytes()).unwrap())
        .into();
    let wanted = [(0, 11), (0, 3), (0, 2), (2, 1), (3, 3), (3, 3), (6, 5), (6, 5), (6, 3)];
    assert_eq!(ranges, wanted);
    assert_eq!(layout.count(), 11);
    assert_eq!(layout.range(b"/L4"), None);
}

#[test]
fn sizes_are_recorded() {
    let segments = of(&example()).segments();
    let shapes: Vec<_> = segments.iter().map(|segment| (segment.path.to_string(), segment.shape.clone())).collect();
    let wanted: Vec<(String, Vec<usize>)> = [
        ("/L1/W", vec![2, 1]),
        ("/L1/b", vec![1]),
        ("/L2/S/storage", vec![3]),
        ("/L3/G/storage/A/storage", vec![3]),
        ("/L3/G/storage/B", vec![2, 1]),
    ]
    .map(|(path, shape)| (path.to_owned(), shape))
    .into();
    assert_eq!(shapes, wanted);
}

#[test]
fn scalars_and_empty_leaves() {
    let mut set = Params::new(Kind::Parameters);
    add(&mut set, 0, "a", number(1.0));
    add(&mut set, 0, "b", array(&[0], &[]));
    add(&mut set, 0, "c", array(&[2], &[1., 2.]));
    let layout = of(&set);
    assert_eq!(
        (layout.range(b"/a"), layout.range(b"/b"), layout.range(b"/c")),
        (Some((0, 1)), Some((1, 0)), Some((1, 2)))
    );
    assert_eq!(layout.segments()[0].shape, [0usize; 0]);
}

#[test]
fn equality() {
    let layout = of(&example());
    assert_eq!(layout, of(&example()));
    let mut other = example();
    let b = at(&other, "/L1/b");
    other.set(b, array(&[1], &[99.])).unwrap();
    assert_eq!(layout, of(&other), "numbers do not count");
    assert_eq!(layout, of(&other.converted(pontil::tensor::DType::F32).unwrap()), "element types do not count");
    other.set(b, array(&[1, 1], &[3.])).unwrap();
    assert_ne!(layout, of(&other), "shapes count");
    let set = |keys: [&str; 2]| {
        let mut set = Params::new(Kind::Parameters);
        keys.iter().for_each(|key| {
            add(&mut set, 0, key, array(&[1], &[1.]));
        });
        set
    };
    assert_ne!(of(&set(["a", "b"])), of(&set(["b", "a"])));
    let wrapped = |name| {
        let mut set = Params::new(Kind::Parameters);
        packed(&mut set, 0, "S", name, 2, &[1., 2., 3.]);
        of(&set)
    };
    assert_eq!(wrapped("SymmetricMatrix"), wrapped("Sym"), "types do not count");
    let mut plain = Params::new(Kind::Parameters);
    add(&mut plain, 0, "S", array(&[3], &[1., 2., 3.]));
    assert_ne!(wrapped("Sym"), of(&plain), "a structured leaf is none that is not");
}

#[test]
fn printing() {
    assert_eq!(of(&example()).to_string(), "ParametersLayout(1:11)");
}

#[test]
fn bare_named_tuples_and_tuples() {
    for kind in [Kind::Named, Kind::Tuple] {
        let mut bare = Params::new(kind);
        add(&mut bare, 0, "a", array(&[2], &[1., 2.]));
        add(&mut bare, 0, "b", number(3.0));
        let layout = of(&bare);
        let second: &[u8] = if kind == Kind::Tuple { b"/1" } else { b"/b" };
        assert_eq!((layout.count(), layout.range(second)), (3, Some((2, 1))));
    }
    let inner = good(|faults| Layout::of(&example(), at(&example(), "/L3"), faults));
    assert_eq!(inner.range(b"/G"), Some((0, 5)));
}

#[test]
fn leaves_without_numbers_have_no_place() {
    let mut set = example();
    add(&mut set, 0, "f", Value::None);
    add(&mut set, 0, "t", Value::Text("x".into()));
    set.branch_of(0, "e", Kind::Structured, "Empty").unwrap();
    let faults = refused(|faults| Layout::of(&set, 0, faults));
    let codes: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.to_string())).collect();
    let wanted = [(Code::Kind, "/f"), (Code::Kind, "/t"), (Code::NoPath, "/e")];
    assert_eq!(codes, wanted.map(|(code, path)| (code, path.to_owned())));
    assert!(faults[2].message.contains(STORAGE));
}
