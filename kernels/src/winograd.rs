//! Convolutions of 3 × 3, stride and dilation 1, in the standard precision, by Winograd's algorithm F(4×4, 3×3): 36
//! multiplications for sixteen numbers of the output instead of 144.
//!
//! The output is cut into tiles of 4 × 4. The 6 × 6 numbers under a tile are transformed, multiplied place by place with
//! transformed weights, which over the channels is one matrix product for each of the 36 places, and transformed back
//! (Lavin and Gray, "Fast algorithms for convolutional neural networks"). The points are 0, ±11/16, ±3/2 and ∞, whose powers
//! singles hold: with the usual 0, ±1, ±2 errors are five times as large. The products are [`super::tile`]s of 6 × 16 with
//! AVX2; transforms take eight channels at a time, six numbers in registers.
//!
//! Order of summation: for each of the 36 places the channels in their order in blocks of [`BLOCK`], each from nought, the
//! blocks one after another. An answer lies within 1e-6 of the largest number of the layer from the exact one (the plain
//! sum within 4e-7), whatever the number of channels; the tests hold both.

use super::{
    Part,
    after::{After, follow, lightly, load, store},
    direct::padded,
    isa::{All, LANES, Lanes, Vector},
    rows::Rows,
    tile::Panel,
};

/// Places of a transformed tile.
pub const POINTS: usize = 36;

/// Side of a tile of the output.
pub const TILE: usize = 4;

/// Side of what lies under a tile.
const UNDER: usize = 6;

/// Most channels of a block: short ones keep the sums accurate, on which the transform back leans.
const BLOCK: usize = 16;

/// The bias of a layer that has none: adding −0 changes nothing.
static NONE: [f32; LANES] = [-0.0; LANES];

/// Most tiles taken at a time.
const TILES: usize = 48;

/// Channels that are transformed together.
const STRIP: usize = 8;

/// The positive points, their squares, cubes, and what the transforms make of them.
const A: f32 = 0.6875;
const B: f32 = 1.5;

/// The transform of three weights: a row for each of the points 0, A, −A, B, −B, ∞, as polynomials that are divided by the
/// product of a point's distances from the others.
pub fn weights() -> [[f64; 3]; UNDER] {
    let (a, b) = (f64::from(A), f64::from(B));
    let row = |x: f64, distances: f64| [1.0 / distances, x / distances, x * x / distances];
    let (at_a, at_b) = (2.0 * a * a * (a * a - b * b), 2.0 * b * b * (b * b - a * a));
    [row(0.0, a * a * b * b), row(a, at_a), row(-a, at_a), row(b, at_b), row(-b, at_b), [0.0, 0.0, 1.0]]
}

/// Inputs: `x`, transformed weights, for each of the 36 places panels of columns `[inputs][width]`, bias `[columns]` if there
/// is one. `inputs` and `columns` are at least `STRIP`.
#[derive(Clone, Debug)]
pub struct Winograd {
    /// Lines and places of a line of the input.
    pub input: [usize; 2],
    /// Those of the output.
    pub output: [usize; 2],
    /// Border of noughts before the first line, and before the first place of a line.
    pub before: [usize; 2],
    /// Channels in.
    pub inputs: usize,
    /// Their numbers.
    pub channels: Vec<u32>,
    /// Channels out.
    pub columns: usize,
    /// Where the columns of a place lie in the output.
    pub rows: Rows,
}

impl Winograd {
    /// Numbers of working memory a thread needs.
    pub fn scratch(&self) -> usize {
        let [x, made] = self.planes();
        POINTS * (self.inputs + x + made)
    }

    /// Tiles taken at a time, so that their transforms stay in the second cache.
    fn at_once(&self) -> usize {
        let each = POINTS * (self.inputs + self.columns) * 4;
        ((320 << 10) / each).clamp(24, TILES) / 6 * 6
    }

    /// Numbers from one tile to the next, before and after the product.
    fn steps(&self) -> [usize; 2] {
        [self.inputs.next_multiple_of(STRIP) + STRIP, padded(self.columns) + STRIP]
    }

    /// Numbers from one of the 36 places to the next; lines of the cache apart, so that they do not push one another out.
    fn planes(&self) -> [usize; 2] {
        self.steps().map(|step| self.at_once() * step + LANES)
    }
}

