//! The official operator tests of ONNX: each of `fixtures/onnx_operators` is answered right, or refused by name. And random graphs
//! and crafted ones, each answered right or refused as it should be.

#![allow(clippy::print_stdout)]

use crate::support::{
    answers::{self, Answer},
    files::{self, Tensors},
    messages,
};
use pontil::{describe::Layout, import::ImportOptions, plan::Precision, tensor::Tensor};
use std::collections::BTreeSet;

/// How a case ended.
enum Outcome {
    Passed,
    Refused(String),
}

#[test]
fn every_operator_is_answered_or_refused() {
    let (mut passed, mut refused, mut failed) = (0, Vec::new(), Vec::new());
    let mut never = Vec::new();
    for path in files::within(&files::fixtures("onnx_operators"), "safetensors") {
        let (operator, all) = (files::stem(&path), files::tensors(&path));
        let cases: BTreeSet<&str> = all.keys().filter_map(|name| name.strip_suffix("/model")).collect();
        let before = passed;
        for case in cases {
            match judge(&files::under(&all, &format!("{case}/"))) {
                Ok(Outcome::Passed) => passed += 1,
                Ok(Outcome::Refused(why)) => refused.push(format!("{operator} {case}: {why}")),
                Err(failure) => failed.push(format!("{operator} {case}: {failure}")),
            }
        }
        if passed == before {
            never.push(operator);
        }
    }
    let list =
        if std::env::var_os("PONTIL_LIST").is_some() { format!("\n{}", refused.join("\n")) } else { String::new() };
    println!("{passed} passed, {} refused, {} failed; never passed: {never:?}{list}", refused.len(), failed.len());
    assert!(failed.is_empty(), "\n{} failed:\n{}\n", failed.len(), failed.join("\n"));
    assert!(passed >= 380, "only {passed} passed");
}

/// Graphs of several nodes as exporters write them, at versions 7 to 23: none is refused.
#[test]
fn every_graph_is_answered_as_onnx_runtime_does() {
    let all = files::tensors(&files::fixtures("onnx_graphs").join("random.safetensors"));
    assert!(answered(&all, loose()) >= 200);
}

/// Products of every arrangement of axes against float64, whole numbers computed while a graph is read, and graphs that are
/// refused.
#[test]
fn what_is_crafted_is_answered_or_refused() {
    let all = files::tensors(&files::fixtures("onnx_graphs").join("crafted.safetensors"));
    let single = Tensor::filled_f32(vec![2], |to| to.fill(1e-5)).unwrap();
    assert!(answered(&all, single) >= 140);
}

/// Judges every case that stands under a name, and says how many there are: without an `output` it must be refused.
fn answered(all: &Tensors, tolerance: Tensor) -> usize {
    let names: BTreeSet<&str> = all.keys().filter_map(|name| name.strip_suffix("/model")).collect();
    let mut failed = Vec::new();
    for name in &names {
        let mut case = files::under(all, &format!("{name}/"));
        case.insert("tolerance".into(), tolerance.clone());
        match (judge(&case), case.contains_key("output")) {
            (Ok(Outcome::Passed), true) | (Ok(Outcome::Refused(_)), false) => {}
            (Ok(Outcome::Passed), false) => failed.push(format!("{name}: not refused")),
            (Ok(Outcome::Refused(why)), true) => failed.push(format!("{name}: {why}")),
            (Err(failure), _) => failed.push(format!("{name}: {failure}")),
        }
    }
    assert!(failed.is_empty(), "\n{} of {} failed:\n{}\n", failed.len(), names.len(), failed.join("\n"));
    names.len()
}

/// For six layers one after another: a thousandth of a number, or of 1.
fn loose() -> Tensor {
    Tensor::filled_f32(vec![2], |to| to.fill(1e-3)).unwrap()
}

fn judge(case: &Tensors) -> Result<Outcome, String> {
    let options = ImportOptions { layout: Layout::AsFile, ..ImportOptions::default() };
    let network = match answers::network(case["model"].packed_bytes().unwrap(), options) {
        Ok(network) => network,
        Err(faults) => {
            let named = faults.iter().all(|fault| !fault.path.is_empty());
            let wrong = messages::wrong(&faults);
            if !named || !wrong.is_empty() || faults.is_empty() {
                return Err(format!("refused without a name: {} {wrong:?}", faults.text()));
            }
            return Ok(Outcome::Refused(faults.text()));
        }
    };
    let tolerance = case.get("tolerance").map_or_else(|| vec![1e-3, 1e-7], answers::doubles);
    let answers = answers::run(&network, Precision::Standard, &files::numbered(case, "input"))?;
    let expected = files::numbered(case, "output");
    if answers.len() != expected.len() {
        return Err(format!("{} outputs instead of {}", answers.len(), expected.len()));
    }
    for (answer, expected) in answers.iter().zip(&expected) {
        near(answer, expected, tolerance[0], tolerance[1].max(1e-6))?;
    }
    Ok(Outcome::Passed)
}

fn near(answer: &Answer, expected: &Tensor, relative: f64, absolute: f64) -> Result<(), String> {
    if answer.shape != expected.shape() {
        return Err(format!("shape {:?} instead of {:?}", answer.shape, expected.shape()));
    }
    for (place, (is, should)) in answer.numbers.iter().zip(answers::doubles(expected)).enumerate() {
        let is = f64::from(*is);
        let same = is == should || is.is_nan() && should.is_nan();
        let near = (is - should).abs() <= absolute + relative * should.abs();
        if !same && !near {
            return Err(format!("{is} instead of {should} at {place}"));
        }
    }
    Ok(())
}
