//! How long the forward pass takes: `cargo bench --bench forward -- [--threads N] [--isa NAME] [--json] [NAME…]`.
//!
//! Networks of usual shapes with made-up numbers, at one example and at many. Printed for each: the fewest microseconds of a
//! call in blocks of calls back to back, and the largest difference from the exact precision in parts of the largest
//! answer. `--json` prints a line of JSON for each instead, which `peers.py` sets beside other libraries. A judgement of
//! speed needs a quiet machine; nothing here fails.

#![allow(clippy::print_stdout, reason = "its answer")]

use pontil::{
    describe,
    faults::Faults,
    limits::Limits,
    network::{Entry, Network},
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
    tensor::{Tensor, View, ViewMut},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn main() {
    let mut wanted = Wanted { threads: 1, isa: None, json: false, names: vec![] };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => (),
            "--json" => wanted.json = true,
            "--threads" => wanted.threads = words.next().and_then(|word| word.parse().ok()).unwrap_or(1),
            "--isa" => {
                let name = words.next().unwrap_or_default();
                wanted.isa = Isa::ALL.into_iter().find(|isa| isa.name() == name);
            }
            name => wanted.names.push(name.to_owned()),
        }
    }
    for (name, input, layers, batches) in networks() {
        let own = wanted.names.is_empty() || wanted.names.iter().any(|wanted| *wanted == name);
        for batch in batches.into_iter().filter(|_| own) {
            measure(name, &input, &layers, batch, &wanted);
        }
    }
}

struct Wanted {
    threads: usize,
    isa: Option<Isa>,
    json: bool,
    names: Vec<String>,
}

