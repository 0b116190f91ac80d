//! Each rewrite, on the nodes it stands for, and on nodes that only look like them.

use super::*;
use crate::faults::Faults;
use crate::formats::onnx::{Beside, Model, Stored};
use crate::limits::Limits;
use crate::source::Source;
use crate::tensor::Storage;

/// A node of a line like `y = Mul(x, 0.5)`; a number is a constant. Axes stand behind an
/// operator: `ReduceMean:-1`.
fn nodes(lines: &[&str]) -> Vec<Node> {
    let mut nodes = Vec::new();
    for line in lines {
        let (output, call) = line.split_once(" = ").unwrap();
        let (op, inputs) = call.strip_suffix(')').unwrap().split_once('(').unwrap();
        let (op, rest) = op.split_once(':').unwrap_or((op, ""));
        let mut node = Node { op: op.into(), outputs: vec![output.into()], ..Node::default() };
        let attribute = |name: &str, setting| Attribute { name: name.to_owned(), setting };
        if !rest.is_empty() {
            let axes = rest.split(' ').map(|axis| axis.parse().unwrap()).collect();
            let name = if op == "Transpose" { "perm" } else { "axes" };
            node.attributes.push(attribute(name, Setting::Ints(axes)));
        }
        if op == "Cast" {
            node.attributes.push(attribute("to", Setting::Int(1)));
        }
        for input in inputs.split(", ") {
            if let Ok(number) = input.parse() {
                let attributes = vec![attribute("value_float", Setting::Float(number))];
                nodes.push(Node { op: "Constant".into(), outputs: vec![input.into()], attributes, ..Node::default() });
            }
            node.inputs.push(input.into());
        }
        nodes.push(node);
    }
    nodes
}

/// The operator and inputs of what the last line is lifted to. `weights` are constants and their shapes.
fn lifted(lines: &[&str], weights: &[(&str, &[i64])]) -> Option<(String, Vec<String>)> {
    let stored = |(name, lengths): &(&str, &[i64])| {
        let mut stored = Stored::default();
        (stored.name, stored.element, stored.lengths) = ((*name).into(), 1, lengths.to_vec());
        stored
    };
    let graph = Graph { nodes: nodes(lines), initialisers: weights.iter().map(stored).collect(), ..Graph::default() };
    let source = Source::memory(Storage::copied(b"\x08\x09\x3A\0").unwrap());
    let (limits, beside) = (Limits::default(), Beside::default());
    let model = Model::read(&source, &mut Faults::default()).unwrap();
    let data = Data { model: &model, source: &source, beside: &beside, limits: &limits };
    let found = find(&graph, &data).remove(&(graph.nodes.len() - 1))?;
    Some((found.node.op, found.node.inputs))
}

fn to(lines: &[&str], weights: &[(&str, &[i64])], op: &str, inputs: &[&str]) {
    let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
    assert_eq!(lifted(lines, weights), Some((op.to_owned(), inputs)), "{lines:?}");
}

fn stays(lines: &[&str], weights: &[(&str, &[i64])]) {
    assert_eq!(lifted(lines, weights), None, "{lines:?}");
}

#[test]
fn gelu_by_erf() {
    to(
        &["d = Div(x, 1.4142135)", "e = Erf(d)", "a = Add(e, 1)", "m = Mul(x, a)", "y = Mul(m, 0.5)"],
        &[],
        "Gelu",
        &["x"],
    );
    to(
        &["d = Mul(x, 0.70710677)", "e = Erf(d)", "a = Add(1, e)", "h = Mul(0.5, x)", "y = Mul(h, a)"],
        &[],
        "Gelu",
        &["x"],
    );
    stays(&["d = Div(x, 1.5)", "e = Erf(d)", "a = Add(e, 1)", "m = Mul(x, a)", "y = Mul(m, 0.5)"], &[]);
    stays(&["d = Div(x, 1.4142135)", "e = Erf(d)", "a = Add(e, 1)", "m = Mul(z, a)", "y = Mul(m, 0.5)"], &[]);
}

#[test]
fn gelu_by_tanh() {
    let lines = [
        "p = Pow(x, 3)",
        "c = Mul(p, 0.044715)",
        "s = Add(x, c)",
        "m = Mul(s, 0.7978846)",
        "t = Tanh(m)",
        "a = Add(t, 1)",
        "h = Mul(x, 0.5)",
        "y = Mul(h, a)",
    ];
    to(&lines, &[], "Gelu", &["x"]);
}

#[test]
fn hard_swish() {
    to(&["a = Add(x, 3)", "c = Clip(a, 0, 6)", "m = Mul(x, c)", "y = Div(m, 6)"], &[], "HardSwish", &["x"]);
    to(&["a = Add(x, 3)", "c = Clip(a, 0, 6)", "d = Div(c, 6)", "y = Mul(x, d)"], &[], "HardSwish", &["x"]);
    stays(&["a = Add(x, 3)", "c = Clip(a, 0, 5)", "m = Mul(x, c)", "y = Div(m, 6)"], &[]);
}

