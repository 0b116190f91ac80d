//! Networks written as ONNX: every case of safetensors, PyTorch and ONNX that runs, every layer word and every PyTorch word, read
//! again by the library itself and, where `PONTIL_PYTHON` names a Python that has it, by ONNX Runtime. Answers may differ by 1e-5
//! for each 1 of the largest.

#![allow(clippy::print_stdout)]

use crate::support::{
    answers::{self, Answer},
    case::Case,
    files, layer, torch,
};
use pontil::{
    describe::Layout,
    faults::{Code, Faults, Refused},
    import::ImportOptions,
    limits::Limits,
    network::{Entry, Network},
    plan::Precision,
    progress::Progress,
    save::{self, Target},
    tensor::{DType, Tensor},
};
use safetensors::{Dtype, tensor::TensorView};
use std::{env, fs, path::Path, process::Command};

/// How far an answer may lie from another for each 1 of the largest.
const APART: f64 = 1e-5;

/// A network with something to ask it.
struct Asked {
    name: String,
    network: Network,
    inputs: Vec<Tensor>,
}

fn saved(network: &Network) -> Result<Vec<u8>, Faults> {
    let (mut bytes, mut faults) = (Vec::new(), Faults::default());
    match save::onnx(network, &[], Target::Bytes(&mut bytes), &Progress::default(), &mut faults) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(faults),
    }
}

fn read(bytes: &[u8]) -> Result<Network, Faults> {
    answers::network(bytes, ImportOptions { layout: Layout::AsFile, ..ImportOptions::default() })
}

/// All that is written: cases of which the network is read, layers, PyTorch's words.
fn asked() -> Vec<Asked> {
    let mut folders = files::within(&files::fixtures("cases"), "");
    if let Some(further) = env::var_os("PONTIL_CASES") {
        folders.extend(files::within(Path::new(&further), ""));
    }
    let mut all = Vec::new();
    for case in folders.iter().filter(|folder| folder.join("io.safetensors").exists()).map(|folder| Case::of(folder)) {
        for model in [".safetensors", ".pt", ".onnx"].iter().flat_map(|ending| case.models(ending)) {
            let Ok(network) = case.network(&model) else { continue };
            let name = format!("{}/{}", case.name(), model.file_name().unwrap().to_string_lossy());
            all.push(Asked { name, network, inputs: case.inputs() });
        }
    }
    for path in files::within(&files::fixtures("layers"), "json") {
        all.extend(layer::cases(&path).into_iter().filter_map(|case| {
            let name = format!("{}/{}", case.word, case.name);
            case.network().ok().map(|network| Asked { name, network, inputs: case.inputs })
        }));
    }
    for path in files::within(&files::fixtures("torch"), "json") {
        all.extend(torch::cases(&path).into_iter().filter_map(|case| {
            let (name, inputs) = (format!("{}/{}", files::stem(&path), case.name), case.inputs(Layout::AsFile));
            case.network(Layout::AsFile).ok().map(|network| Asked { name, network, inputs })
        }));
    }
    all
}

