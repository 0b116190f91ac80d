//! Convolutions of many odd shapes: Winograd's algorithm, tiles straight from the input, transposes in phases, channels by
//! themselves; and what follows them.

use crate::{
    array::{Array, Random},
    case::Case,
    linear::window,
};
use pontil::{
    describe::{self, Conv, Op},
    faults::Faults,
    limits::Limits,
    network::{Entry, Network},
    plan::Isa,
    session::{Session, SessionOptions},
    tensor::{Tensor, View, ViewMut},
};
use serde_json::json;

/// A convolution over two axes, or its transpose: lengths of the input, window, stride, dilation, border before and after.
struct Plane {
    input: [usize; 2],
    size: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    border: [[usize; 2]; 2],
}

impl Plane {
    fn of(input: [usize; 2], size: usize, border: usize) -> Plane {
        Plane { input, size: [size; 2], stride: [1; 2], dilation: [1; 2], border: [[border; 2]; 2] }
    }

    fn output(&self, transposed: bool) -> [usize; 2] {
        [0, 1].map(|i| {
            let (reach, border) = (self.dilation[i] * (self.size[i] - 1) + 1, self.border[i][0] + self.border[i][1]);
            if transposed {
                (self.input[i] - 1) * self.stride[i] + reach - border
            } else {
                (self.input[i] + border - reach) / self.stride[i] + 1
            }
        })
    }

    fn check(&self, inputs: usize, outputs: usize, groups: usize, transposed: bool) {
        let made = self.output(transposed);
        let window = window(&self.size, &self.stride, &self.dilation, &self.border);
        let conv = Conv { inputs, outputs, groups, window, bias: true };
        let op = if transposed { Op::ConvTranspose { conv, extra: vec![0; 2] } } else { Op::Conv(conv) };
        let [ins, outs] = [inputs / groups, outputs / groups];
        let channels = if transposed { [inputs, outs] } else { [ins, outputs] };
        let weight = [&self.size[..], &channels].concat();
        let (from, to) = ([&self.input[..], &[inputs]].concat(), [&made[..], &[outputs]].concat());
        Case::of(op, &from, &[&weight, &[outputs]], &to).check(|x, slots| {
            let batch = x[0].shape[0];
            let mut out: Vec<f64> =
                slots[1].data.iter().copied().cycle().take(batch * made[0] * made[1] * outputs).collect();
            self.spread(made, transposed, |tap, from, to| {
                for example in 0..batch {
                    let from = (example * self.input[0] * self.input[1] + from) * inputs;
                    let to = (example * made[0] * made[1] + to) * outputs;
                    for group in 0..groups {
                        for i in 0..ins {
                            let x = x[0].data[from + group * ins + i];
                            for o in 0..outs {
                                let weight = if transposed {
                                    (tap * inputs + group * ins + i) * outs + o
                                } else {
                                    (tap * ins + i) * outputs + group * outs + o
                                };
                                out[to + group * outs + o] += x * slots[0].data[weight];
                            }
                        }
                    }
                }
            });
            Array::new(&[&[batch], to.as_slice()].concat(), out)
        });
    }

    /// Every number of the window with a place of the input and the place of the output that they meet on.
    fn spread(&self, made: [usize; 2], transposed: bool, mut each: impl FnMut(usize, usize, usize)) {
        // A transposed convolution is one whose input and output have changed places.
        let (small, large) = if transposed { (self.input, made) } else { (made, self.input) };
        for tap in 0..self.size[0] * self.size[1] {
            let tap_at = [tap / self.size[1], tap % self.size[1]];
            for place in 0..small[0] * small[1] {
                let at = [place / small[1], place % small[1]];
                let met = [0, 1]
                    .map(|i| (at[i] * self.stride[i] + tap_at[i] * self.dilation[i]).checked_sub(self.border[i][0]));
                if let [Some(i), Some(j)] = met {
                    if i < large[0] && j < large[1] {
                        let far = i * large[1] + j;
                        let (from, to) = if transposed { (place, far) } else { (far, place) };
                        each(tap, from, to);
                    }
                }
            }
        }
    }
}

#[test]
fn windows_of_three() {
    for (number, input) in
        [[1, 1], [2, 9], [3, 13], [4, 4], [5, 6], [7, 7], [8, 5], [11, 3], [13, 12]].into_iter().enumerate()
    {
        let (inputs, outputs) = [(16, 16), (17, 33), (33, 20), (24, 25), (65, 16)][number % 5];
        Plane::of(input, 3, 1).check(inputs, outputs, 1, false);
    }
    Plane::of([9, 10], 3, 0).check(16, 19, 1, false);
    Plane::of([6, 7], 3, 2).check(20, 17, 1, false);
    Plane { border: [[0, 2], [1, 0]], ..Plane::of([9, 8], 3, 0) }.check(31, 18, 1, false);
    // Wide layers, whose sums are long.
    Plane::of([8, 8], 3, 1).check(256, 16, 1, false);
}

