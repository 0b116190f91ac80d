//! Functions of numbers, normalisations, and what joins values.

use crate::{array::Array, case::Case};
use pontil::describe::{Binary, Op, Unary};

fn phi(x: f64) -> f64 {
    // By the series, which is fine between −6 and 6.
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while term.abs() > 1e-18 * sum.abs() {
        term *= x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

fn wanted(function: Unary, x: f64) -> f64 {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    match function {
        Unary::Relu => x.max(0.0),
        Unary::Tanh => (x.exp() - (-x).exp()) / (x.exp() + (-x).exp()),
        Unary::Sigmoid => sigmoid(x),
        Unary::LeakyRelu { slope } => x.max(0.0) + slope * x.min(0.0),
        Unary::Elu { alpha, width } => x.max(0.0) + (alpha * ((x / width).exp() - 1.0)).min(0.0),
        Unary::Selu => 1.0507009873554805 * (x.max(0.0) + (1.6732632423543772 * (x.exp() - 1.0)).min(0.0)),
        Unary::Gelu { tanh: false } => x * phi(x),
        Unary::Gelu { tanh: true } => {
            0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
        }
        Unary::Silu => x * sigmoid(x),
        Unary::Mish => x * (1.0 + x.exp()).ln().tanh(),
        Unary::Softplus { beta, threshold } => {
            if beta * x > threshold {
                x
            } else {
                (1.0 + (beta * x).exp()).ln() / beta
            }
        }
        Unary::Softsign => x / (1.0 + x.abs()),
        Unary::HardSigmoid { slope, shift } => (slope * x + shift).clamp(0.0, 1.0),
        Unary::HardSwish => x * (x + 3.0).clamp(0.0, 6.0) / 6.0,
        Unary::Clip { min, max } => x.clamp(min, max),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Sqrt => x.sqrt(),
        Unary::Abs => x.abs(),
        Unary::Erf => 2.0 * phi(x * 2f64.sqrt()) - 1.0,
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Sign => x.partial_cmp(&0.0).map_or(x, |side| f64::from(side as i8)),
        Unary::Power { power, scale, shift } => (shift + scale * x).powf(power),
        Unary::LogSigmoid => sigmoid(x).ln(),
        Unary::TanhShrink => x - x.tanh(),
        Unary::HardShrink { lambda } => {
            if x.abs() <= lambda {
                0.0
            } else {
                x
            }
        }
        Unary::SoftShrink { lambda } => x.signum() * (x.abs() - lambda).max(0.0),
        Unary::Threshold { threshold, value } => {
            if x > threshold {
                x
            } else {
                value
            }
        }
    }
}

const ALL: &[Unary] = &[
    Unary::Relu,
    Unary::Tanh,
    Unary::Sigmoid,
    Unary::LeakyRelu { slope: 0.25 },
    Unary::Elu { alpha: 1.5, width: 1.0 },
    Unary::Elu { alpha: 0.5, width: 0.5 },
    Unary::Selu,
    Unary::Gelu { tanh: false },
    Unary::Gelu { tanh: true },
    Unary::Silu,
    Unary::Mish,
    Unary::Softplus { beta: 1.0, threshold: 20.0 },
    Unary::Softplus { beta: 2.0, threshold: 3.0 },
    Unary::Softsign,
    Unary::HardSigmoid { slope: 1.0 / 6.0, shift: 0.5 },
    Unary::HardSwish,
    Unary::Clip { min: -1.0, max: 2.5 },
    Unary::Exp,
    Unary::Log,
    Unary::Sqrt,
    Unary::Abs,
    Unary::Erf,
    Unary::Power { power: 3.0, scale: 0.5, shift: 1.0 },
    Unary::LogSigmoid,
    Unary::TanhShrink,
    Unary::HardShrink { lambda: 0.5 },
    Unary::SoftShrink { lambda: 0.5 },
    Unary::Threshold { threshold: 0.125, value: -3.0 },
];

#[test]
fn functions() {
    for &function in ALL {
        Case::of(Op::Unary(function), &[5, 401], &[], &[5, 401])
            .scaled(4.0)
            .check(|x, _| Array::by(&x[0].shape, |index| wanted(function, x[0].at(index))));
    }
}

#[test]
fn joins() {
    use Binary::*;
    for function in [Add, Subtract, Multiply, Divide, Maximum, Minimum, Average] {
        for (a, b, batched, c) in [
            (&[5, 70][..], &[5, 70][..], true, None),
            (&[5, 70], &[70], false, None),
            (&[3, 1, 4], &[1, 5, 1], true, Some(&[3, 5, 4][..])),
            (&[1], &[5, 6], false, Some(&[1][..])),
            (&[4, 5], &[1], false, Some(&[4, 1])),
            (&[], &[], true, None),
        ] {
            let rank = a.len().max(b.len());
            let length = |shape: &[usize], i: usize| (i + shape.len()).checked_sub(rank).map_or(1, |i| shape[i]);
            let to: Vec<usize> = (0..rank).map(|i| length(a, i).max(length(b, i))).collect();
            let mut case = Case::of(Op::Binary(function), a, &[], &to).and(b, batched);
            if let Some(c) = c {
                case = case.and(c, true);
            }
            case.check(|x, _| {
                let even = |x: &Array| {
                    let mut shape = x.shape.clone();
                    while shape.len() <= rank {
                        shape.insert(1, 1);
                    }
                    Array::new(&shape, x.data.clone())
                };
                let even: Vec<Array> = x.iter().map(even).collect();
                Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                    let numbers: Vec<f64> = even.iter().map(|x| x.broadcast(index)).collect();
                    let fold = |f: fn(f64, f64) -> f64| numbers[1..].iter().fold(numbers[0], |a, &b| f(a, b));
                    match function {
                        Add => fold(|a, b| a + b),
                        Subtract => fold(|a, b| a - b),
                        Multiply => fold(|a, b| a * b),
                        Divide => fold(|a, b| a / b),
                        Maximum => fold(f64::max),
                        Minimum => fold(f64::min),
                        Average => fold(|a, b| a + b) / numbers.len() as f64,
                        Equal => fold(|a, b| f64::from(u8::from(a == b))),
                        Less => fold(|a, b| f64::from(u8::from(a < b))),
                        Greater => fold(|a, b| f64::from(u8::from(a > b))),
                        Power => fold(f64::powf),
                        Remainder => fold(|a, b| a % b),
                    }
                })
            });
        }
    }
}

