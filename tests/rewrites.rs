//! What the plan does to a network before it runs: fewer steps, and the numbers of the network as it was written.

mod support;

use pontil::{
    describe,
    faults::Faults,
    limits::Limits,
    network::{Entry, Network},
    plan::{Isa, Plan, Precision},
    session::{Session, SessionOptions},
    tensor::{Tensor, View, ViewMut},
};
use serde_json::{Value, json};
use support::random::Random;

/// Examples of a run.
const MANY: usize = 5;

/// A network in Pontil's words: shape of its input, layers, outputs.
struct Trial {
    network: Network,
    input: Vec<usize>,
}

impl Trial {
    fn of(input: &[usize], layers: Value, outputs: &[&str]) -> Trial {
        let text = json!({ "kind": "graph", "inputs": [{ "name": "x", "shape": input }], "layers": layers, "outputs": outputs });
        let (limits, mut faults) = (Limits::default(), Faults::default());
        let description = describe::parse(text.to_string().as_bytes(), &limits, &mut faults);
        let description = description.unwrap_or_else(|_| panic!("{}", faults.text()));
        let zeroed =
            Network::zeroed(&description, &limits, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
        Trial { network: numbered(&zeroed, 1), input: input.to_vec() }
    }

    /// A stack of layers, each on the one before.
    fn stack(input: &[usize], layers: &[Value]) -> Trial {
        let mut before = "x".to_owned();
        let mut named = Vec::new();
        for (number, layer) in layers.iter().enumerate() {
            let mut layer = layer.clone();
            layer["from"] = json!([before]);
            before = format!("l{number}");
            layer["name"] = json!(before);
            named.push(layer);
        }
        Trial::of(input, json!(named), &[&before])
    }

    /// Steps, those done on the way among them: of the plan, and of the one in which every layer has its value.
    fn steps(&self, precision: Precision) -> [usize; 2] {
        [Plan::of, Plan::of_layers].map(|plan| {
            let plan = plan(&self.network, precision, &mut Faults::default()).unwrap();
            plan.steps.iter().filter(|step| step.kernel.is_some()).count()
        })
    }

    fn run(&self, network: &Network, options: &SessionOptions) -> Vec<Vec<f32>> {
        let options = SessionOptions { max_batch: MANY, ..options.clone() };
        let mut session = Session::new(network, &options, &Limits::default(), &mut Faults::default()).unwrap();
        run(&mut session, &self.input)
    }

    /// Fewer steps than without: so many in the standard precision, so many in the exact one. The same numbers within 2e-6
    /// of the largest, for each instruction set, after a swap too; in the exact precision the same bits.
    fn saves(&self, standard: usize, exact: usize) {
        for (precision, saved) in [(Precision::Standard, standard), (Precision::Exact, exact)] {
            let [fewer, all] = self.steps(precision);
            let text = Plan::told(&self.network, precision, &mut Faults::default()).unwrap();
            assert_eq!(all - fewer, saved, "{precision:?}: {all} steps became {fewer}:\n{text}");
        }
        let precisely = SessionOptions { precision: Precision::Exact, ..SessionOptions::default() };
        let as_written = SessionOptions { layers: true, ..precisely.clone() };
        let other = numbered(&self.network, 2);
        for network in [&self.network, &other] {
            let wanted = self.run(network, &as_written);
            assert!(wanted.iter().flatten().any(|x| *x != 0.0) && wanted.iter().flatten().all(|x| x.is_finite()));
            assert_eq!(self.run(network, &precisely), wanted);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_here()) {
                let options = SessionOptions { isa: Some(isa), ..SessionOptions::default() };
                close(&self.run(network, &options), &wanted);
            }
        }
        let options = SessionOptions { max_batch: MANY, ..SessionOptions::default() };
        let mut session = Session::new(&self.network, &options, &Limits::default(), &mut Faults::default()).unwrap();
        session.swap(&other).unwrap();
        assert_eq!(run(&mut session, &self.input), self.run(&other, &SessionOptions::default()));
    }
}

