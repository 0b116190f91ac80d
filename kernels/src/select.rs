//! One of two operands, by a third; shapes broadcast.

use super::{
    Part,
    after::store,
    binary::{Spread, under},
    isa::{LANES, Vector},
};

/// Three operands. Inputs: the one that chooses, what stands where it is not nought, what stands elsewhere.
#[derive(Clone, Debug)]
pub struct Select {
    /// Lengths of the axes of one example of the output, at least one.
    pub shape: Vec<usize>,
    /// How each operand lies.
    pub operands: [Spread; 3],
}

/// Runs it, sixteen numbers of a row at a time; the part consists of whole rows. NaN is not nought.
#[inline(always)]
pub fn select<V: Vector>(select: &Select, part: Part<'_>) {
    let Some((&width, outer)) = select.shape.split_last() else { return };
    let rows = outer.iter().product::<usize>();
    for (number, out) in part.out.chunks_exact_mut(width).enumerate() {
        let number = part.at / width + number;
        let (example, row) = (number / rows, number % rows);
        let mut lines: [&[f32]; 3] = [&[]; 3];
        for ((line, operand), x) in lines.iter_mut().zip(&select.operands).zip(part.inputs) {
            *line = operand.row(x, outer, example, row, width);
        }
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let (first, lanes) = (strip * LANES, out.len());
            let by: V = under(lines[0], first, lanes);
            let (then, or) = (under(lines[1], first, lanes), under(lines[2], first, lanes));
            // Nothing but nought is less in size than the least number there is.
            store(by.abs().less(V::splat(f32::from_bits(1)), or, then), out);
        }
    }
}
