//! Trees as they are built, walked, compared and put into shape.

use super::*;
use crate::faults::Code;

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

#[test]
fn order_paths_and_places() {
    let mut params = Params::new(Kind::Parameters);
    let layer = params.branch(Params::ROOT, "L/1~", Kind::Named).unwrap();
    let weight = params.add(layer, "W", text("w")).unwrap();
    let list = params.branch(Params::ROOT, "A", Kind::List).unwrap();
    let items: Vec<_> = (0..3).map(|i| params.add(list, "ignored", Value::Int(i)).unwrap()).collect();
    assert_eq!(params.path(weight).unwrap(), *"/L~11~0/W");
    assert_eq!(params.find(Params::ROOT, b"/L~11~0/W"), Some(weight));
    assert_eq!(params.find(layer, b"/W"), Some(weight));
    assert_eq!(params.find(layer, b""), Some(layer));
    assert_eq!(params.path(items[2]).unwrap(), *"/A/2");
    assert_eq!(params.find(Params::ROOT, b"/A/2"), Some(items[2]));
    for path in [&b"A"[..], b"/A/3", b"/A/02", b"/A/+1", b"/A/-1", b"/~2", b"/~", b"/", b"/A/0/x"] {
        assert_eq!(params.find(Params::ROOT, path), None, "{path:?}");
    }
    let leaves: Vec<_> = params.leaves().into_iter().map(|(_, path)| path.to_string()).collect();
    assert_eq!(leaves, ["L/1~.W", "A.0", "A.1", "A.2"]);
    assert_eq!(params.count(), 7);
}

#[test]
fn misuse_is_told_and_changes_nothing() {
    let mut params = Params::default();
    let leaf = params.add(Params::ROOT, "a", Value::None).unwrap();
    assert_eq!(params.add(Params::ROOT, "a", Value::None).unwrap_err().code, Code::KeyTwice);
    assert_eq!(params.add(leaf, "b", Value::None).unwrap_err().code, Code::Kind);
    assert_eq!(params.add(99, "b", Value::None).unwrap_err().code, Code::NoPath);
    assert_eq!(params.branch(Params::ROOT, "b", Kind::Int).unwrap_err().code, Code::Value);
    assert_eq!(params.set(Params::ROOT, Value::None).unwrap_err().code, Code::Kind);
    assert_eq!(params.remove(Params::ROOT).unwrap_err().code, Code::Value);
    assert_eq!((params.count(), params.children(Params::ROOT)), (2, &[leaf][..]));
}

#[test]
fn what_is_removed_is_gone_with_all_below() {
    let mut params = Params::default();
    let branch = params.branch(Params::ROOT, "a", Kind::Named).unwrap();
    let leaf = params.add(branch, "b", Value::Bool(true)).unwrap();
    let copy = params.clone();
    params.remove(branch).unwrap();
    assert_eq!((params.count(), params.kind(leaf), params.find(0, b"/a")), (1, None, None));
    let again = params.add(Params::ROOT, "a", Value::Real(1.0)).unwrap();
    assert!(again > leaf);
    assert_eq!(copy.count(), 3);
}

#[test]
fn kinds_have_their_numbers() {
    for number in 0..100 {
        assert!(Kind::from_number(number).is_none_or(|kind| kind as i32 == number && !kind.name().is_empty()));
    }
    assert!(Kind::Structured.is_branch() && !Kind::Tensor.is_branch());
}

#[test]
fn keys_that_are_trees() {
    let mut params = Params::default();
    let map = params.branch(Params::ROOT, "m", Kind::Map).unwrap();
    let child = params.add(map, "ignored", Value::Int(1)).unwrap();
    let key = params.key_branch(child, Kind::Tuple, "").unwrap();
    let inner = params.add(key, "", text("k")).unwrap();
    assert_eq!(params.path(inner).unwrap(), *"/m/0/~2/0");
    assert_eq!(params.find(Params::ROOT, b"/m/0/~2/0"), Some(inner));
    assert_eq!(params.key_leaf(child, Value::None).unwrap_err().code, Code::KeyTwice);
    assert_eq!(params.key_leaf(key, Value::None).unwrap_err().code, Code::Kind);
    let copy = params.subtree(map).unwrap();
    assert_eq!(copy.difference(&params.subtree(map).unwrap()), None);
    params.set(inner, text("other")).unwrap();
    assert_eq!(copy.difference(&params.subtree(map).unwrap()).unwrap().path, *"/0/~2/0");
    params.remove(key).unwrap();
    assert_eq!((params.key_tree(child), params.count()), (None, 3));
}

#[test]
fn references_hold_what_they_lead_to() {
    let mut params = Params::default();
    let list = params.branch(Params::ROOT, "l", Kind::List).unwrap();
    let leaf = params.add(list, "", Value::Int(1)).unwrap();
    let again = params.add(list, "", Value::Reference(leaf)).unwrap();
    assert_eq!(params.add(list, "", Value::Reference(99)).unwrap_err().code, Code::NoPath);
    assert_eq!(params.remove(leaf).unwrap_err().code, Code::State);
    let copy = params.subtree(list).unwrap();
    let children = copy.children(Params::ROOT);
    assert!(matches!(copy.value(children[1]), Some(Value::Reference(to)) if *to == children[0]));
    let mut other = Params::default();
    assert_eq!(other.graft(Params::ROOT, "r", &params, again).unwrap_err().code, Code::State);
    assert_eq!(other.count(), 1);
    params.remove(list).unwrap();
    assert_eq!(params.count(), 1);
}

#[test]
fn what_is_replaced_keeps_its_place() {
    let mut params = Params::default();
    let branch = params.branch(Params::ROOT, "a", Kind::Named).unwrap();
    params.add(branch, "x", Value::Int(1)).unwrap();
    let mut from = Params::default();
    let source = from.branch(Params::ROOT, "s", Kind::Tuple).unwrap();
    let first = from.add(source, "", Value::Int(2)).unwrap();
    let outside = from.add(Params::ROOT, "o", Value::Int(3)).unwrap();
    params.replace(branch, &from, source).unwrap();
    assert_eq!((params.kind(branch), params.count()), (Some(Kind::Tuple), 3));
    let child = params.children(branch)[0];
    from.set(first, Value::Reference(outside)).unwrap();
    assert_eq!(params.replace(branch, &from, source).unwrap_err().code, Code::State);
    assert_eq!((params.children(branch), params.count()), (&[child][..], 3));
    assert_eq!(params.find(Params::ROOT, b"/a/0"), Some(child));
}

#[test]
fn trees_are_so_deep_and_no_deeper() {
    let mut params = Params::default();
    let (mut at, mut deep) = (Params::ROOT, 0);
    let refused = loop {
        match params.branch(at, "x", Kind::Named) {
            Ok(branch) => (at, deep) = (branch, deep + 1),
            Err(fault) => break fault,
        }
    };
    assert_eq!((refused.code, deep), (Code::Limit, 512));
    assert_eq!(params.difference(&params.clone()), None);
}
