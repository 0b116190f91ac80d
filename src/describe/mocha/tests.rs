//! Order and connections, held to the reference; settings and their faults.

use super::topology::{Wire, sorted, trainable};
use super::{Net, Shapes};
use crate::describe::{parse, print};
use crate::faults::{Code, Faults};
use crate::limits::Limits;
use serde_json::Value;

fn case(id: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/mocha/cases.json");
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    whole["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap().clone()
}

fn wires(net: &Value) -> Vec<Wire<'_>> {
    let names = |value: &'_ Value| -> Vec<String> {
        value
            .as_array()
            .map(|list| list.iter().map(|name| name.as_str().unwrap().to_owned()).collect())
            .unwrap_or_default()
    };
    let leaked = |names: Vec<String>| -> Vec<&'static str> { names.into_iter().map(|name| &*name.leak()).collect() };
    let layers = net.as_array().unwrap().iter();
    let flag = |layer: &Value, key: &str| layer[key].as_bool().unwrap_or(false);
    layers
        .map(|layer| Wire {
            name: layer["name"].as_str().unwrap(),
            bottoms: leaked(names(&layer["bottoms"])),
            tops: leaked(names(&layer["tops"])),
            in_place: flag(layer, "inplace"),
            sink: flag(layer, "sink"),
            back: flag(layer, "bp"),
            parameters: flag(layer, "param"),
            ..Wire::default()
        })
        .collect()
}

#[test]
fn order_is_that_of_the_reference() {
    let case = case("topological_sort");
    let nets = case["params"]["nets"].as_object().unwrap();
    assert_eq!(nets.len(), 5);
    for (name, net) in nets {
        let wires = wires(net);
        let mut faults = Faults::default();
        let order = sorted(&wires, &[], &mut faults);
        match &case["expected"][name] {
            Value::Array(names) => {
                let order: Vec<&str> = order.iter().map(|&place| wires[place].name).collect();
                assert_eq!(Value::from(order), Value::from(names.clone()), "{name}");
                assert!(faults.is_empty());
            }
            _ => assert_eq!(faults.len(), 1, "{name}: {}", faults.text()),
        }
    }
}

#[test]
fn training_is_refused_where_the_reference_refuses_it() {
    let case = case("bp_topology");
    for (name, net) in case["params"]["nets"].as_object().unwrap() {
        let mut faults = Faults::default();
        trainable(&wires(net), &mut faults);
        let text = faults.text();
        match case["expected"][name].as_str().unwrap() {
            "ok" => assert!(faults.is_empty(), "{name}: {text}"),
            says if says.contains("twice") => assert!(text.contains("SplitLayer"), "{name}: {text}"),
            _ => assert!(text.contains("does not lead to a loss"), "{name}: {text}"),
        }
    }
}

fn net(layers: &str, inputs: &str) -> Result<Net, (String, Vec<Code>)> {
    let text = format!(r#"{{"style":"mocha","inputs":[{inputs}],"layers":[{layers}]}}"#);
    let mut faults = Faults::default();
    let net = parse(text.as_bytes(), &Limits::default(), &mut faults)
        .inspect(|description| {
            assert_eq!(
                parse(print(description).as_bytes(), &Limits::default(), &mut Faults::default()).unwrap(),
                *description
            )
        })
        .and_then(|description| Net::of(&description, &mut faults));
    let net = net.and_then(|net| net.shapes(2, &Shapes::new(), &mut faults).map(|_| net));
    net.map_err(|_| (faults.text(), faults.iter().map(|fault| fault.code).collect()))
}

const DATA: &str = r#"{"name":"data","shape":[1,8,8]}"#;

#[test]
fn faults_name_layer_and_blob() {
    let ring = r#"{"kind":"IdentityLayer","name":"a","bottoms":["q"],"tops":["p"]},
                  {"kind":"PowerLayer","name":"b","bottoms":["p"],"tops":["q"]}"#;
    let twice = r#"{"kind":"PowerLayer","name":"one","bottoms":["data"],"tops":["p"]},
                   {"kind":"PowerLayer","name":"two","bottoms":["data"],"tops":["p"]}"#;
    let missing = r#"{"kind":"PowerLayer","name":"one","bottoms":["dat"],"tops":["p"]},
                     {"kind":"PowerLayer","name":"two","bottoms":["dota"],"tops":["q"]}"#;
    let count = r#"{"kind":"ElementWiseLayer","name":"sum","bottoms":["data"],"tops":["p"]}"#;
    let shape = r#"{"kind":"ConvolutionLayer","name":"conv","bottoms":["data"],"tops":["p"],"kernel":[9,9]}"#;
    let word = r#"{"kind":"PolingLayer","name":"pool","bottoms":["data"],"tops":["p"]}"#;
    let setting =
        r#"{"kind":"PoolingLayer","name":"pool","bottoms":["data"],"tops":["p"],"kernal":[2,2],"neuron":"Rilu"}"#;
    let unnamed = r#"{"kind":"InnerProductLayer","bottoms":["data"],"tops":["p"],"output_dim":3}"#;
    let same = r#"{"kind":"InnerProductLayer","name":"ip","bottoms":["data"],"tops":["p"],"output_dim":3},
                  {"kind":"InnerProductLayer","name":"ip","bottoms":["data"],"tops":["q"],"output_dim":3}"#;
    let tied = r#"{"kind":"TiedInnerProductLayer","name":"t","bottoms":["data"],"tops":["p"],"tied_param_key":"none"}"#;
    let wholly =
        r#"{"kind":"PoolingLayer","name":"pool","bottoms":["data"],"tops":["p"],"kernel":[1,1],"stride":[9,9]}"#;
    for (layers, code, count, says) in [
        (ring, Code::Cycle, 1, "b → a"),
        (twice, Code::Connection, 1, "its top p is made by layer one already"),
        (missing, Code::Connection, 2, "its bottom dota is made by no layer"),
        (count, Code::Connection, 1, "layer sum"),
        (shape, Code::LayerShape, 1, "layer conv"),
        (word, Code::Word, 1, "the nearest is PoolingLayer"),
        (setting, Code::Attribute, 2, "kernal"),
        (unnamed, Code::Attribute, 1, "must be written"),
        (same, Code::Connection, 1, "param_key"),
        (tied, Code::LayerShape, 1, "no layer before it"),
        (wholly, Code::LayerShape, 1, "outside of 8"),
    ] {
        let (text, codes) = net(layers, DATA).unwrap_err();
        assert_eq!(codes, vec![code; count], "{text}");
        assert!(text.contains(says), "{text} does not say {says:?}");
    }
}

#[test]
fn listed_and_drawn() {
    let layers = r#"{"kind":"InnerProductLayer","name":"ip","bottoms":["data"],"tops":["p"],"output_dim":3},
                    {"kind":"DropoutLayer","name":"drop \"it\"","bottoms":["p"]}"#;
    let net = net(layers, DATA).unwrap();
    let shaped = net.shapes(2, &Shapes::new(), &mut Faults::default()).unwrap();
    let listing = net.listing(&shaped);
    assert!(listing.contains("has   weight 3x64") && listing.ends_with("2 layers, 195 numbers\n"), "{listing}");
    let dot = net.dot(&shaped);
    assert!(dot.starts_with("digraph network {") && dot.contains("layer0 -> layer1") && dot.contains("style=dashed"));
}
