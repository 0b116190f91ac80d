//! Command lines, and the commands that do not run on an array.

use crate::support::*;
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

#[test]
fn help_and_bad_command_lines() {
    for command in ["inspect", "check", "predict", "convert", "evaluate", "bench", "words", "demo"] {
        let help = good(&[command, "--help"]);
        assert!(help.contains("Usage: pontil"), "{help}");
        assert!(good(&["--help"]).contains(command));
    }
    assert!(good(&["--version"]).starts_with("pontil "));
    let model = demo("model.safetensors");
    for arguments in [
        &[][..],
        &["nonsense"],
        &["inspect"],
        &["inspect", &model, "--nonsense"],
        &["inspect", &model, "--layout", "sideways"],
        &["inspect", &model, "--example", "3,x"],
        &["inspect", &model, "--flattened", "3,4"],
        &["predict", &model, "--input", "a.csv", "--precision", "great"],
        &["predict", &model, "--input", "a.csv", "--threads", "0"],
        &["inspect", &model, "--loss", "anger"],
        &["inspect", "no such file.safetensors"],
        &["inspect", DEMO],
        &["check", &model, "--network", "no such file.json"],
    ] {
        refused(1, arguments);
    }
}

#[test]
fn tells_the_plan() {
    let (model, network) = (demo("model.safetensors"), demo("network.json"));
    let text = good(&["inspect", &model, "--network", &network, "--plan"]);
    assert!(text.contains("plan: standard precision, ") && text.contains("numbers: "), "{text}");
    let json = good_json(&["inspect", &model, "--network", &network, "--plan", "--precision", "exact"]);
    let steps = json["plan"]["steps"].as_array().unwrap();
    assert!(json["plan"]["precision"] == "exact" && steps.len() == 3 && steps[0]["kernel"] == "dense", "{json}");
}

#[test]
fn measures() {
    let (model, network) = (demo("model.safetensors"), demo("network.json"));
    let known = ["bench", &model, "--network", &network, "--seconds", "0.05", "--batch", "7"];
    let text = good(&known);
    assert!(
        ["load ", "plan ", "p50 ", "p99 ", "batch 7", "peak memory "].iter().all(|word| text.contains(word)),
        "{text}"
    );
    let portable = [&known[..], &["--precision", "exact", "--instruction-set", "portable", "--threads", "2"]].concat();
    let json = good_json(&portable);
    assert_eq!(
        (&json["precision"], &json["threads"], &json["instruction_set"]),
        (&"exact".into(), &2.into(), &"portable".into())
    );
    assert!(json["latency"]["p99_us"].as_f64() >= json["latency"]["p50_us"].as_f64(), "{json}");
    assert!(
        json["throughput"]["examples_per_second"].as_f64() > Some(0.0) && json["load_us"].as_f64() > Some(0.0),
        "{json}"
    );
}

#[test]
fn inspects() {
    let model = demo("model.safetensors");
    let text = good(&["inspect", &model]);
    assert!(text.contains("0.weight") && text.contains("16x14") && text.contains("format = pt"), "{text}");
    let json = good_json(&["inspect", &model]);
    assert_eq!(json["format"], "safetensors");
    assert_eq!(json["tensors"].as_array().unwrap().len(), 4);
    let weight = json["tensors"].as_array().unwrap().iter().find(|tensor| tensor["name"] == "0.weight").unwrap();
    assert_eq!((&weight["dtype"], &weight["shape"], &weight["bytes"]), (&json!("F32"), &json!([16, 14]), &json!(896)));
    assert!(weight["offset"].as_u64().unwrap() > 8);
    assert!(json.get("layers").is_none());
    let json = good_json(&["inspect", &model, "--network", &demo("network.json")]);
    assert_eq!(json["layers"].as_array().unwrap().len(), 3);
    assert_eq!(json["inputs"][0]["shape"], json!([14]));
    assert_eq!(json["outputs"][0]["shape"], json!([1]));
}