/// Name, shape of an example, layers, batches.
type Measured = (&'static str, Vec<usize>, Vec<Value>, Vec<usize>);

fn networks() -> Vec<Measured> {
    let dense = |inputs: usize, outputs: usize| json!({ "kind": "dense", "inputs": inputs, "outputs": outputs });
    let conv = |ins: usize, outs: usize, size: usize, border: usize, bias: bool| {
        json!({ "kind": "conv2d", "inChannels": ins, "outChannels": outs, "height": size, "width": size,
                "padding": border, "bias": bias })
    };
    let pool = |kind: &str, size: usize, ceil: bool| json!({ "kind": kind, "height": size, "width": size, "stride": 2, "ceil": ceil });
    let plain = |kind: &str| json!({ "kind": kind });
    let mlp = |activation: &str| {
        vec![
            dense(48, 256),
            plain(activation),
            dense(256, 128),
            plain(activation),
            dense(128, 64),
            plain(activation),
            dense(64, 12),
        ]
    };
    let lrn =
        json!({ "kind": "lrn", "mode": "across", "size": 3, "alpha": 5e-5, "beta": 0.75, "k": 1.0, "mean": true });
    let mut vgg = Vec::new();
    let mut channels = 3;
    for width in [32, 64, 128, 256] {
        for _ in 0..2 {
            vgg.push(conv(channels, width, 3, 1, false));
            vgg.push(json!({ "kind": "batchNorm", "features": width }));
            vgg.push(plain("relu"));
            channels = width;
        }
        vgg.push(pool("maxpool2d", 2, false));
    }
    vgg.extend([plain("globalavgpool2d"), plain("flatten"), dense(256, 100)]);
    let lenet = vec![
        conv(1, 20, 5, 0, true),
        pool("maxpool2d", 2, false),
        conv(20, 50, 5, 0, true),
        pool("maxpool2d", 2, false),
        plain("flatten"),
        dense(800, 500),
        plain("relu"),
        dense(500, 10),
        json!({ "kind": "softmax", "axis": 1 }),
    ];
    let cifar = vec![
        conv(3, 32, 5, 2, true),
        pool("maxpool2d", 3, true),
        plain("relu"),
        lrn.clone(),
        conv(32, 32, 5, 2, true),
        plain("relu"),
        pool("avgpool2d", 3, true),
        lrn,
        conv(32, 64, 5, 2, true),
        plain("relu"),
        pool("avgpool2d", 3, true),
        plain("flatten"),
        dense(1024, 10),
    ];
    vec![
        ("w1", vec![14], vec![dense(14, 16), plain("relu"), dense(16, 1), plain("sigmoid")], vec![1, 135]),
        ("w2", vec![48], mlp("elu"), vec![1, 4096]),
        ("w2t", vec![48], mlp("tanh"), vec![1, 4096]),
        ("w3", vec![28, 28, 1], lenet, vec![1, 64]),
        ("w4", vec![32, 32, 3], cifar, vec![1, 100]),
        ("w5", vec![128, 128, 3], vgg, vec![1, 8]),
        (
            "w6",
            vec![1024],
            vec![dense(1024, 4096), plain("relu"), dense(4096, 4096), plain("relu"), dense(4096, 1024)],
            vec![1, 256],
        ),
    ]
}

/// A network of these layers one after another, with made-up numbers that keep values near one.
fn network(input: &[usize], layers: &[Value]) -> Network {
    let named = layers.iter().enumerate().map(|(number, layer)| {
        let mut layer = layer.clone();
        layer["name"] = json!(number.to_string());
        let before = number.checked_sub(1).map_or("input".to_owned(), |before| before.to_string());
        layer["from"] = json!([before]);
        layer
    });
    let text = json!({ "kind": "graph", "inputs": [{ "name": "input", "shape": input }],
                       "layers": named.collect::<Vec<_>>() });
    let mut faults = Faults::default();
    let limits = Limits::default();
    let description = describe::parse(text.to_string().as_bytes(), &limits, &mut faults);
    let description = description.unwrap_or_else(|_| panic!("{}", faults.text()));
    let zeroed = Network::zeroed(&description, &limits, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    let mut random = Random(1);
    let entries: Vec<Entry> = zeroed
        .entries()
        .into_iter()
        .map(|entry| {
            let shape = entry.tensor.shape().to_vec();
            let terms = shape[..shape.len() - 1].iter().product::<usize>().max(1);
            let positive = entry.path.to_string().ends_with("running_var");
            let tensor = Tensor::filled_f32(shape.clone(), |to| {
                for to in to {
                    let x = random.next();
                    *to = if positive { 0.5 + x.abs() } else { x * (3.0 / terms as f32).sqrt() };
                }
            });
            Entry { tensor: tensor.expect("memory"), ..entry }
        })
        .collect();
    zeroed.with(&entries, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()))
}

fn measure(name: &str, input: &[usize], layers: &[Value], batch: usize, wanted: &Wanted) {
    let network = network(input, layers);
    let start = Instant::now();
    let mut faults = Faults::default();
    let options =
        SessionOptions { max_batch: batch, threads: wanted.threads, isa: wanted.isa, ..SessionOptions::default() };
    let session = Session::new(&network, &options, &Limits::default(), &mut faults);
    let mut session = session.unwrap_or_else(|_| panic!("{}", faults.text()));
    let planned = start.elapsed();
    let shape = |example: &[usize]| [&[batch], example].concat();
    let (in_shape, out_shape) = (shape(input), shape(session.output_shape(0)));
    let mut random = Random(2);
    let x: Vec<f32> = (0..in_shape.iter().product()).map(|_| random.next()).collect();
    let mut y = vec![0.0; out_shape.iter().product()];
    let mut run = |y: &mut [f32]| {
        let x = View::of_f32(&in_shape, &x);
        session.run(&[x], &mut [ViewMut::of_f32(&out_shape, y)], None).expect("it runs");
    };
    run(&mut y);
    let mut fewest = f64::INFINITY;
    let (begin, mut calls) = (Instant::now(), 1u32);
    while begin.elapsed() < Duration::from_millis(400) || fewest.is_infinite() {
        let block = Instant::now();
        (0..calls).for_each(|_| run(&mut y));
        let took = block.elapsed();
        if took < Duration::from_millis(2) && calls < 1 << 20 {
            calls *= 2;
            continue;
        }
        fewest = fewest.min(took.as_secs_f64() * 1e6 / f64::from(calls));
    }
    let error = error(&network, &in_shape, &x, &out_shape, &y);
    let Wanted { threads, json, .. } = *wanted;
    if json {
        println!("{}", json!({ "name": name, "batch": batch, "threads": threads, "us": fewest, "error": error }));
    } else {
        let planned = planned.as_secs_f64() * 1e3;
        println!(
            "{name:4} batch {batch:4}  threads {threads}  {fewest:12.3} µs  error {error:.1e}  planned in {planned:.1} ms"
        );
    }
}

/// The largest difference from the exact precision, on a few examples.
fn error(network: &Network, in_shape: &[usize], x: &[f32], out_shape: &[usize], y: &[f32]) -> f64 {
    let some = in_shape[0].min(2);
    let options = SessionOptions { max_batch: some, precision: Precision::Exact, ..SessionOptions::default() };
    let mut session = Session::new(network, &options, &Limits::default(), &mut Faults::default())
        .unwrap_or_else(|_| panic!("no exact session"));
    let (each_in, each_out) = (x.len() / in_shape[0], y.len() / out_shape[0]);
    let (in_shape, out_shape) = ([&[some], &in_shape[1..]].concat(), [&[some], &out_shape[1..]].concat());
    let mut exact = vec![0.0; some * each_out];
    let x = View::of_f32(&in_shape, &x[..some * each_in]);
    session.run(&[x], &mut [ViewMut::of_f32(&out_shape, &mut exact)], None).expect("it runs");
    let largest = exact.iter().fold(0f64, |most, &x| most.max(f64::from(x.abs())));
    exact.iter().zip(y).fold(0f64, |most, (a, b)| most.max((f64::from(*a) - f64::from(*b)).abs())) / largest
}

/// Numbers from −1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}
