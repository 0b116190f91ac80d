//! Dense layers, products and convolutions.

use crate::{
    array::{Array, indices},
    case::Case,
};
use pontil::describe::{Border, Conv, Op, Window};

#[test]
fn dense() {
    for (lead, inputs, outputs) in [
        (&[][..], 1, 1),
        (&[], 7, 5),
        (&[], 64, 128),
        (&[], 131, 97),
        (&[3, 2], 65, 33),
        (&[], 1500, 10),
        (&[5], 3, 200),
    ] {
        for bias in [true, false] {
            let slots: &[&[usize]] = if bias { &[&[inputs, outputs], &[outputs]] } else { &[&[inputs, outputs]] };
            let (from, to) = ([lead, &[inputs]].concat(), [lead, &[outputs]].concat());
            Case::of(Op::Dense { inputs, outputs, bias }, &from, slots, &to).check(|x, slots| {
                let shape = [&x[0].shape[..x[0].shape.len() - 1], &[outputs]].concat();
                Array::by(&shape, |index| {
                    let (column, row) = index.split_last().unwrap();
                    let term = |k| x[0].at(&[row, &[k]].concat()) * slots[0].at(&[k, *column]);
                    (0..inputs).map(term).sum::<f64>() + slots.get(1).map_or(0.0, |bias| bias.at(&[*column]))
                })
            });
        }
    }
}

#[test]
fn matmul() {
    for (a, b, b_batched, out) in [
        (&[4usize, 7][..], &[7usize, 9][..], true, &[4usize, 9][..]),
        (&[4, 7], &[7, 9], false, &[4, 9]),
        (&[7], &[7, 9], false, &[9]),
        (&[2, 3, 5, 70], &[1, 3, 70, 33], true, &[2, 3, 5, 33]),
        (&[3, 5, 6], &[2, 3, 6, 4], false, &[2, 3, 5, 4]),
        (&[2, 1, 5, 6], &[3, 6, 4], false, &[2, 3, 5, 4]),
    ] {
        Case::of(Op::MatMul, a, &[], out).and(b, b_batched).check(|x, _| {
            let batch = x[0].shape[0];
            // Ranks are evened out behind the batch.
            let even = |x: &Array, to: usize| {
                let mut shape = x.shape.clone();
                while shape.len() < to {
                    shape.insert(1, 1);
                }
                Array::new(&shape, x.data.clone())
            };
            let rank = x[0].shape.len().max(x[1].shape.len()).max(3);
            let (a, b) = (even(&x[0], rank), even(&x[1], rank));
            let made: Vec<usize> = (0..rank - 2).map(|i| a.shape[i].max(b.shape[i])).collect();
            let shape = [made.as_slice(), &[a.shape[rank - 2], b.shape[rank - 1]]].concat();
            let product = Array::by(&shape, |index| {
                let (lead, last) = index.split_at(rank - 2);
                let term =
                    |k| a.broadcast(&[lead, &[last[0], k]].concat()) * b.broadcast(&[lead, &[k, last[1]]].concat());
                (0..a.shape[rank - 1]).map(term).sum()
            });
            Array::new(&[&[batch], out].concat(), product.data)
        });
    }
}

pub fn window(size: &[usize], stride: &[usize], dilation: &[usize], border: &[[usize; 2]]) -> Window {
    Window {
        size: size.to_vec(),
        stride: stride.to_vec(),
        dilation: dilation.to_vec(),
        border: Border::Explicit(border.to_vec()),
        ceil: false,
    }
}

fn windows() -> Vec<(Vec<usize>, Window)> {
    vec![
        (vec![9], window(&[3], &[1], &[1], &[[0, 0]])),
        (vec![11], window(&[4], &[2], &[3], &[[3, 0]])),
        (vec![5, 7], window(&[1, 1], &[1, 1], &[1, 1], &[[0, 0], [0, 0]])),
        (vec![5, 7], window(&[3, 3], &[1, 1], &[1, 1], &[[1, 1], [1, 1]])),
        (vec![6, 8], window(&[2, 3], &[2, 3], &[2, 1], &[[1, 0], [0, 2]])),
        (vec![7, 5], window(&[1, 1], &[2, 2], &[1, 1], &[[0, 0], [0, 0]])),
        (vec![4, 3, 5], window(&[2, 3, 2], &[1, 2, 1], &[1, 1, 2], &[[0, 1], [1, 1], [1, 1]])),
    ]
}