#[test]
fn tiles() {
    for size in 1..=5 {
        for (input, border) in [([size, size], 0), ([size + 1, 13], size / 2), ([7, 6], size - 1)] {
            for (inputs, outputs, groups) in
                [(1, 1, 1), (1, 20, 1), (2, 8, 1), (3, 50, 1), (6, 26, 2), (20, 33, 1), (9, 9, 3)]
            {
                Plane::of(input, size, border).check(inputs, outputs, groups, false);
            }
        }
    }
    for stride in [[2, 2], [3, 1], [5, 4]] {
        for dilation in [[1, 1], [2, 3]] {
            let plane = Plane { stride, dilation, ..Plane::of([9, 11], 3, 2) };
            for (inputs, outputs, groups) in [(1, 7, 1), (5, 32, 1), (8, 12, 4), (16, 16, 16), (6, 18, 6)] {
                plane.check(inputs, outputs, groups, false);
            }
        }
    }
    // Sums of several blocks.
    Plane::of([5, 5], 5, 2).check(32, 24, 1, false);
}

#[test]
fn phases() {
    for stride in [[1, 1], [2, 2], [3, 2], [4, 5]] {
        for (size, border) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2)] {
            for dilation in [[1, 1], [2, 3]] {
                let plane = Plane { stride, dilation, ..Plane::of([4, 5], size, border) };
                for (inputs, outputs, groups) in [(1, 1, 1), (3, 17, 1), (8, 12, 4), (5, 5, 5)] {
                    plane.check(inputs, outputs, groups, true);
                }
            }
        }
    }
}

/// What follows a convolution does not change bits by being done on the way: a run whose layers are looked at does all by
/// itself.
#[test]
fn what_follows() {
    let conv = |ins: usize, outs: usize, size: usize| {
        json!({ "kind": "conv2d", "inChannels": ins, "outChannels": outs, "height": size, "width": size,
                "padding": size / 2 })
    };
    let plain = |kind: &str| json!({ "kind": kind });
    for (ins, outs, size) in [(3, 20, 5), (16, 16, 3), (19, 35, 3), (20, 50, 5), (32, 6, 3)] {
        let norm = json!({ "kind": "batchNorm", "features": outs });
        for after in [
            vec![plain("relu")],
            vec![norm.clone(), plain("relu")],
            vec![plain("sigmoid")],
            vec![norm.clone(), plain("relu"), plain("tanh")],
            vec![plain("elu"), norm],
        ] {
            let layers = [vec![conv(ins, outs, size)], after].concat();
            same_bits(&[9, 7, ins], &layers);
        }
    }
}

fn same_bits(input: &[usize], layers: &[serde_json::Value]) {
    let named = layers.iter().enumerate().map(|(number, layer)| {
        let mut layer = layer.clone();
        layer["name"] = json!(number.to_string());
        layer["from"] = json!([number.checked_sub(1).map_or("input".to_owned(), |before| before.to_string())]);
        layer
    });
    let text = json!({ "kind": "graph", "inputs": [{ "name": "input", "shape": input }],
                       "layers": named.collect::<Vec<_>>() })
    .to_string();
    let (limits, mut faults, mut random) = (Limits::default(), Faults::default(), Random(3));
    let description = describe::parse(text.as_bytes(), &limits, &mut faults).unwrap();
    let zeroed = Network::zeroed(&description, &limits, &mut faults).unwrap();
    let filled = zeroed.entries().into_iter().map(|entry| {
        let positive = entry.path.to_string().ends_with("running_var");
        let tensor = Tensor::filled_f32(entry.tensor.shape().to_vec(), |to| {
            to.fill_with(|| if positive { 0.5 + random.number().abs() } else { random.number() });
        });
        Entry { tensor: tensor.unwrap(), ..entry }
    });
    let network = zeroed.with(&filled.collect::<Vec<_>>(), &mut faults).unwrap();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_here()) {
        let options = SessionOptions { max_batch: 2, isa: Some(isa), ..SessionOptions::default() };
        let mut session = Session::new(&network, &options, &limits, &mut faults).unwrap();
        let shape = |example: &[usize]| [&[2], example].concat();
        let (in_shape, out_shape) = (shape(input), shape(session.output_shape(0)));
        let x = random.numbers(in_shape.iter().product());
        let mut run = |looked_at: bool| {
            let mut out = vec![0.0; out_shape.iter().product()];
            session.begin(2).unwrap();
            session.read_input(0, &View::of_f32(&in_shape, &x)).unwrap();
            let mut look = |_: usize, _: &[usize], _: &[f32]| ();
            session.execute(None, if looked_at { Some(&mut look) } else { None }).unwrap();
            session.write_output(0, &mut ViewMut::of_f32(&out_shape, &mut out)).unwrap();
            out.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(run(false), run(true), "{layers:?} {isa:?}");
    }
}