/// The same network with random numbers; what must be positive is.
fn numbered(network: &Network, seed: u64) -> Network {
    let mut random = Random(seed);
    let entries = network.entries().into_iter().map(|entry| {
        let positive = entry.path.to_string().ends_with("running_var");
        let tensor = Tensor::filled_f32(entry.tensor.shape().to_vec(), |to| {
            to.fill_with(|| if positive { random.number().abs() + 0.3 } else { random.number() / 2.0 });
        });
        Entry { tensor: tensor.unwrap(), ..entry }
    });
    network.with(&entries.collect::<Vec<_>>(), &mut Faults::default()).unwrap()
}

fn run(session: &mut Session, input: &[usize]) -> Vec<Vec<f32>> {
    let mut random = Random(9);
    let shape = [&[MANY], input].concat();
    let x: Vec<f32> = (0..shape.iter().product()).map(|_| random.number()).collect();
    let shapes: Vec<Vec<usize>> =
        (0..session.outputs().len()).map(|port| [&[MANY], session.output_shape(port)].concat()).collect();
    let mut outputs: Vec<Vec<f32>> = shapes.iter().map(|shape| vec![f32::NAN; shape.iter().product()]).collect();
    let mut views: Vec<ViewMut<'_>> =
        outputs.iter_mut().zip(&shapes).map(|(numbers, shape)| ViewMut::of_f32(shape, numbers)).collect();
    session.run(&[View::of_f32(&shape, &x)], &mut views, None).unwrap();
    outputs
}

fn close(got: &[Vec<f32>], wanted: &[Vec<f32>]) {
    for (got, wanted) in got.iter().zip(wanted) {
        let largest = wanted.iter().fold(1e-30f32, |most, x| most.max(x.abs()));
        let far = got.iter().zip(wanted).fold(0f32, |most, (a, b)| most.max((a - b).abs())) / largest;
        assert!(got.len() == wanted.len() && far < 2e-6, "{far:e} of the largest number away");
    }
}

fn dense(inputs: usize, outputs: usize) -> Value {
    json!({ "kind": "dense", "inputs": inputs, "outputs": outputs })
}

fn conv(inputs: usize, outputs: usize, more: Value) -> Value {
    let mut layer = json!({ "kind": "conv2d", "inChannels": inputs, "outChannels": outputs, "height": 3, "width": 3 });
    layer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    layer
}

fn norm(features: usize) -> Value {
    json!({ "kind": "batchNorm", "features": features })
}

fn permute(axes: &[usize]) -> Value {
    json!({ "kind": "permute", "axes": axes })
}

fn plain(kind: &str) -> Value {
    json!({ "kind": kind })
}

#[test]
fn what_gives_on_what_it_gets_goes() {
    let layers = [
        permute(&[0, 1, 2]),
        dense(6, 6),
        json!({ "kind": "slice", "axis": 1, "start": 0, "end": 4 }),
        plain("flatten"),
        json!({ "kind": "reshape", "each": [4, 6] }),
        permute(&[0, 2, 1]),
        json!({ "kind": "pad", "border": [0, 0] }),
    ];
    Trial::stack(&[4, 6], &layers).saves(3, 3);
}

#[test]
fn a_permute_of_axes_of_length_one_is_a_reshape() {
    Trial::stack(&[1, 7, 5], &[permute(&[0, 2, 3, 1]), conv(1, 3, json!({}))]).saves(1, 1);
}

#[test]
fn layers_nobody_takes_go() {
    let layers = json!([
        { "name": "a", "kind": "dense", "inputs": 4, "outputs": 3, "from": ["x"] },
        { "name": "b", "kind": "dense", "inputs": 3, "outputs": 9, "from": ["a"] },
        { "name": "c", "kind": "softmax", "from": ["b"] },
    ]);
    Trial::of(&[4], layers, &["a"]).saves(2, 2);
}

#[test]
fn a_permute_of_a_permute_becomes_one() {
    let there_and_back = [permute(&[0, 2, 3, 1]), permute(&[0, 3, 1, 2]), dense(5, 4)];
    Trial::stack(&[3, 4, 5], &there_and_back).saves(2, 2);
    Trial::stack(&[3, 4, 5], &[permute(&[0, 2, 3, 1]), permute(&[0, 2, 1, 3])]).saves(1, 1);
}

