//! One case of `fixtures/cases`: what its `case.json` says, and whether the library does as expected.

use super::{
    answers::{self, PRECISIONS},
    files, messages,
};
use cpu_time::ThreadTime;
use pontil::{
    describe::{Description, Layout},
    faults::{Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    network::Network,
    plan::{Isa, Precision},
    source::Source,
    tensor::Tensor,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

/// The longest a file may take, right or wrong.
const LONGEST: Duration = Duration::from_secs(5);

/// A case and the folder it lies in.
pub struct Case {
    pub folder: PathBuf,
    pub json: Value,
}

/// How a case that did not fail ended.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// As expected.
    Right,
    /// Refused by name where the case is of a tier that allows it.
    NotYet,
}

/// What is not as the case says.
type Failure = String;

impl Case {
    pub fn of(folder: &Path) -> Case {
        Case { folder: folder.into(), json: files::json(&folder.join("case.json")) }
    }

    pub fn name(&self) -> String {
        files::stem(&self.folder)
    }

    /// The model files with this ending.
    pub fn models(&self, ending: &str) -> Vec<PathBuf> {
        let names = files::texts(&self.json["models"]).into_iter().filter(|name| name.ends_with(ending));
        names.map(|name| self.folder.join(name)).collect()
    }

    pub fn description(&self) -> Result<Option<Description>, Faults> {
        let network = &self.json["network"];
        if self.json["format"] == "keras-weights" {
            return self.beside().map(Some);
        }
        if network.is_null() || network["said_by_the_file"] == true {
            Ok(None)
        } else {
            files::description(network).map(Some)
        }
    }

    /// The layers of the model that stands beside the file of its numbers.
    fn beside(&self) -> Result<Description, Faults> {
        let mut faults = Faults::default();
        let import = self.open(&self.folder.join("network.keras"), None, false, &mut faults);
        import.and_then(|import| import.description(&mut faults)).map_err(|_| faults)
    }

    /// The inputs, where answers are expected.
    pub fn inputs(&self) -> Vec<Tensor> {
        files::numbered(&files::tensors(&self.folder.join("io.safetensors")), "input")
    }

    /// Whether the file says its layers itself.
    pub fn says_itself(&self) -> bool {
        self.json["format"] == "onnx" || self.is_keras() && self.json["format"] != "keras-weights"
    }

    /// Whether Keras wrote it.
    fn is_keras(&self) -> bool {
        self.json["format"].as_str().is_some_and(|format| format.starts_with("keras"))
    }

    /// The folder with the links the case wants, in a copy that goes away with what is returned beside it.
    fn with_links(&self, model: &Path) -> (PathBuf, Option<TempDir>) {
        let Some(links) = self.json["links"].as_object() else { return (model.into(), None) };
        let copy = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(&self.folder).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        for (name, target) in links {
            std::os::unix::fs::symlink(target.as_str().unwrap(), copy.path().join(name)).unwrap();
        }
        (copy.path().join(model.file_name().unwrap()), Some(copy))
    }

    /// The shape of one example of the first input.
    fn example(&self) -> Option<Vec<usize>> {
        let shape = self.json["inputs"][0]["shape"].as_array()?;
        shape.iter().skip(1).map(|length| usize::try_from(length.as_u64()?).ok()).collect()
    }

    /// Whether weights are kept as a length and a direction.
    pub fn folds(&self) -> bool {
        let mut layers = self.json["network"]["layers"].as_array().into_iter().flatten();
        layers.any(|layer| matches!(layer["weight_norm"].as_str(), Some("parametrizations" | "old")))
    }

    /// What an importer makes of a file; the layout is the framework's own.
    pub fn open(
        &self,
        model: &Path,
        description: Option<&Description>,
        options: bool,
        faults: &mut Faults,
    ) -> Result<Import, Refused> {
        let option = |key: &str| self.json["options"][key].as_str().filter(|_| options);
        let source = Source::path(model, &Limits::default(), faults)?;
        let options = ImportOptions {
            network: description,
            strip_prefix: option("strip_prefix"),
            key: option("key"),
            fold_weight_norm: options && self.folds(),
            examples: self.example().into_iter().collect(),
            layout: Layout::AsFile,
            ..ImportOptions::default()
        };
        Import::open(&source, options, faults)
    }

    /// The network of a file that is right.
    pub fn network(&self, model: &Path) -> Result<Network, Faults> {
        let description = self.description()?;
        let mut faults = Faults::default();
        let import = self.open(model, description.as_ref(), true, &mut faults);
        import.and_then(|import| import.network(&mut faults)).map_err(|_| faults)
    }

    /// Holds a model file to all the case says.
    pub fn judge(&self, model: &Path) -> Result<Outcome, Failure> {
        let start = ThreadTime::now();
        let (model, _copy) = self.with_links(model);
        let model = model.as_path();
        let mut answered = None;
        let outcome = self.meets(&self.json["expect"], model, &mut answered)?;
        if let Some(expected) = self.json.get("without_options") {
            self.refused(expected, model, false).map_err(|failure| format!("without options: {failure}"))?;
        }
        if start.elapsed() > LONGEST {
            return Err(format!("took {:?}", start.elapsed()));
        }
        if let Some((network, expected)) = answered {
            for isa in answers::sets().into_iter().rev().skip(1) {
                self.answers(&network, expected, isa).map_err(|failure| format!("{}: {failure}", isa.name()))?;
            }
        }
        Ok(outcome)
    }

    /// Holds a model file to an expectation; a network that answers is left in `answered`, with what is expected of it.
    fn meets<'a>(
        &self,
        expected: &'a Value,
        model: &Path,
        answered: &mut Option<(Network, &'a Value)>,
    ) -> Result<Outcome, Failure> {
        if let Some(either) = expected["either"].as_array() {
            let outcomes: Vec<_> = either.iter().map(|one| self.meets(one, model, answered)).collect();
            let failures: Vec<&str> =
                outcomes.iter().filter_map(|one| one.as_ref().err()).map(String::as_str).collect();
            let all = failures.join("; nor: ");
            return outcomes.into_iter().find_map(Result::ok).ok_or(all);
        }
        if expected.get("faults").is_some() {
            return self.refused(expected, model, true).map(|()| Outcome::Right);
        }
        if expected["tensors"] == true {
            return self.raw(model).map(|()| Outcome::Right);
        }
        if expected["values"].is_string() {
            return self.network(model).map(|_| Outcome::Right).map_err(|faults| faults.text());
        }
        let network = match self.network(model) {
            Ok(network) => network,
            Err(faults) if self.json["tier"] != "core" => return self.not_yet(&faults),
            Err(faults) => return Err(format!("refused: {}", faults.text())),
        };
        self.answers(&network, &expected["outputs"], Isa::best())?;
        self.parameters(&network, model)?;
        *answered = Some((network, &expected["outputs"]));
        Ok(Outcome::Right)
    }

    /// A refusal that is allowed, if it names a layer, a word or a tensor of the case.
    fn not_yet(&self, faults: &Faults) -> Result<Outcome, Failure> {
        let layers = self.json["network"]["layers"].as_array().into_iter().flatten();
        let words = layers.flat_map(|layer| ["id", "kind", "module"].map(|key| &layer[key]));
        let tensors = self.json["parameters"].as_array().into_iter().flatten().map(|parameter| &parameter["name"]);
        let wrong = messages::wrong(faults);
        let named = self.says_itself() && faults.iter().all(|fault| !fault.path.is_empty());
        if !named && !words.chain(tensors).filter_map(Value::as_str).any(|name| messages::says(faults, name)) {
            return Err(format!("refused without a name: {}", faults.text()));
        }
        if wrong.is_empty() { Ok(Outcome::NotYet) } else { Err(wrong.join("; ")) }
    }

    /// The answers within `max_abs`; those of exact totals within what [`exact`] says.
    fn answers(&self, network: &Network, expected: &Value, isa: Isa) -> Result<(), Failure> {
        let io = files::tensors(&self.folder.join("io.safetensors"));
        let (inputs, outputs) = (files::numbered(&io, "input"), files::numbered(&io, "output_f64"));
        for (precision, name) in PRECISIONS {
            let answers = answers::run_by(network, precision, isa, &inputs)?;
            if answers.len() != outputs.len() {
                return Err(format!("{} outputs instead of {}", answers.len(), outputs.len()));
            }
            for (answer, output) in answers.iter().zip(&outputs) {
                let most = match precision {
                    Precision::Standard => expected["max_abs"].as_f64().unwrap(),
                    Precision::Exact => exact(expected, answers::largest(output)),
                };
                let distance = answers::distance(answer, output)?;
                if distance > most {
                    return Err(format!("{name}: {distance:.3e} from float64, allowed {most:.3e}"));
                }
            }
        }
        Ok(())
    }

    /// Every slot holds the very bits of its parameter once turned back, and every slot is a parameter.
    fn parameters(&self, network: &Network, model: &Path) -> Result<(), Failure> {
        let Some(parameters) = self.json["parameters"].as_array() else { return Ok(()) };
        if self.is_keras() {
            return self.variables(network, model, parameters);
        }
        if self.says_itself() && self.models(".onnx").len() > 1 {
            return Ok(());
        }
        for entry in network.written().unwrap() {
            let path = entry.path.as_str().unwrap();
            let stated = parameters.iter().find(|parameter| parameter["name"] == path);
            let stated = match stated {
                Some(stated) => stated,
                None if self.folds() || self.says_itself() => continue,
                None => return Err(format!("{path}: no parameter of the file")),
            };
            let sum = if stated["sha256_f32"].is_string() { &stated["sha256_f32"] } else { &stated["sha256"] };
            let numbers = entry.tensor.to_packed().unwrap();
            if *sum != files::sha256(numbers.packed_bytes().unwrap()) || stated["shape"] != shape(numbers.shape()) {
                return Err(format!("{path}: other bits than the file's"));
            }
        }
        self.raw(model)
    }

    /// The file as it is: every tensor with its type, shape and sum.
    fn raw(&self, model: &Path) -> Result<(), Failure> {
        let mut faults = Faults::default();
        let import = self.open(model, None, true, &mut faults).map_err(|_| format!("raw: {}", faults.text()))?;
        let parameters = self.json["parameters"].as_array().unwrap();
        if self.says_itself() {
            return self.initialisers(&import, parameters);
        }
        if import.entries().len() != parameters.len() {
            return Err(format!("{} tensors instead of {}", import.entries().len(), parameters.len()));
        }
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap();
            let at = import.entries().iter().position(|listed| listed.path == *name);
            let at = at.ok_or_else(|| format!("{name} is not listed"))?;
            self.same(&import, at, parameter)?;
        }
        Ok(())
    }

    /// The same of a model of Keras, which has names of its own for its variables: the file holds just those that are stated, and
    /// each slot holds one of them.
    fn variables(&self, network: &Network, model: &Path, parameters: &[Value]) -> Result<(), Failure> {
        let mut faults = Faults::default();
        let import = self.open(model, None, true, &mut faults).map_err(|_| format!("raw: {}", faults.text()))?;
        let mut listed = Vec::new();
        for (at, entry) in import.entries().iter().enumerate() {
            let tensor = import.tensor(at, &mut faults).map_err(|_| faults.text())?;
            listed.push(format!("{} {} {}", entry.dtype.name(), shape(&entry.shape), files::sum(&tensor)));
        }
        let text = |key: &str, of: &Value| of[key].as_str().unwrap_or_default().to_owned();
        let mut stated: Vec<String> = parameters
            .iter()
            .map(|one| format!("{} {} {}", text("dtype", one), one["shape"], text("sha256", one)))
            .collect();
        listed.sort();
        stated.sort();
        if listed != stated {
            return Err(format!("the file lists other variables: {listed:?} instead of {stated:?}"));
        }
        let sums: Vec<String> = parameters
            .iter()
            .map(|one| if one["sha256_f32"].is_string() { text("sha256_f32", one) } else { text("sha256", one) })
            .collect();
        for entry in network.written().unwrap() {
            let numbers = entry.tensor.to_packed().unwrap();
            if !sums.contains(&files::sha256(numbers.packed_bytes().unwrap())) {
                return Err(format!("{:?}: other bits than the file's", entry.path));
            }
        }
        Ok(())
    }

    /// The same of a graph, where there is one: of several files of one network each writer has its own names and folds.
    fn initialisers(&self, import: &Import, parameters: &[Value]) -> Result<(), Failure> {
        let mut found = 0;
        for (at, listed) in import.entries().iter().enumerate() {
            if let Some(parameter) =
                parameters.iter().find(|parameter| listed.path == *parameter["name"].as_str().unwrap())
            {
                self.same(import, at, parameter)?;
                found += 1;
            }
        }
        if found == 0 && !parameters.is_empty() { Err("none of its parameters is listed".into()) } else { Ok(()) }
    }

    /// A tensor with its type, shape and sum.
    fn same(&self, import: &Import, at: usize, parameter: &Value) -> Result<(), Failure> {
        let mut faults = Faults::default();
        {
            let name = parameter["name"].as_str().unwrap();
            let tensor = import.tensor(at, &mut faults).map_err(|_| format!("{name}: {}", faults.text()))?;
            let listed = &import.entries()[at];
            if tensor.dtype().name() != parameter["dtype"] || listed.dtype != tensor.dtype() {
                return Err(format!("{name}: {} instead of {}", tensor.dtype().name(), parameter["dtype"]));
            }
            if shape(tensor.shape()) != parameter["shape"] || listed.shape != tensor.shape() {
                return Err(format!("{name}: shape {:?} instead of {}", tensor.shape(), parameter["shape"]));
            }
            if files::sum(&tensor) != parameter["sha256"] {
                return Err(format!("{name}: other bits than the file's"));
            }
        }
        Ok(())
    }

    /// Refused, with every fault the case lists found, and every message as a message must be.
    fn refused(&self, expected: &Value, model: &Path, options: bool) -> Result<(), Failure> {
        let mut faults = Faults::default();
        let description = self.description().map_err(|faults| format!("the description: {}", faults.text()))?;
        let import = self.open(model, description.as_ref(), options, &mut faults);
        let built = import.and_then(|import| match description {
            Some(_) => import.network(&mut faults).map(|_| ()),
            None if self.says_itself() => import.network(&mut faults).map(|_| ()),
            None => import.params(&mut faults).map(|_| ()),
        });
        if built.is_ok() {
            return Err("read, and not refused".into());
        }
        let mut wrong = messages::wrong(&faults);
        if faults.is_empty() {
            wrong.push("refused without a fault".into());
        }
        for fault in expected["faults"].as_array().into_iter().flatten() {
            let place = fault["where"].as_str().unwrap();
            if place != "file" && !messages::says(&faults, place) {
                wrong.push(format!("no fault says {place}, but: {}", faults.text()));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }
}

/// How far an answer of exact totals may lie from float64. Its totals are right to the last place, but what passes from layer
/// to layer is a single, as it is in the framework: the two are walks of as many steps, and are held to within twice of one
/// another (the widest of all cases is 1.7, over forty layers). Where the framework happens to be right to the bit, two places
/// of the largest answer are allowed.
fn exact(expected: &Value, largest: f64) -> f64 {
    let own = expected["framework_f32_from_f64"].as_f64().unwrap();
    2.0 * own.max(answers::ulp(largest))
}

fn shape(lengths: &[usize]) -> Value {
    lengths.into()
}
