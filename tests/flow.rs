//! From a file to answers: every case of `fixtures/cases`, and of a further folder that the variable `PONTIL_CASES` names.
//! A case is held to all its `case.json` says; a case whose files are all of a format not read yet is counted and passed by.

#![allow(clippy::print_stdout)]

mod support;

use std::{collections::BTreeMap, env, path::PathBuf};
use support::{
    case::{Case, Outcome},
    files,
};

/// The endings of the model files that are read.
const READ: [&str; 6] = [".safetensors", ".pt", ".pt2", ".onnx", ".keras", ".h5"];

fn folders() -> Vec<PathBuf> {
    let mut folders = files::within(&files::fixtures("cases"), "");
    if let Some(further) = env::var_os("PONTIL_CASES") {
        folders.extend(files::within(&PathBuf::from(further), ""));
    }
    folders.retain(|folder| folder.join("case.json").exists());
    folders
}

#[test]
fn every_case_is_answered_or_refused_as_it_says() {
    let (mut right, mut not_yet, mut failed) = (0, Vec::new(), Vec::new());
    let mut passed_by: BTreeMap<String, usize> = BTreeMap::new();
    for case in folders().iter().map(|folder| Case::of(folder)) {
        let models: Vec<PathBuf> = READ.iter().flat_map(|ending| case.models(ending)).collect();
        if models.is_empty() {
            *passed_by.entry(case.json["format"].to_string()).or_default() += 1;
        }
        for model in models {
            match case.judge(&model) {
                Ok(Outcome::Right) => right += 1,
                Ok(Outcome::NotYet) => not_yet.push(case.name()),
                Err(failure) => failed.push(format!("{}: {failure}", case.name())),
            }
        }
    }
    println!("{right} right, not yet: {not_yet:?}, passed by: {passed_by:?}");
    assert!(failed.is_empty(), "\n{} of {} failed:\n{}\n", failed.len(), failed.len() + right, failed.join("\n"));
    assert!(right >= 160, "only {right} cases ran");
}
