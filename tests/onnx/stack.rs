//! Graphs put in a row of layers, the form that hosts with a stack load: the words they become, answers like the graph's own, the
//! same slots as Keras's own file gives, and refusals at each layer of what is no row.

use crate::support::{answers, files, random::Random};
use pontil::{
    describe::{Form, Layout},
    faults::Code,
    import::ImportOptions,
    network::Network,
    plan::Precision,
    tensor::Tensor,
};
use std::path::PathBuf;

/// Models of both of PyTorch's exporters, and of Keras over PyTorch (`kt`) and TensorFlow (`ktf`, `k`): the loss, the words.
const MODELS: &[(&str, &str, &str)] = &[
    ("titanic_d", "binaryCrossEntropy", "dense relu dense"),
    ("titanic_t", "binaryCrossEntropy", "dense relu dense"),
    ("bn_mlp_d", "binaryCrossEntropy", "dense relu dense"),
    ("bn_mlp_t", "meanSquaredError", "dense batchNorm relu dense sigmoid"),
    ("conv_d", "meanSquaredError", "conv2d relu conv2d flatten batchNorm dense tanh dense"),
    ("conv_t", "meanSquaredError", "conv2d relu conv2d flatten batchNorm dense tanh dense"),
    ("pool_d", "meanSquaredError", "conv2d maxpool2d avgpool2d globalavgpool2d flatten dense"),
    ("pool_t", "meanSquaredError", "conv2d maxpool2d avgpool2d globalavgpool2d flatten dense"),
    ("pool1_d", "meanSquaredError", "conv1d maxpool1d globalmaxpool1d flatten layerNorm dense"),
    ("pool1_t", "meanSquaredError", "conv1d maxpool1d maxpool1d flatten layerNorm dense"),
    ("kt_mlp", "binaryCrossEntropy", "dense relu batchNorm dense"),
    ("kt_conv", "binaryCrossEntropy", "conv2d relu maxpool2d flatten dense"),
    ("ktf_mlp", "binaryCrossEntropy", "dense relu batchNorm dense"),
    ("ktf_conv", "binaryCrossEntropy", "conv2d relu maxpool2d flatten layerNorm dense"),
    ("ktf_zero", "binaryCrossEntropy", "dense relu dense"),
    ("k", "binaryCrossEntropy", "conv2d relu maxpool2d batchNorm flatten dense"),
];

fn file(name: &str) -> PathBuf {
    files::fixtures("onnx_stack").join(name)
}

fn stack(loss: Option<&str>) -> ImportOptions<'_> {
    ImportOptions { stack: true, lift_loss: loss.is_some(), loss, layout: Layout::ChannelsLast, ..Default::default() }
}

/// Random examples for the one input of a network.
fn examples(network: &Network) -> Vec<Tensor> {
    let input = &network.description().inputs[0];
    let each = input.shape.as_ref().unwrap().iter().map(|length| length.unwrap());
    let mut random = Random(5);
    let shape: Vec<usize> = [3].into_iter().chain(each).collect();
    vec![Tensor::filled_f32(shape, |to| to.iter_mut().for_each(|to| *to = random.number())).unwrap()]
}

/// What the loss applies to an answer of one number.
fn applied(loss: &str, number: f32) -> f32 {
    if loss == "binaryCrossEntropy" { 1.0 / (1.0 + (-number).exp()) } else { number }
}

#[test]
fn a_graph_becomes_a_stack_that_answers_alike() {
    for (name, loss, words) in MODELS {
        let path = file(&format!("{name}.onnx"));
        let network =
            answers::network_at(&path, stack(Some(loss))).unwrap_or_else(|faults| panic!("{name}: {}", faults.text()));
        let description = network.description();
        assert_eq!(description.form, Form::Stack, "{name}");
        let kinds: Vec<&str> = description.layers.iter().map(|layer| &*layer.kind).collect();
        assert_eq!(kinds.join(" "), *words, "{name}");
        let named = description.layers.iter().enumerate().all(|(place, layer)| layer.name == place.to_string());
        assert!(named && network.graph().slots.iter().all(|slot| slot.path.as_bytes()[0].is_ascii_digit()), "{name}");
        let biased = |layer: &str| network.graph().slots.iter().any(|slot| slot.path == format!("{layer}.bias"));
        let holds = description.layers.iter().filter(|layer| matches!(&*layer.kind, "dense" | "conv2d" | "batchNorm"));
        assert!(holds.map(|layer| &layer.name).all(|layer| biased(layer)), "{name}");

        let graph =
            answers::network_at(&path, ImportOptions { layout: Layout::ChannelsLast, ..Default::default() }).unwrap();
        assert_eq!(graph.description().form, Form::Graph, "{name}");
        let inputs = examples(&network);
        let is = &answers::run(&network, Precision::Exact, &inputs).unwrap()[0];
        let should = &answers::run(&graph, Precision::Exact, &inputs).unwrap()[0];
        let lifted =
            graph.description().layers.last().is_some_and(|last| last.kind == "sigmoid") && !words.ends_with("sigmoid");
        assert_eq!(is.shape, should.shape, "{name}");
        for (is, should) in is.numbers.iter().zip(&should.numbers) {
            let is = if lifted { applied(loss, *is) } else { *is };
            assert!((is - should).abs() <= 1e-5 * should.abs().max(1.0), "{name}: {is} instead of {should}");
        }
    }
}

