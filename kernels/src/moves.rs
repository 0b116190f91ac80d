//! Numbers moved, none computed: permute, slice, pad, nearest upsampling by one table an axis; joining; rows by number.

use super::Part;

/// Stands in a table for a place that is filled.
pub const FILLED: usize = usize::MAX;

/// `out[i, j, …] = x[table₀[i] + table₁[j] + …]`. Input: `x`.
#[derive(Clone, Debug)]
pub struct Move {
    /// For each axis of one example of the output, and each place: numbers to skip in the input, or [`FILLED`].
    /// At least one axis.
    pub tables: Vec<Vec<usize>>,
    /// What stands in places that are filled.
    pub fill: f32,
    /// Numbers of one example of the input; nought if all examples share it.
    pub each: usize,
}

/// Lines and columns of a block that is turned: sixteen lines of the cache are read and written while they are near.
const BLOCK: usize = 16;

/// Runs it; the part consists of whole rows of the last axis.
pub fn moves(moves: &Move, part: Part<'_>) {
    let Some((last, outer)) = moves.tables.split_last() else { return };
    let rows = outer.iter().map(Vec::len).product::<usize>();
    let each = rows * last.len();
    if part.at.is_multiple_of(each) && part.out.len().is_multiple_of(each) && !is_in_line(last) {
        let full = moves.tables.iter().all(|table| !table.contains(&FILLED));
        if let Some(axis) = outer.iter().position(|table| table.len() > 1 && is_in_line(table)).filter(|_| full) {
            return turned(moves, axis, each, part);
        }
    }
    let (inner, outer) = outer.split_last().map_or((&[0][..], outer), |(inner, outer)| (inner.as_slice(), outer));
    let (x, in_line) = (part.inputs[0], is_in_line(last));
    let mut number = part.at / last.len();
    let mut rest = part.out;
    while !rest.is_empty() {
        // Neighbours along the last axis but one.
        let first = number % inner.len();
        let count = (inner.len() - first).min(rest.len() / last.len());
        let (out, later) = rest.split_at_mut(count * last.len());
        let (example, mut line) = (number / rows, number % rows / inner.len());
        let mut start = Some(example * moves.each);
        for table in outer.iter().rev() {
            let skip = table[line % table.len()];
            start = start.filter(|_| skip != FILLED).map(|start| start + skip);
            line /= table.len();
        }
        for (&skip, out) in inner[first..].iter().zip(out.chunks_exact_mut(last.len())) {
            match start.filter(|_| skip != FILLED).map(|start| start + skip) {
                None => out.fill(moves.fill),
                Some(start) if in_line && last[0] != FILLED => copy(&x[start + last[0]..][..last.len()], out),
                Some(start) => {
                    for (out, &skip) in out.iter_mut().zip(last) {
                        *out = if skip == FILLED { moves.fill } else { x[start + skip] };
                    }
                }
            }
        }
        (number, rest) = (number + count, later);
    }
}

/// Copies a row; a short one without a call.
#[inline(always)]
fn copy(x: &[f32], out: &mut [f32]) {
    match (x, &mut *out) {
        (&[a], [to]) => *to = a,
        (&[a, b], [to, then]) => (*to, *then) = (a, b),
        (&[a, b, c], [to, then, last]) => (*to, *then, *last) = (a, b, c),
        _ => out.copy_from_slice(x),
    }
}

/// Whether the places of an axis are neighbours in the input.
fn is_in_line(table: &[usize]) -> bool {
    table.windows(2).all(|pair| pair[0] != FILLED && pair[1] == pair[0] + 1)
}

/// Whole examples in which the places of `axis` are neighbours in the input, those of the last axis in the output: block by
/// block of both.
fn turned(moves: &Move, axis: usize, each: usize, part: Part<'_>) {
    let Some((last, outer)) = moves.tables.split_last() else { return };
    let (lines, columns) = (outer[axis].len(), last.len());
    let step = outer[axis + 1..].iter().map(Vec::len).product::<usize>() * columns;
    for (example, out) in part.out.chunks_exact_mut(each).enumerate() {
        let x = &part.inputs[0][(part.at / each + example) * moves.each..];
        for other in 0..each / columns / lines {
            let (mut rest, mut from, mut to, mut stride) = (other, outer[axis][0], 0, columns);
            for (number, table) in outer.iter().enumerate().rev() {
                if number != axis {
                    let place = rest % table.len();
                    (from, to, rest) = (from + table[place], to + place * stride, rest / table.len());
                }
                stride *= table.len();
            }
            for first_line in (0..lines).step_by(BLOCK) {
                for first in (0..columns).step_by(BLOCK) {
                    let skips = &last[first..(first + BLOCK).min(columns)];
                    for line in first_line..(first_line + BLOCK).min(lines) {
                        let out = &mut out[to + line * step + first..][..skips.len()];
                        for (out, skip) in out.iter_mut().zip(skips) {
                            *out = x[from + line + skip];
                        }
                    }
                }
            }
        }
    }
}

/// One operand's place in a joined row. Input: the operand; the rest of the output stays as it is.
#[derive(Clone, Debug)]
pub struct Join {
    /// Numbers of a row of the output.
    pub row: usize,
    /// Rows of one example.
    pub rows: usize,
    /// Where the operand's numbers start in a row.
    pub start: usize,
    /// How many they are.
    pub count: usize,
    /// Whether all examples share the operand.
    pub shared: bool,
}

/// Runs it; the part consists of whole rows.
pub fn join(join: &Join, part: Part<'_>) {
    for (number, out) in part.out.chunks_exact_mut(join.row).enumerate() {
        let number = part.at / join.row + number;
        let row = if join.shared { number % join.rows } else { number };
        let from = &part.inputs[0][row * join.count..][..join.count];
        out[join.start..join.start + join.count].copy_from_slice(from);
    }
}

/// Rows of a table by whole numbers, which the session has looked at before. Input: the table.
#[derive(Clone, Debug)]
pub struct Embedding {
    /// Rows of the table.
    pub count: usize,
    /// Length of a row.
    pub features: usize,
}

/// Runs it; the part consists of whole rows.
pub fn embedding(embedding: &Embedding, part: Part<'_>) {
    let whole = &part.whole[part.at / embedding.features..];
    let table = part.inputs[0];
    for (out, &row) in part.out.chunks_exact_mut(embedding.features).zip(whole) {
        out.copy_from_slice(&table[row as usize * embedding.features..][..embedding.features]);
    }
}
