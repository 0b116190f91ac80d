//! A border of noughts around the window axes: what a convolution of the standard precision reads.

use super::Part;

/// Input: `x`, seen as `[places…, inner]`.
#[derive(Clone, Debug)]
pub struct Border {
    /// Places of the input, slowest axis first.
    pub input: [usize; 3],
    /// Places of the output; those beyond border and input are border too, and input beyond them is left out.
    pub output: [usize; 3],
    /// Border places before the first of the input.
    pub before: [usize; 3],
    /// Numbers of a place.
    pub inner: usize,
}

/// Runs it; the part consists of whole lines of the last axis.
pub fn border(border: &Border, part: Part<'_>) {
    let Border { input, output, before, inner } = border;
    let x = part.inputs[0];
    let line = output[2] * inner;
    let filled = (before[2] * inner).min(line);
    let copied = (input[2] * inner).min(line - filled);
    for (number, out) in part.out.chunks_exact_mut(line).enumerate() {
        let number = part.at / line + number;
        let under = |place: usize, axis: usize| place.checked_sub(before[axis]).filter(|&at| at < input[axis]);
        let (example, i, j) = (number / output[1] / output[0], number / output[1] % output[0], number % output[1]);
        match (under(i, 0), under(j, 1)) {
            (Some(i), Some(j)) => {
                let at = ((example * input[0] + i) * input[1] + j) * input[2] * inner;
                out[..filled].fill(0.0);
                out[filled..filled + copied].copy_from_slice(&x[at..at + copied]);
                out[filled + copied..].fill(0.0);
            }
            _ => out.fill(0.0),
        }
    }
}
