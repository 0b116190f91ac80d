//! A run with one thread allocates nothing, from the first to the ten thousandth, and makes no system call: of every layer,
//! and of a network whose layers have gone into one another.
#![cfg(feature = "allocator")]

mod support;

use pontil::{
    cancel::Cancel,
    capi::allocator::count,
    describe::{Binary, Border, PoolKind},
    describe::{Conv, Description, Form, Graph, GraphValue, Node, Op, Port, Role, Slot, Unary, Window},
    faults::Faults,
    limits::Limits,
    network::{Entry, Network, Turn},
    plan::{Plan, Precision, Weights},
    session::{Session, SessionOptions},
    tensor::{DType, Tensor, View, ViewMut},
};
use support::{answers, answers::PRECISIONS, files, layer};

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
        (
            Op::Lrn { across: true, size: 3, later: false, alpha: 0.1, beta: 0.75, k: 1.0, mean: true },
            vec![6],
            vec![3, 3, 7],
            vec![],
        ),
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

/// The cases of every layer word.
fn layers() -> Vec<layer::Layer> {
    let folder = std::fs::read_dir(files::fixtures("layers")).unwrap();
    let paths =
        folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    paths.flat_map(|path| layer::cases(&path)).collect()
}

/// Runs `calls` times, and tells how many allocations that took; `around` is what the calls stand in.
fn allocations(session: &mut Session, inputs: &[Tensor], calls: usize, around: impl FnOnce(&mut dyn FnMut())) -> u64 {
    let batch = inputs[0].shape()[0];
    let shapes: Vec<Vec<usize>> =
        (0..session.outputs().len()).map(|port| [&[batch], session.output_shape(port)].concat()).collect();
    let mut numbers: Vec<Vec<f32>> = shapes.iter().map(|shape| vec![0.0; shape.iter().product()]).collect();
    let views: Vec<View<'_>> = inputs.iter().map(Tensor::view).collect();
    let mut outputs: Vec<ViewMut<'_>> =
        numbers.iter_mut().zip(&shapes).map(|(numbers, shape)| ViewMut::of_f32(shape, numbers)).collect();
    let before = count();
    around(&mut || (0..calls).for_each(|_| session.run(&views, &mut outputs, None).unwrap()));
    count() - before
}

/// A network whose normalisations and permute have gone into dense layers and convolutions.
fn rewritten() -> Network {
    let text = serde_json::json!({ "kind": "stack", "inputs": [{ "name": "input", "shape": [6, 6, 2] }], "layers": [
        { "kind": "conv2d", "inChannels": 2, "outChannels": 5, "height": 3, "width": 3, "padding": 1 },
        { "kind": "batchNorm", "features": 5 },
        { "kind": "relu" },
        { "kind": "permute", "axes": [0, 3, 1, 2] },
        { "kind": "flatten" },
        { "kind": "dense", "inputs": 180, "outputs": 7 },
    ] });
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let description = pontil::describe::parse(text.to_string().as_bytes(), &limits, &mut faults);
    let network = description.and_then(|description| Network::zeroed(&description, &limits, &mut faults));
    let network = network.unwrap_or_else(|_| panic!("{}", faults.text()));
    assert!(Plan::of(&network, Precision::Standard, &mut faults).unwrap().is_rewritten);
    network
}

/// Every network here with its inputs.
fn all() -> Vec<(String, Network, Vec<Tensor>)> {
    let named = |layer: layer::Layer| {
        let network = layer.network().unwrap_or_else(|why| panic!("{}: {why}", layer.name));
        (format!("{} {}", layer.word, layer.name), network, layer.inputs)
    };
    let input = Tensor::filled_f32(vec![2, 6, 6, 2], |to| to.fill(0.5)).unwrap();
    layers().into_iter().map(named).chain([("rewritten".to_owned(), rewritten(), vec![input])]).collect()
}

#[test]
fn no_layer_allocates() {
    let mut wrong = Vec::new();
    for (name, network, inputs) in all() {
        for (precision, called) in PRECISIONS {
            let options = SessionOptions { max_batch: inputs[0].shape()[0], precision, ..SessionOptions::default() };
            let mut session = answers::session(&network, &options).unwrap();
            if allocations(&mut session, &inputs, 3, |run| run()) > 0 {
                wrong.push(format!("{name}, {called}"));
            }
        }
    }
    assert!(wrong.is_empty(), "allocate: {}", wrong.join("; "));
}

/// How a child of this process ends that does this after it has given up all system calls but the end: the kernel kills it at
/// any other. Nought if all went well.
#[cfg(target_os = "linux")]
fn without_the_system(run: &mut dyn FnMut()) -> i32 {
    let mut status = -1;
    // SAFETY: the child works on memory that is there, and ends without coming back.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            if libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_STRICT) == 0 {
                run();
            }
            libc::syscall(libc::SYS_exit, 0);
        }
        assert!(child > 0 && libc::waitpid(child, &mut status, 0) == child);
    }
    status
}

#[cfg(target_os = "linux")]
#[test]
fn no_layer_calls_the_system() {
    // SAFETY: asks for a number.
    let seen = without_the_system(&mut || unsafe { _ = libc::syscall(libc::SYS_getpid) });
    assert_eq!(seen, libc::SIGKILL, "a system call of a child is not seen");
    let mut wrong = Vec::new();
    for (name, network, inputs) in all() {
        for (precision, called) in PRECISIONS {
            let options = SessionOptions { max_batch: inputs[0].shape()[0], precision, ..SessionOptions::default() };
            let mut session = answers::session(&network, &options).unwrap();
            let mut status = -1;
            allocations(&mut session, &inputs, 2, |run| status = without_the_system(run));
            if status != 0 {
                wrong.push(format!("{name}, {called}: {status}"));
            }
        }
    }
    assert!(wrong.is_empty(), "call the system: {}", wrong.join("; "));
}
