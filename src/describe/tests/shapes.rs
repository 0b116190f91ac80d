//! Shapes through whole networks.

use super::{graph, messages};
use crate::describe::{Border, Op, Role};

/// A graph of one layer over an input of this shape.
fn one(shape: &str, layer: &str) -> String {
    format!(r#"{{"kind":"graph","inputs":[{{"name":"x","shape":{shape}}}],"layers":[{{"name":"it",{layer}}}]}}"#)
}

fn made(shape: &str, layer: &str) -> Option<Vec<Option<usize>>> {
    graph(&one(shape, layer)).values[1].shape.clone()
}

fn known(lengths: &[usize]) -> Option<Vec<Option<usize>>> {
    Some(lengths.iter().copied().map(Some).collect())
}

#[test]
fn a_stack_guesses_its_input_and_names_its_slots() {
    let made = graph(
        r#"{"kind":"stack","layers":[{"kind":"dense","inputs":14,"outputs":16},{"kind":"batchNorm","features":16},
            {"kind":"relu"},{"kind":"stack","layers":[{"kind":"dense","inputs":16,"outputs":1}]}]}"#,
    );
    let paths: Vec<&str> = made.slots.iter().map(|slot| slot.path.as_str()).collect();
    let wanted = "0.weight 0.bias 1.weight 1.bias 1.running_mean 1.running_var 3.0.weight 3.0.bias";
    assert_eq!(paths.join(" "), wanted);
    assert_eq!(made.slots[4].role, Role::Statistic);
    assert_eq!(made.values[0].shape, known(&[14]));
    assert_eq!(made.values[4].shape, known(&[1]));
    assert_eq!((made.outputs[0].name.as_str(), made.outputs[0].value), ("output", 4));
}

