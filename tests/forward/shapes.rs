//! Numbers moved.

use crate::{array::Array, case::Case};
use pontil::describe::{Op, PadMode, UpsampleMode, UpsampleSize};

fn same(x: &Array, to: &[usize]) -> Array {
    Array::new(&[&[x.shape[0]], to].concat(), x.data.clone())
}

#[test]
fn the_same_numbers() {
    for (op, to) in [
        (Op::Identity, vec![3, 1, 4]),
        (Op::Flatten { start: 0, end: 2 }, vec![12]),
        (Op::Reshape { each: vec![4, 3] }, vec![4, 3]),
        (Op::Squeeze { axes: vec![1] }, vec![3, 4]),
        (Op::Unsqueeze { axes: vec![0] }, vec![1, 3, 1, 4]),
    ] {
        Case::of(op, &[3, 1, 4], &[], &to).check(|x, _| same(&x[0], &to));
    }
}

#[test]
fn permute() {
    for axes in [vec![0i64, 1, 2], vec![2, 0, 1], vec![2, 1, 0], vec![1, 0, 2]] {
        let from = [3, 4, 5];
        let to: Vec<usize> = axes.iter().map(|&axis| from[axis as usize]).collect();
        Case::of(Op::Permute { axes: axes.clone() }, &from, &[], &to).check(|x, _| {
            Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                let mut at = index.to_vec();
                for (i, &axis) in axes.iter().enumerate() {
                    at[axis as usize + 1] = index[i + 1];
                }
                x[0].at(&at)
            })
        });
    }
}

#[test]
fn slice_and_concat() {
    for (axis, start, end, step, places) in
        [(0, 1, Some(4), 2, vec![1, 3]), (1, 0, None, 3, vec![0, 3]), (2, 2, Some(5), 1, vec![2, 3, 4])]
    {
        let mut to = vec![5, 4, 6];
        to[axis] = places.len();
        let op = Op::Slice { axis: axis as i64, start, end, step };
        Case::of(op, &[5, 4, 6], &[], &to).check(|x, _| {
            Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                let mut at = index.to_vec();
                at[axis + 1] = places[index[axis + 1]];
                x[0].at(&at)
            })
        });
    }
    for axis in 0..3 {
        let shapes: Vec<Vec<usize>> = [2, 1, 5]
            .iter()
            .map(|&length| {
                let mut shape = vec![3, 4, 2];
                shape[axis] = length;
                shape
            })
            .collect();
        let mut to = vec![3, 4, 2];
        to[axis] = 8;
        let op = Op::Concat { axis: axis as i64 };
        Case::of(op, &shapes[0], &[], &to).and(&shapes[1], false).and(&shapes[2], true).check(|x, _| {
            Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                let mut at = index.to_vec();
                for x in x {
                    if at[axis + 1] < x.shape[axis + 1] {
                        return x.broadcast(&at);
                    }
                    at[axis + 1] -= x.shape[axis + 1];
                }
                unreachable!()
            })
        });
    }
}

#[test]
fn pad() {
    let border = vec![[1, 2], [0, 3], [2, 0]];
    let (from, to) = ([4, 5, 3], [7, 8, 5]);
    for mode in [PadMode::Constant(-2.5), PadMode::Reflect, PadMode::Edge, PadMode::Circular] {
        let op = Op::Pad { border: border.clone(), mode };
        Case::of(op, &from, &[], &to).check(|x, _| {
            Array::by(&[x[0].shape[0], 7, 8, 5], |index| {
                let mut at = vec![index[0] as i64];
                for axis in 0..3 {
                    let (length, mut i) = (from[axis] as i64, index[axis + 1] as i64 - border[axis][0] as i64);
                    match mode {
                        PadMode::Constant(_) => {}
                        PadMode::Edge => i = i.max(0).min(length - 1),
                        PadMode::Circular => i = (i + length) % length,
                        PadMode::Reflect if i < 0 => i = -i,
                        PadMode::Reflect if i >= length => i = 2 * (length - 1) - i,
                        PadMode::Reflect => {}
                    }
                    at.push(i);
                }
                x[0].maybe(&at).unwrap_or(-2.5)
            })
        });
    }
}

#[test]
fn upsample() {
    use UpsampleMode::*;
    let sizes = [
        (UpsampleSize::To(vec![7, 10]), vec![7usize, 10]),
        (UpsampleSize::To(vec![1, 2]), vec![1, 2]),
        (UpsampleSize::By(vec![2.0, 3.0]), vec![6, 15]),
        (UpsampleSize::By(vec![1.5, 0.6]), vec![4, 3]),
    ];
    for (size, made) in sizes {
        for mode in [Nearest, NearestExact, Linear, LinearCorners] {
            let from = [3usize, 5];
            let to = [made[0], made[1], 18];
            let op = Op::Upsample { dims: 2, size: size.clone(), mode };
            Case::of(op, &[3, 5, 18], &[], &to).check(|x, _| {
                let coordinate = |axis: usize, i: usize| {
                    let factor = match &size {
                        UpsampleSize::To(lengths) => lengths[axis] as f64 / from[axis] as f64,
                        UpsampleSize::By(factors) => factors[axis],
                    };
                    let last = (from[axis] - 1) as f64;
                    match mode {
                        Nearest => (i as f64 / factor + 1e-9).floor().min(last),
                        NearestExact => ((i as f64 + 0.5) / factor + 1e-9).floor().min(last),
                        Linear => ((i as f64 + 0.5) / factor - 0.5).clamp(0.0, last),
                        LinearCorners if made[axis] == 1 => 0.0,
                        LinearCorners => i as f64 * last / (made[axis] - 1) as f64,
                    }
                };
                Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                    let (a, b) = (coordinate(0, index[1]), coordinate(1, index[2]));
                    let mut total = 0.0;
                    for i in 0..3 {
                        for j in 0..5 {
                            let weight = |at: f64, i: usize| (1.0 - (at - i as f64).abs()).max(0.0);
                            total += weight(a, i) * weight(b, j) * x[0].at(&[index[0], i, j, index[3]]);
                        }
                    }
                    total
                })
            });
        }
    }
}
