//! One case of `fixtures/layers`: a layer in Pontil's words, its numbers, its inputs and the float64 answer.

use super::files::{self, Tensors};
use pontil::{
    faults::{Faults, Text},
    limits::Limits,
    network::{Entry, Network},
    tensor::Tensor,
};
use serde_json::Value;
use std::path::Path;

/// A layer on its own.
pub struct Layer {
    pub word: String,
    pub name: String,
    pub json: Value,
    pub slots: Tensors,
    pub inputs: Vec<Tensor>,
    pub expected: Tensor,
}

/// The cases of `<word>.json`, with the numbers of the file beside it.
pub fn cases(path: &Path) -> Vec<Layer> {
    let all = files::tensors(&path.with_extension("safetensors"));
    let list = files::json(path);
    let case = |json: &Value| {
        let name = json["name"].as_str().unwrap().to_owned();
        let mine = files::under(&all, &format!("{name}/"));
        Layer {
            word: files::stem(path),
            name,
            json: json["network"].clone(),
            slots: files::under(&mine, "slot/"),
            inputs: files::numbered(&mine, "input"),
            expected: mine["output_f64"].clone(),
        }
    };
    list["cases"].as_array().unwrap().iter().map(case).collect()
}

impl Layer {
    /// The network of this one layer, or why it is refused.
    pub fn network(&self) -> Result<Network, String> {
        let description = files::description(&self.json).map_err(|faults| faults.text())?;
        let mut faults = Faults::default();
        let network = Network::build(&description, &entries(&self.slots), &Limits::default(), &mut faults);
        network.map_err(|_| faults.text())
    }
}

/// Tensors as a host hands them over.
pub fn entries(tensors: &Tensors) -> Vec<Entry> {
    let entry = |(path, tensor): (&String, &Tensor)| Entry {
        path: Text::from(path),
        tensor: tensor.clone(),
        place: Text::default(),
        offset: None,
    };
    tensors.iter().map(entry).collect()
}