#[test]
fn permutes_move_behind_what_looks_at_each_number() {
    let layers =
        [dense(5, 6), permute(&[0, 3, 1, 2]), plain("tanh"), plain("abs"), permute(&[0, 2, 3, 1]), plain("exp")];
    let trial = Trial::stack(&[3, 4, 5], &layers);
    trial.saves(2, 2);
    let layers = json!([
        { "name": "a", "kind": "permute", "axes": [0, 3, 1, 2], "from": ["x"] },
        { "name": "b", "kind": "tanh", "from": ["x"] },
        { "name": "c", "kind": "permute", "axes": [0, 3, 1, 2], "from": ["b"] },
        { "name": "d", "kind": "multiply", "from": ["a", "c"] },
        { "name": "e", "kind": "permute", "axes": [0, 3, 1, 2], "from": ["x"] },
        { "name": "f", "kind": "concat", "axis": 1, "from": ["d", "e"] },
        { "name": "g", "kind": "permute", "axes": [0, 2, 3, 1], "from": ["f"] },
    ]);
    Trial::of(&[3, 4, 5], layers, &["g"]).saves(4, 4);
}

#[test]
fn a_permute_before_a_flatten_goes_into_the_dense_layers() {
    let layers = [
        conv(2, 3, json!({})),
        permute(&[0, 3, 1, 2]),
        plain("flatten"),
        norm(36),
        plain("tanh"),
        json!({ "kind": "layerNorm", "features": 36 }),
        json!({ "kind": "scale", "shape": [36] }),
        dense(36, 4),
    ];
    Trial::stack(&[5, 6, 2], &layers).saves(1, 0);
    let layers = json!([
        { "name": "p", "kind": "permute", "axes": [0, 1, 4, 2, 3], "from": ["x"] },
        { "name": "r", "kind": "reshape", "each": [2, 24], "from": ["p"] },
        { "name": "a", "kind": "dense", "inputs": 24, "outputs": 5, "from": ["r"] },
        { "name": "b", "kind": "prelu", "features": 24, "from": ["r"] },
        { "name": "c", "kind": "dense", "inputs": 24, "outputs": 7, "bias": false, "from": ["b"] },
    ]);
    Trial::of(&[2, 3, 4, 2], layers, &["a", "c"]).saves(1, 0);
    let seen = json!([
        { "name": "p", "kind": "permute", "axes": [0, 3, 1, 2], "from": ["x"] },
        { "name": "r", "kind": "flatten", "from": ["p"] },
        { "name": "a", "kind": "dense", "inputs": 24, "outputs": 5, "from": ["r"] },
    ]);
    Trial::of(&[3, 4, 2], seen, &["r", "a"]).saves(0, 0);
}

#[test]
fn a_normalisation_goes_into_the_layer_before() {
    let depthwise = conv(6, 6, json!({ "groups": 6, "bias": false, "padding": 1 }));
    let transposed = json!({ "kind": "convTranspose2d", "inChannels": 4, "outChannels": 6, "height": 2, "width": 3,
                             "stride": 2, "groups": 2 });
    let layers = [
        conv(2, 6, json!({ "padding": 1 })),
        norm(6),
        depthwise,
        json!({ "kind": "batchNorm", "features": 6, "affine": false }),
        plain("relu"),
        conv(6, 4, json!({ "groups": 2, "stride": 2 })),
        norm(4),
        transposed,
        norm(6),
        dense(6, 5),
        norm(5),
        norm(5),
        json!({ "kind": "scale", "shape": [5] }),
    ];
    let trial = Trial::stack(&[7, 8, 2], &layers);
    let plan = Plan::of(&trial.network, Precision::Standard, &mut Faults::default()).unwrap();
    assert!(plan.steps.iter().any(|step| step.folded == ["l10", "l11", "l12"]), "not one step does all");
    trial.saves(7, 0);
}

#[test]
fn a_normalisation_goes_into_the_layer_behind() {
    let layers = [
        conv(2, 6, json!({})),
        plain("relu"),
        json!({ "kind": "maxpool2d", "height": 2, "width": 2 }),
        norm(6),
        conv(6, 4, json!({ "groups": 2 })),
        plain("tanh"),
        json!({ "kind": "avgpool2d", "height": 2, "width": 2 }),
        norm(4),
        plain("flatten"),
        dense(16, 3),
    ];
    Trial::stack(&[14, 14, 2], &layers).saves(2, 0);
    let with_border =
        [layers[0].clone(), layers[1].clone(), layers[2].clone(), norm(6), conv(6, 4, json!({ "padding": 1 }))];
    Trial::stack(&[14, 14, 2], &with_border).saves(0, 0);
    Trial::stack(&[4], &[norm(4), dense(4, 3)]).saves(0, 0);
}

