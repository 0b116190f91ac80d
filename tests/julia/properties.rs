//! Random sets: through HDF5 and back, through flat vectors and back.

use crate::{
    files_out::{back, written},
    random::Random,
    sets::{add, good, same, typed},
};
use pontil::{
    params::{Kind, Layout, METADATA, NodeId, Params, STORAGE, Value},
    tensor::DType,
};

const TYPES: [DType; 6] = [DType::F64, DType::F32, DType::F16, DType::I64, DType::U8, DType::C128];

/// A set of all kinds of Julia, of one element type, at most six branches deep.
fn set(random: &mut Random) -> Params {
    let mut set = Params::new(Kind::Parameters);
    let dtype = TYPES[random.below(TYPES.len())];
    fill(&mut set, Params::ROOT, 5, dtype, random);
    set
}

fn fill(set: &mut Params, branch: NodeId, depth: usize, dtype: DType, random: &mut Random) {
    for place in 0..random.below(5) {
        let key = ["W", "b", "β", "L10", "L2", "weight", "PQ", "W₁"][random.below(8)].to_owned() + &place.to_string();
        match random.below(if depth == 0 { 3 } else { 7 }) {
            0 | 1 => {
                add(set, branch, &key, array(dtype, random));
            }
            2 => {
                add(set, branch, &key, Value::Scalar(numbers(dtype, &[], random)));
            }
            3 => structured(set, branch, &key, depth, dtype, random),
            kind => {
                let kind = [Kind::Named, Kind::Tuple, Kind::Parameters][kind - 4];
                let inner = set.branch(branch, key.as_str(), kind).unwrap();
                fill(set, inner, depth - 1, dtype, random);
            }
        }
    }
}

fn structured(set: &mut Params, branch: NodeId, key: &str, depth: usize, dtype: DType, random: &mut Random) {
    let leaf = set.branch_of(branch, key, Kind::Structured, "Anything").unwrap();
    match random.below(3) {
        0 if depth > 0 => structured(set, leaf, STORAGE, depth - 1, dtype, random),
        1 if depth > 0 => {
            let blocks = set.branch(leaf, STORAGE, Kind::Tuple).unwrap();
            fill(set, blocks, depth - 1, dtype, random);
        }
        _ => {
            add(set, leaf, STORAGE, array(dtype, random));
        }
    }
    if random.below(2) == 0 {
        let told = set.branch(leaf, METADATA, Kind::Named).unwrap();
        add(set, told, "n", Value::Int(3));
    }
}

fn array(dtype: DType, random: &mut Random) -> Value {
    let size: Vec<usize> = (0..=random.below(3)).map(|_| random.below(4)).collect();
    Value::Tensor(numbers(dtype, &size, random))
}

fn numbers(dtype: DType, size: &[usize], random: &mut Random) -> pontil::tensor::Tensor {
    let count = size.iter().product();
    let numbers: Vec<f64> = (0..count).map(|_| random.below(200) as f64).collect();
    typed(dtype, size, &numbers)
}

#[test]
fn random_sets_come_back() {
    let mut random = Random(7);
    let mut nodes = 0;
    for _ in 0..500 {
        let set = set(&mut random);
        nodes += set.count();
        let bytes = written(&set);
        let loaded = back(&bytes, None);
        same(&loaded, &set);
        assert_eq!(written(&loaded), bytes);
        let layout = good(|faults| Layout::of(&set, Params::ROOT, faults));
        let flat = good(|faults| layout.flatten(&set, Params::ROOT, faults));
        same(&good(|faults| layout.unflatten(&flat.view(), faults)), &set_of(&set, flat.dtype()));
        assert_eq!(layout, good(|faults| Layout::of(&loaded, Params::ROOT, faults)));
        let mut target = set.clone();
        layout.scatter(&flat.view(), &mut target, Params::ROOT).unwrap();
        same(&target, &set);
    }
    assert!(nodes > 5000, "only {nodes} nodes");
}

/// A set without numbers is flat in double precision, whatever it was.
fn set_of(set: &Params, dtype: DType) -> Params {
    set.converted(dtype).unwrap()
}
