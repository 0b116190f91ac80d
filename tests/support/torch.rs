//! One case of `fixtures/torch`: a small network in PyTorch's words, its state, its inputs and PyTorch's float64 answers.

use super::files::{self, Tensors};
use pontil::{
    describe::Layout,
    faults::Faults,
    import::{Import, ImportOptions},
    network::Network,
    source::Source,
    tensor::{Storage, Tensor},
};
use safetensors::{Dtype, tensor::TensorView};
use serde_json::Value;
use std::path::Path;

/// A network in PyTorch's words.
pub struct Words {
    pub name: String,
    json: Value,
    state: Tensors,
    inputs: Vec<Tensor>,
    expected: Vec<Tensor>,
}

/// The cases of `<group>.json`, with the numbers of the file beside it.
pub fn cases(path: &Path) -> Vec<Words> {
    let all = files::tensors(&path.with_extension("safetensors"));
    let list = files::json(path);
    let case = |json: &Value| {
        let name = json["name"].as_str().unwrap().to_owned();
        let mine = files::under(&all, &format!("{name}/"));
        Words {
            name,
            json: json.clone(),
            state: files::under(&mine, "state/"),
            inputs: files::numbered(&mine, "input"),
            expected: files::numbered(&mine, "output_f64"),
        }
    };
    list["cases"].as_array().unwrap().iter().map(case).collect()
}

impl Words {
    /// The words of its layers.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.json["network"]["layers"].as_array().unwrap().iter().map(|layer| layer["kind"].as_str().unwrap())
    }

    /// The inputs as a host hands them over that keeps images in this layout.
    pub fn inputs(&self, layout: Layout) -> Vec<Tensor> {
        turned(&self.inputs, &self.json["inputs"], layout)
    }

    /// The answers in this layout.
    pub fn expected(&self, layout: Layout) -> Vec<Tensor> {
        turned(&self.expected, &self.json["outputs"], layout)
    }

    /// The network of its state, written as a file and read again, or why it is refused.
    pub fn network(&self, layout: Layout) -> Result<Network, String> {
        let description = files::description(&self.json["network"]).map_err(|faults| faults.text())?;
        let bytes = self.file();
        let storage = Storage::copied(&bytes).unwrap();
        let options = ImportOptions {
            network: Some(&description),
            examples: vec![self.inputs(layout)[0].shape()[1..].to_vec()],
            layout,
            ..ImportOptions::default()
        };
        let mut faults = Faults::default();
        let import = Import::open(&Source::memory(storage), options, &mut faults);
        import.and_then(|import| import.network(&mut faults)).map_err(|_| faults.text())
    }

    /// The state as PyTorch's safetensors.
    fn file(&self) -> Vec<u8> {
        let views = self.state.iter().map(|(name, tensor)| {
            let dtype = if tensor.dtype().name() == "I64" { Dtype::I64 } else { Dtype::F32 };
            (name, TensorView::new(dtype, tensor.shape().to_vec(), tensor.packed_bytes().unwrap()).unwrap())
        });
        let note = [("format".to_owned(), "pt".to_owned())];
        safetensors::serialize(views, Some(note.into_iter().collect())).unwrap()
    }
}

/// Images with their channels last, if the layout says so.
fn turned(tensors: &[Tensor], ports: &Value, layout: Layout) -> Vec<Tensor> {
    let one = |(tensor, port): (&Tensor, &Value)| {
        if layout != Layout::ChannelsLast || port["image"] != true {
            return tensor.clone();
        }
        let axes: Vec<usize> = [0].into_iter().chain(2..tensor.shape().len()).chain([1]).collect();
        tensor.permuted(&axes).unwrap().to_packed().unwrap()
    };
    tensors.iter().zip(ports.as_array().unwrap()).map(one).collect()
}
