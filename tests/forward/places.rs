//! Pools and reductions.

use crate::{
    array::{Array, indices},
    case::Case,
    linear::window,
};
use pontil::describe::{Border, Divisor, Op, PoolKind, ReduceKind, Window};

/// Places of the input (or border, outside of it) under a window, axis by axis.
fn under(window: &Window, place: &[usize], tap: &[usize]) -> Vec<i64> {
    let Border::Explicit(border) = &window.border else { unreachable!() };
    (0..place.len())
        .map(|i| (place[i] * window.stride[i] + tap[i] * window.dilation[i]) as i64 - border[i][0] as i64)
        .collect()
}

fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

#[test]
fn pools() {
    let ceil = |window: Window| Window { ceil: true, ..window };
    for (places, window, made) in [
        (vec![9], window(&[2], &[2], &[1], &[[0, 0]]), vec![4]),
        (vec![8, 7], window(&[3, 2], &[2, 3], &[1, 2], &[[1, 1], [0, 1]]), vec![4, 2]),
        (vec![6, 6], ceil(window(&[3, 3], &[2, 2], &[1, 1], &[[0, 0], [1, 1]])), vec![3, 4]),
        (vec![5, 5], ceil(window(&[2, 2], &[2, 2], &[2, 2], &[[1, 1], [1, 1]])), vec![3, 3]),
        (vec![4, 5, 6], window(&[2, 2, 3], &[2, 1, 2], &[1, 1, 1], &[[0, 0], [1, 0], [1, 1]]), vec![2, 5, 3]),
    ] {
        let kinds = [Divisor::Inside, Divisor::Padded, Divisor::Window, Divisor::Fixed(5)].map(PoolKind::Mean);
        for kind in kinds.into_iter().chain([PoolKind::Max]) {
            for channels in [1, 19] {
                let (from, to) = ([places.as_slice(), &[channels]].concat(), [made.as_slice(), &[channels]].concat());
                let op = Op::Pool { kind, window: window.clone() };
                Case::of(op, &from, &[], &to).check(|x, _| {
                    let Border::Explicit(border) = &window.border else { unreachable!() };
                    Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                        let (place, channel) = (&index[1..index.len() - 1], index[index.len() - 1]);
                        let (mut most, mut total, mut inside, mut padded, mut all) = (f64::NEG_INFINITY, 0.0, 0, 0, 0);
                        for tap in indices(&window.size) {
                            let at = under(&window, place, &tap);
                            all += 1;
                            let within = |i: usize| at[i] < (places[i] + border[i][1]) as i64;
                            padded += usize::from((0..at.len()).all(within));
                            let from = [&[index[0] as i64], at.as_slice(), &[channel as i64]].concat();
                            if let Some(x) = x[0].maybe(&from) {
                                (most, total, inside) = (larger(most, x), total + x, inside + 1);
                            }
                        }
                        match kind {
                            PoolKind::Max => most,
                            PoolKind::Mean(_) if inside == 0 => 0.0,
                            PoolKind::Mean(Divisor::Inside) => total / inside as f64,
                            PoolKind::Mean(Divisor::Padded) => total / padded as f64,
                            PoolKind::Mean(Divisor::Window) => total / all as f64,
                            PoolKind::Mean(Divisor::Fixed(count)) => total / count as f64,
                        }
                    })
                });
            }
        }
    }
}

