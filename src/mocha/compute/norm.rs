//! What is divided by a total of its neighbours.

use crate::faults::Fault;
use crate::mocha::Blob;

/// `x / (shift + scale/n · Σ x²)^power`; over `kernel` neighbours along `axis`, or over as many rows and columns within the
/// channel. `n` is that of the whole window, also at borders.
pub fn lrn(x: &Blob, axis: Option<usize>, kernel: usize, [scale, shift, power]: [f64; 3]) -> Result<Blob, Fault> {
    let mut totals = Blob::noughts(&x.shape)?;
    let before = (kernel - 1) / 2;
    let after = kernel - 1 - before;
    let windowed = |axis: usize, squares: &[f64]| {
        let [outer, length, inner] = x.cut(axis);
        let mut sums = vec![0.0; squares.len()];
        for (place, to) in sums.iter_mut().enumerate() {
            let (first, at, last) = (place / inner / length, place / inner % length, place % inner);
            debug_assert!(first < outer);
            let span = at.saturating_sub(before)..(at + after + 1).min(length);
            *to = span.map(|at| squares[(first * length + at) * inner + last]).sum();
        }
        sums
    };
    let squares: Vec<f64> = x.numbers.iter().map(|x| x * x).collect();
    let (sums, places) = match axis {
        Some(axis) => (windowed(axis, &squares), kernel as f64),
        None => {
            let rows = windowed(2, &squares);
            (windowed(3, &rows), (kernel * kernel) as f64)
        }
    };
    for ((to, x), total) in totals.numbers.iter_mut().zip(&x.numbers).zip(sums) {
        *to = x * (shift + scale / places * total).powf(-power);
    }
    Ok(totals)
}

/// Softmax along an axis, the largest taken off first.
pub fn softmax(x: &Blob, axis: usize) -> Result<Blob, Fault> {
    let [before, length, behind] = x.cut(axis);
    let mut made = Blob::noughts(&x.shape)?;
    for (first, last) in (0..before).flat_map(|first| (0..behind).map(move |last| (first, last))) {
        let at = |place: usize| (first * length + place) * behind + last;
        let largest = (0..length).map(|place| x.numbers[at(place)]).fold(f64::NEG_INFINITY, f64::max);
        let mut total = 0.0;
        for place in 0..length {
            let power = (x.numbers[at(place)] - largest).exp();
            made.numbers[at(place)] = power;
            total += power;
        }
        (0..length).for_each(|place| made.numbers[at(place)] /= total);
    }
    Ok(made)
}
