//! Cross-correlation of images with filters.

use crate::describe::mocha::Window;
use crate::faults::Fault;
use crate::mocha::Blob;

/// Each output channel the total over its group's channels and the window; noughts outside of the image. `shape` is what is
/// made.
pub fn convolution(x: &Blob, filter: &Blob, bias: &Blob, window: &Window, shape: &[usize]) -> Result<Blob, Fault> {
    let mut made = Blob::noughts(shape)?;
    let [_, channels, height, width] = x.image();
    let [_, filters, rows, columns] = made.image();
    let [_, each, kernel_rows, kernel_columns] = filter.image();
    let groups = channels / each.max(1);
    let plane = height * width;
    for (place, to) in made.numbers.chunks_exact_mut((rows * columns).max(1)).enumerate() {
        let (example, output) = (place / filters, place % filters);
        let first = example * channels + output / (filters / groups.max(1)).max(1) * each;
        to.fill(bias.numbers.get(output).copied().unwrap_or_default());
        for channel in 0..each {
            let from = &x.numbers[(first + channel) * plane..][..plane];
            for (tap, weight) in (0..kernel_rows * kernel_columns).map(|tap| {
                let at = (output * each + channel) * kernel_rows * kernel_columns + tap;
                ([tap / kernel_columns, tap % kernel_columns], filter.numbers[at])
            }) {
                let at = |place: usize, side: usize, length: usize| {
                    (place * window.stride[side] + tap[side]).checked_sub(window.pad[side]).filter(|at| *at < length)
                };
                for (row, to) in to.chunks_exact_mut(columns.max(1)).enumerate() {
                    let Some(row) = at(row, 0, height) else { continue };
                    let from = &from[row * width..][..width];
                    match window.stride[1] {
                        1 => {
                            let begins = window.pad[1].saturating_sub(tap[1]);
                            let skipped = tap[1].saturating_sub(window.pad[1]);
                            let to = to.iter_mut().skip(begins);
                            to.zip(from.iter().skip(skipped)).for_each(|(to, x)| *to += x * weight);
                        }
                        _ => {
                            for (column, to) in to.iter_mut().enumerate() {
                                if let Some(column) = at(column, 1, width) {
                                    *to += from[column] * weight;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(made)
}
