//! Windows that move: over two axes, or along one.

use crate::describe::mocha::{Divisor, Pool, Window};
use crate::faults::Fault;
use crate::mocha::Blob;
use std::ops::Range;

/// A pool over the last two axes, and for maxima the place of each within its image, row by row. `shape` is what is made.
pub fn pool(x: &Blob, window: &Window, pool: Pool, shape: &[usize]) -> Result<(Blob, Option<Blob>), Fault> {
    let [_, _, height, width] = x.image();
    let mut made = Blob::noughts(shape)?;
    let [_, _, rows, columns] = made.image();
    let mut winners = if matches!(pool, Pool::Max { .. }) { Some(Blob::noughts(shape)?) } else { None };
    let side = |side: usize, length: usize| Side {
        kernel: window.kernel[side],
        stride: window.stride[side],
        pad: [window.pad[side]; 2],
        length,
    };
    let sides = [side(0, height), side(1, width)];
    for (plane, to) in made.numbers.chunks_exact_mut((rows * columns).max(1)).enumerate() {
        let from = &x.numbers[plane * height * width..][..height * width];
        for (place, to) in to.iter_mut().enumerate() {
            let spans = [sides[0].within(place / columns), sides[1].within(place % columns)];
            match pool {
                Pool::Mean(divisor) => {
                    let cells = spans[0].clone().flat_map(|row| &from[row * width..][spans[1].clone()]);
                    let divided = match divisor {
                        Divisor::Window => window.kernel[0] * window.kernel[1],
                        Divisor::Padded => sides[0].padded(place / columns) * sides[1].padded(place % columns),
                        Divisor::Inside => spans[0].len() * spans[1].len(),
                    };
                    *to = cells.sum::<f64>() / divided as f64;
                }
                Pool::Max { columns: by_columns, ignore_nan } => {
                    let by_rows = spans[0].clone().flat_map(|row| spans[1].clone().map(move |column| [row, column]));
                    let by_column = spans[1].clone().flat_map(|column| spans[0].clone().map(move |row| [row, column]));
                    let cell = |[row, column]: [usize; 2]| (row * width + column, from[row * width + column]);
                    let (winner, largest) = match by_columns {
                        true => largest(by_column.map(cell), ignore_nan),
                        false => largest(by_rows.map(cell), ignore_nan),
                    };
                    *to = largest;
                    if let Some(winners) = &mut winners {
                        winners.numbers[plane * rows * columns + place] = winner as f64;
                    }
                }
            }
        }
    }
    Ok((made, winners))
}

/// A pool along one axis. `shape` is what is made.
pub fn along(
    x: &Blob,
    axis: usize,
    [kernel, stride]: [usize; 2],
    pad: [usize; 2],
    pool: Pool,
    shape: &[usize],
) -> Result<Blob, Fault> {
    let [before, length, behind] = x.cut(axis);
    let mut made = Blob::noughts(shape)?;
    let windows = made.cut(axis)[1];
    let side = Side { kernel, stride, pad, length };
    for (first, place, last) in
        (0..before).flat_map(|a| (0..windows).flat_map(move |b| (0..behind).map(move |c| (a, b, c))))
    {
        let span = side.within(place);
        let cells = span.clone().map(|at| (at, x.numbers[(first * length + at) * behind + last]));
        made.numbers[(first * windows + place) * behind + last] = match pool {
            Pool::Max { ignore_nan, .. } => largest(cells, ignore_nan).1,
            Pool::Mean(divisor) => {
                let divided = match divisor {
                    Divisor::Window => kernel,
                    Divisor::Padded => side.padded(place),
                    Divisor::Inside => span.len(),
                };
                cells.map(|(_, number)| number).sum::<f64>() / divided as f64
            }
        };
    }
    Ok(made)
}

/// The first of the largest, and where it is. NaN is the largest of all, or is passed over.
fn largest(cells: impl Iterator<Item = (usize, f64)>, ignore_nan: bool) -> (usize, f64) {
    let mut found: Option<(usize, f64)> = None;
    for (at, number) in cells {
        if number.is_nan() {
            if !ignore_nan {
                return (at, number);
            }
            continue;
        }
        if found.is_none_or(|(_, largest)| number > largest) {
            found = Some((at, number));
        }
    }
    found.unwrap_or((0, f64::from(f32::MIN)))
}

/// One axis of a pool.
struct Side {
    kernel: usize,
    stride: usize,
    pad: [usize; 2],
    length: usize,
}

impl Side {
    /// The places of the input within a window.
    fn within(&self, window: usize) -> Range<usize> {
        let begins = window * self.stride;
        let end = (begins + self.kernel).saturating_sub(self.pad[0]).min(self.length);
        begins.saturating_sub(self.pad[0]).min(end)..end
    }

    /// How many places of a window lie within input and border.
    fn padded(&self, window: usize) -> usize {
        let begins = window * self.stride;
        (begins + self.kernel).min(self.length + self.pad[0] + self.pad[1]).saturating_sub(begins)
    }
}
