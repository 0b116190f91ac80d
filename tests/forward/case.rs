//! A network of one layer, run in every way and compared with a reference.

use crate::array::{Array, Random};
use pontil::{
    describe::{Description, Form, Graph, GraphValue, Node, Op, Port, Role, Slot},
    faults::Faults,
    limits::Limits,
    network::{Entry, Network, Turn},
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
    tensor::{DType, Tensor, View, ViewMut},
};

/// One layer. Shapes leave the batch out.
pub struct Case {
    pub op: Op,
    /// Inputs, and whether each has a batch; those without are constants.
    pub inputs: Vec<(Vec<usize>, bool)>,
    pub slots: Vec<Vec<usize>>,
    /// Slots that must be positive.
    pub positive: Vec<usize>,
    pub output: Vec<usize>,
    /// Numbers of the inputs are scaled by this.
    pub scale: f32,
}

impl Case {
    pub fn of(op: Op, input: &[usize], slots: &[&[usize]], output: &[usize]) -> Case {
        Case {
            op,
            inputs: vec![(input.to_vec(), true)],
            slots: slots.iter().map(|slot| slot.to_vec()).collect(),
            positive: vec![],
            output: output.to_vec(),
            scale: 1.0,
        }
    }

    pub fn and(mut self, shape: &[usize], batched: bool) -> Case {
        self.inputs.push((shape.to_vec(), batched));
        self
    }

    pub fn scaled(self, scale: f32) -> Case {
        Case { scale, ..self }
    }

    /// Compares with `reference(inputs with the batch, slots)` for several batches, splits, threads, both precisions.
    pub fn check(&self, reference: impl Fn(&[Array], &[Array]) -> Array) {
        let mut random = Random(7);
        let count = |shape: &[usize]| shape.iter().product::<usize>();
        let mut slots: Vec<Vec<f32>> = self.slots.iter().map(|shape| random.numbers(count(shape))).collect();
        for &slot in &self.positive {
            slots[slot].iter_mut().for_each(|x| *x = x.abs() + 0.1);
        }
        let constants: Vec<Option<Vec<f32>>> =
            self.inputs.iter().map(|(shape, batched)| (!batched).then(|| random.numbers(count(shape)))).collect();
        let network = self.network(&slots, &constants);
        let slots: Vec<Array> =
            slots.iter().zip(&self.slots).map(|(data, shape)| Array::singles(shape, data)).collect();
        // A large layer takes its reference too long for many examples.
        let batches: &[usize] = if count(&self.output) > 600 { &[1, 5] } else { &[1, 3, 33] };
        for &batch in batches {
            let given: Vec<Vec<f32>> = self
                .inputs
                .iter()
                .zip(&constants)
                .map(|((shape, _), constant)| {
                    let mut numbers = || random.numbers(batch * count(shape)).iter().map(|x| x * self.scale).collect();
                    constant.clone().unwrap_or_else(&mut numbers)
                })
                .collect();
            let arrays: Vec<Array> = given
                .iter()
                .zip(&self.inputs)
                .map(|(data, (shape, batched))| {
                    let first = if *batched { batch } else { 1 };
                    Array::singles(&[&[first], shape.as_slice()].concat(), data)
                })
                .collect();
            let wanted = reference(&arrays, &slots);
            assert_eq!(wanted.shape[1..], self.output, "{:?}", self.op);
            for (precision, bound) in [(Precision::Standard, 1e-6), (Precision::Exact, 4e-7)] {
                for isa in Isa::ALL.into_iter().filter(|isa| isa.is_here()) {
                    let options = SessionOptions { max_batch: batch, precision, isa: Some(isa), ..Default::default() };
                    let answer = self.run_with(&network, &given, batch, &options);
                    close(&answer, &wanted.data, bound, &format!("{:?} {precision:?} batch {batch} {isa:?}", self.op));
                }
                let whole = self.run(&network, &given, batch, batch, precision, 1);
                close(&whole, &wanted.data, bound, &format!("{:?} {precision:?} batch {batch}", self.op));
                for (step, threads) in [(1, 1), (batch.div_ceil(2), 1), (batch, 2), (batch, 3)] {
                    let other = self.run(&network, &given, batch, step, precision, threads);
                    let same = whole.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{:?}: bits move with {step} of {batch} at once, {threads} threads", self.op);
                }
            }
        }
    }

