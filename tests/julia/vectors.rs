//! Storage to matrix, cotangent to gradient, matrix to storage: every vector that was written down.

use crate::{files, sets::*};
use pontil::{
    limits::Limits,
    params::{Kind, Params, STORAGE},
};
use serde_json::Value as Json;

/// Rows of a matrix, as its numbers column by column and its size.
fn matrix(rows: &Json) -> (Vec<f64>, [usize; 2]) {
    let rows: Vec<Vec<f64>> = rows.as_array().unwrap().iter().map(reals).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let numbers = (0..columns).flat_map(|j| rows.iter().map(move |row| row[j])).collect();
    (numbers, [rows.len(), columns])
}

fn reals(list: &Json) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The leaf of a vector, around its storage.
fn leaf(vector: &Json) -> Params {
    let size = |key: &str| vector[key].as_u64().unwrap() as usize;
    let (name, mut numbers) = (vector["type"].as_str().unwrap(), Vec::new());
    flat(&vector["storage"], &mut numbers);
    let mut set = Params::default();
    let leaf = match name {
        "StiefelLieAlgHorMatrix" | "GrassmannLieAlgHorMatrix" => {
            let (big, n) = (size("N"), size("n"));
            let b = numbers.split_off(numbers.len() - (big - n) * n);
            lift(&mut set, 0, "x", [big, n], name.starts_with('S').then_some(&numbers[..]), &b)
        }
        "StiefelManifold" | "GrassmannManifold" => {
            let leaf = set.branch_of(0, "x", Kind::Structured, name).unwrap();
            add(&mut set, leaf, STORAGE, array(&[size("N"), size("n")], &numbers));
            leaf
        }
        _ => packed(&mut set, 0, "x", name, size("n") as i64, &numbers),
    };
    set.subtree(leaf).unwrap()
}

/// Numbers in lists of lists and objects, in order.
fn flat(of: &Json, into: &mut Vec<f64>) {
    match of {
        Json::Array(items) => items.iter().for_each(|item| flat(item, into)),
        Json::Object(fields) => fields.values().for_each(|item| flat(item, into)),
        number => into.push(number.as_f64().unwrap()),
    }
}

#[test]
fn structured_vectors() {
    let file = files::json(&files::fixtures("julia").join("structured_vectors.json"));
    let vectors = file["vectors"].as_array().unwrap();
    for vector in vectors {
        let (name, leaf, registry) = (&vector["type"], leaf(vector), registry());
        let (dense, size) = matrix(&vector["dense"]);
        let found = registry.dense(&leaf, 0, &Limits::default()).unwrap();
        assert_eq!((found.shape(), doubles(&found)), (&[size[1], size[0]][..], dense), "{name}");
        let (cotangent, size) = matrix(&vector["cotangent"]);
        let mut set = Params::default();
        add(&mut set, 0, "x", array(&size, &cotangent));
        let mut primal = Params::default();
        primal.graft(0, "x", &leaf, 0).unwrap();
        let gradient = good(|faults| registry.gradient(&primal, &set, faults)).unwrap();
        let mut wanted = Vec::new();
        flat(&vector["storage_gradient"], &mut wanted);
        assert_eq!(numbers(&gradient, "/x"), wanted, "{name}");
        assert_eq!(gradient.type_name(at(&gradient, "/x")).unwrap(), name.as_str().unwrap());
    }
    assert_eq!(vectors.len(), 11);
}

#[test]
fn structured_projections() {
    let file = files::json(&files::fixtures("julia").join("structured_vectors.json"));
    let projections = file["projections"].as_array().unwrap();
    for projection in projections {
        let (from, size) = matrix(&projection["from"]);
        let told: Vec<(&str, i64)> = projection["n"].as_i64().map(|n| ("n", n)).into_iter().collect();
        let name = projection["type"].as_str().unwrap();
        let leaf = registry().project(name, &tensor(&size, &from), &told).unwrap();
        let mut wanted = Vec::new();
        flat(&projection["storage"], &mut wanted);
        assert_eq!(numbers(&leaf, ""), wanted, "{name}");
        good(|faults| registry().check(&leaf, false, faults));
    }
    assert_eq!(projections.len(), 6);
}

#[test]
fn the_docstring_example() {
    let numbers_1_to_16: Vec<f64> = (0..16).map(|k| f64::from(k % 4 * 4 + k / 4 + 1)).collect();
    let m = tensor(&[4, 4], &numbers_1_to_16);
    let project = |name| numbers(&registry().project(name, &m, &[]).unwrap(), "");
    assert_eq!(project("SymmetricMatrix"), [1., 3.5, 6., 6., 8.5, 11., 8.5, 11., 13.5, 16.]);
    assert_eq!(project("SkewSymMatrix"), [1.5, 3., 1.5, 4.5, 3., 1.5]);
}