#[test]
fn adaptive_and_global() {
    for max in [true, false] {
        for (from, made) in [(vec![10, 7, 3], vec![3, 5]), (vec![5, 3], vec![7]), (vec![4, 5, 6, 2], vec![1, 2, 6])] {
            let channels = from[from.len() - 1];
            let to = [made.as_slice(), &[channels]].concat();
            let op = Op::AdaptivePool { max, places: made.iter().map(|&length| Some(length)).collect() };
            Case::of(op, &from, &[], &to).check(|x, _| {
                Array::by(&[&[x[0].shape[0]], to.as_slice()].concat(), |index| {
                    let ends: Vec<(usize, usize)> = (0..made.len())
                        .map(|i| (index[i + 1] * from[i] / made[i], ((index[i + 1] + 1) * from[i]).div_ceil(made[i])))
                        .collect();
                    let lengths: Vec<usize> = ends.iter().map(|(first, end)| end - first).collect();
                    let numbers: Vec<f64> = indices(&lengths)
                        .iter()
                        .map(|tap| {
                            let at: Vec<usize> = tap.iter().zip(&ends).map(|(tap, (first, _))| tap + first).collect();
                            x[0].at(&[&[index[0]], at.as_slice(), &[index[index.len() - 1]]].concat())
                        })
                        .collect();
                    if max {
                        numbers.iter().copied().fold(f64::NEG_INFINITY, larger)
                    } else {
                        numbers.iter().sum::<f64>() / numbers.len() as f64
                    }
                })
            });
        }
        for keep in [true, false] {
            let to = if keep { vec![1, 1, 21] } else { vec![21] };
            Case::of(Op::GlobalPool { max, dims: 2, keep }, &[13, 9, 21], &[], &to).check(|x, _| {
                let kind = if max { ReduceKind::Max } else { ReduceKind::Mean };
                reduced(&x[0], &[1, 2], kind, &to)
            });
        }
    }
}

/// Over some axes, the batch counted; the result in the shape `to` of one example.
fn reduced(x: &Array, axes: &[usize], kind: ReduceKind, to: &[usize]) -> Array {
    let kept: Vec<usize> = x.shape.iter().enumerate().map(|(i, &n)| if axes.contains(&i) { 1 } else { n }).collect();
    let over: Vec<usize> = x.shape.iter().enumerate().map(|(i, &n)| if axes.contains(&i) { n } else { 1 }).collect();
    let made = Array::by(&kept, |index| {
        let taps = indices(&over);
        let numbers = taps.iter().map(|tap| {
            let at: Vec<usize> = index.iter().zip(tap).map(|(i, tap)| i + tap).collect();
            x.at(&at)
        });
        match kind {
            ReduceKind::Max => numbers.fold(f64::NEG_INFINITY, larger),
            ReduceKind::Sum => numbers.sum(),
            ReduceKind::Mean => numbers.sum::<f64>() / taps.len() as f64,
            ReduceKind::Product => numbers.product(),
            ReduceKind::Place => {
                let all: Vec<f64> = numbers.collect();
                let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                all.iter().position(|number| *number == most).unwrap_or(0) as f64
            }
        }
    });
    Array::new(&[&[x.shape[0]], to].concat(), made.data)
}

#[test]
fn reductions() {
    for kind in [ReduceKind::Mean, ReduceKind::Max, ReduceKind::Sum] {
        for (from, axes, to) in [
            (vec![5], vec![0], vec![]),
            (vec![300], vec![0], vec![1]),
            (vec![4, 7], vec![1], vec![4]),
            (vec![4, 7], vec![0], vec![7]),
            (vec![3, 4, 5, 6], vec![0, 2], vec![4, 6]),
            (vec![3, 4, 5, 6], vec![1, 3], vec![3, 1, 5, 1]),
            (vec![3, 1, 5, 6], vec![0, 1, 2, 3], vec![]),
            (vec![4, 2, 3], vec![0], vec![2, 3]),
            (vec![2, 1, 2, 2, 1, 2, 2, 2, 2, 3], vec![2, 5, 9], vec![2, 1, 2, 1, 2, 2, 2]),
        ] {
            let op = Op::Reduce { kind, axes: axes.clone(), keep: to.len() == from.len() };
            let whole: Vec<usize> = axes.iter().map(|&axis| axis as usize + 1).collect();
            Case::of(op, &from, &[], &to).check(|x, _| reduced(&x[0], &whole, kind, &to));
        }
    }
}