#[test]
fn windows() {
    let conv = r#""kind":"conv2d","inChannels":3,"outChannels":8,"height":3,"width":2"#;
    assert_eq!(made("[28,28,3]", &format!("{conv},\"padding\":\"same\",\"stride\":2")), known(&[14, 14, 8]));
    assert_eq!(made("[10,9,3]", &format!("{conv},\"padding\":[1,[0,2]],\"dilation\":[2,3]")), known(&[8, 8, 8]));
    assert_eq!(made("[null,9,3]", conv), Some(vec![None, Some(8), Some(8)]));
    assert_eq!(
        made("[9,4]", r#""kind":"conv1d","inChannels":4,"outChannels":2,"length":3,"padding":"causal","dilation":2"#),
        known(&[9, 2])
    );
    let transpose = r#""kind":"convTranspose2d","inChannels":3,"outChannels":8,"height":3,"width":2,"stride":2"#;
    assert_eq!(made("[5,6,3]", transpose), known(&[11, 12, 8]));
    assert_eq!(made("[5,6,3]", &format!("{transpose},\"padding\":1,\"outputPadding\":[1,0]")), known(&[10, 10, 8]));
    assert_eq!(made("[5,6,3]", &format!("{transpose},\"padding\":\"same\"")), known(&[10, 12, 8]));
    assert_eq!(
        made("[32,32,3]", r#""kind":"maxpool2d","height":3,"width":3,"stride":2,"ceil":true"#),
        known(&[16, 16, 3])
    );
    assert_eq!(made("[7,3]", r#""kind":"avgpool1d","length":2"#), known(&[3, 3]));
    assert_eq!(made("[7,8,3]", r#""kind":"adaptiveAvgPool2d","height":2,"width":null"#), known(&[2, 8, 3]));
    assert_eq!(made("[7,8,3]", r#""kind":"globalavgpool2d""#), known(&[3]));
    assert_eq!(made("[7,8,3]", r#""kind":"globalavgpool2d","keepsAxes":true"#), known(&[1, 1, 3]));
    assert_eq!(made("[7,8,3]", r#""kind":"upsample","scale":[2,1.5]"#), known(&[14, 12, 3]));
    assert_eq!(made("[7,8,3]", r#""kind":"pad","border":[1,[0,2],0],"mode":"reflect""#), known(&[9, 10, 3]));
    let same = graph(&one("[23,3]", r#""kind":"maxpool1d","length":3,"stride":2,"padding":"same""#));
    let Op::Pool { window, .. } = &same.nodes[0].op else { panic!() };
    assert_eq!(window.border, Border::Explicit(vec![[1, 1]]));
}

#[test]
fn axes_are_left_as_those_of_one_example() {
    let op = |shape, layer| graph(&one(shape, layer)).nodes[0].op.clone();
    assert_eq!(op("[2,3,4]", r#""kind":"permute","axes":[0,3,1,-2]"#), Op::Permute { axes: vec![2, 0, 1] });
    assert_eq!(op("[2,3,4]", r#""kind":"flatten""#), Op::Flatten { start: 0, end: 2 });
    assert_eq!(op("[2,3,4]", r#""kind":"softmax""#), Op::Softmax { axis: 2, log: false });
    assert_eq!(op("[2,3,4]", r#""kind":"reshape","each":[-1,6]"#), Op::Reshape { each: vec![4, 6] });
    assert_eq!(op("[1,3,1]", r#""kind":"squeeze""#), Op::Squeeze { axes: vec![0, 2] });
    assert_eq!(made("[2,3]", r#""kind":"unsqueeze","axes":[-1,1]"#), known(&[1, 2, 3, 1]));
    assert_eq!(made("[2,3,4]", r#""kind":"mean","axes":[1,-1]"#), known(&[3]));
    assert_eq!(made("[2,3,4]", r#""kind":"sum""#), known(&[]));
    assert_eq!(
        op("[9,4]", r#""kind":"slice","axis":1,"start":-4,"end":100,"step":2"#),
        Op::Slice { axis: 0, start: 5, end: Some(9), step: 2 }
    );
    for layer in [
        r#""kind":"softmax","axis":0"#,
        r#""kind":"softmax","axis":-4"#,
        r#""kind":"permute","axes":[1,0,2,3]"#,
        r#""kind":"permute","axes":[0,1,1,2]"#,
        r#""kind":"flatten","start":3,"end":1"#,
        r#""kind":"reshape","each":[5,-1]"#,
        r#""kind":"squeeze","axes":[1]"#,
        r#""kind":"slice","axis":1,"start":2"#,
    ] {
        let message = messages(&one("[2,3,4]", layer));
        assert!(message.contains("what reaches it is 2x3x4"), "{message}");
    }
}

#[test]
fn several_inputs() {
    let two = |a: &str, b: &str, layer: &str| {
        format!(
            r#"{{"kind":"graph","inputs":[{{"name":"a","shape":{a}}},{{"name":"b","shape":{b}}}],
                "layers":[{{"name":"it","from":["a","b"],{layer}}}]}}"#
        )
    };
    let shape = |text: &str| graph(text).values[2].shape.clone();
    assert_eq!(shape(&two("[4,1]", "[3]", r#""kind":"add""#)), known(&[4, 3]));
    assert_eq!(shape(&two("[null,1]", "[5,3]", r#""kind":"multiply""#)), known(&[5, 3]));
    assert_eq!(shape(&two("[2,4,5]", "[5,6]", r#""kind":"matmul""#)), known(&[2, 4, 6]));
    assert_eq!(shape(&two("[2,3]", "[2,5]", r#""kind":"concat""#)), known(&[2, 8]));
    assert!(messages(&two("[2]", "[3]", r#""kind":"add""#)).contains("equal or 1; what reaches it is 2, 3"));
    assert!(messages(&two("[2,3]", "[3,5]", r#""kind":"concat""#)).contains("joined axis alone"));
    assert!(messages(&two("[5]", "[5,6]", r#""kind":"matmul""#)).contains("two axes or more"));
}

#[test]
fn constants_have_no_batch() {
    let text = r#"{"kind":"graph","inputs":[{"name":"x","shape":[3]}],"layers":[
        {"name":"c","kind":"constant","shape":[3,2],"values":[1,2,3,4,5,6]},
        {"name":"y","kind":"matmul","from":["x","c"]}]}"#;
    let made = graph(text);
    assert!(!made.values[1].batched && made.values[2].batched);
    assert_eq!(made.values[2].shape, known(&[2]));
    assert!(
        messages(
            &text.replace(
                "\"y\",\"kind\":\"matmul\",\"from\":[\"x\",\"c\"]",
                "\"y\",\"kind\":\"relu\",\"from\":[\"c\"]"
            )
        )
        .contains("is a constant")
    );
}

#[test]
fn whole_numbers_reach_embeddings_alone() {
    let made =
        graph(r#"{"kind":"stack","layers":[{"kind":"embedding","count":9,"features":4},{"kind":"mean","axes":[1]}]}"#);
    assert_eq!(made.values[0].dtype, crate::tensor::DType::I64);
    assert_eq!(made.values[2].shape, known(&[4]));
    let wrong =
        r#"{"kind":"graph","inputs":[{"name":"x","shape":[3],"dtype":"I32"}],"layers":[{"kind":"relu","name":"y"}]}"#;
    assert!(messages(wrong).contains("takes numbers of F32; what reaches it is I32"));
}

#[test]
fn every_layer_that_does_not_fit_is_told() {
    let message = messages(
        r#"{"kind":"graph","inputs":[{"name":"x","shape":[5,5,3]}],"layers":[
            {"kind":"conv2d","name":"a","inChannels":4,"outChannels":2,"height":3,"width":3},
            {"kind":"dense","name":"b","inputs":7,"outputs":2,"from":["x"]},
            {"kind":"maxpool2d","name":"c","height":6,"width":2,"from":["x"]}]}"#,
    );
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 3, "{message}");
    assert!(lines[0].ends_with("layer a (conv2d) takes 2 window axes and a last axis of 4; what reaches it is 5x5x3"));
    assert!(lines[1].ends_with("layer b (dense) takes a last axis of 7; what reaches it is 5x5x3"));
    assert!(
        lines[2].ends_with("layer c (maxpool2d) takes at least 6 places on window axis 0; what reaches it is 5x5x3")
    );
}
