//! A run with one thread allocates nothing, from the first to the ten thousandth.
#![cfg(feature = "allocator")]

use pontil::{
    cancel::Cancel,
    capi::allocator::count,
    describe::{Binary, Border, PoolKind},
    describe::{Conv, Description, Form, Graph, GraphValue, Node, Op, Port, Role, Slot, Unary, Window},
    faults::Faults,
    limits::Limits,
    network::{Entry, Network, Turn},
    plan::Weights,
    session::{Session, SessionOptions},
    tensor::{DType, Tensor, View, ViewMut},
};
/// Operation, inputs, shape of the output, shapes of the slots.
type Layer = (Op, Vec<usize>, Vec<usize>, Vec<Vec<usize>>);

/// A small network of images with most kinds of steps.
fn network() -> Network {
    let window = |size: usize, stride: usize, border: usize| Window {
        size: vec![size; 2],
        stride: vec![stride; 2],
        dilation: vec![1; 2],
        border: Border::Explicit(vec![[border; 2]; 2]),
        ceil: false,
    };
    let conv = Conv { inputs: 2, outputs: 5, groups: 1, window: window(3, 1, 1), bias: true };
    let steps: Vec<Layer> = vec![
        (Op::Conv(conv), vec![0], vec![6, 6, 5], vec![vec![3, 3, 2, 5], vec![5]]),
        (Op::GroupNorm { groups: 5, features: 5, epsilon: 1e-5, affine: false }, vec![1], vec![6, 6, 5], vec![]),
        (Op::Unary(Unary::Gelu { tanh: false }), vec![2], vec![6, 6, 5], vec![]),
        (Op::Binary(Binary::Add), vec![1, 3], vec![6, 6, 5], vec![]),
        (Op::Concat { axis: 2 }, vec![4, 0], vec![6, 6, 7], vec![]),
        (Op::Pool { kind: PoolKind::Max, window: window(2, 2, 0) }, vec![5], vec![3, 3, 7], vec![]),
        (Op::Lrn { across: true, size: 3, alpha: 0.1, beta: 0.75, k: 1.0, mean: true }, vec![6], vec![3, 3, 7], vec![]),
        (Op::Permute { axes: vec![2, 0, 1] }, vec![7], vec![7, 3, 3], vec![]),
        (Op::Flatten { start: 0, end: 2 }, vec![8], vec![63], vec![]),
        (Op::Dense { inputs: 63, outputs: 10, bias: true }, vec![9], vec![10], vec![vec![63, 10], vec![10]]),
        (Op::LayerNorm { shape: vec![10], epsilon: 1e-5, weight: false, bias: false }, vec![10], vec![10], vec![]),
        (Op::Softmax { axis: 0, log: false }, vec![11], vec![10], vec![]),
    ];
    let value = |shape: &[usize]| GraphValue {
        dtype: DType::F32,
        shape: Some(shape.iter().map(|&length| Some(length)).collect()),
        batched: true,
    };
    let (mut values, mut nodes, mut slots) = (vec![value(&[6, 6, 2])], Vec::new(), Vec::new());
    for (layer, (op, inputs, shape, own)) in steps.into_iter().enumerate() {
        let first = slots.len();
        for shape in own {
            slots.push(Slot { path: format!("s{}", slots.len()), role: Role::Parameter, shape });
        }
        values.push(value(&shape));
        let slots = (first..slots.len()).collect();
        nodes.push(Node { name: format!("l{layer}"), op, inputs, output: layer + 1, slots, layer });
    }
    let port = |value| Port { name: format!("p{value}"), value };
    let graph =
        Graph { outputs: vec![port(values.len() - 1)], inputs: vec![port(0)], values, nodes, slots, runs: true };
    let turns = graph.slots.iter().map(|slot| Turn::none(&slot.shape)).collect();
    let entries: Vec<Entry> = graph
        .slots
        .iter()
        .map(|slot| Entry {
            path: slot.path.as_str().into(),
            tensor: Tensor::filled_f32(slot.shape.clone(), |to| to.fill(0.125)).unwrap(),
            place: "".into(),
            offset: None,
        })
        .collect();
    let description = Description { form: Form::Graph, inputs: vec![], layers: vec![], outputs: vec![] };
    Network::turned(description, graph, turns, &entries, &mut Faults::default()).unwrap()
}

#[test]
fn runs_allocate_nothing() {
    let network = network();
    let other = network.with(&network.entries(), &mut Faults::default()).unwrap();
    let options = SessionOptions { max_batch: 2, ..SessionOptions::default() };
    let mut session = Session::new(&network, &options, &Limits::default(), &mut Faults::default()).unwrap();
    Weights::prepared(&other, options.precision).unwrap();
    let cancel = Cancel::new();
    let x: Vec<f32> = (0..144).map(|x| (x as f32 * 0.7).sin()).collect();
    let mut y = [0.0; 20];
    let mut first = None;
    let before = count();
    for number in 0..10_000 {
        let input = View::of_f32(&[2, 6, 6, 2], &x);
        session.run(&[input], &mut [ViewMut::of_f32(&[2, 10], &mut y)], Some(&cancel)).unwrap();
        assert_eq!(*first.get_or_insert(y), y);
        session.swap(if number % 2 == 0 { &other } else { &network }).unwrap();
    }
    assert_eq!(count(), before);
}
