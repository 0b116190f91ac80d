//! Functions of two numbers, shapes broadcast.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector},
};

/// Joins a number of the first operand with one of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Join {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// NaN wins.
    Maximum,
    /// NaN wins.
    Minimum,
    /// `(a + b)·share`: the last join of a mean.
    AddThenScale(f32),
    /// `a` where positive, else `a·b`.
    Prelu,
    /// 1 or 0; 0 where one is NaN, as of the next two.
    Equal,
    Less,
    Greater,
    /// `a` to the power `b`, in doubles, rounded once; NaN of a negative number where `b` is not whole.
    Power,
    /// What is left of `a` when `b` is taken away as often as it goes in; the sign is that of `a`.
    Remainder,
}

/// How an operand lies under the output.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Numbers of one example; nought if all examples share them.
    pub each: usize,
    /// For each axis of the output but the last: numbers from one place to the next; nought where it is broadcast.
    pub strides: Vec<usize>,
    /// Whether the last axis has the output's length, or is broadcast.
    pub last: bool,
}

/// Two operands. Inputs: `a`, `b`; or `b` alone, then `a` is what the output holds already.
#[derive(Clone, Debug)]
pub struct Binary {
    /// How they are joined.
    pub join: Join,
    /// Lengths of the axes of one example of the output, at least one.
    pub shape: Vec<usize>,
    /// How `a` lies; none: in the output.
    pub a: Option<Spread>,
    /// How `b` lies.
    pub b: Spread,
}

/// Runs it, sixteen numbers of a row at a time; the part consists of whole rows.
#[inline(always)]
pub fn binary<V: Vector>(binary: &Binary, part: Part<'_>) {
    let Some((&width, outer)) = binary.shape.split_last() else { return };
    let rows = outer.iter().product::<usize>();
    let b = part.inputs[part.inputs.len() - 1];
    for (number, out) in part.out.chunks_exact_mut(width).enumerate() {
        let number = part.at / width + number;
        let (example, row) = (number / rows, number % rows);
        let b = binary.b.row(b, outer, example, row, width);
        let a = binary.a.as_ref().map(|spread| spread.row(part.inputs[0], outer, example, row, width));
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let (first, lanes) = (strip * LANES, out.len());
            let a = match a {
                Some(a) => under(a, first, lanes),
                None => load(out),
            };
            store(join::<V>(binary.join, a, under(b, first, lanes)), out);
        }
    }
}

/// Numbers `first..first + lanes` of a row, or the one number that it has.
#[inline(always)]
pub(super) fn under<V: Vector>(row: &[f32], first: usize, lanes: usize) -> V {
    match row {
        [one] => V::splat(*one),
        row => load(&row[first..][..lanes]),
    }
}

impl Spread {
    /// The operand's numbers under a row: as many as the row has, or one.
    pub(super) fn row<'a>(
        &self,
        x: &'a [f32],
        outer: &[usize],
        example: usize,
        mut row: usize,
        width: usize,
    ) -> &'a [f32] {
        let mut at = example * self.each;
        for (length, stride) in outer.iter().zip(&self.strides).rev() {
            at += row % length * stride;
            row /= length;
        }
        &x[at..][..if self.last { width } else { 1 }]
    }
}

#[inline(always)]
fn join<V: Vector>(join: Join, a: V, b: V) -> V {
    match join {
        Join::Add => a.add(b),
        Join::Subtract => a.sub(b),
        Join::Multiply => a.mul(b),
        Join::Divide => a.div(b),
        Join::Maximum => a.largest(b),
        Join::Minimum => smallest(a, b),
        Join::AddThenScale(share) => a.add(b).mul(V::splat(share)),
        Join::Prelu => V::splat(0.0).less(a, a, a.mul(b)),
        Join::Equal => equal(a, b),
        Join::Less => a.less(b, V::splat(1.0), V::splat(0.0)),
        Join::Greater => b.less(a, V::splat(1.0), V::splat(0.0)),
        Join::Power => each(a, b, |a, b| f64::from(a).powf(f64::from(b)) as f32),
        Join::Remainder => each(a, b, |a, b| a % b),
    }
}

/// Lane by lane, by the standard library.
#[inline(always)]
fn each<V: Vector>(a: V, b: V, join: fn(f32, f32) -> f32) -> V {
    let (mut made, mut other) = ([0.0f32; LANES], [0.0f32; LANES]);
    a.store(&mut made);
    b.store(&mut other);
    made.iter_mut().zip(&other).for_each(|(a, b)| *a = join(*a, *b));
    V::load(&made)
}

/// 1 where neither is less than the other and both are numbers, else 0.
#[inline(always)]
fn equal<V: Vector>(a: V, b: V) -> V {
    let nought = V::splat(0.0);
    let alike = a.less(b, nought, b.less(a, nought, V::splat(1.0)));
    numbers(a, numbers(b, alike))
}

/// `then` where `x` is a number, else 0: NaN alone is neither below infinity nor above the largest number.
#[inline(always)]
fn numbers<V: Vector>(x: V, then: V) -> V {
    x.less(V::splat(f32::INFINITY), then, V::splat(f32::MAX).less(x, then, V::splat(0.0)))
}

/// The smaller; NaN counts as smallest.
#[inline(always)]
fn smallest<V: Vector>(a: V, b: V) -> V {
    let smaller = a.less(b, a, b);
    // What is neither below infinity nor above the largest number is NaN.
    let passed = V::splat(f32::MAX).less(a, smaller, a);
    a.less(V::splat(f32::INFINITY), smaller, passed)
}
