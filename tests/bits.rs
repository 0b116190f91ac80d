//! The bits of an answer do not depend on how a batch is cut, on how many threads run, or on who else
//! runs: by every instruction set.

mod support;

use pontil::{
    network::Network,
    plan::{Isa, Precision},
    session::SessionOptions,
    tensor::{DType, Storage, Tensor},
};
use support::{
    answers::{self, Answer, PRECISIONS},
    case::Case,
    files, layer,
    random::Random,
};

/// Examples of a batch.
const MANY: usize = 64;

/// Networks of cases: dense layers, convolutions of each number of axes, normalisations, pools, residual blocks.
const CASES: &[&str] = &[
    "titanic_mlp_bn",
    "lenet5",
    "conv1d_dilated",
    "conv3d_small",
    "conv2d_groups_depthwise_nobias",
    "convtranspose2d",
    "norms_layer_group",
    "resnet_as_code",
    "mlp_softmax",
];

/// Layer words whose totals could be cut in more than one way.
const WORDS: &[&str] = &["dense", "matmul", "conv2d", "layerNorm", "groupNorm", "softmax", "lrn", "avgpool2d", "sum"];

#[test]
fn the_cut_of_a_batch_changes_no_bit() {
    for_each(|network, how, inputs| {
        let whole = at_once(network, how, 1, inputs);
        [(MANY / 2, MANY), (1, MANY), (1, 1)]
            .iter()
            .all(|&(size, room)| joined(network, how, inputs, size, room) == whole)
    });
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for_each(|network, how, inputs| {
        let one = at_once(network, how, 1, inputs);
        [2, 3].iter().all(|&threads| at_once(network, how, threads, inputs) == one)
    });
}

#[test]
fn sessions_side_by_side_change_no_bit() {
    for_each(|network, how, inputs| {
        let alone = at_once(network, how, 1, inputs);
        std::thread::scope(|scope| {
            let runs: Vec<_> = (0..2).map(|_| scope.spawn(|| at_once(network, how, 1, inputs))).collect();
            runs.into_iter().all(|run| run.join().unwrap() == alone)
        })
    });
}

/// A precision and an instruction set.
type How = (Precision, Isa);

/// Each network with random inputs; `holds` is what must be so.
fn for_each(holds: impl Fn(&Network, How, &[Tensor]) -> bool) {
    let mut networks = Vec::new();
    for name in CASES {
        let case = Case::of(&files::fixtures("cases").join(name));
        let network = case.network(&case.models(".safetensors")[0]).unwrap_or_else(|f| panic!("{name}: {}", f.text()));
        networks.push((name.to_string(), network, case.inputs()));
    }
    for word in WORDS {
        for case in layer::cases(&files::fixtures("layers").join(format!("{word}.json"))) {
            networks.push((format!("{word} {}", case.name), case.network().unwrap(), case.inputs));
        }
    }
    let mut wrong = Vec::new();
    for (name, network, inputs) in &networks {
        let inputs: Vec<Tensor> = inputs.iter().zip(1..).map(|(input, seed)| many(input, seed)).collect();
        for (isa, (precision, called)) in
            answers::sets().into_iter().flat_map(|isa| PRECISIONS.map(|named| (isa, named)))
        {
            if !holds(network, (precision, isa), &inputs) {
                wrong.push(format!("{name}, {called}, {}", isa.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "other bits: {}", wrong.join("; "));
}

/// `MANY` random examples of an input's shape.
fn many(input: &Tensor, seed: u64) -> Tensor {
    let shape: Vec<usize> = [MANY].into_iter().chain(input.shape()[1..].iter().copied()).collect();
    let mut random = Random(seed);
    Tensor::filled_f32(shape, |numbers| numbers.fill_with(|| random.number())).unwrap()
}

fn at_once(network: &Network, (precision, isa): How, threads: usize, inputs: &[Tensor]) -> Vec<Vec<u32>> {
    let options = SessionOptions { max_batch: MANY, precision, threads, isa: Some(isa), ..SessionOptions::default() };
    let mut session = answers::session(network, &options).unwrap();
    bits(&answers::run_on(&mut session, inputs).unwrap())
}

/// The answers to parts of `size` examples, put together; one session with room for `room` examples takes them all.
fn joined(network: &Network, (precision, isa): How, inputs: &[Tensor], size: usize, room: usize) -> Vec<Vec<u32>> {
    let options = SessionOptions { max_batch: room, precision, isa: Some(isa), ..SessionOptions::default() };
    let mut session = answers::session(network, &options).unwrap();
    let mut all: Vec<Vec<u32>> = Vec::new();
    for start in (0..MANY).step_by(size) {
        let parts: Vec<Tensor> = inputs.iter().map(|input| part(input, start, size)).collect();
        let answers = bits(&answers::run_on(&mut session, &parts).unwrap());
        all.resize(answers.len(), Vec::new());
        all.iter_mut().zip(answers).for_each(|(all, answer)| all.extend(answer));
    }
    all
}

/// Examples `start` to `start + size`.
fn part(input: &Tensor, start: usize, size: usize) -> Tensor {
    let each = input.count() / MANY * 4;
    let bytes = &input.packed_bytes().unwrap()[start * each..(start + size) * each];
    let shape = [size].into_iter().chain(input.shape()[1..].iter().copied()).collect();
    let storage = Storage::copied(bytes).unwrap();
    Tensor::packed(DType::F32, shape, storage).unwrap()
}

fn bits(answers: &[Answer]) -> Vec<Vec<u32>> {
    answers.iter().map(|answer| answer.numbers.iter().map(|number| number.to_bits()).collect()).collect()
}
