//! Known architectures by both of PyTorch's exporters: answers within 1e-4 for each 1 of the largest of ONNX Runtime's.
//! `PONTIL_ARCHITECTURES` names a folder that `fixtures/make/onnx_architectures.py` has filled; without it there are none.

#![allow(clippy::print_stdout)]

use crate::support::{answers, files};
use pontil::{describe::Layout, import::ImportOptions, plan::Precision, tensor::Tensor};
use std::{env, path::Path};

/// How far an answer may lie from ONNX Runtime's for each 1 of the largest.
const APART: f64 = 1e-4;

#[test]
fn known_architectures_are_answered() {
    let Some(folder) = env::var_os("PONTIL_ARCHITECTURES") else {
        return println!("skipped: PONTIL_ARCHITECTURES names no folder");
    };
    let (mut right, mut worst, mut failed) = (0, 0.0f64, Vec::new());
    for path in files::within(Path::new(&folder), "onnx") {
        match apart(&path) {
            Ok(apart) if apart <= APART => {
                right += 1;
                worst = worst.max(apart);
            }
            Ok(apart) => failed.push(format!("{}: {apart:.1e} apart", files::stem(&path))),
            Err(why) => failed.push(format!("{}: {why}", files::stem(&path))),
        }
    }
    println!("{right} right, the worst {worst:.1e} apart");
    assert!(failed.is_empty(), "\n{} failed:\n{}\n", failed.len(), failed.join("\n"));
    assert_eq!(right, 20);
}

/// How far the answers lie from ONNX Runtime's, for each 1 of the largest.
fn apart(path: &Path) -> Result<f64, String> {
    let told = files::tensors(&path.with_extension("safetensors"));
    let options = ImportOptions { layout: Layout::AsFile, ..ImportOptions::default() };
    let network = answers::network_at(path, options).map_err(|faults| faults.text())?;
    let expected: &Tensor = &told["output"];
    let answers = answers::run(&network, Precision::Standard, &files::numbered(&told, "input"))?;
    Ok(answers::distance(&answers[0], expected)? / answers::largest(expected).max(1.0))
}