/// Runs it; the part begins and ends at whole lines of tiles.
#[inline(always)]
pub fn winograd<V: Vector>(conv: &Winograd, part: Part<'_>) {
    let [rows, length] = conv.output;
    let (across, down) = (length.div_ceil(TILE), rows.div_ceil(TILE));
    // Lines of tiles before line `line` of all examples.
    let tiles = |line: usize| (line / rows * down + (line % rows).div_ceil(TILE)) * across;
    let line = length * conv.rows.step;
    let (first, last) = (tiles(part.at / line), tiles((part.at + part.out.len()) / line));
    let ([x_plane, made_plane], [x_step, made_step]) = (conv.planes(), conv.steps());
    let (patch, rest) = part.scratch.split_at_mut(POINTS * conv.inputs);
    let (x, rest) = rest.split_at_mut(POINTS * x_plane);
    let made = &mut rest[..POINTS * made_plane];
    let bias = part.inputs.get(2).copied();
    let (mut starts, mut outs) = ([0; TILES], [0; TILES]);
    for (number, (start, out)) in starts.iter_mut().zip(&mut outs).enumerate() {
        (*start, *out) = (number * x_step, number * made_step);
    }
    let mut tile = first;
    while tile < last {
        let count = conv.at_once().min(last - tile);
        for number in 0..count {
            let at = place(tile + number, across, down);
            conv.enter::<V::Half>(part.inputs[0], at, patch, &mut x[number * x_step..], x_plane);
        }
        for point in 0..POINTS {
            let weight = &part.inputs[1][point * conv.inputs * padded(conv.columns)..];
            let (x, made) = (&x[point * x_plane..][..x_plane], &mut made[point * made_plane..][..made_plane]);
            product::<V>(conv, &starts[..count], &outs[..count], x, weight, made);
        }
        for number in 0..count {
            let at = place(tile + number, across, down);
            let made = &made[number * made_step..];
            conv.leave::<V>(made, made_plane, at, bias, part.at, part.out, part.after);
        }
        tile += count;
    }
}

/// Example, line and place of a tile.
#[inline(always)]
fn place(tile: usize, across: usize, down: usize) -> [usize; 3] {
    [tile / across / down, tile / across % down * TILE, tile % across * TILE]
}

/// One of the 36 products: tiles by channels in, times channels in by channels out.
#[inline(always)]
fn product<V: Vector>(conv: &Winograd, starts: &[usize], outs: &[usize], x: &[f32], weight: &[f32], made: &mut [f32]) {
    let padded = padded(conv.columns);
    for column in (0..padded).step_by(LANES) {
        let lanes = LANES.min(padded - column);
        let weight = &weight[column * conv.inputs..][..lanes * conv.inputs];
        let panel = Panel {
            taps: &conv.channels,
            weight,
            block: BLOCK,
            column,
            width: lanes,
            goes_on: false,
            bias: None,
            after: &[],
            at: 0,
        };
        // SAFETY: a tile's channels lie within its step, and all steps within the plane.
        unsafe {
            if lanes == LANES {
                panel.run::<V, All<V>>(x, starts, outs, made);
            } else {
                panel.run::<V, V::Half>(x, starts, outs, made);
            }
        }
    }
}

impl Winograd {
    /// Transforms what lies under a tile. Where the border is in it, it is copied together first.
    #[allow(clippy::needless_range_loop, reason = "several arrays go by one number, which the compiler counts out")]
    #[inline(always)]
    fn enter<L: Lanes>(
        &self,
        x: &[f32],
        [example, line, at]: [usize; 3],
        patch: &mut [f32],
        to: &mut [f32],
        plane: usize,
    ) {
        let ([rows, length], inputs) = (self.input, self.inputs);
        let x = &x[example * rows * length * inputs..][..rows * length * inputs];
        let whole =
            |at: usize, axis: usize| at.checked_sub(self.before[axis]).filter(|at| at + UNDER <= self.input[axis]);
        let (from, step) = match (whole(line, 0), whole(at, 1)) {
            (Some(line), Some(at)) => (&x[(line * length + at) * inputs..], length * inputs),
            _ => {
                let under =
                    |at: usize, axis: usize| at.checked_sub(self.before[axis]).filter(|&at| at < self.input[axis]);
                for (number, to) in patch.chunks_exact_mut(inputs).enumerate() {
                    match (under(line + number / UNDER, 0), under(at + number % UNDER, 1)) {
                        (Some(line), Some(at)) => to.copy_from_slice(&x[(line * length + at) * inputs..][..inputs]),
                        _ => to.fill(0.0),
                    }
                }
                (&*patch, UNDER * inputs)
            }
        };
        let from = &from[..(UNDER - 1) * (step + inputs) + inputs];
        let to = &mut to[..(POINTS - 1) * plane + inputs];
        for channel in (0..inputs).step_by(L::COUNT) {
            // The last strip reaches back over channels that are done, to the same numbers.
            let channel = channel.min(inputs - L::COUNT);
            let mut half = [[L::splat(0.0); UNDER]; UNDER];
            // SAFETY: the furthest places read and written are the ends of `from` and `to`, as just cut.
            unsafe {
                let from = from.as_ptr().add(channel);
                let to = to.as_mut_ptr().add(channel);
                for line in 0..UNDER {
                    let number = |column: usize| L::read(from.add(line * step + column * inputs));
                    half[line] = enter([number(0), number(1), number(2), number(3), number(4), number(5)]);
                }
                for column in 0..UNDER {
                    let number = |line: usize| half[line][column];
                    let made = enter([number(0), number(1), number(2), number(3), number(4), number(5)]);
                    for line in 0..UNDER {
                        made[line].write(to.add((line * UNDER + column) * plane));
                    }
                }
            }
        }
    }