fn length(input: usize, window: &Window, axis: usize) -> usize {
    let Border::Explicit(border) = &window.border else { unreachable!() };
    let reach = window.dilation[axis] * (window.size[axis] - 1) + 1;
    (input + border[axis][0] + border[axis][1] - reach) / window.stride[axis] + 1
}

/// `inputs, outputs, groups`.
const CHANNELS: [(usize, usize, usize); 6] = [(1, 1, 1), (3, 10, 1), (16, 33, 1), (6, 9, 3), (19, 19, 19), (4, 8, 4)];

#[test]
fn conv() {
    for (places, window) in windows() {
        for (inputs, outputs, groups) in CHANNELS {
            let conv = Conv { inputs, outputs, groups, window: window.clone(), bias: true };
            let made: Vec<usize> = (0..places.len()).map(|axis| length(places[axis], &window, axis)).collect();
            let weight = [window.size.as_slice(), &[inputs / groups, outputs]].concat();
            let (from, to) = ([places.as_slice(), &[inputs]].concat(), [made.as_slice(), &[outputs]].concat());
            Case::of(Op::Conv(conv), &from, &[&weight, &[outputs]], &to).check(|x, slots| {
                let Border::Explicit(border) = &window.border else { unreachable!() };
                let ins = inputs / groups;
                Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                    let (example, channel, at) = (index[0], index[index.len() - 1], &index[1..index.len() - 1]);
                    let group = channel / (outputs / groups);
                    let mut total = slots[1].at(&[channel]);
                    for tap in indices(&window.size) {
                        for c in 0..ins {
                            let place = (0..at.len()).map(|axis| {
                                (at[axis] * window.stride[axis] + tap[axis] * window.dilation[axis]) as i64
                                    - border[axis][0] as i64
                            });
                            let place: Vec<i64> = place.collect();
                            let from = [&[example as i64], place.as_slice(), &[(group * ins + c) as i64]].concat();
                            let weight = slots[0].at(&[tap.as_slice(), &[c, channel]].concat());
                            total += x[0].maybe(&from).unwrap_or(0.0) * weight;
                        }
                    }
                    total
                })
            });
        }
    }
}

#[test]
fn conv_transpose() {
    for (places, window) in windows() {
        for (inputs, outputs, groups) in CHANNELS {
            for extra in [0, 1] {
                let Border::Explicit(border) = &window.border else { unreachable!() };
                let conv = Conv { inputs, outputs, groups, window: window.clone(), bias: true };
                // What the transposed convolution would read: each number of the input is spread over the output.
                let made: Vec<usize> = (0..places.len())
                    .map(|axis| {
                        (places[axis] - 1) * window.stride[axis]
                            + window.dilation[axis] * (window.size[axis] - 1)
                            + 1
                            + extra
                            - border[axis][0]
                            - border[axis][1]
                    })
                    .collect();
                let weight = [window.size.as_slice(), &[inputs, outputs / groups]].concat();
                let (from, to) = ([places.as_slice(), &[inputs]].concat(), [made.as_slice(), &[outputs]].concat());
                let op = Op::ConvTranspose { conv, extra: vec![extra; places.len()] };
                Case::of(op, &from, &[&weight, &[outputs]], &to).check(|x, slots| {
                    let shape = [&[x[0].shape[0]], to.as_slice()].concat();
                    let mut out = Array::by(&shape, |index| slots[1].at(&[index[index.len() - 1]]));
                    let (ins, outs) = (inputs / groups, outputs / groups);
                    for index in indices(&x[0].shape) {
                        let (channel, at) = (index[index.len() - 1], &index[1..index.len() - 1]);
                        for tap in indices(&window.size) {
                            let place: Vec<i64> = (0..at.len())
                                .map(|axis| {
                                    (at[axis] * window.stride[axis] + tap[axis] * window.dilation[axis]) as i64
                                        - border[axis][0] as i64
                                })
                                .collect();
                            if place.iter().zip(&made).any(|(&p, &length)| p < 0 || p as usize >= length) {
                                continue;
                            }
                            for o in 0..outs {
                                let weight = slots[0].at(&[tap.as_slice(), &[channel, o]].concat());
                                let mut flat = index[0];
                                for (&p, &length) in place.iter().zip(&made) {
                                    flat = flat * length + p as usize;
                                }
                                out.data[flat * outputs + channel / ins * outs + o] += x[0].at(&index) * weight;
                            }
                        }
                    }
                    out
                });
            }
        }
    }
}