    pub fn network(&self, slots: &[Vec<f32>], constants: &[Option<Vec<f32>>]) -> Network {
        let value = |shape: &[usize], batched| GraphValue {
            dtype: DType::F32,
            shape: Some(shape.iter().map(|&length| Some(length)).collect()),
            batched,
        };
        let mut values: Vec<GraphValue> = self.inputs.iter().map(|(shape, batched)| value(shape, *batched)).collect();
        values.push(value(&self.output, true));
        let node = |op: Op, inputs: Vec<usize>, output, slots| Node {
            name: "layer".into(),
            op,
            inputs,
            output,
            slots,
            layer: 0,
        };
        let mut nodes = Vec::new();
        for (number, constant) in constants.iter().enumerate() {
            if let Some(values) = constant.clone() {
                let shape = self.inputs[number].0.clone();
                nodes.push(node(Op::Constant { shape, values }, vec![], number, vec![]));
            }
        }
        let output = self.inputs.len();
        nodes.push(node(self.op.clone(), (0..output).collect(), output, (0..slots.len()).collect()));
        let port = |value| Port { name: format!("port{value}"), value };
        let slot = |(number, shape): (usize, &Vec<usize>)| Slot {
            path: format!("layer.{number}"),
            role: Role::Parameter,
            shape: shape.clone(),
        };
        let graph = Graph {
            values,
            nodes,
            inputs: self.inputs.iter().enumerate().filter(|(_, input)| input.1).map(|(i, _)| port(i)).collect(),
            outputs: vec![port(output)],
            slots: self.slots.iter().enumerate().map(slot).collect(),
            runs: true,
        };
        build(graph, slots)
    }

    pub fn run(
        &self,
        network: &Network,
        given: &[Vec<f32>],
        batch: usize,
        step: usize,
        precision: Precision,
        threads: usize,
    ) -> Vec<f32> {
        let options = SessionOptions { max_batch: step, precision, threads, ..SessionOptions::default() };
        self.run_with(network, given, batch, &options)
    }

    /// In runs of `options.max_batch` examples.
    fn run_with(&self, network: &Network, given: &[Vec<f32>], batch: usize, options: &SessionOptions) -> Vec<f32> {
        let step = options.max_batch;
        let mut session = Session::new(network, options, &Limits::default(), &mut Faults::default()).unwrap();
        let mut out = Vec::new();
        let each: usize = self.output.iter().product();
        for first in (0..batch).step_by(step) {
            let now = step.min(batch - first);
            let with_batch = |shape: &[usize]| [&[now], shape].concat();
            let batched = || self.inputs.iter().zip(given).filter(|(input, _)| input.1);
            let shapes: Vec<Vec<usize>> = batched().map(|((shape, _), _)| with_batch(shape)).collect();
            let views: Vec<View<'_>> = batched()
                .zip(&shapes)
                .map(|(((shape, _), data), whole)| {
                    let each: usize = shape.iter().product();
                    View::of_f32(whole, &data[first * each..(first + now) * each])
                })
                .collect();
            let mut part = vec![0.0; now * each];
            let shape = with_batch(&self.output);
            session.run(&views, &mut [ViewMut::of_f32(&shape, &mut part)], None).unwrap();
            out.extend(part);
        }
        out
    }
}

/// A network of a graph made by hand.
pub fn build(graph: Graph, slots: &[Vec<f32>]) -> Network {
    let description = Description { form: Form::Graph, inputs: vec![], layers: vec![], outputs: vec![] };
    let turns = graph.slots.iter().map(|slot| Turn::none(&slot.shape)).collect();
    let entries: Vec<Entry> = graph
        .slots
        .iter()
        .zip(slots)
        .map(|(slot, numbers)| Entry {
            path: slot.path.as_str().into(),
            tensor: Tensor::filled_f32(slot.shape.clone(), |to| to.copy_from_slice(numbers)).unwrap(),
            place: slot.path.as_str().into(),
            offset: None,
        })
        .collect();
    let mut faults = Faults::default();
    Network::turned(description, graph, turns, &entries, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()))
}

/// Within `bound` times the largest wanted number.
pub fn close(got: &[f32], wanted: &[f64], bound: f64, what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}");
    let largest = wanted.iter().filter(|x| x.is_finite()).fold(1e-30f64, |most, x| most.max(x.abs()));
    for (i, (&got, &wanted)) in got.iter().zip(wanted).enumerate() {
        let same = f64::from(got) == wanted || (got.is_nan() && wanted.is_nan());
        assert!(same || (f64::from(got) - wanted).abs() <= bound * largest, "{what}: {i}: {got} for {wanted}");
    }
}