#[test]
fn checks() {
    let (model, network) = (demo("model.safetensors"), demo("network.json"));
    let text = good(&["check", &model, "--network", &network]);
    assert!(text.starts_with("OK: ") && text.lines().count() == 1, "{text}");
    let json = good_json(&["check", &model, "--network", &network]);
    assert_eq!((&json["layers"], &json["slots"], &json["numbers"]), (&json!(3), &json!(4), &json!(257)));
    assert_eq!(good_json(&["check", &model])["tensors"], 4);
}

#[test]
fn all_faults_of_a_spoiled_file() {
    let spoiled = demo("spoiled.safetensors");
    let faults = refused(2, &["check", &spoiled, "--network", &demo("network.json")]);
    let names: Vec<&str> = faults.iter().map(|fault| fault["name"].as_str().unwrap()).collect();
    for name in ["slot.shape", "slot.nonfinite", "slot.unknown", "slot.missing"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let (_, _, err) = run(&["check", &spoiled, "--network", &demo("network.json")]);
    assert_eq!(err.lines().count(), faults.len());
}

#[test]
fn refused_files() {
    let folder = Folder::new();
    let model = demo("model.safetensors");
    let bytes = fs::read(&model).unwrap();
    for (name, bytes) in [("empty", &b""[..]), ("cut", &bytes[..100]), ("zip", b"PK\x03\x04xxxx"), ("noise", &[7; 64])]
    {
        for command in ["inspect", "check"] {
            refused(2, &[command, &folder.file(name, bytes)]);
        }
    }
    for (name, text) in [("no.json", "{"), ("word.json", r#"{"style":"torch","layers":[{"id":"0","kind":"Warp"}]}"#)] {
        refused(2, &["check", &model, "--network", &folder.file(name, text)]);
    }
    let bare = folder.file("bare.json", r#"{"layers":[]}"#);
    let message = refused(2, &["check", &model, "--network", &bare])[0]["message"].to_string();
    for part in ["bare.json, line 1, column 1: ", "kind", "style", "torch"] {
        assert!(message.contains(part), "{message}");
    }
    let io = demo("io.safetensors");
    refused(1, &["predict", &model, "--input", &io]);
    let spoiled = demo("spoiled.safetensors");
    let out = folder.path("out.npy");
    refused(2, &["predict", &spoiled, "--network", &demo("network.json"), "--input", &io, "--output", &out]);
    assert!(!Path::new(&out).exists());
}

#[test]
fn words_have_schemas() {
    assert!(good(&["words"]).lines().any(|line| line.starts_with("dense ")));
    let json = good_json(&["words"]);
    for word in json["words"].as_array().unwrap() {
        assert_eq!(word["schema"]["title"], word["name"]);
    }
}

#[test]
fn the_demo() {
    let text = good(&["demo"]);
    assert_eq!(text.lines().position(|line| line.starts_with("135 passengers")), Some(136));
    let closing = text.lines().nth(136).unwrap();
    let ulp: u32 = closing.trim_end_matches(" ulp").rsplit(' ').next().unwrap().parse().unwrap();
    assert!(ulp <= 8, "{closing}");
    let json = good_json(&["demo"]);
    assert_eq!(json["passengers"].as_array().unwrap().len(), 135);
    assert_eq!(json["largest_ulp"], ulp);
    let faults = json["spoiled"]["faults"].as_array().unwrap();
    assert!(faults.len() >= 4);
    assert!(faults.iter().all(|fault| text.contains(fault["message"].as_str().unwrap())));
}

#[test]
fn a_closed_pipe_is_no_mistake() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pontil"))
        .arg("demo")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn tells_a_model_of_keras_as_keras_does() {
    let model = format!("{}/fixtures/cases/keras_titanic/model.keras", env!("CARGO_MANIFEST_DIR"));
    let text = good(&["inspect", &model]);
    for line in [
        "Model: \"sequential\"",
        "dense (Dense)    (None, 16)        240",
        "  Total params: 257",
        "  Non-trainable params: 0",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&good(&["inspect", &model, "--json"])).unwrap();
    assert_eq!(json["summary"]["layers"][1]["params"], 17);
}
