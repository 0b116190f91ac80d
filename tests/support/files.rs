//! Fixtures as they lie in their folders. Tensors are read by the safetensors crate, not by the library under test.

use pontil::{
    describe::{self, Description},
    faults::Faults,
    limits::Limits,
    tensor::{DType, Storage, Tensor},
};
use safetensors::SafeTensors;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Tensors by name.
pub type Tensors = BTreeMap<String, Tensor>;

/// A folder of `fixtures`.
pub fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder)
}

/// The files of a folder with this ending, or all its folders if it is empty, by name.
pub fn within(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(
        |path| if ending.is_empty() { path.is_dir() } else { path.extension().is_some_and(|end| end == ending) },
    );
    paths.sort();
    paths
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

pub fn json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn tensors(path: &Path) -> Tensors {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let all = SafeTensors::deserialize(&bytes).unwrap();
    let tensor = |view: safetensors::tensor::TensorView| {
        let dtype = DType::from_name(&view.dtype().to_string()).unwrap();
        let storage = Storage::copied(view.data()).unwrap();
        Tensor::packed(dtype, view.shape().to_vec(), storage).unwrap()
    };
    all.tensors().into_iter().map(|(name, view)| (name, tensor(view))).collect()
}

/// The tensors whose names begin with `prefix`, named by the rest.
pub fn under(all: &Tensors, prefix: &str) -> Tensors {
    let mine = all.iter().filter_map(|(name, tensor)| Some((name.strip_prefix(prefix)?.to_owned(), tensor.clone())));
    mine.collect()
}

/// `input`, `input.1`, … of some tensors.
pub fn numbered(all: &Tensors, name: &str) -> Vec<Tensor> {
    let names = (0..).map(|i| if i == 0 { name.to_owned() } else { format!("{name}.{i}") });
    names.map_while(|name| all.get(&name).cloned()).collect()
}

/// A description from JSON.
pub fn description(network: &Value) -> Result<Description, Faults> {
    let mut faults = Faults::default();
    describe::parse(network.to_string().as_bytes(), &Limits::default(), &mut faults).map_err(|_| faults)
}

/// The names, in sequence, of what a JSON list holds.
pub fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The sum of a tensor's numbers, row-major.
pub fn sum(tensor: &Tensor) -> String {
    sha256(tensor.to_packed().unwrap().packed_bytes().unwrap())
}
