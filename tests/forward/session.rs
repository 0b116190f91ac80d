//! Sessions: what they refuse, when they stop, what taps see, which numbers they run with.

use crate::{array::Random, case::build};
use pontil::{
    cancel::Cancel,
    describe::{Binary, Graph, GraphValue, Node, Op, PadMode, Port, Role, Slot, Unary},
    device::Parallel,
    faults::{Code, Faults},
    limits::Limits,
    network::{Entry, Network},
    plan::{Isa, Plan, Precision, Weights},
    session::{Session, SessionOptions},
    tensor::{DType, Tensor, View, ViewMut},
};
use std::sync::Arc;

fn value(dtype: DType, shape: &[usize]) -> GraphValue {
    GraphValue { dtype, shape: Some(shape.iter().map(|&length| Some(length)).collect()), batched: true }
}

fn node(name: &str, op: Op, inputs: &[usize], output: usize, slots: &[usize]) -> Node {
    Node { name: name.into(), op, inputs: inputs.into(), output, slots: slots.into(), layer: output - 1 }
}

/// `x [48]` through two dense layers with a way around the second: values 0 to 4.
fn graph() -> Graph {
    let dense = |inputs, outputs| Op::Dense { inputs, outputs, bias: true };
    let slot = |path: &str, shape: &[usize]| Slot { path: path.into(), role: Role::Parameter, shape: shape.into() };
    Graph {
        values: [48, 96, 96, 96, 96].iter().map(|&length| value(DType::F32, &[length])).collect(),
        nodes: vec![
            node("a", dense(48, 96), &[0], 1, &[0, 1]),
            node("tanh", Op::Unary(Unary::Tanh), &[1], 2, &[]),
            node("b", dense(96, 96), &[2], 3, &[2, 3]),
            node("add", Op::Binary(Binary::Add), &[1, 3], 4, &[]),
        ],
        inputs: vec![Port { name: "x".into(), value: 0 }],
        outputs: vec![Port { name: "y".into(), value: 4 }],
        slots: vec![slot("a.w", &[48, 96]), slot("a.b", &[96]), slot("b.w", &[96, 96]), slot("b.b", &[96])],
        runs: true,
    }
}

fn network() -> Network {
    let graph = graph();
    let mut random = Random(3);
    let slots: Vec<Vec<f32>> = graph.slots.iter().map(|slot| random.numbers(slot.shape.iter().product())).collect();
    build(graph, &slots)
}

fn session(network: &Network, options: SessionOptions) -> Session {
    Session::new(network, &options, &Limits::default(), &mut Faults::default()).unwrap()
}

fn options(max_batch: usize) -> SessionOptions {
    SessionOptions { max_batch, ..SessionOptions::default() }
}

fn run(session: &mut Session, x: &[f32], cancel: Option<&Cancel>) -> Result<Vec<f32>, Code> {
    run_of(session, [48, 96], x, cancel)
}

/// Runs a network of so many numbers in and out.
fn run_of(session: &mut Session, ends: [usize; 2], x: &[f32], cancel: Option<&Cancel>) -> Result<Vec<f32>, Code> {
    let batch = x.len() / ends[0];
    let mut y = vec![0.0; batch * ends[1]];
    let shape = [batch, ends[1]];
    session.run(&[View::of_f32(&[batch, ends[0]], x)], &mut [ViewMut::of_f32(&shape, &mut y)], cancel)?;
    Ok(y)
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut session = session(&network(), options(4));
    let x = [0.5; 48 * 5];
    assert_eq!(run(&mut session, &x, None), Err(Code::Value));
    assert_eq!(run(&mut session, &[], None), Ok(vec![]));
    let mut y = [7.0; 96];
    let mut wrong = [ViewMut::of_f32(&[96], &mut y)];
    assert_eq!(session.run(&[View::of_f32(&[1, 48], &x[..48])], &mut wrong, None), Err(Code::Value));
    assert_eq!(session.run(&[], &mut wrong, None), Err(Code::Value));
    assert_eq!(session.run(&[View::of_f32(&[1, 47], &x[..47])], &mut wrong, None), Err(Code::Value));
    assert_eq!(y, [7.0; 96]);
    session.begin(1).unwrap();
    assert_eq!(session.execute(None, None), Err(Code::NotBound));
    assert_eq!(session.write_output(0, &mut ViewMut::of_f32(&[1, 96], &mut y)), Err(Code::State));
    let bytes = [0; 48 * 4];
    assert_eq!(session.read_input(0, &View::new(DType::I32, &[1, 48], None, 0, &bytes)), Err(Code::Value));
    assert_eq!(session.read_input(1, &View::of_f32(&[1, 48], &x[..48])), Err(Code::Value));
    assert_eq!(session.write_output(1, &mut ViewMut::of_f32(&[1, 96], &mut y)), Err(Code::State));
}