#[test]
fn slots_joined() {
    let shape = [3, 4, 5];
    for slot in [&[5][..], &[4, 5], &[1], &[3, 1, 1]] {
        for (op, add) in
            [(Op::Scale { shape: slot.to_vec() }, false), (Op::PositionTable { shape: slot.to_vec() }, true)]
        {
            Case::of(op, &shape, &[slot], &shape).check(|x, slots| {
                Array::by(&x[0].shape, |index| {
                    let (x, slot) = (x[0].at(index), slots[0].broadcast(index));
                    if add { x + slot } else { x * slot }
                })
            });
        }
    }
    for features in [1, 5] {
        Case::of(Op::Prelu { features }, &shape, &[&[features]], &shape).check(|x, slots| {
            Array::by(&x[0].shape, |index| {
                x[0].at(index).max(0.0) + slots[0].broadcast(index) * x[0].at(index).min(0.0)
            })
        });
    }
}

fn normalised(numbers: &[f64], epsilon: f64) -> Vec<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|x| (x - mean) / (variance + epsilon).sqrt()).collect()
}

#[test]
fn norms() {
    let epsilon = 1e-3;
    for affine in [true, false] {
        let own: &[&[usize]] = if affine { &[&[6], &[6]] } else { &[] };
        let slots = [own, &[&[6], &[6]]].concat();
        let op = Op::BatchNorm { features: 6, epsilon, momentum: 0.1, affine };
        let mut case = Case::of(op, &[4, 3, 6], &slots, &[4, 3, 6]);
        case.positive = vec![own.len() + 1];
        case.check(|x, slots| {
            let (own, statistics) = slots.split_at(own.len());
            Array::by(&x[0].shape, |index| {
                let one = |slot: &Array| slot.broadcast(index);
                let plain = (x[0].at(index) - one(&statistics[0])) / (one(&statistics[1]) + epsilon).sqrt();
                if affine { plain * one(&own[0]) + one(&own[1]) } else { plain }
            })
        });
        for groups in [1, 2, 6] {
            let op = Op::GroupNorm { groups, features: 6, epsilon, affine };
            Case::of(op, &[5, 7, 6], own, &[5, 7, 6]).check(|x, slots| {
                let width = 6 / groups;
                Array::by(&x[0].shape, |index| {
                    let (example, channel) = (index[0], index[3]);
                    let group = channel / width;
                    let places = (0..35).flat_map(|place| (0..width).map(move |c| (place, group * width + c)));
                    let numbers: Vec<f64> = places.map(|(p, c)| x[0].at(&[example, p / 7, p % 7, c])).collect();
                    let me = (index[1] * 7 + index[2]) * width + channel % width;
                    let plain = normalised(&numbers, epsilon)[me];
                    if affine { plain * slots[0].at(&[channel]) + slots[1].at(&[channel]) } else { plain }
                })
            });
        }
    }
    for (shape, weight, bias) in
        [(vec![6], true, true), (vec![3, 6], true, false), (vec![6], false, true), (vec![6], false, false)]
    {
        let slots: Vec<&[usize]> = [weight, bias].iter().filter(|there| **there).map(|_| shape.as_slice()).collect();
        let op = Op::LayerNorm { shape: shape.clone(), epsilon, weight, bias };
        Case::of(op, &[4, 3, 6], &slots, &[4, 3, 6]).check(|x, slots| {
            let row = shape.iter().product::<usize>();
            let data = x[0].data.chunks(row).flat_map(|numbers| {
                let mut numbers = normalised(numbers, epsilon);
                for (i, x) in numbers.iter_mut().enumerate() {
                    *x = if weight { *x * slots[0].data[i] } else { *x };
                    *x += if bias { slots[slots.len() - 1].data[i] } else { 0.0 };
                }
                numbers
            });
            Array::new(&x[0].shape, data.collect())
        });
    }
}

