//! `pontil evaluate`, and models of Mocha written by `pontil convert`.

use crate::support::*;
use serde_json::Value;

fn mocha(name: &str) -> String {
    format!("{}/fixtures/mocha/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn digits_are_recognised_as_by_the_reference_before_and_after_a_model_is_written_anew() {
    let folder = Folder::new();
    let (words, again) = (mocha("networks/lenet.json"), folder.path("again.hdf5"));
    let lists = [
        ["--data", &mocha("lenet/test.txt"), "--folder", &mocha("")].map(str::to_owned).to_vec(),
        ["--data", &mocha("lenet/digits.hdf5")].map(str::to_owned).to_vec(),
    ];
    let model = mocha("lenet/model.hdf5");
    let should: Value = serde_json::from_slice(&std::fs::read(mocha("lenet/answers.json")).unwrap()).unwrap();
    let near = |is: &Value, should: &Value, most: f64| (is.as_f64().unwrap() - should.as_f64().unwrap()).abs() < most;
    good(&["convert", &model, &again, "--format", "mocha", "--network", &words]);
    for (file, list) in [&model, &again].into_iter().zip(&lists) {
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        let said = good_json(&[&["evaluate", file, "--network", &words], list.as_slice()].concat());
        assert_eq!((said["examples"].as_u64(), said["epochs"].as_u64()), (Some(1000), Some(1)));
        assert!(near(&said["statistics"]["test-accuracy-accuracy"], &should["accuracy"], 1e-9), "{said}");
        assert!(near(&said["losses"]["loss"], &should["loss"], 1e-4), "{said}");
    }
}

#[test]
fn what_can_not_be_evaluated_is_refused() {
    let (model, words) = (mocha("lenet/model.hdf5"), mocha("networks/lenet.json"));
    refused(1, &["evaluate", &model, "--network", &demo("network.json")]);
    refused(2, &["evaluate", &model, "--network", &words, "--data", &mocha("files/data_a.hdf5")]);
    refused(
        2,
        &["evaluate", &mocha("files/model_nd.hdf5"), "--network", &words, "--data", &mocha("lenet/digits.hdf5")],
    );
    refused(1, &["evaluate", &model, "--network", &words, "--data", &mocha("no.txt")]);
}