#[test]
fn a_keras_model_and_its_export_fill_the_same_slots() {
    let read = |name: &str, loss| {
        answers::network_at(&file(name), stack(loss)).unwrap_or_else(|faults| panic!("{name}: {}", faults.text()))
    };
    let (keras, onnx) = (read("k.keras", None), read("k.onnx", Some("binaryCrossEntropy")));
    assert_eq!(answers::slots(&keras), answers::slots(&read("k.h5", None)));
    let (keras, onnx) = (answers::slots(&keras), answers::slots(&onnx));
    let paths = |all: &[(String, Vec<u32>)]| all.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&keras), paths(&onnx));
    // The exporter has joined what the normalisation is made of: it scales and shifts alike.
    let is_normalisation = |path: &str| path.starts_with("3.");
    for (one, other) in keras.iter().zip(&onnx).filter(|((path, _), _)| !is_normalisation(path)) {
        assert_eq!(one, other);
    }
    for (one, other) in normalised(&keras, 1e-3).into_iter().zip(normalised(&onnx, 1e-5)) {
        assert!((one - other).abs() <= 1e-5 * other.abs().max(1.0), "{one} instead of {other}");
    }
}

/// By what the normalisation of layer 3 scales each channel, then by what it shifts each.
fn normalised(slots: &[(String, Vec<u32>)], epsilon: f32) -> Vec<f32> {
    let of = |slot: &str| {
        let (_, bits) = slots.iter().find(|(path, _)| *path == format!("3.{slot}")).unwrap();
        bits.iter().map(|bits| f32::from_bits(*bits)).collect::<Vec<_>>()
    };
    let (weight, bias, mean, variance) = (of("weight"), of("bias"), of("running_mean"), of("running_var"));
    let scales: Vec<f32> = weight.iter().zip(&variance).map(|(weight, of)| weight / (of + epsilon).sqrt()).collect();
    let shifts = bias.iter().zip(mean.iter().zip(&scales)).map(|(bias, (mean, scale))| bias - mean * scale);
    shifts.chain(scales.iter().copied()).collect()
}

#[test]
fn a_stack_has_the_numbers_of_the_file_and_no_others() {
    for (case, missing, stray) in [
        ("keras_crafted_no_variables", &["dense.weight", "dense.bias"][..], &[][..]),
        ("keras_crafted_renamed", &["first.weight", "first.bias"], &["dense.0", "dense.1"]),
    ] {
        let path = files::fixtures("cases").join(case).join("model.keras");
        let faults = answers::network_at(&path, stack(None)).unwrap_err();
        let of = |code| faults.iter().filter(|fault| fault.code == code).map(|fault| fault.path.to_string()).collect();
        let (lacked, over): (Vec<String>, Vec<String>) = (of(Code::SlotMissing), of(Code::SlotUnknown));
        assert!(lacked == missing && over == stray, "{case}: {}", faults.text());
    }
}

#[test]
fn what_is_no_row_is_refused_at_each_layer() {
    let path = files::fixtures("cases").join("onnx_attention");
    let model = &files::within(&path, "onnx")[0];
    let faults = answers::network_at(model, stack(None)).unwrap_err();
    assert!(
        faults.iter().count() > 1 && faults.iter().all(|fault| fault.code == Code::Unsupported),
        "{}",
        faults.text()
    );
    assert!(faults.iter().all(|fault| !fault.path.is_empty()));
}

#[test]
fn a_loss_takes_over_what_goes_along_the_last_axis_of_the_port() {
    let all = files::tensors(&files::fixtures("onnx_graphs").join("crafted.safetensors"));
    let last = |name: &str, layout| {
        let model = all[&format!("softmax over {name}/model")].packed_bytes().unwrap().to_vec();
        let options = ImportOptions { loss: Some("crossEntropy"), lift_loss: true, layout, ..Default::default() };
        let network = answers::network(&model, options);
        let holds = |network: &Network| network.description().layers.iter().any(|layer| layer.kind == "softmax");
        network
            .map(|network| holds(&network))
            .map_err(|faults| faults.iter().map(|fault| fault.code).collect::<Vec<_>>())
    };
    let refused = Err(vec![Code::Loss]);
    assert_eq!(last("channels", Layout::ChannelsLast), Ok(false));
    assert_eq!(last("channels", Layout::AsFile), refused);
    assert_eq!(last("columns", Layout::AsFile), Ok(false));
    assert_eq!(last("columns", Layout::ChannelsLast), refused);
}

#[test]
fn a_loss_takes_over_only_what_it_applies() {
    let refused = |loss, lift_loss| {
        let options = ImportOptions { loss, lift_loss, ..Default::default() };
        let faults = answers::network_at(&file("bn_mlp_d.onnx"), options).err();
        faults.map(|faults| faults.iter().map(|fault| fault.code).collect::<Vec<_>>())
    };
    assert_eq!(refused(None, true), Some(vec![Code::Absent]));
    assert_eq!(refused(Some("crossEntropy"), true), Some(vec![Code::Loss]));
    assert_eq!(refused(Some("crossEntropy"), false), None);
    assert_eq!(refused(Some("binaryCrossEntropy"), true), None);
}