#[test]
fn silu_mish_and_softplus() {
    to(&["s = Sigmoid(x)", "y = Mul(x, s)"], &[], "Swish", &["x"]);
    to(&["c = Cast(x)", "s = Sigmoid(c)", "y = Mul(s, x)"], &[], "Swish", &["x"]);
    stays(&["s = Sigmoid(z)", "y = Mul(x, s)"], &[]);
    to(&["p = Softplus(x)", "t = Tanh(p)", "y = Mul(x, t)"], &[], "Mish", &["x"]);
    to(&["p = Softplus(x)", "g = Greater(x, 20)", "y = Where(g, x, p)"], &[], "Softplus", &["x"]);
}

#[test]
fn softmax() {
    let lines = ["m = ReduceMax:-1(x)", "s = Sub(x, m)", "e = Exp(s)", "t = ReduceSum:-1(e)", "y = Div(e, t)"];
    to(&lines, &[], "Softmax", &["x"]);
    stays(&["m = ReduceMax:-1(x)", "s = Sub(x, m)", "e = Exp(s)", "t = ReduceSum:1(e)", "y = Div(e, t)"], &[]);
}

#[test]
fn layer_normalisation() {
    let weights: &[(&str, &[i64])] = &[("g", &[8]), ("b", &[8])];
    let torch = [
        "m = ReduceMean:-1(x)",
        "d = Sub(x, m)",
        "p = Pow(d, 2)",
        "v = ReduceMean:-1(p)",
        "e = Add(v, 0.00001)",
        "s = Sqrt(e)",
        "n = Div(d, s)",
        "w = Mul(n, g)",
        "y = Add(w, b)",
    ];
    to(&torch, weights, "LayerNormalization", &["x", "g", "b"]);
    let tensorflow = [
        "m = ReduceMean:1(x)",
        "n = Neg(m)",
        "d = Sub(x, m)",
        "p = Mul(d, d)",
        "v = ReduceMean:1(p)",
        "e = Add(v, 0.001)",
        "s = Sqrt(e)",
        "r = Reciprocal(s)",
        "f = Mul(r, g)",
        "a = Mul(x, f)",
        "c = Mul(n, f)",
        "o = Add(c, b)",
        "y = Add(a, o)",
    ];
    to(&tensorflow, weights, "LayerNormalization", &["x", "g", "b"]);
}

#[test]
fn batch_normalisation() {
    let weights: &[(&str, &[i64])] = &[("m", &[1, 9]), ("s", &[1, 9]), ("b", &[1, 9]), ("c", &[9, 1])];
    to(&["p = Mul(x, s)", "y = Add(p, b)"], weights, "ScaleShift", &["x", "s", "b"]);
    to(&["d = Sub(x, m)", "p = Mul(d, s)", "y = Add(p, b)"], weights, "ScaleShift", &["x", "s", "b", "m"]);
    stays(&["p = Mul(x, s)", "y = Add(p, c)"], weights);
    stays(&["y = Mul(x, s)"], weights);
}

#[test]
fn pools_within_a_frame() {
    let axes: &[(&str, &[i64])] = &[];
    to(&["w = Unsqueeze:2(x)", "m = ReduceMax:-2 -1(w)", "y = Squeeze:2(m)"], axes, "GlobalMaxPool", &["x"]);
    to(&["w = Unsqueeze:-2(x)", "m = ReduceMean:2 3(w)", "y = Squeeze:-2(m)"], axes, "GlobalAveragePool", &["x"]);
    stays(&["w = Unsqueeze:2(x)", "m = ReduceMax:-1(w)", "y = Squeeze:2(m)"], axes);
    stays(&["w = Unsqueeze:1(x)", "m = ReduceMax:2 3(w)", "y = Squeeze:1(m)"], axes);
}

#[test]
fn addends_of_products_and_convolutions() {
    let weights: &[(&str, &[i64])] =
        &[("w", &[4, 3]), ("b", &[3]), ("k", &[5, 2, 3, 3]), ("l", &[1, 1, 1, 5]), ("f", &[5, 1, 1]), ("o", &[7])];
    to(&["p = MatMul(x, w)", "y = Add(b, p)"], weights, "MatMul", &["x", "w", "b"]);
    to(&["p = MatMul(x, w)", "c = Cast(p)", "y = Add(c, b)"], weights, "MatMul", &["x", "w", "b"]);
    stays(&["p = MatMul(x, w)", "y = Add(p, o)"], weights);
    to(&["c = Conv(x, k)", "y = Add(c, f)"], weights, "Conv", &["x", "k", "f"]);
    to(&["c = Conv(x, k)", "t = Transpose:0 2 3 1(c)", "y = Add(t, l)"], weights, "Conv", &["x", "k", "l"]);
    stays(&["c = Conv(x, k)", "t = Transpose:0 2 3 1(c)", "y = Add(t, f)"], weights);
    stays(&["c = Conv(x, k)", "t = Transpose:0 3 2 1(c)", "y = Add(t, l)"], weights);
}
