//! Trees as they are built, walked, compared and put into shape.

use super::*;

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
