//! What Mocha does otherwise than it should: each is a setting, off unless it is written. And what draws, keeps and shares.

use crate::case::{Bench, layer};
use pontil::{
    faults::Faults,
    mocha::{Blob, Draws, Element, Evaluation},
};
use serde_json::{Value, json};
use std::collections::HashMap;

fn blob(shape: &[usize], numbers: &[f64]) -> Blob {
    Blob::new(shape.to_vec(), numbers.to_vec()).unwrap()
}

/// What a layer makes of one blob.
fn made(kind: &str, settings: Value, x: Blob) -> Vec<f64> {
    let bench = Bench::new(vec![layer(kind, "layer", &["x"], &["y"], settings)]).input("x", x);
    bench.run(Element::Double).unwrap().0.blob("y").unwrap().numbers.clone()
}

#[test]
fn a_power_of_nought() {
    let x = blob(&[1, 2], &[0.0, 4.0]);
    assert_eq!(made("PowerLayer", json!({ "power": 0.5 }), x.clone()), [0.0, 2.0]);
    let quirk = made("PowerLayer", json!({ "power": 0.5, "quotient": true }), x);
    assert!(quirk[0].is_nan() && (quirk[1] - 2.0).abs() < 1e-12, "{quirk:?}");
}

#[test]
fn a_maximum_among_nan() {
    let (nan, lowest) = (f64::NAN, f64::from(f32::MIN));
    let x = blob(&[1, 1, 2, 4], &[1.0, nan, nan, nan, 2.0, 3.0, nan, nan]);
    let settings = json!({ "kernel": [2, 2], "stride": [2, 2] });
    assert!(made("PoolingLayer", settings.clone(), x.clone()).iter().all(|number| number.is_nan()));
    let mut quirk = settings;
    quirk["ignore_nan"] = json!(true);
    assert_eq!(made("PoolingLayer", quirk, x), [3.0, lowest]);
}

#[test]
fn normal_numbers_are_drawn_from_a_seed() {
    let drawn = |seed: u64| {
        let settings = json!({ "output_dims": [20, 5], "batch_sizes": [10] });
        let bench = Bench::new(vec![layer("RandomNormalLayer", "noise", &[], &["y"], settings)]);
        let mut evaluation = bench.evaluation(Element::Single).unwrap();
        evaluation.seed(seed);
        evaluation.forward(HashMap::new(), &Draws::default(), &mut Faults::default()).unwrap();
        evaluation.blob("y").unwrap().clone()
    };
    let numbers = drawn(1);
    assert_eq!(numbers.shape, [10, 5, 20]);
    let mean = numbers.numbers.iter().sum::<f64>() / 1000.0;
    let spread = numbers.numbers.iter().map(|x| x * x).sum::<f64>() / 1000.0;
    assert!(mean.abs() < 0.15 && (spread - 1.0).abs() < 0.2, "mean {mean}, spread {spread}");
    assert_eq!(numbers, drawn(1));
    assert_ne!(numbers, drawn(2));
}

#[test]
fn layers_of_one_key_have_the_same_numbers() {
    let ip = |name, bottom, top| {
        layer("InnerProductLayer", name, &[bottom], &[top], json!({ "output_dim": 2, "param_key": "both" }))
    };
    let bench = Bench::new(vec![ip("first", "x", "a"), ip("second", "x", "b")])
        .input("x", blob(&[1, 2], &[1.0, 2.0]))
        .number("first.weight", blob(&[2, 2], &[9.0; 4]))
        .number("first.bias", blob(&[2], &[9.0; 2]))
        .number("second.weight", blob(&[2, 2], &[1.0, 2.0, 3.0, 4.0]))
        .number("second.bias", blob(&[2], &[0.5, 0.25]));
    let (evaluation, _) = bench.run(Element::Double).unwrap();
    for top in ["a", "b"] {
        assert_eq!(evaluation.blob(top).unwrap().numbers, [5.5, 11.25], "the last of one key counts");
    }
}

fn run_thrice(evaluation: &mut Evaluation) {
    for run in 0..3 {
        let given = [("x".to_owned(), blob(&[2, 1], &[f64::from(run), 0.5]))];
        evaluation.forward(given.into(), &Draws::default(), &mut Faults::default()).unwrap();
    }
}