    /// Transforms a tile back, with what follows.
    #[allow(
        clippy::needless_range_loop,
        clippy::too_many_arguments,
        reason = "several arrays go by one number, which the compiler counts out; every argument is of another kind"
    )]
    #[inline(always)]
    fn leave<V: Vector>(
        &self,
        made: &[f32],
        plane: usize,
        [example, line, at]: [usize; 3],
        bias: Option<&[f32]>,
        part_at: usize,
        out: &mut [f32],
        after: &[After<'_>],
    ) {
        let ([rows, length], columns) = (self.output, self.columns);
        let Rows { step, start } = self.rows;
        let base = ((example * rows + line) * length + at) * step + start - part_at;
        let (lines, places) = (TILE.min(rows - line), TILE.min(length - at));
        let count = <V::Half as Lanes>::COUNT;
        let (early, late) = After::light(after);
        let made = &made[..(POINTS - 1) * plane + columns];
        for column in (0..columns).step_by(count) {
            let column = column.min(columns - count);
            let mut half = [[<V::Half as Lanes>::splat(0.0); UNDER]; TILE];
            for number in 0..UNDER {
                // SAFETY: the furthest place read is the end of `made`, as just cut.
                let line = |line: usize| unsafe {
                    <V::Half as Lanes>::read(made.as_ptr().add((line * UNDER + number) * plane + column))
                };
                let made = leave([line(0), line(1), line(2), line(3), line(4), line(5)]);
                for line in 0..TILE {
                    half[line][number] = made[line];
                }
            }
            let bias = bias.map(|bias| &bias[column..][..count]);
            let bias = <V::Half as Lanes>::load(bias.unwrap_or(&NONE[..count]));
            for line in 0..lines {
                let made = leave(half[line]);
                let base = base + line * length * step + column;
                for (place, made) in made.into_iter().take(places).enumerate() {
                    let at = base + place * step;
                    lightly(made.add(bias), early, part_at + at, column, count).store(&mut out[at..][..count]);
                }
            }
        }
        for line in 0..if late.is_empty() { 0 } else { lines } {
            for place in 0..places {
                let at = base + (line * length + place) * step;
                for (strip, out) in out[at..][..columns].chunks_mut(LANES).enumerate() {
                    let column = strip * LANES;
                    let x = follow(load::<V>(out), late, part_at + at + column, column, out.len());
                    store(x, out);
                }
            }
        }
    }
}

/// The transform of six numbers: rows of the product of the other points' distances, as polynomials.
#[inline(always)]
fn enter<L: Lanes>(x: [L; UNDER]) -> [L; UNDER] {
    const AA: f32 = A * A;
    const BB: f32 = B * B;
    let (a, b) = (L::splat(A), L::splat(B));
    let (less_a, less_b) = (L::splat(-A), L::splat(-B));
    let (aa, bb) = (L::splat(-AA), L::splat(-BB));
    let (both, sum) = (L::splat(AA * BB), L::splat(-AA - BB));
    let (even_a, odd_a) = (x[2].mul_add(bb, x[4]), x[1].mul_add(bb, x[3]));
    let (even_b, odd_b) = (x[2].mul_add(aa, x[4]), x[1].mul_add(aa, x[3]));
    [
        x[0].mul_add(both, x[2].mul_add(sum, x[4])),
        odd_a.mul_add(a, even_a),
        odd_a.mul_add(less_a, even_a),
        odd_b.mul_add(b, even_b),
        odd_b.mul_add(less_b, even_b),
        x[1].mul_add(both, x[3].mul_add(sum, x[5])),
    ]
}

/// The transform of six products back to four numbers: powers of the points.
#[inline(always)]
fn leave<L: Lanes>(x: [L; UNDER]) -> [L; TILE] {
    let (a, b) = (L::splat(A), L::splat(B));
    let (aa, bb) = (L::splat(A * A), L::splat(B * B));
    let (aaa, bbb) = (L::splat(A * A * A), L::splat(B * B * B));
    let (even_a, odd_a) = (x[1].add(x[2]), x[1].sub(x[2]));
    let (even_b, odd_b) = (x[3].add(x[4]), x[3].sub(x[4]));
    [
        x[0].add(even_a).add(even_b),
        odd_a.mul_add(a, odd_b.mul(b)),
        even_a.mul_add(aa, even_b.mul(bb)),
        odd_a.mul_add(aaa, odd_b.mul_add(bbb, x[5])),
    ]
}