#[test]
fn networks_are_answered_alike_by_every_reader() {
    let folder = tempfile::tempdir().unwrap();
    let (mut written, mut refused, mut failed) = (0, Vec::new(), Vec::new());
    for Asked { name, network, inputs } in asked() {
        let Ok(expected) = answers::run(&network, Precision::Exact, &inputs) else { continue };
        let bytes = match saved(&network) {
            Ok(bytes) => bytes,
            Err(faults) => {
                refused.push(format!("{name}: {}", faults.text()));
                continue;
            }
        };
        if let Err(failure) = again(&bytes, &inputs, &expected) {
            failed.push(format!("{name}: {failure}"));
        }
        keep(folder.path(), written, &name, &bytes, &inputs, &expected);
        written += 1;
    }
    println!("{written} written, {} refused:\n{}", refused.len(), refused.join("\n"));
    let failed = || assert!(failed.is_empty(), "\n{} read again otherwise:\n{}\n", failed.len(), failed.join("\n"));
    assert!(written >= 1400 && refused.is_empty(), "only {written} written");
    let Some(python) = env::var_os("PONTIL_PYTHON") else {
        println!("skipped: PONTIL_PYTHON names no Python with ONNX Runtime");
        return failed();
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/onnx/written.py");
    let ran = Command::new(python).arg(script).arg(folder.path()).arg(APART.to_string()).output().unwrap();
    println!("{}", String::from_utf8_lossy(&ran.stdout));
    assert!(ran.status.success(), "{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    failed();
}

/// The file read by the library itself.
fn again(bytes: &[u8], inputs: &[Tensor], expected: &[Answer]) -> Result<(), String> {
    let network = read(bytes).map_err(|faults| faults.text())?;
    let answers = answers::run(&network, Precision::Standard, inputs)?;
    if answers.len() != expected.len() {
        return Err(format!("{} outputs instead of {}", answers.len(), expected.len()));
    }
    for (answer, expected) in answers.iter().zip(expected) {
        let expected = tensor(expected);
        let distance = answers::distance(answer, &expected)?;
        if distance > APART * answers::largest(&expected).max(1.0) {
            return Err(format!("{distance:.2e} apart"));
        }
    }
    Ok(())
}

fn tensor(answer: &Answer) -> Tensor {
    Tensor::filled_f32(answer.shape.clone(), |to| to.copy_from_slice(&answer.numbers)).unwrap()
}

/// Puts a file with what it is asked, and what it is to answer, into a folder.
fn keep(folder: &Path, number: usize, name: &str, bytes: &[u8], inputs: &[Tensor], expected: &[Answer]) {
    fs::write(folder.join(format!("{number}.onnx")), bytes).unwrap();
    let expected: Vec<Tensor> = expected.iter().map(tensor).collect();
    let named = |what: &'static str, all: &[Tensor]| {
        all.iter().enumerate().map(|(at, one)| (format!("{what}.{at}"), one.clone())).collect::<Vec<_>>()
    };
    let all = [named("input", inputs), named("output", &expected)].concat();
    let views = all.iter().map(|(name, tensor)| {
        let dtype = match tensor.dtype() {
            DType::I64 => Dtype::I64,
            DType::I32 => Dtype::I32,
            _ => Dtype::F32,
        };
        (name, TensorView::new(dtype, tensor.shape().to_vec(), tensor.packed_bytes().unwrap()).unwrap())
    });
    let note = [("name".to_owned(), name.to_owned())];
    let bytes = safetensors::serialize(views, Some(note.into_iter().collect())).unwrap();
    fs::write(folder.join(format!("{number}.safetensors")), bytes).unwrap();
}

/// A network of one dense layer, with its numbers.
fn small() -> Network {
    let text = br#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":3}]}"#;
    let description = pontil::describe::parse(text, &Limits::default(), &mut Faults::default()).unwrap();
    let entry = |path: &str, shape: &[usize]| Entry {
        path: path.into(),
        tensor: Tensor::filled_f32(shape.to_vec(), |to| to.fill(0.5)).unwrap(),
        place: path.into(),
        offset: None,
    };
    let entries = [entry("0.weight", &[2, 3]), entry("0.bias", &[3])];
    Network::build(&description, &entries, &Limits::default(), &mut Faults::default()).unwrap()
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    fs::write(&path, "old").unwrap();
    let told = std::sync::Arc::new(|done: u64, total: u64| done == total);
    let stop = Progress { cancel: None, tell: Some(told) };
    let refused = save::onnx(&small(), &[], Target::Path(&path), &stop, &mut Faults::default());
    assert_eq!(refused, Err(Refused(Code::Stopped)));
    assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"old".to_vec(), 1));
    save::onnx(&small(), &[], Target::Path(&path), &Progress::default(), &mut Faults::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), saved(&small()).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let again = read(&fs::read(&path).unwrap()).unwrap();
    let paths: Vec<String> = again.graph().slots.iter().map(|slot| slot.path.clone()).collect();
    assert_eq!(paths, ["0.weight", "0.bias"]);
}

#[test]
fn every_layer_that_can_not_be_written_is_named() {
    let text = br#"{"kind":"graph","inputs":[{"name":"x","shape":[null,2]}],"layers":[
        {"kind":"adaptiveAvgPool1d","length":3,"name":"places"},
        {"kind":"relu","name":"between"},
        {"kind":"avgpool1d","length":2,"divisor":"window","ceil":true,"name":"window","from":["x"]}],
        "outputs":["between","window"]}"#;
    let description = pontil::describe::parse(text, &Limits::default(), &mut Faults::default()).unwrap();
    let network = Network::zeroed(&description, &Limits::default(), &mut Faults::default()).unwrap();
    let faults = saved(&network).unwrap_err();
    let named: Vec<(Code, &str)> =
        faults.iter().map(|fault| (fault.code, fault.path.as_str().unwrap_or_default())).collect();
    assert_eq!(named, [(Code::Unsupported, "places"), (Code::Unsupported, "window")], "{}", faults.text());
}