#[test]
fn outputs_are_kept_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.hdf5");
    let settings = json!({ "filename": file.to_str().unwrap(), "datasets": ["kept"] });
    let layers = |settings: Value| {
        let memory = layer("MemoryOutputLayer", "memory", &["x"], &[], json!({}));
        Bench::new(vec![memory, layer("HDF5OutputLayer", "file", &["x"], &[], settings)])
            .input("x", blob(&[2, 1], &[0.0; 2]))
    };
    let mut evaluation = layers(settings.clone()).evaluation(Element::Single).unwrap();
    run_thrice(&mut evaluation);
    assert_eq!(evaluation.output("memory", "x").len(), 3);
    evaluation.write_outputs(&mut Faults::default()).unwrap();
    evaluation.reset_outputs();
    assert!(evaluation.output("memory", "x").is_empty());

    let list = crate::case::storage(file.to_str().unwrap().as_bytes());
    let list = pontil::source::Source::memory(list);
    let options = pontil::dataset::Options { tops: vec!["kept".into()], batch: 6, ..Default::default() };
    let mut faults = Faults::default();
    let mut set = pontil::dataset::Dataset::open(&list, options, &mut faults).unwrap();
    let batch = set.next(&mut faults).unwrap();
    assert_eq!(Blob::of(&batch.tops[0]).unwrap().numbers, [0.0, 0.5, 1.0, 0.5, 2.0, 0.5]);

    let refused = layers(settings.clone()).evaluation(Element::Single).map(|_| ()).unwrap_err();
    assert!(refused.contains("layer file") && refused.contains("force_overwrite"), "{refused}");
    let mut again = settings;
    again["force_overwrite"] = json!(true);
    assert!(layers(again).evaluation(Element::Single).is_ok());
}

#[test]
fn a_label_that_is_no_class_is_refused_and_changes_nothing() {
    let loss = layer("SoftmaxLossLayer", "loss", &["x", "label"], &[], json!({}));
    let counts = layer("AccuracyLayer", "accuracy", &["x", "label"], &[], json!({}));
    let bench =
        Bench::new(vec![loss, counts]).input("x", blob(&[1, 2], &[1.0, 2.0])).input("label", blob(&[1, 1], &[1.0]));
    let (mut evaluation, _) = bench.run(Element::Double).unwrap();
    let before = evaluation.statistics();
    for label in [2.0, -1.0, f64::NAN] {
        let given = [("x".to_owned(), blob(&[1, 2], &[1.0, 2.0])), ("label".to_owned(), blob(&[1, 1], &[label]))];
        let mut faults = Faults::default();
        assert!(evaluation.forward(given.into(), &Draws::default(), &mut faults).is_err());
        assert!(faults.text().contains("layer loss") && faults.text().contains("2 classes"), "{}", faults.text());
        assert_eq!(evaluation.statistics(), before);
    }
}

#[test]
fn the_networks_of_the_tutorials_have_shapes_and_run_in_a_session_or_say_why_not() {
    use pontil::describe::{self, Graph, Layout, Ports, mocha::Net, mocha::Shapes};
    let limits = pontil::limits::Limits::default();
    let folder = crate::support::files::fixtures("mocha").join("networks");
    let mut count = 0;
    for path in crate::support::files::within(&folder, "json") {
        let text = std::fs::read(&path).unwrap();
        let mut faults = Faults::default();
        let description = describe::parse(&text, &limits, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
        let net = Net::of(&description, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
        let shaped = net.shapes(100, &Shapes::new(), &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
        assert!(net.listing(&shaped).lines().count() > net.layers().len());
        let ports = Ports { examples: Vec::new(), layout: Layout::AsFile };
        let graph = describe::lower(&description, &ports, &limits, &mut faults)
            .and_then(|lowered| Graph::of(&lowered, &limits, &mut faults));
        match path.file_stem().unwrap().to_str().unwrap() {
            "vae" => assert!(graph.is_err() && faults.text().contains("draws numbers"), "{}", faults.text()),
            name => assert!(graph.is_ok(), "{name}: {}", faults.text()),
        }
        count += 1;
    }
    assert_eq!(count, 9);
}
