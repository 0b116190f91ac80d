//! `pontil convert`, and what `pontil inspect` says of sets.

use crate::support::*;
use serde_json::json;
use std::fs;

fn sample(name: &str) -> String {
    format!("{}/fixtures/julia/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Names, types and shapes of the tensors of a file.
fn listed(file: &str) -> Vec<(String, String, serde_json::Value)> {
    let json = good_json(&["inspect", file]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let tensors = json["tensors"].as_array().unwrap().iter();
    tensors.map(|tensor| (text(&tensor["name"]), text(&tensor["dtype"]), tensor["shape"].clone())).collect()
}

#[test]
fn safetensors_to_julia_and_back() {
    let folder = Folder::new();
    let (set, again) = (folder.path("set.h5"), folder.path("again.safetensors"));
    let model = demo("model.safetensors");
    good(&["convert", &model, &set]);
    let julia = listed(&set);
    assert!(julia.contains(&("0.weight".into(), "F32".into(), json!([14, 16]))), "{julia:?}");
    good(&["convert", &set, &again]);
    let mut names = listed(&again);
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let mut wanted = listed(&model);
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(names, wanted);
    good(&["convert", &model, &set, "--split-names", "--keep-bytes"]);
    let nested = good_json(&["inspect", &set]);
    assert_eq!(nested["branches"][1], json!({"path": "/0", "kind": "a named branch", "type": null}));
    assert!(listed(&set).contains(&("0.weight".into(), "F32".into(), json!([16, 14]))));
}

#[test]
fn sets_come_back_byte_for_byte() {
    let folder = Folder::new();
    for name in ["nnp_go_family", "nnp_scalar_empty_tuple", "nnp_nested_tuples", "nnp_float16", "nnp_unregistered"] {
        let sample = sample(&format!("{name}.h5"));
        let (flat, once, twice) = (folder.path("flat.safetensors"), folder.path("once.h5"), folder.path("twice.h5"));
        good(&["convert", &sample, &once]);
        good(&["convert", &once, &flat]);
        good(&["convert", &flat, &twice]);
        assert_eq!(fs::read(&once).unwrap(), fs::read(&twice).unwrap(), "{name}");
    }
}

#[test]
fn a_network_becomes_onnx() {
    let folder = Folder::new();
    let (model, network, onnx) = (demo("model.safetensors"), demo("network.json"), folder.path("model.onnx"));
    let rows = demo("io.safetensors");
    let said = good_json(&["convert", &model, &onnx, "--network", &network]);
    assert_eq!((&said["layers"], &said["from_format"]), (&json!(3), &json!("safetensors")));
    let answers =
        |arguments: &[&str]| good_json(&[&["predict"], arguments, &["--input", &rows]].concat())["outputs"].clone();
    assert_eq!(answers(&[&onnx]), answers(&[&model, "--network", &network]));
}

#[test]
fn inspect_shows_sets() {
    let text = good(&["inspect", &sample("nnp_go_family.h5")]);
    for word in ["format: julia", "a parameter set", "of the type SymmetricMatrix", "L1.plain"] {
        assert!(text.contains(word), "{text}");
    }
    let faults = refused(2, &["check", &sample("nnp_unregistered.h5")]);
    assert_eq!(faults[0]["name"], "set.type");
}

#[test]
fn what_can_not_be_converted_is_refused() {
    let folder = Folder::new();
    let model = demo("model.safetensors");
    refused(1, &["convert", &model, &folder.path("model.gguf")]);
    refused(1, &["convert", &model, &folder.path("x.h5"), "--network", &demo("network.json")]);
    refused(2, &["convert", &sample("bad_missing_member.h5"), &folder.path("x.safetensors")]);
    refused(2, &["convert", &sample("nnp_two_eltypes.h5"), &folder.path("x.safetensors")]);
    assert_eq!(folder.names(), [""; 0]);
}
