//! Dense layers of few outputs in the standard precision: each sum by itself, sixteen terms at a time.
//!
//! Weights lie `[columns][terms]`, filled up to sixteen terms with noughts. Eight rows share the work of adding up lanes, and
//! what follows is done for as many rows at a time as fill sixteen lanes.
//!
//! Order of summation: term `k` joins sum `k mod 32` of thirty-two; then the two halves are added lane by lane, the two
//! halves of those, and of the eight left neighbour to neighbour; then the bias. It follows from the layer's sizes alone.

use super::{
    Part,
    after::{After, follow, load, store},
    isa::{LANES, Vector},
};

/// A dense layer. Inputs: `x`, weights, bias `[columns]` if there is one.
#[derive(Clone, Debug)]
pub struct Dots {
    /// Terms of a sum.
    pub terms: usize,
    /// Columns of the output, at most [`Dots::MOST`].
    pub columns: usize,
}

impl Dots {
    /// Most columns.
    pub const MOST: usize = 4;
}

/// Rows whose sums are added up together.
const EIGHT: usize = 8;

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn dots<V: Vector>(sizes: &Dots, part: Part<'_>) {
    let Dots { terms, columns } = *sizes;
    let (bias, lines): (_, &[[f32; LANES]]) = (part.inputs.get(2).copied(), bytemuck::cast_slice(part.inputs[1]));
    let each = terms.div_ceil(LANES);
    let column = |column: usize| &lines[column * each..][..each];
    if columns == 1 && part.out.len() == 1 {
        // A division takes longer than such a layer.
        let x = &part.inputs[0][if part.at == 0 { 0 } else { part.at * terms }..][..terms];
        let sum = V::splat(sum::<V>(x, column(0)).total()).add(V::splat(bias.map_or(-0.0, |bias| bias[0])));
        return store(follow(sum, part.after, part.at, 0, 1), part.out);
    }
    let x = &part.inputs[0][part.at / columns * terms..];
    let count = part.out.len() / columns;
    for number in 0..columns {
        let lines = column(number);
        let mut outs = part.out.chunks_exact_mut(EIGHT * columns);
        let mut rows = x[..count * terms].chunks_exact(EIGHT * terms.max(1));
        for (out, x) in (&mut outs).zip(&mut rows) {
            let mut sums = [V::splat(0.0); EIGHT];
            match <&[[f32; LANES]; EIGHT]>::try_from(x.as_chunks().0) {
                // Rows of one line are counted out.
                Ok(rows) if terms == LANES => {
                    let (line, nought) = (V::load(&lines[0]), V::splat(0.0));
                    for (to, x) in sums.iter_mut().zip(rows) {
                        *to = V::load(x).mul_add(line, nought).add(nought);
                    }
                }
                _ => {
                    for (to, at) in sums.iter_mut().zip(0..) {
                        *to = sum::<V>(&x[at * terms..][..terms], lines);
                    }
                }
            }
            for (out, total) in out.chunks_exact_mut(columns).zip(V::totals(sums)) {
                out[number] = total;
            }
        }
        for (at, out) in outs.into_remainder().chunks_exact_mut(columns).enumerate() {
            out[number] = sum::<V>(&rows.remainder()[at * terms..][..terms], lines).total();
        }
    }
    finish::<V>(columns, bias, part);
}

/// Bias and what follows, for as many whole rows at a time as fill the lanes.
#[inline(always)]
fn finish<V: Vector>(columns: usize, bias: Option<&[f32]>, part: Part<'_>) {
    let width = LANES / columns * columns;
    let spread = |numbers: &[f32]| {
        let mut lanes = [0.0; LANES];
        for row in lanes.chunks_mut(columns) {
            row.copy_from_slice(&numbers[..row.len()]);
        }
        lanes
    };
    let bias = bias.map_or([-0.0; LANES], spread);
    let mut spreads = [[[0.0; LANES]; 3]; After::MOST];
    for (spreads, after) in spreads.iter_mut().zip(part.after) {
        if let After::Affine(numbers) = after {
            *spreads = numbers.map(spread);
        }
    }
    let mut after = [After::Add(&[]); After::MOST];
    for ((to, from), [mean, scale, bias]) in after.iter_mut().zip(part.after).zip(&spreads) {
        *to = match from {
            After::Affine(_) => After::Affine([mean, scale, bias]),
            other => *other,
        };
    }
    let after = &after[..part.after.len()];
    for (number, out) in part.out.chunks_mut(width).enumerate() {
        let sum = load::<V>(out).add(V::load(&bias));
        store(follow(sum, after, part.at + number * width, 0, out.len()), out);
    }
}

/// The sums of one row and one column, lane by lane.
#[inline(always)]
fn sum<V: Vector>(x: &[f32], lines: &[[f32; LANES]]) -> V {
    let mut sums = [V::splat(0.0); 2];
    let mut pairs = x.chunks_exact(2 * LANES);
    for (x, lines) in (&mut pairs).zip(lines.chunks_exact(2)) {
        let (first, second) = x.split_at(LANES);
        sums[0] = load::<V>(first).mul_add(V::load(&lines[0]), sums[0]);
        sums[1] = load::<V>(second).mul_add(V::load(&lines[1]), sums[1]);
    }
    let rest = pairs.remainder();
    let (first, second) = rest.split_at(rest.len().min(LANES));
    let lines = &lines[lines.len() - rest.len().div_ceil(LANES)..];
    if let Some(line) = lines.first() {
        sums[0] = load::<V>(first).mul_add(V::load(line), sums[0]);
    }
    if let Some(line) = lines.get(1) {
        sums[1] = load::<V>(second).mul_add(V::load(line), sums[1]);
    }
    sums[0].add(sums[1])
}