#[test]
fn a_raised_flag_stops_and_writes_nothing() {
    let mut session = session(&network(), options(4));
    let cancel = Cancel::new();
    let x = [0.5; 96];
    let calm = run(&mut session, &x, Some(&cancel)).unwrap();
    cancel.raise();
    assert_eq!(run(&mut session, &x, Some(&cancel)), Err(Code::Stopped));
    session.begin(2).unwrap();
    session.read_input(0, &View::of_f32(&[2, 48], &x)).unwrap();
    cancel.reset();
    let mut seen = Vec::new();
    let mut tap = |layer: usize, _: &[usize], _: &[f32]| {
        seen.push(layer);
        cancel.raise();
    };
    let stopped = session.execute(Some(&cancel), Some(&mut tap));
    assert_eq!((stopped, seen), (Err(Code::Stopped), vec![0]));
    assert_eq!(run(&mut session, &x, None), Ok(calm));
}

#[test]
fn taps_see_every_layer_in_order() {
    let mut session = session(&network(), options(3));
    let x = Random(5).numbers(96);
    session.begin(2).unwrap();
    session.read_input(0, &View::of_f32(&[2, 48], &x)).unwrap();
    let mut seen = Vec::new();
    let mut tap = |layer: usize, shape: &[usize], numbers: &[f32]| seen.push((layer, shape.to_vec(), numbers.to_vec()));
    session.execute(None, Some(&mut tap)).unwrap();
    assert_eq!(seen.iter().map(|seen| seen.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(seen.iter().all(|(_, shape, numbers)| *shape == [2, 96] && numbers.len() == 192));
    assert!(seen[0].2.iter().zip(&seen[1].2).all(|(x, y)| (x.tanh() - y).abs() < 1e-6));
    assert_eq!(run(&mut session, &x, None).unwrap(), seen[3].2);
}

#[test]
fn a_plan_tells_what_is_done_together() {
    let network = network();
    let told = Plan::told(&network, Precision::Standard, &mut Faults::default()).unwrap();
    let text = told.to_string();
    assert_eq!(text.lines().count(), 1 + 1 + 3 + 2, "{text}");
    let [a, tanh, b] = &told.rows[..] else { panic!("{text}") };
    assert_eq!((&*a.kernel, &*a.layer, &*a.shape, a.bytes), ("panels", "a", &[96][..], 96 * 4), "{text}");
    assert_eq!((&*tanh.kernel, &tanh.takes[..], tanh.weight_bytes), ("tanh", &["a".to_owned()][..], 0), "{text}");
    assert_eq!(
        (&*b.kernel, &b.takes[..], &b.then[..]),
        ("panels", &["tanh".into(), "a".into()][..], &[["add".into(), "add".into()]][..])
    );
    assert!(told.weight_bytes >= a.weight_bytes + b.weight_bytes && b.weight_bytes == 4 * (96 * 96 + 96), "{text}");
    assert_eq!(told.session_bytes, session(&network, options(1)).workspace_bytes());
    assert!(text.contains("then add 'add'"), "{text}");
}

#[test]
fn an_instruction_set_that_is_not_here_is_refused() {
    for isa in Isa::ALL {
        let mut faults = Faults::default();
        let options = SessionOptions { isa: Some(isa), ..options(1) };
        let made = Session::new(&network(), &options, &Limits::default(), &mut faults);
        assert_eq!(made.is_ok(), isa.is_here());
        assert!(made.is_ok() || faults.iter().next().unwrap().code == Code::Unsupported);
    }
}

#[test]
fn swapped_numbers_are_those_run_with() {
    let first = network();
    let entries: Vec<Entry> = first
        .entries()
        .into_iter()
        .map(|entry| Entry {
            tensor: Tensor::filled_f32(entry.tensor.shape().to_vec(), |to| to.fill(0.25)).unwrap(),
            ..entry
        })
        .collect();
    let other = first.with(&entries, &mut Faults::default()).unwrap();
    let x = Random(5).numbers(96);
    let mut own = session(&first, options(2));
    let before = run(&mut own, &x, None).unwrap();
    assert!(Weights::prepared(&other, Precision::Standard).is_some());
    own.swap(&other).unwrap();
    let after = run(&mut own, &x, None).unwrap();
    assert_eq!(after, run(&mut session(&other, options(2)), &x, None).unwrap());
    assert_ne!(before, after);
    assert_eq!(own.swap(&network()), Err(Code::Value));
    own.swap(&first).unwrap();
    assert_eq!(run(&mut own, &x, None).unwrap(), before);
}

/// Threads of a careless host: parts in the wrong order, one of them twice.
struct Careless;

impl Parallel for Careless {
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        (0..=parts).rev().chain([0]).for_each(part);
        true
    }
}

/// A host that leaves a part out.
struct Lazy;

impl Parallel for Lazy {
    fn run(&self, _: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        part(0);
        true
    }
}

fn hosted(parallel: impl Parallel + 'static, max_batch: usize) -> SessionOptions {
    SessionOptions { threads: 3, parallel: Some(Arc::new(parallel)), ..options(max_batch) }
}

#[test]
fn threads_give_the_same_bits() {
    let network = network();
    let x = Random(5).numbers(48 * 64);
    let one = run(&mut session(&network, options(64)), &x, None).unwrap();
    for threads in [2, 3, 7] {
        let mut own = session(&network, SessionOptions { threads, ..options(64) });
        for _ in 0..20 {
            assert_eq!(run(&mut own, &x, None).unwrap(), one);
        }
    }
    assert_eq!(run(&mut session(&network, hosted(Careless, 64)), &x, None).unwrap(), one);
    assert_eq!(run(&mut session(&network, hosted(Lazy, 64)), &x, None), Err(Code::Internal));
}

#[test]
fn threads_share_the_steps_of_few_examples() {
    const WIDE: usize = 1024;
    let graph = Graph {
        values: [0; 3].iter().map(|_| value(DType::F32, &[WIDE])).collect(),
        nodes: vec![
            node("a", Op::Dense { inputs: WIDE, outputs: WIDE, bias: false }, &[0], 1, &[0]),
            node("b", Op::Dense { inputs: WIDE, outputs: WIDE, bias: false }, &[1], 2, &[0]),
        ],
        inputs: vec![Port { name: "x".into(), value: 0 }],
        outputs: vec![Port { name: "y".into(), value: 2 }],
        slots: vec![Slot { path: "w".into(), role: Role::Parameter, shape: vec![WIDE, WIDE] }],
        runs: true,
    };
    let mut random = Random(7);
    let network = build(graph, &[random.numbers(WIDE * WIDE)]);
    for batch in [1, 2] {
        let x = random.numbers(WIDE * batch);
        let one = run_of(&mut session(&network, options(batch)), [WIDE; 2], &x, None).unwrap();
        for max_batch in [batch, 64] {
            for threads in [2, 3, 7] {
                let mut own = session(&network, SessionOptions { threads, ..options(max_batch) });
                assert_eq!(run_of(&mut own, [WIDE; 2], &x, None).unwrap(), one);
                let calm = Cancel::new();
                assert_eq!(run_of(&mut own, [WIDE; 2], &x, Some(&calm)).unwrap(), one);
            }
            let mut careless = session(&network, hosted(Careless, max_batch));
            assert_eq!(run_of(&mut careless, [WIDE; 2], &x, None).unwrap(), one);
            let mut lazy = session(&network, hosted(Lazy, max_batch));
            assert_eq!(run_of(&mut lazy, [WIDE; 2], &x, None), Err(Code::Internal));
        }
    }
}

#[test]
fn a_raised_flag_stops_all_threads() {
    let network = network();
    let x = Random(5).numbers(48 * 64);
    let one = run(&mut session(&network, options(64)), &x, None).unwrap();
    let cancel = Cancel::new();
    let mut own = session(&network, SessionOptions { threads: 3, ..options(64) });
    assert_eq!(run(&mut own, &x, Some(&cancel)).unwrap(), one);
    cancel.raise();
    assert_eq!(run(&mut own, &x, Some(&cancel)), Err(Code::Stopped));
    cancel.reset();
    assert_eq!(run(&mut own, &x, Some(&cancel)).unwrap(), one);
}

#[test]
fn threads_look_up_rows_of_their_own_examples() {
    let graph = Graph {
        values: vec![value(DType::I64, &[4]), value(DType::F32, &[4, 96]), value(DType::F32, &[4, 96])],
        nodes: vec![
            node("embedding", Op::Embedding { count: 50, features: 96 }, &[0], 1, &[0]),
            node("dense", Op::Dense { inputs: 96, outputs: 96, bias: false }, &[1], 2, &[1]),
        ],
        inputs: vec![Port { name: "x".into(), value: 0 }],
        outputs: vec![Port { name: "y".into(), value: 2 }],
        slots: [("table", [50, 96]), ("w", [96, 96])]
            .map(|(path, shape)| Slot { path: path.into(), role: Role::Parameter, shape: shape.into() })
            .into(),
        runs: true,
    };
    let mut random = Random(11);
    let network = build(graph, &[random.numbers(50 * 96), random.numbers(96 * 96)]);
    let rows: Vec<u8> = (0..64 * 4).flat_map(|place| (place * 37 % 50_i64).to_le_bytes()).collect();
    let run = |options| {
        let mut y = vec![0.0; 64 * 4 * 96];
        let rows = View::new(DType::I64, &[64, 4], None, 0, &rows);
        session(&network, options).run(&[rows], &mut [ViewMut::of_f32(&[64, 4, 96], &mut y)], None).unwrap();
        y
    };
    let one = run(options(64));
    for threads in [2, 3, 7] {
        assert_eq!(run(SessionOptions { threads, ..options(64) }), one);
    }
}

#[test]
fn memory_is_bounded_and_known() {
    let network = network();
    let own = session(&network, options(8));
    assert!(own.workspace_bytes() >= 8 * 96 * 3 * 4 && own.workspace_bytes() <= 8 * 96 * 4 * 4);
    let limits = Limits { session_bytes: own.workspace_bytes() - 1, ..Limits::default() };
    for (max_batch, limits) in [(8, limits), (usize::MAX, Limits::default()), (usize::MAX / 600, Limits::default())] {
        let mut faults = Faults::default();
        assert!(Session::new(&network, &options(max_batch), &limits, &mut faults).is_err());
        assert_eq!(faults.iter().next().unwrap().code, Code::Limit);
        assert!(faults.text().contains("\"a\""), "{}", faults.text());
    }
    for bad in [options(0), SessionOptions { threads: 0, ..options(1) }, SessionOptions { threads: 257, ..options(1) }]
    {
        let mut faults = Faults::default();
        assert_eq!(Session::new(&network, &bad, &Limits::default(), &mut faults).err().unwrap().0, Code::Value);
    }
}

#[test]
fn what_can_not_run_is_said() {
    let refused = |graph: Graph| {
        let slots: Vec<Vec<f32>> = graph.slots.iter().map(|slot| vec![0.0; slot.shape.iter().product()]).collect();
        let mut faults = Faults::default();
        let refused = Session::new(&build(graph, &slots), &options(1), &Limits::default(), &mut faults).err().unwrap();
        (refused.0, faults.text())
    };
    let (code, text) = refused(Graph { runs: false, ..graph() });
    assert!(code == Code::State && text.contains("order"), "{text}");
    for shape in [None, Some(vec![None])] {
        let mut free = graph();
        free.values[0].shape = shape;
        let (code, text) = refused(free);
        assert!(code == Code::Input && text.contains("\"x\"") && text.contains("example"), "{text}");
    }
    let mut long = graph();
    long.nodes[3] = node("pad", Op::Pad { border: vec![[0, 1 << 40]], mode: PadMode::Edge }, &[3], 4, &[]);
    long.values[4] = value(DType::F32, &[(1 << 40) + 96]);
    let (code, text) = refused(long);
    assert!(code == Code::Limit && text.contains("\"pad\""), "{text}");
    let mut wrong = graph();
    wrong.nodes[3].op = Op::Concat { axis: 4 };
    assert_eq!(refused(wrong).0, Code::Internal);
}

#[test]
fn rows_by_number() {
    let table: Vec<f32> = (0..15).map(|x| x as f32).collect();
    for dtype in [DType::I64, DType::I32] {
        let graph = Graph {
            values: vec![value(dtype, &[2]), value(dtype, &[2, 1]), value(DType::F32, &[2, 1, 3])],
            nodes: vec![
                node("reshape", Op::Reshape { each: vec![2, 1] }, &[0], 1, &[]),
                node("embedding", Op::Embedding { count: 5, features: 3 }, &[1], 2, &[0]),
            ],
            inputs: vec![Port { name: "x".into(), value: 0 }],
            outputs: vec![Port { name: "y".into(), value: 2 }],
            slots: vec![Slot { path: "weight".into(), role: Role::Parameter, shape: vec![5, 3] }],
            runs: true,
        };
        let mut own = session(&build(graph, std::slice::from_ref(&table)), options(2));
        let mut run = |rows: [i32; 4]| {
            let bytes: Vec<u8> = rows
                .iter()
                .flat_map(|&row| {
                    if dtype == DType::I64 { i64::from(row).to_le_bytes().to_vec() } else { row.to_le_bytes().to_vec() }
                })
                .collect();
            let mut y = [-1.0; 12];
            let view = View::new(dtype, &[2, 2], None, 0, &bytes);
            let code = own.run(&[view], &mut [ViewMut::of_f32(&[2, 2, 1, 3], &mut y)], None);
            (code, y)
        };
        assert_eq!(run([4, 0, 1, 4]), (Ok(()), [12., 13., 14., 0., 1., 2., 3., 4., 5., 12., 13., 14.]));
        for bad in [5, -1, i32::MIN] {
            assert_eq!(run([0, 0, 0, bad]), (Err(Code::Value), [-1.0; 12]));
        }
    }
}

#[test]
fn constants_reach_the_outputs() {
    let constant = |shape: &[usize]| GraphValue { batched: false, ..value(DType::F32, shape) };
    let graph = Graph {
        values: vec![value(DType::F32, &[1]), constant(&[3]), constant(&[3])],
        nodes: vec![
            node("c", Op::Constant { shape: vec![3], values: vec![1.0, -2.0, 3.0] }, &[], 1, &[]),
            node("abs", Op::Unary(Unary::Abs), &[1], 2, &[]),
        ],
        inputs: vec![Port { name: "x".into(), value: 0 }],
        outputs: [0, 1, 2].map(|value| Port { name: format!("y{value}"), value }).into(),
        slots: vec![],
        runs: true,
    };
    let mut own = session(&build(graph, &[]), options(2));
    let (mut x, mut c, mut abs) = ([0.0; 2], [0.0; 6], [0.0; 6]);
    let mut outputs =
        [ViewMut::of_f32(&[2, 1], &mut x), ViewMut::of_f32(&[2, 3], &mut c), ViewMut::of_f32(&[2, 3], &mut abs)];
    own.run(&[View::of_f32(&[2, 1], &[8.0, 9.0])], &mut outputs, None).unwrap();
    assert_eq!((x, c, abs), ([8.0, 9.0], [1., -2., 3., 1., -2., 3.], [1., 2., 3., 1., 2., 3.]));
}
