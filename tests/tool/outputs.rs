//! What `predict` gives: answers as text, JSON and files, under each option.

use crate::support::*;
use serde_json::json;
use std::fs;

#[test]
fn predicts_what_pytorch_answers() {
    let (_, made) = answers();
    let (_, theirs) = tensor(&demo("io.safetensors"), "output");
    assert_eq!(made.len(), 135);
    for (ours, theirs) in made.iter().zip(theirs) {
        assert!((ours - theirs).abs() <= 1e-6 * theirs.abs().max(1.0), "{ours} {theirs}");
    }
}

#[test]
fn prints_json() {
    let (_, made) = answers();
    let json = good_json(&predict(&demo("io.safetensors"), &[]));
    let output = &json["outputs"][0];
    assert_eq!((&output["name"], &output["shape"]), (&json!("output"), &json!([135, 1])));
    let values = output["values"].as_array().unwrap();
    assert!(values.iter().zip(&made).all(|(value, made)| value.as_f64().unwrap() as f32 == *made));
    assert!(values.iter().all(|value| value.to_string().len() < 15), "shortest singles");
}

#[test]
fn every_kind_of_output_holds_the_same() {
    let folder = Folder::new();
    let (_, made) = answers();
    let io = demo("io.safetensors");
    let out = folder.path("out.safetensors");
    let text = good(&predict(&io, &["--output", &out]));
    assert!(text.contains("output 135x1"), "{text}");
    assert_eq!(tensor(&out, "output"), (vec![135, 1], made.clone()));
    let out = folder.path("out.csv");
    let json = good_json(&predict(&io, &["--output", &out]));
    assert_eq!((&json["outputs"][0]["shape"], json["outputs"][0].get("values")), (&json!([135, 1]), None));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.ends_with('\n'));
    let rows: Vec<f32> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(rows, made);
    let out = folder.path("out.npy");
    good(&predict(&io, &["--output", &out]));
    assert!(fs::read(&out).unwrap().ends_with(&singles(&made)));
    assert_eq!(folder.names(), ["out.csv", "out.npy", "out.safetensors"]);
}

#[test]
fn options_of_a_run_change_no_bits_but_the_precision() {
    let folder = Folder::new();
    let (input, made) = answers();
    let many: Vec<f32> = input.iter().copied().cycle().take(14 * 1000).collect();
    let file = folder.file("many.npy", npy("<f4", false, "(1000, 14)", &singles(&many)));
    let found: Vec<f32> =
        good(&predict(&file, &["--threads", "2"])).lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, made.iter().copied().cycle().take(1000).collect::<Vec<_>>());
    assert_eq!(good(&predict(&file, &["--precision", "exact"])).lines().count(), 1000);
    let none = folder.file("none.npy", npy("<f4", false, "(0, 14)", &[]));
    assert_eq!(good_json(&predict(&none, &[]))["outputs"][0]["shape"], json!([0, 1]));
}

#[test]
fn a_loss_says_what_it_does() {
    let io = demo("io.safetensors");
    let (_, logits) = answers();
    let (code, out, err) = run(&predict(&io, &["--loss", "binaryCrossEntropy"]));
    assert!(code == 0 && err.contains("sigmoid"), "{err}");
    for (line, logit) in out.lines().zip(logits) {
        let chance = 1.0 / (1.0 + (-f64::from(logit)).exp());
        assert!((line.parse::<f64>().unwrap() - chance).abs() < 1e-6);
    }
    let json = good_json(&predict(&io, &["--loss", "crossEntropy"]));
    assert_eq!((&json["activation"], &json["outputs"][0]["values"][0]), (&json!("softmax"), &json!(1.0)));
    let json = good_json(&predict(&io, &["--loss", "meanSquaredError"]));
    assert_eq!(json["activation"], "identity");
    let folder = Folder::new();
    let network = folder.file("n.json", r#"{"kind":"stack","layers":[{"kind":"sigmoid"}]}"#);
    let empty = folder.file("empty.safetensors", safetensors(&[]));
    let row = folder.file("row.csv", "1,2");
    refused(1, &["predict", &empty, "--network", &network, "--input", &row, "--loss", "binaryCrossEntropy"]);
}

#[test]
fn outputs_that_can_not_be_written() {
    let folder = Folder::new();
    let io = demo("io.safetensors");
    for out in [folder.path("out.txt"), folder.path("none/out.npy"), io.clone(), demo("model.safetensors")] {
        refused(1, &predict(&io, &["--output", &out]));
    }
    assert!(folder.names().is_empty());
}
