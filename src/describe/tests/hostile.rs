//! Descriptions that mean no good.

use super::{faults, graph, messages};
use crate::faults::Code;

fn first(text: impl AsRef<[u8]>) -> Code {
    faults(text.as_ref()).iter().next().unwrap().code
}

#[test]
fn texts() {
    for (text, code) in [
        (&b"\xff{}"[..], Code::Encoding),
        (b"", Code::Syntax),
        (b"[]", Code::Key),
        (b"{\"kind\":\"stack\",\"layers\":[],}", Code::Syntax),
        (b"{\"kind\":\"stack\" /* no */,\"layers\":[]}", Code::Syntax),
        (b"{\"kind\":\"stack\",\"layers\":[]} {}", Code::Syntax),
        (b"{\"kind\":\"sta\nck\",\"layers\":[]}", Code::Syntax),
        (b"{\x0b\"kind\":\"stack\",\"layers\":[]}", Code::Syntax),
        (b"\xef\xbb\xbf{\"kind\":\"stack\",\"layers\":[]}", Code::Syntax),
        (b"{'kind':\"stack\",\"layers\":[]}", Code::Syntax),
        (b"{\"kind\":\"sta\\ud800ck\",\"layers\":[]}", Code::Syntax),
        (b"{\"kind\":\"sta\\udc80ck\",\"layers\":[]}", Code::Syntax),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"elu\",\"alpha\":01}]}", Code::Syntax),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"elu\",\"alpha\":NaN}]}", Code::Syntax),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"elu\",\"alpha\":1e999}]}", Code::Key),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"elu\",\"alpha\":9223372036854775808}]}", Code::Key),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"elu\",\"alpha\":{}}]}", Code::Key),
        (b"{\"kind\":\"stack\",\"layers\":[{\"kind\":\"relu\",\"kind\":\"relu\"}]}", Code::Key),
        (b"{\"kind\":\"stack\",\"layers\":[],\"layers\":[]}", Code::Key),
        (b"{\"kind\":\"stack\",\"layer\":[],\"layers\":[]}", Code::Key),
        (b"{\"kind\":\"heap\",\"layers\":[]}", Code::Key),
        (b"{\"kind\":\"graph\",\"layers\":[{\"kind\":\"relu\"}]}", Code::Key),
        (b"{\"kind\":\"code\",\"layers\":[],\"inputs\":[]}", Code::Key),
    ] {
        assert_eq!(first(text), code, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn places_are_told() {
    let told = faults("{\"kind\":\"stack\",\n \"layers\":[\"ü\", }".as_bytes());
    let fault = told.iter().next().unwrap();
    assert_eq!(fault.place, *"line 2, column 17");
    assert!(fault.message.starts_with("line 2, column 17: "), "{}", fault.message);
}

#[test]
fn depth_is_bounded() {
    let stacks = r#"{"kind":"stack","layers":["#.repeat(100_000);
    assert_eq!(first(&stacks), Code::Limit);
    assert_eq!(first("[".repeat(1_000_000)), Code::Limit);
    assert_eq!(first(format!("{}{}", "[".repeat(64), "]".repeat(64))), Code::Key);
}

#[test]
fn entries_are_bounded() {
    let many = format!(r#"{{"kind":"stack","layers":[{}]}}"#, vec![r#"{"kind":"relu"}"#; 600_000].join(","));
    assert_eq!(first(many), Code::Limit);
    let layers = format!(r#"{{"kind":"stack","layers":[{}]}}"#, vec![r#"{"kind":"relu"}"#; 50_001].join(","));
    assert!(messages(&layers).contains("50001 layers, where the limit is 50000"));
    let rank = format!(r#"{{"kind":"stack","layers":[{}]}}"#, vec![r#"{"kind":"unsqueeze","axes":[1]}"#; 20].join(","));
    let rank = rank.replacen("\"layers\"", "\"inputs\":[{\"name\":\"x\",\"shape\":[2]}],\"layers\"", 1);
    assert!(messages(&rank).contains("16 axes, where the limit is 15"));
}

#[test]
fn huge_numbers_are_refused() {
    let dense = r#"{"kind":"stack","layers":[{"kind":"dense","inputs":2147483647,"outputs":2147483647}]}"#;
    assert_eq!(first(dense), Code::Limit);
    let window = |rest: &str| {
        format!(
            r#"{{"kind":"stack","inputs":[{{"name":"x","shape":[9,9,1]}}],"layers":[
                {{"kind":"conv2d","inChannels":1,"outChannels":1,"height":1,"width":1{rest}}}]}}"#
        )
    };
    graph(&window(""));
    for rest in [
        r#","padding":2147483647"#,
        r#","dilation":2147483647,"padding":[2147483647,0]"#,
        r#","stride":0"#,
        r#","padding":-1"#,
        r#","groups":2"#,
    ] {
        messages(&window(rest));
    }
    for layer in [
        r#"{"kind":"maxpool1d","length":2147483647,"dilation":2147483647}"#,
        r#"{"kind":"convTranspose1d","inChannels":1,"outChannels":1,"length":2147483647,"stride":2147483647}"#,
        r#"{"kind":"upsample","scale":[1e38]}"#,
        r#"{"kind":"upsample","scale":[1e-38]}"#,
        r#"{"kind":"upsample","size":[2147483647]},{"kind":"upsample","size":[2147483647]},{"kind":"scale","shape":[2147483647,2147483647,2147483647]}"#,
        r#"{"kind":"pad","border":[2147483647,2147483647]}"#,
        r#"{"kind":"reshape","each":[2147483647,2147483647,2147483647,2147483647]}"#,
        r#"{"kind":"constant","shape":[2147483647,2147483647],"values":[1]}"#,
        r#"{"kind":"constant","shape":[1],"values":[1e39]}"#,
    ] {
        messages(&format!(r#"{{"kind":"stack","inputs":[{{"name":"x","shape":[9,1]}}],"layers":[{layer}]}}"#));
    }
    messages(r#"{"kind":"stack","inputs":[{"name":"x","shape":[0]}],"layers":[]}"#);
    messages(r#"{"kind":"stack","inputs":[{"name":"x","shape":[18446744073709551615]}],"layers":[]}"#);
}

#[test]
fn rings_are_named() {
    let told = faults(
        br#"{"kind":"graph","inputs":[{"name":"x"}],"layers":[
            {"kind":"relu","name":"n0","from":["n3"]},
            {"kind":"relu","name":"n1","from":["n2"]},
            {"kind":"add","name":"n2","from":["x","n1"]},
            {"kind":"relu","name":"n3","from":["n3"]},
            {"kind":"relu","name":"n4","from":["n2"]}]}"#,
    );
    let messages: Vec<&str> = told.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "line 5, column 13: layers feed one another in a ring: n3 to the first again",
            "line 3, column 13: layers feed one another in a ring: n1 to n2 to the first again",
        ]
    );
}

#[test]
fn names_and_connections() {
    let message = messages(
        "{\"kind\":\"graph\",\"inputs\":[{\"name\":\"x\"}],\"layers\":[{\"kind\":\"relu\",\"name\":\"x\"},\
         {\"kind\":\"relu\",\"name\":\"a\\u202e\\n\",\"from\":[\"y\",\"x\"]},{\"kind\":\"add\",\"name\":\"b\"}],\
         \"outputs\":[{\"name\":\"o\",\"from\":\"c\"}]}",
    );
    for part in [
        "layer x: the name is taken already",
        "layer a\\u202e\\n takes y, which is no layer and no input; the nearest name is",
        "layer a\\u202e\\n (relu) takes one value and is given 2",
        "layer b (add) takes 2 or more values and is given 1",
        "output o takes c, which is no layer and no input",
    ] {
        assert!(message.contains(part), "{part}\n{message}");
    }
}

#[test]
fn shared_slots_must_agree() {
    let dense = |outputs| {
        format!(
            r#"{{"kind":"code","layers":[{{"kind":"dense","name":"a","inputs":3,"outputs":3}},
                {{"kind":"dense","name":"b","slots":"a","inputs":3,"outputs":{outputs}}}]}}"#
        )
    };
    assert_eq!(graph(&dense(3)).slots.len(), 2);
    assert_eq!(first(dense(4)), Code::SlotShape);
}

#[test]
fn layers_run_in_an_order_that_can_be() {
    let made = graph(
        r#"{"kind":"graph","inputs":[{"name":"x"}],"layers":[{"kind":"relu","name":"late","from":["early"]},
            {"kind":"tanh","name":"early","from":["x"]}]}"#,
    );
    let names: Vec<&str> = made.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["early", "late"]);
}
