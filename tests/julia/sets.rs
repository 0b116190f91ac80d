//! How the tests write sets down. Arrays are given as Julia shows them: sizes, then numbers column by column.

use pontil::{
    faults::{Fault, Faults, Text},
    params::{
        Kind, NodeId, Params, STORAGE, Value,
        leaf::{LeafType, Registry, StructuredLeaf},
    },
    tensor::{DType, Storage, Tensor},
};
use std::sync::Arc;

/// An array of doubles of this size in Julia.
pub fn array(size: &[usize], numbers: &[f64]) -> Value {
    Value::Tensor(tensor(size, numbers))
}

/// The same as a tensor: its axes are those of Julia, reversed.
pub fn tensor(size: &[usize], numbers: &[f64]) -> Tensor {
    typed(DType::F64, size, numbers)
}

/// The same in another element type.
pub fn typed(dtype: DType, size: &[usize], numbers: &[f64]) -> Tensor {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let storage = Storage::copied(&bytes).unwrap();
    let shape: Vec<usize> = size.iter().rev().copied().collect();
    Tensor::packed(DType::F64, shape, storage).unwrap().converted(dtype).unwrap()
}

/// The numbers of a tensor as doubles, in packed order.
pub fn doubles(tensor: &Tensor) -> Vec<f64> {
    let wide = tensor.converted(DType::F64).unwrap();
    wide.packed_bytes().unwrap().chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// A number.
pub fn number(number: f64) -> Value {
    Value::Scalar(tensor(&[], &[number]))
}

pub fn branch(params: &mut Params, parent: NodeId, key: &str, kind: Kind) -> NodeId {
    params.branch(parent, key, kind).unwrap()
}

pub fn add(params: &mut Params, parent: NodeId, key: &str, value: Value) -> NodeId {
    params.add(parent, key, value).unwrap()
}

/// A structured leaf whose storage is a vector.
pub fn packed(params: &mut Params, parent: NodeId, key: &str, name: &str, n: i64, numbers: &[f64]) -> NodeId {
    let leaf = params.branch_of(parent, key, Kind::Structured, name).unwrap();
    add(params, leaf, STORAGE, array(&[numbers.len()], numbers));
    params.tell(leaf, &[("n", n)]).unwrap();
    leaf
}

/// The same as a tree of its own.
pub fn alone(name: &str, n: i64, numbers: &[f64]) -> Params {
    let mut holder = Params::default();
    let leaf = packed(&mut holder, Params::ROOT, "x", name, n, numbers);
    holder.subtree(leaf).unwrap()
}

/// A lift of N rows: blocks A (skew, unless `a` is none) and B, column by column.
pub fn lift(
    params: &mut Params,
    parent: NodeId,
    key: &str,
    [big, n]: [usize; 2],
    a: Option<&[f64]>,
    b: &[f64],
) -> NodeId {
    let name = if a.is_some() { "StiefelLieAlgHorMatrix" } else { "GrassmannLieAlgHorMatrix" };
    let leaf = params.branch_of(parent, key, Kind::Structured, name).unwrap();
    let blocks = branch(params, leaf, STORAGE, Kind::Tuple);
    if let Some(a) = a {
        packed(params, blocks, "", "SkewSymMatrix", n as i64, a);
    }
    add(params, blocks, "", array(&[big - n, n], b));
    params.tell(leaf, &[("N", big as i64), ("n", n as i64)]).unwrap();
    leaf
}

/// The set of the upstream tests: L1 = (W 1x2, b), L2 = (S symmetric of size 2), L3 = (G of two blocks).
pub fn example() -> Params {
    let mut set = Params::new(Kind::Parameters);
    let l1 = branch(&mut set, Params::ROOT, "L1", Kind::Named);
    add(&mut set, l1, "W", array(&[1, 2], &[1., 2.]));
    add(&mut set, l1, "b", array(&[1], &[3.]));
    let l2 = branch(&mut set, Params::ROOT, "L2", Kind::Named);
    packed(&mut set, l2, "S", "Sym", 2, &[4., 5., 6.]);
    let l3 = branch(&mut set, Params::ROOT, "L3", Kind::Named);
    two_block(&mut set, l3, "G", &[7., 8., 9.], &[10., 11.]);
    set
}

/// `TwoBlock` of the upstream tests: named blocks A (`Sym` of size 2) and B (1x2), metadata N = 3.
pub fn two_block(params: &mut Params, parent: NodeId, key: &str, a: &[f64], b: &[f64]) -> NodeId {
    let leaf = params.branch_of(parent, key, Kind::Structured, "TwoBlock").unwrap();
    let blocks = branch(params, leaf, STORAGE, Kind::Named);
    packed(params, blocks, "A", "Sym", 2, a);
    add(params, blocks, "B", array(&[1, 2], b));
    let told = branch(params, leaf, "metadata", Kind::Named);
    add(params, told, "N", Value::Int(3));
    leaf
}

/// The test doubles of the upstream tests beside the built-in types.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    let symmetric = registry.get(&"SymmetricMatrix".into()).unwrap().clone();
    registry.register("Sym", symmetric);
    registry.register("TwoBlock", Arc::new(TwoBlock));
    registry
}

struct TwoBlock;

impl LeafType for TwoBlock {
    fn check(&self, _: StructuredLeaf<'_>, _: &mut Faults) {}

    fn dense_shape(&self, leaf: StructuredLeaf<'_>) -> Result<[usize; 2], Fault> {
        let big = leaf.told("N").unwrap() as usize;
        Ok([big, big])
    }

    fn dense(&self, leaf: StructuredLeaf<'_>) -> Result<Tensor, Fault> {
        Ok(Tensor::zeroed(DType::F64, self.dense_shape(leaf)?.to_vec()).unwrap())
    }

    fn gradient(&self, leaf: StructuredLeaf<'_>, _: &Tensor) -> Result<Params, Fault> {
        leaf.params.subtree(leaf.node)
    }
}

pub fn at(params: &Params, path: &str) -> NodeId {
    params.find(Params::ROOT, path.as_bytes()).unwrap_or_else(|| panic!("{path} is not there"))
}

/// The numbers of the leaf at a path, or of the storage of a structured one.
pub fn numbers(params: &Params, path: &str) -> Vec<f64> {
    let node = at(params, path);
    params.numbered(node).into_iter().flat_map(|leaf| doubles(&params.numbers(leaf).unwrap())).collect()
}

/// That two sets are equal.
#[track_caller]
pub fn same(one: &Params, other: &Params) {
    let difference = one.difference(other);
    assert!(difference.is_none(), "{}", difference.unwrap().message);
}

/// The fault of something refused.
#[track_caller]
pub fn refused<T>(of: impl FnOnce(&mut Faults) -> Result<T, pontil::faults::Refused>) -> Vec<Fault> {
    let mut faults = Faults::default();
    assert!(of(&mut faults).is_err(), "not refused");
    assert!(!faults.is_empty(), "refused without a fault");
    faults.iter().cloned().collect()
}

/// What was not refused.
#[track_caller]
pub fn good<T>(of: impl FnOnce(&mut Faults) -> Result<T, pontil::faults::Refused>) -> T {
    let mut faults = Faults::default();
    match of(&mut faults) {
        Ok(made) => made,
        Err(_) => panic!("{}", faults.text()),
    }
}

pub fn text(text: &str) -> Text {
    text.into()
}
