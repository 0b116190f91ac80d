//! A case as it stands in `cases.json`, and a network made of it and run.

use crate::support::files;
use pontil::{
    describe::{self, Description, Layout, mocha::Net},
    faults::Faults,
    import::{Import, ImportOptions},
    limits::Limits,
    mocha::{Blob, Draws, Element, Evaluation},
    network::Entry,
    plan::Precision,
    progress::Progress,
    save::{self, Target},
    source::Source,
    tensor::{DType, Storage, Tensor},
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// One case.
pub struct Case(pub Value);

/// All cases.
pub fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(files::fixtures("mocha").join("cases.json")).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    whole["cases"].as_array().unwrap().iter().cloned().map(Case).collect()
}

/// The case of this name.
pub fn case(id: &str) -> Case {
    cases().into_iter().find(|case| case.id() == id).unwrap()
}

/// Numbers with their shape as JSON says them.
pub fn blob(value: &Value) -> Blob {
    let shape = value["shape"].as_array().unwrap().iter().map(|length| length.as_u64().unwrap() as usize).collect();
    let numbers = value["data"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    Blob::new(shape, numbers).unwrap()
}

impl Case {
    pub fn id(&self) -> &str {
        self.0["id"].as_str().unwrap()
    }

    pub fn layer(&self) -> &str {
        self.0["layer"].as_str().unwrap()
    }

    pub fn params(&self) -> Value {
        self.0["params"].clone()
    }

    pub fn has(&self, name: &str) -> bool {
        self.0["inputs"].get(name).is_some()
    }

    pub fn input(&self, name: &str) -> Blob {
        blob(&self.0["inputs"][name])
    }

    pub fn expected(&self, name: &str) -> Blob {
        match &self.0["expected"][name] {
            Value::Number(number) => Blob::new(vec![], vec![number.as_f64().unwrap()]).unwrap(),
            value => blob(value),
        }
    }

    pub fn tolerance(&self, element: Element) -> f64 {
        let key = if element == Element::Single { "f32" } else { "f64" };
        self.0["tol_abs"][key].as_f64().unwrap()
    }
}

/// A network on the way to its answers.
pub struct Bench {
    pub layers: Vec<Value>,
    pub inputs: Vec<(String, Blob)>,
    /// By layer and slot: `ip.weight`.
    pub numbers: Vec<(String, Blob)>,
    pub draws: Vec<(String, Vec<f64>)>,
    /// Blobs that are looked at.
    pub outputs: Vec<String>,
}

/// A layer with its settings.
pub fn layer(kind: &str, name: &str, bottoms: &[&str], tops: &[&str], settings: Value) -> Value {
    let mut layer = settings;
    layer["kind"] = json!(kind);
    layer["name"] = json!(name);
    if !bottoms.is_empty() {
        layer["bottoms"] = json!(bottoms);
    }
    if !tops.is_empty() {
        layer["tops"] = json!(tops);
    }
    layer
}

impl Bench {
    pub fn new(layers: Vec<Value>) -> Bench {
        Bench { layers, inputs: vec![], numbers: vec![], draws: vec![], outputs: vec![] }
    }

    pub fn input(mut self, name: &str, blob: Blob) -> Bench {
        self.inputs.push((name.to_owned(), blob));
        self
    }

    pub fn number(mut self, path: &str, blob: Blob) -> Bench {
        self.numbers.push((path.to_owned(), blob));
        self
    }

    pub fn draw(mut self, layer: &str, draws: Vec<f64>) -> Bench {
        self.draws.push((layer.to_owned(), draws));
        self
    }

    pub fn output(mut self, name: &str) -> Bench {
        self.outputs.push(name.to_owned());
        self
    }

    pub fn text(&self) -> String {
        let inputs: Vec<Value> =
            self.inputs.iter().map(|(name, blob)| json!({ "name": name, "shape": blob.shape[1..] })).collect();
        json!({ "style": "mocha", "inputs": inputs, "layers": self.layers, "outputs": self.outputs }).to_string()
    }

    pub fn description(&self) -> Result<Description, String> {
        let mut faults = Faults::default();
        describe::parse(self.text().as_bytes(), &Limits::default(), &mut faults).map_err(|_| faults.text())
    }

    fn entries(&self, dtype: DType) -> Vec<Entry> {
        let entry = |(path, blob): &(String, Blob)| Entry {
            path: path.as_str().into(),
            tensor: tensor(blob, dtype),
            place: Default::default(),
            offset: None,
        };
        self.numbers.iter().map(entry).collect()
    }

    /// The network with its numbers, not yet run.
    pub fn evaluation(&self, element: Element) -> Result<Evaluation, String> {
        let mut faults = Faults::default();
        let description = self.description()?;
        let made = Net::of(&description, &mut faults).and_then(|net| {
            let dtype = if element == Element::Single { DType::F32 } else { DType::F64 };
            Evaluation::new(net, &self.entries(dtype), element, &Limits::default(), &mut faults)
        });
        made.map_err(|_| faults.text())
    }

    /// The network after a run, and its loss.
    pub fn run(&self, element: Element) -> Result<(Evaluation, f64), String> {
        let mut evaluation = self.evaluation(element)?;
        let mut faults = Faults::default();
        let mut draws = Draws::default();
        self.draws.iter().for_each(|(layer, numbers)| draws.give(layer, numbers.clone()));
        let given: HashMap<String, Blob> = self.inputs.iter().cloned().collect();
        let loss = evaluation.forward(given, &draws, &mut faults).map_err(|_| faults.text())?;
        Ok((evaluation, loss))
    }

    /// The answers of a session in both precisions, or the faults of a network that no session runs.
    pub fn session(&self) -> Result<Vec<Vec<Blob>>, String> {
        let description = self.description()?;
        let mut faults = Faults::default();
        let mut bytes = Vec::new();
        save::safetensors(
            &self.entries(DType::F32),
            &[("format", "pt")],
            Target::Bytes(&mut bytes),
            &Progress::default(),
            &mut faults,
        )
        .unwrap();
        let source = Source::memory(storage(&bytes));
        let options = ImportOptions { network: Some(&description), layout: Layout::AsFile, ..ImportOptions::default() };
        let network = Import::open(&source, options, &mut faults)
            .and_then(|import| import.network(&mut faults))
            .map_err(|_| faults.text())?;
        let named = |name: &String| self.inputs.iter().find(|(input, _)| input == name).unwrap();
        let inputs: Vec<Tensor> =
            network.graph().inputs.iter().map(|port| tensor(&named(&port.name).1, DType::F32)).collect();
        let answers = |precision| -> Result<Vec<Blob>, String> {
            let answers = crate::support::answers::run(&network, precision, &inputs)?;
            let blob = |answer: crate::support::answers::Answer| {
                Blob::new(answer.shape, answer.numbers.into_iter().map(f64::from).collect()).unwrap()
            };
            Ok(answers.into_iter().map(blob).collect())
        };
        Ok(vec![answers(Precision::Standard)?, answers(Precision::Exact)?])
    }
}

pub fn storage(bytes: &[u8]) -> Storage {
    Storage::copied(bytes).unwrap()
}

pub fn tensor(blob: &Blob, dtype: DType) -> Tensor {
    let bytes: Vec<u8> = match dtype {
        DType::F64 => blob.numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        _ => blob.numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect(),
    };
    Tensor::packed(dtype, blob.shape.clone(), storage(&bytes)).unwrap()
}

/// Whether two blobs have one shape and lie within a tolerance.
pub fn near(is: &Blob, should: &Blob, tolerance: f64) -> Result<(), String> {
    if is.shape != should.shape {
        return Err(format!("shape {:?} instead of {:?}", is.shape, should.shape));
    }
    let far = |(is, should): (&f64, &f64)| {
        let distance = (is - should).abs();
        if distance.is_nan() && !(is.is_nan() && should.is_nan()) { f64::INFINITY } else { distance }
    };
    let worst = is.numbers.iter().zip(&should.numbers).map(far).fold(0.0, f64::max);
    if worst <= tolerance { Ok(()) } else { Err(format!("{worst:.2e} off, allowed {tolerance:.2e}")) }
}
