//! Files of Mocha and Caffe: models, snapshots, statistics.

use crate::{
    case::{Case, blob, case, near, tensor},
    support::files::fixtures,
    whole::tiny,
};
use pontil::{
    describe::{self, Description, Layout, mocha::Net},
    faults::{Code, Faults},
    import::{Import, ImportOptions},
    limits::Limits,
    mocha::{Blob, Draws, Element, Evaluation},
    network::{Entry, Network},
    plan::Precision,
    source::Source,
    tensor::DType,
};
use serde_json::json;

/// The tiny network of the training case, in words.
fn words() -> Description {
    let text =
        json!({ "style": "mocha", "inputs": [{ "name": "data", "shape": [1, 6, 6] }], "layers": tiny() }).to_string();
    describe::parse(text.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap()
}

fn open(file: &str, network: Option<&Description>, faults: &mut Faults) -> Result<Import, String> {
    let path = fixtures("mocha").join(file);
    let options = ImportOptions { network, layout: Layout::AsFile, ..ImportOptions::default() };
    let import =
        Source::path(&path, &Limits::default(), faults).and_then(|source| Import::open(&source, options, faults));
    import.map_err(|_| faults.text())
}

fn numbers(import: &Import) -> Vec<Entry> {
    import.numbers(&mut Faults::default()).unwrap()
}

/// What the tiny network of a file says of the training case's data, in a session.
fn in_session(network: &Network) -> Result<Blob, String> {
    let data = tensor(&case("train_tiny_lenet").input("data"), DType::F32);
    let answer = crate::support::answers::run(network, Precision::Exact, &[data])?.remove(0);
    Ok(Blob::new(answer.shape, answer.numbers.into_iter().map(f64::from).collect()).unwrap())
}

/// The network of a file, and the warnings it was read with.
fn network(file: &str) -> Result<(Network, Faults), String> {
    let mut faults = Faults::default();
    let words = words();
    let import = open(file, Some(&words), &mut faults)?;
    let network = import.network(&mut faults).map_err(|_| faults.text())?;
    Ok((network, faults))
}

/// The answer of the tiny network with the numbers of a file: in a session and evaluated in double precision.
fn answered(file: &str, should: &Blob) -> Result<Faults, String> {
    let (network, faults) = network(file)?;
    near(&in_session(&network)?, should, 1e-5)?;
    let mut said = Faults::default();
    let import = open(file, None, &mut said)?;
    let net = Net::of(&words(), &mut said).map_err(|_| said.text())?;
    let mut evaluation = Evaluation::new(net, &numbers(&import), Element::Double, &Limits::default(), &mut said)
        .map_err(|_| said.text())?;
    let given = [("data".to_owned(), case("train_tiny_lenet").input("data"))];
    evaluation.forward(given.into(), &Draws::default(), &mut said).map_err(|_| said.text())?;
    near(evaluation.blob("ip2").unwrap(), should, 1e-5)?;
    Ok(faults)
}

pub fn models(case: &Case) -> Result<(), String> {
    let should = case.expected("forward_ip2_output");
    for file in ["files/model_nd.hdf5", "files/model_caffe_legacy4d.hdf5"] {
        let faults = answered(file, &should).map_err(|why| format!("{file}: {why}"))?;
        assert!(faults.is_empty(), "{}", faults.text());
    }
    let (_, faults) = network("files/model_no_bias.hdf5")?;
    let missing = faults.iter().filter(|fault| fault.code == Code::SlotMissing).count();
    let rounded = faults.iter().filter(|fault| fault.code == Code::SlotDtype).count();
    assert_eq!((missing, rounded, faults.len()), (3, 3, 6), "{}", faults.text());
    match network("files/model_bad_transposed.hdf5") {
        Err(says) if says.contains("layer ip1") && says.contains("transpose would fit") => Ok(()),
        Err(says) => Err(says),
        Ok(_) => Err("the transposed weight is read".into()),
    }
}

pub fn snapshot(case: &Case) -> Result<(), String> {
    let file = case.0["params"]["file"].as_str().unwrap();
    let faults = answered(file, &case.expected("forward_ip2_output"))?;
    assert!(faults.is_empty(), "{}", faults.text());
    let mut faults = Faults::default();
    let import = open(file, None, &mut faults)?;
    assert_eq!(import.format(), "mocha-snapshot");
    for (key, should) in case.0["expected"]["solver_state"].as_object().unwrap() {
        let named = |note: &&(pontil::faults::Text, pontil::faults::Text)| note.0 == *format!("solver.{key}");
        let (_, value) = import.notes().iter().find(named).ok_or(format!("no {key} in {:?}", import.notes()))?;
        let value: f64 = value.as_str().unwrap().parse().unwrap();
        assert_eq!(Some(value), should.as_f64(), "{key}");
    }
    Ok(())
}

pub fn statistics(case: &Case) -> Result<(), String> {
    let mut faults = Faults::default();
    let import = open(case.0["params"]["file"].as_str().unwrap(), None, &mut faults)?;
    let read = numbers(&import);
    let of = |path: &str| Blob::of(&read.iter().find(|entry| entry.path == *path).unwrap().tensor);
    let values = of("obj_val.values").unwrap();
    for (iteration, should) in case.0["expected"]["statistics"]["obj_val"].as_object().unwrap() {
        let at: usize = iteration.parse().unwrap();
        let distance = (values.numbers[at] - should.as_f64().unwrap()).abs();
        assert!(distance <= case.tolerance(Element::Double), "{iteration}: {distance:.2e} off");
    }
    assert_eq!(import.entries()[0].shape, [values.numbers.len()]);
    Ok(())
}

#[test]
fn caffe_of_three_generations() {
    let should = blob(&case("hdf5_model_import").0["expected"]["forward_ip2_output"]);
    for file in ["caffe/new.caffemodel", "caffe/old.caffemodel", "caffe/oldest.caffemodel"] {
        let faults = answered(file, &should).unwrap_or_else(|why| panic!("{file}: {why}"));
        assert!(faults.is_empty(), "{file}: {}", faults.text());
    }
    for file in ["caffe/cut.caffemodel", "caffe/hostile.caffemodel"] {
        let mut faults = Faults::default();
        let says = open(file, None, &mut faults).err().unwrap_or_else(|| panic!("{file} is read"));
        assert!(!says.contains("no format"), "{file}: {says}");
    }
}

#[test]
fn a_square_weight_is_read_with_a_warning() {
    let layers =
        [json!({ "kind": "InnerProductLayer", "name": "ip", "bottoms": ["x"], "tops": ["y"], "output_dim": 3 })];
    let text = json!({ "style": "mocha", "inputs": [{ "name": "x", "shape": [3] }], "layers": layers }).to_string();
    let mut faults = Faults::default();
    let words = describe::parse(text.as_bytes(), &Limits::default(), &mut faults).unwrap();
    let net = Net::of(&words, &mut faults).unwrap();
    let blob = |shape: &[usize]| tensor(&Blob::noughts(shape).unwrap(), DType::F32);
    let entry = |path: &str, shape: &[usize]| Entry {
        path: path.into(),
        tensor: blob(shape),
        place: Default::default(),
        offset: None,
    };
    let entries = [entry("ip.weight", &[3, 3]), entry("ip.bias", &[1, 1, 1, 3]), entry("other.weight", &[7])];
    assert!(
        Evaluation::new(net, &entries, Element::Single, &Limits::default(), &mut faults).is_ok(),
        "{}",
        faults.text()
    );
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::SlotLayout], "{}", faults.text());
}

#[test]
fn a_model_goes_out_and_comes_back() {
    let (network, _) = network("files/model_nd.hdf5").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.hdf5");
    let mut faults = Faults::default();
    let target = pontil::save::Target::Path(&path);
    pontil::save::mocha(&network, target, &Default::default(), &mut faults)
        .unwrap_or_else(|_| panic!("{}", faults.text()));
    let (before, after) = (open("files/model_nd.hdf5", None, &mut faults).unwrap(), {
        let source = Source::path(&path, &Limits::default(), &mut faults).unwrap();
        Import::open(&source, ImportOptions::default(), &mut faults).unwrap()
    });
    assert_eq!(after.format(), "mocha");
    let (before, after) = (numbers(&before), numbers(&after));
    assert_eq!(before.len(), 6);
    for entry in &before {
        let same = after.iter().find(|other| other.path == entry.path && other.place == entry.place).unwrap();
        assert_eq!(same.tensor.shape(), entry.tensor.shape());
        assert_eq!(same.tensor.packed_bytes(), entry.tensor.packed_bytes(), "{:?}", entry.path);
    }
}
