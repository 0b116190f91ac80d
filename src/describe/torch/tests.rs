//! Lowering as a whole: which layers come out, in which order of axes, and which faults.

use crate::describe::{Description, Graph, Layout, Ports, lower, parse, print};
use crate::faults::{Code, Faults};
use crate::limits::Limits;

fn network(layers: &str) -> Description {
    let text = format!(r#"{{"style":"torch","layers":[{layers}]}}"#);
    parse(text.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap()
}

/// Lowered and checked.
fn lowered(layers: &str, layout: Layout, example: &[usize]) -> Result<Description, Faults> {
    let examples = (!example.is_empty()).then(|| example.to_vec()).into_iter().collect();
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let Ok(lowered) = lower(&network(layers), &Ports { examples, layout }, &limits, &mut faults) else {
        return Err(faults);
    };
    match Graph::of(&lowered, &limits, &mut faults) {
        Ok(_) => Ok(lowered),
        Err(_) => Err(faults),
    }
}

fn words(description: &Description) -> String {
    let words: Vec<&str> = description.layers.iter().map(|layer| layer.kind.as_str()).collect();
    words.join(" ")
}

/// The words of a network that must be right.
fn lowers(layers: &str, layout: Layout, example: &[usize]) -> String {
    words(&lowered(layers, layout, example).unwrap_or_else(|faults| panic!("{layers}: {}", faults.text())))
}

/// The faults of a network that must be refused.
fn refused(layers: &str, example: &[usize]) -> Faults {
    lowered(layers, Layout::AsFile, example).expect_err("this should be refused")
}

const LENET: &str = r#"
    {"id":"0","kind":"Conv2d","module":"0","args":{"in_channels":1,"out_channels":6,"kernel_size":5,"padding":2}},
    {"id":"1","kind":"Tanh","module":"1"},
    {"id":"2","kind":"AvgPool2d","module":"2","args":{"kernel_size":2}},
    {"id":"3","kind":"Conv2d","module":"3","args":{"in_channels":6,"out_channels":16,"kernel_size":5}},
    {"id":"4","kind":"Tanh","module":"4"},
    {"id":"5","kind":"AvgPool2d","module":"5","args":{"kernel_size":2}},
    {"id":"6","kind":"Flatten","module":"6"},
    {"id":"7","kind":"Linear","module":"7","args":{"in_features":400,"out_features":10}}"#;

#[test]
fn images_are_turned_at_the_port_and_before_the_flatten_alone() {
    let core = "conv2d tanh avgpool2d conv2d tanh avgpool2d permute flatten dense";
    assert_eq!(lowers(LENET, Layout::AsFile, &[1, 28, 28]), format!("permute {core}"));
    assert_eq!(lowers(LENET, Layout::ChannelsFirst, &[]), format!("permute {core}"));
    assert_eq!(lowers(LENET, Layout::ChannelsLast, &[28, 28, 1]), core);
    let last = lowered(LENET, Layout::ChannelsLast, &[28, 28, 1]).unwrap();
    assert_eq!(last.inputs[0].shape, Some(vec![Some(28), Some(28), Some(1)]));
    let unknown = lowered(LENET, Layout::AsFile, &[]).unwrap();
    assert_eq!(unknown.inputs[0].shape, Some(vec![Some(1), None, None]));
    let text = print(&last);
    assert_eq!(parse(text.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap(), last);
}

#[test]
fn a_residual_block_stays_channels_last() {
    let block = r#"
        {"id":"a","kind":"Conv2d","module":"m.a","args":{"in_channels":3,"out_channels":4,"kernel_size":1}},
        {"id":"b","kind":"BatchNorm2d","module":"m.b","args":{"num_features":4}},
        {"id":"c","kind":"add","inputs":["a","b"]},
        {"id":"d","kind":"relu"},
        {"id":"e","kind":"mean","args":{"dim":[2,3]}},
        {"id":"f","kind":"softmax","args":{"dim":1}}"#;
    assert_eq!(lowers(block, Layout::AsFile, &[]), "permute conv2d batchNorm add relu mean softmax");
    let lowered = lowered(block, Layout::AsFile, &[]).unwrap();
    assert_eq!(lowered.layers[1].slots.as_deref(), Some("m.a"));
    assert_eq!(lowered.layers[0].name, "a.permute");
    assert!(lowered.layers.iter().all(|layer| layer.kind != "permute" || layer.slots.is_none()));
}

#[test]
fn outputs_come_in_the_hosts_order() {
    let one = r#"{"id":"a","kind":"Conv1d","args":{"in_channels":3,"out_channels":4,"kernel_size":1}}"#;
    assert_eq!(lowers(one, Layout::AsFile, &[3, 9]), "permute conv1d permute");
    assert_eq!(lowers(one, Layout::ChannelsLast, &[9, 3]), "conv1d");
    let width = r#"{"id":"a","kind":"Conv1d","args":{"in_channels":3,"out_channels":4,"kernel_size":1}},
        {"id":"b","kind":"LayerNorm","args":{"normalized_shape":9}}"#;
    assert_eq!(lowers(width, Layout::AsFile, &[3, 9]), "permute conv1d permute layerNorm");
    assert_eq!(lowers(width, Layout::ChannelsLast, &[9, 3]), "conv1d permute layerNorm permute");
    let one = r#"{"id":"a","kind":"Linear","args":{"in_features":3,"out_features":4}}"#;
    for layout in [Layout::AsFile, Layout::ChannelsLast] {
        assert_eq!(lowers(one, layout, &[9, 3]), "dense");
    }
}

#[test]
fn two_readers_share_a_permute_and_a_module_its_slots() {
    let two = r#"
        {"id":"a","kind":"Conv2d","module":"m","args":{"in_channels":3,"out_channels":3,"kernel_size":1}},
        {"id":"b","kind":"Conv2d","module":"m","args":{"in_channels":3,"out_channels":3,"kernel_size":1},"inputs":["input"]},
        {"id":"c","kind":"cat","args":{"dim":1},"inputs":["a","b"]}"#;
    assert_eq!(lowers(two, Layout::AsFile, &[]), "permute conv2d conv2d concat permute");
    let lowered = lowered(two, Layout::AsFile, &[]).unwrap();
    let graph = Graph::of(&lowered, &Limits::default(), &mut Faults::default()).unwrap();
    let slots: Vec<&str> = graph.slots.iter().map(|slot| slot.path.as_str()).collect();
    assert_eq!(slots, ["m.weight", "m.bias"]);
}

#[test]
fn arguments_are_judged_at_their_places_all_at_once() {
    let text = "{\"style\":\"torch\",\"layers\":[\n\
        {\"id\":\"0\",\"kind\":\"Linear\",\"args\":{\"in_features\":2.5,\"bias\":1,\n \"sparse\":true}},\n\
        {\"id\":\"1\",\"kind\":\"GRU\",\"args\":{\"input_size\":4,\"hidden_size\":6}},\n\
        {\"id\":\"2\",\"kind\":\"Conv2D\"},\n\
        {\"id\":\"3\",\"kind\":\"BatchNorm1d\",\"args\":{\"num_features\":4,\"track_running_stats\":false}}]}";
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let description = parse(text.as_bytes(), &limits, &mut faults).unwrap();
    lower(&description, &Ports::default(), &limits, &mut faults).unwrap_err();
    let said: Vec<(Code, &str)> = faults.iter().map(|fault| (fault.code, fault.message.as_str())).collect();
    let begins = [
        (Code::Attribute, "line 2, column 35: layer 0 (Linear): argument \"in_features\" wants a whole number from 1"),
        (Code::Attribute, "line 2, column 1: layer 0 (Linear): argument \"out_features\" is missing"),
        (Code::Attribute, "line 2, column 53: layer 0 (Linear): argument \"bias\" wants true or false"),
        (Code::Attribute, "line 3, column 2: layer 0 (Linear): argument \"sparse\" is unknown"),
        (Code::Unsupported, "line 4, column 1: layer 1 (GRU): PyTorch has this class"),
        (Code::Word, "line 5, column 1: layer 2 (Conv2D): no class of torch.nn"),
        (Code::Attribute, "line 6, column 57: layer 3 (BatchNorm1d): argument \"track_running_stats\" is false"),
    ];
    assert_eq!(said.len(), begins.len(), "{}", faults.text());
    for (begin, said) in begins.iter().zip(&said) {
        assert_eq!(begin.0, said.0, "{}", said.1);
        assert!(said.1.starts_with(begin.1), "{} / {}", said.1, begin.1);
    }
    assert!(said[5].1.contains("nearest is Conv2d"), "{}", said[5].1);
}

#[test]
fn the_batch_is_never_mixed() {
    for layer in [
        r#""kind":"softmax","args":{"dim":0}"#,
        r#""kind":"mean","args":{"dim":0}"#,
        r#""kind":"mean""#,
        r#""kind":"flatten","args":{"start_dim":0}"#,
        r#""kind":"permute","args":{"dims":[1,0,2]}"#,
        r#""kind":"select","args":{"dim":-3,"index":0}"#,
        r#""kind":"cat","args":{"dim":0},"inputs":["input","input"]"#,
        r#""kind":"squeeze""#,
        r#""kind":"unsqueeze","args":{"dim":0}"#,
        r#""kind":"BatchNorm1d","args":{"num_features":3,"track_running_stats":false}"#,
    ] {
        let faults = refused(&format!(r#"{{"id":"a",{layer}}}"#), &[3, 4]);
        assert_eq!(faults.len(), 1, "{layer}: {}", faults.text());
    }
    let lower_rank = r#"
        {"id":"a","kind":"mean","args":{"dim":-1}},
        {"id":"b","kind":"add","inputs":["input","a"]}"#;
    assert_eq!(refused(lower_rank, &[3, 4]).iter().next().unwrap().code, Code::LayerShape);
}

#[test]
fn connections_lead_backwards_to_one_name() {
    for layers in [
        r#"{"id":"a","kind":"relu","inputs":["b"]},{"id":"b","kind":"relu"}"#,
        r#"{"id":"a","kind":"relu"},{"id":"a","kind":"relu"}"#,
        r#"{"id":"input","kind":"relu"}"#,
        r#"{"id":"a","kind":"relu","inputs":["input","input"]}"#,
        r#"{"id":"a","kind":"max2"}"#,
    ] {
        let faults = refused(layers, &[3]);
        assert!(faults.iter().all(|fault| fault.code == Code::Connection), "{layers}: {}", faults.text());
    }
    let two = r#"{"id":"a","kind":"add","inputs":["input","input.1"]}"#;
    let lowered = lowered(two, Layout::AsFile, &[3]).unwrap();
    let names: Vec<&str> = lowered.inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["input", "input.1"]);
}

#[test]
fn a_refused_layer_is_not_blamed_twice() {
    let faults = refused(r#"{"id":"a","kind":"LSTM"},{"id":"b","kind":"Flatten"},{"id":"c","kind":"relu"}"#, &[3]);
    assert_eq!(faults.len(), 1);
}

#[test]
fn what_is_not_known_of_an_input_follows_from_its_readers() {
    let two = r#"
        {"id":"a","kind":"cat","args":{"dim":1},"inputs":["input","input.1"]},
        {"id":"b","kind":"Conv1d","args":{"in_channels":5,"out_channels":1,"kernel_size":1}}"#;
    let lowered = lowered(two, Layout::ChannelsLast, &[9, 3]).unwrap();
    assert_eq!(words(&lowered), "concat conv1d");
    assert_eq!(lowered.inputs[1].shape, Some(vec![None, None]));
    let late = r#"
        {"id":"a","kind":"flatten"},
        {"id":"b","kind":"Conv1d","args":{"in_channels":5,"out_channels":1,"kernel_size":1},"inputs":["input"]}"#;
    assert_eq!(lowers(late, Layout::ChannelsLast, &[]), "permute flatten conv1d");
}

#[test]
fn an_epsilon_of_nought_is_pytorchs_to_choose() {
    let norm = r#"{"id":"0","kind":"LayerNorm","module":"0","args":{"normalized_shape":[3],"eps":0}}"#;
    assert_eq!(lowers(norm, Layout::AsFile, &[3]), "layerNorm");
}
