//! Graphs put in a row of layers, the form that hosts with a stack load: the words they become, answers like the graph's own, the
//! same slots as Keras's own file gives, and refusals at each layer of what is no row.

use crate::support::{answers, files};
use pontil::{
    describe::{Form, Layout},
    faults::{Code, Faults},
    import::{Import, ImportOptions},
    limits::Limits,
    network::Network,
    plan::Precision,
    source::Source,
    tensor::Tensor,
};
use std::path::{Path, PathBuf};

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

fn read(path: &Path, options: ImportOptions<'_>) -> Result<Network, Faults> {
    let mut faults = Faults::default();
    let network = Source::path(path, &Limits::default(), &mut faults)
        .and_then(|source| Import::open(&source, options, &mut faults)?.network(&mut faults));
    network.map_err(|_| faults)
}

fn stack(loss: Option<&str>) -> ImportOptions<'_> {
    ImportOptions { stack: true, lift_loss: loss.is_some(), loss, layout: Layout::ChannelsLast, ..Default::default() }
}

/// Random examples for the one input of a network.
fn examples(network: &Network) -> Vec<Tensor> {
    let input = &network.description().inputs[0];
    let each = input.shape.as_ref().unwrap().iter().map(|length| length.unwrap());
    let mut state = 5;
    let shape: Vec<usize> = [3].into_iter().chain(each).collect();
    vec![Tensor::filled_f32(shape, |to| to.iter_mut().for_each(|to| *to = answers::random(&mut state))).unwrap()]
}

/// What the loss applies to an answer of one number.
fn applied(loss: &str, number: f32) -> f32 {
    if loss == "binaryCrossEntropy" { 1.0 / (1.0 + (-number).exp()) } else { number }
}

#[test]
fn a_graph_becomes_a_stack_that_answers_alike() {
    for (name, loss, words) in MODELS {
        let path = file(&format!("{name}.onnx"));
        let network = read(&path, stack(Some(loss))).unwrap_or_else(|faults| panic!("{name}: {}", faults.text()));
        let description = network.description();
        assert_eq!(description.form, Form::Stack, "{name}");
        let kinds: Vec<&str> = description.layers.iter().map(|layer| &*layer.kind).collect();
        assert_eq!(kinds.join(" "), *words, "{name}");
        let named = description.layers.iter().enumerate().all(|(place, layer)| layer.name == place.to_string());
        assert!(named && network.graph().slots.iter().all(|slot| slot.path.as_bytes()[0].is_ascii_digit()), "{name}");
        let biased = |layer: &str| network.graph().slots.iter().any(|slot| slot.path == format!("{layer}.bias"));
        let holds = description.layers.iter().filter(|layer| matches!(&*layer.kind, "dense" | "conv2d" | "batchNorm"));
        assert!(holds.map(|layer| &layer.name).all(|layer| biased(layer)), "{name}");

        let graph = read(&path, ImportOptions { layout: Layout::ChannelsLast, ..Default::default() }).unwrap();
        assert_eq!(graph.description().form, Form::Graph, "{name}");
        let inputs = examples(&network);
        let is = &answers::run(&network, Precision::Exact, &inputs).unwrap()[0];
        let should = &answers::run(&graph, Precision::Exact, &inputs).unwrap()[0];
        let lifted =
            graph.description().layers.last().is_some_and(|last| last.kind == "sigmoid") && !words.ends_with("sigmoid");
        for (is, should) in is.numbers.iter().zip(&should.numbers) {
            let is = if lifted { applied(loss, *is) } else { *is };
            assert!((is - should).abs() <= 1e-5 * should.abs().max(1.0), "{name}: {is} instead of {should}");
        }
    }
}

#[test]
fn a_keras_model_and_its_export_fill_the_same_slots() {
    let slots = |network: &Network| {
        let slots = network.graph().slots.iter().map(|slot| slot.path.clone());
        slots.zip(network.numbers().iter().map(|numbers| numbers.as_f32().unwrap().to_vec())).collect::<Vec<_>>()
    };
    let read =
        |name: &str, loss| slots(&read(&file(name), stack(loss)).unwrap_or_else(|faults| panic!("{}", faults.text())));
    let (keras, h5, onnx) = (read("k.keras", None), read("k.h5", None), read("k.onnx", Some("binaryCrossEntropy")));
    assert_eq!(keras, h5);
    // What a normalisation is made of differs: the exporter has joined its statistics.
    let apart = |all: &[(String, Vec<f32>)]| {
        all.iter().filter(|(path, _)| !path.starts_with("3.")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(apart(&keras), apart(&onnx));
    assert_eq!(keras.len(), onnx.len());
}

#[test]
fn what_is_no_row_is_refused_at_each_layer() {
    let path = files::fixtures("cases").join("onnx_attention");
    let model = &files::within(&path, "onnx")[0];
    let faults = read(model, stack(None)).unwrap_err();
    assert!(
        faults.iter().count() > 1 && faults.iter().all(|fault| fault.code == Code::Unsupported),
        "{}",
        faults.text()
    );
    assert!(faults.iter().all(|fault| !fault.path.is_empty()));
}

#[test]
fn a_loss_takes_over_only_what_it_applies() {
    let refused = |loss, lift_loss| {
        let options = ImportOptions { loss, lift_loss, ..Default::default() };
        let faults = read(&file("bn_mlp_d.onnx"), options).err();
        faults.map(|faults| faults.iter().map(|fault| fault.code).collect::<Vec<_>>())
    };
    assert_eq!(refused(None, true), Some(vec![Code::Absent]));
    assert_eq!(refused(Some("crossEntropy"), true), Some(vec![Code::Loss]));
    assert_eq!(refused(Some("crossEntropy"), false), None);
    assert_eq!(refused(Some("binaryCrossEntropy"), true), None);
}