#[test]
fn layers_of_constants_are_computed_once() {
    let layers = json!([
        { "name": "c", "kind": "constant", "shape": [2, 3], "values": [1, -2, 3, 4, -5, 6] },
        { "name": "t", "kind": "tanh", "from": ["c"] },
        { "name": "d", "kind": "dense", "inputs": 3, "outputs": 4, "from": ["t"] },
        { "name": "e", "kind": "softmax", "from": ["d"] },
        { "name": "y", "kind": "add", "from": ["x", "e"] },
    ]);
    Trial::of(&[2, 4], layers, &["y"]).saves(3, 3);
}

#[test]
fn taps_see_layers_that_have_gone_and_change_no_answer() {
    let trial = Trial::stack(
        &[6, 6, 2],
        &[conv(2, 4, json!({})), norm(4), plain("relu"), norm(4), plain("flatten"), dense(64, 3)],
    );
    let options = SessionOptions { max_batch: MANY, ..SessionOptions::default() };
    let mut session = Session::new(&trial.network, &options, &Limits::default(), &mut Faults::default()).unwrap();
    let answers = run(&mut session, &trial.input);
    let alone = session.workspace_bytes();
    session.prepare_taps().unwrap();
    assert!(session.workspace_bytes() > alone);
    let (shape, mut random) = ([MANY, 6, 6, 2], Random(9));
    let x: Vec<f32> = (0..shape.iter().product()).map(|_| random.number()).collect();
    session.begin(MANY).unwrap();
    session.read_input(0, &View::of_f32(&shape, &x)).unwrap();
    let mut seen = Vec::new();
    let mut tap = |layer: usize, _: &[usize], numbers: &[f32]| seen.push((layer, numbers.to_vec()));
    session.execute(None, Some(&mut tap)).unwrap();
    assert_eq!(seen.iter().map(|seen| seen.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let mut y = vec![0.0; MANY * 3];
    session.write_output(0, &mut ViewMut::of_f32(&[MANY, 3], &mut y)).unwrap();
    assert_eq!([y], *answers);
    close(&[seen[5].1.clone()], &answers);
    assert!(seen[2].1.iter().zip(&seen[1].1).all(|(after, before)| *after == before.max(0.0)));
}

#[test]
fn what_is_joined_is_made_where_it_will_lie() {
    let border = |more: Value| {
        let mut all = json!({ "padding": 1 });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let pool = json!({ "kind": "maxpool2d", "height": 3, "width": 3, "stride": 1, "padding": 1 });
    let mut layers = Vec::new();
    let mut add = |name: &str, from: &[&str], mut layer: Value| {
        (layer["name"], layer["from"]) = (json!(name), json!(from));
        layers.push(layer);
    };
    let relu = || json!({ "kind": "relu" });
    add("s", &["x"], conv(3, 16, border(json!({}))));
    add("r", &["s"], relu());
    add("a", &["r"], conv(16, 18, border(json!({}))));
    add("b", &["a"], relu());
    add("c", &["r"], pool);
    add("d", &["r"], conv(16, 16, border(json!({ "groups": 16 }))));
    add("e", &["d"], json!({ "kind": "tanh" }));
    add("f", &["x"], conv(3, 5, border(json!({}))));
    add("g", &["b", "c", "e", "f", "r"], json!({ "kind": "concat", "axis": 3 }));
    add("h", &["g"], relu());
    add("i", &["h"], conv(71, 4, json!({})));
    let trial = Trial::of(&[9, 10, 3], json!(layers), &["i"]);
    trial.saves(4, 1);
    let text = Plan::told(&trial.network, Precision::Standard, &mut Faults::default()).unwrap().to_string();
    assert_eq!(text.matches("within 'g'").count(), 4, "{text}");
    let threads = SessionOptions { threads: 3, ..SessionOptions::default() };
    assert_eq!(trial.run(&trial.network, &threads), trial.run(&trial.network, &SessionOptions::default()));
}
