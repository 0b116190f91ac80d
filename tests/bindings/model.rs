//! A model file of one dense layer for the programs of the README, and what they must say.

use crate::c;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Writes the numbers, the weight as PyTorch has it, and words that count `inputs`; 2 is what fits.
pub fn write(folder: &Path, inputs: usize) -> [PathBuf; 2] {
    let (numbers, words) = (folder.join("model.safetensors"), folder.join("network.json"));
    let header = concat!(
        r#"{"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"#,
        r#""0.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]}}"#
    );
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0.5f32, 1.0, 2.0].iter().flat_map(|number| number.to_le_bytes()));
    fs::write(&numbers, bytes).unwrap();
    let layers = format!(r#"{{"kind":"stack","layers":[{{"kind":"dense","inputs":{inputs},"outputs":1}}]}}"#);
    fs::write(&words, layers).unwrap();
    [numbers, words]
}

/// Runs a program of the README on the model, and on one that does not fit.
pub fn program_of_the_readme(folder: &Path, program: impl Fn() -> Command) {
    let output = c::must(program().args(write(folder, 2)));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "3.5");
    let output = program().args(write(folder, 3)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("0.weight"), "{said}");
}

/// The README's block of a language is the program, at most twenty lines of it.
pub fn readme_shows(language: &str, program: &Path) {
    let readme = fs::read_to_string(c::root().join("README.md")).unwrap();
    let block = readme.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(block, fs::read_to_string(program).unwrap(), "README.md shows another program");
    assert!(block.lines().count() <= 20);
}