#[test]
fn along_an_axis() {
    for (shape, axis) in [(vec![10], 0), (vec![4, 300], 1), (vec![4, 9, 5], 1), (vec![7, 2], 0)] {
        for (op, what) in [
            (Op::Softmax { axis, log: false }, 0),
            (Op::Softmax { axis, log: true }, 1),
            (Op::L2Normalize { axis, epsilon: 1e-3 }, 2),
        ] {
            let axis = axis as usize + 1;
            Case::of(op, &shape, &[], &shape).scaled(3.0).check(|x, _| {
                Array::by(&x[0].shape, |index| {
                    let others = (0..x[0].shape[axis]).map(|i| {
                        let mut other = index.to_vec();
                        other[axis] = i;
                        x[0].at(&other)
                    });
                    let me = x[0].at(index);
                    match what {
                        0 => me.exp() / others.map(f64::exp).sum::<f64>(),
                        1 => me - others.map(f64::exp).sum::<f64>().ln(),
                        _ => me / others.map(|x| x * x).sum::<f64>().sqrt().max(1e-3),
                    }
                })
            });
        }
    }
}

#[test]
fn lrn() {
    for mean in [true, false] {
        for size in [1, 2, 3, 5] {
            let (alpha, beta, k) = (0.3, 0.75, 1.5);
            for across in [true, false] {
                let op = Op::Lrn { across, size, later: false, alpha, beta, k, mean };
                Case::of(op, &[5, 6, 7], &[], &[5, 6, 7]).check(|x, _| {
                    let near = |i: usize| i as i64 - (size / 2) as i64..=i as i64 + ((size - 1) / 2) as i64;
                    Array::by(&x[0].shape, |index| {
                        let here: Vec<i64> = index.iter().map(|&i| i as i64).collect();
                        let mut total = 0.0;
                        if across {
                            for c in near(index[3]) {
                                total += x[0].maybe(&[here[0], here[1], here[2], c]).unwrap_or(0.0).powi(2);
                            }
                        } else {
                            for i in near(index[1]) {
                                for j in near(index[2]) {
                                    total += x[0].maybe(&[here[0], i, j, here[3]]).unwrap_or(0.0).powi(2);
                                }
                            }
                        }
                        let places = if across { size } else { size * size } as f64;
                        let total = if mean { total / places } else { total };
                        x[0].at(index) / (k + alpha * total).powf(beta)
                    })
                });
            }
        }
    }
}
