//! Functions of two numbers, shapes broadcast.

use super::Part;

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

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn binary(binary: &Binary, part: Part<'_>) {
    let Some((&width, outer)) = binary.shape.split_last() else { return };
    let rows = outer.iter().product::<usize>();
    let b = part.inputs[part.inputs.len() - 1];
    for (number, out) in part.out.chunks_exact_mut(width).enumerate() {
        let number = part.at / width + number;
        let (example, row) = (number / rows, number % rows);
        if let Some(spread) = &binary.a {
            match spread.row(part.inputs[0], outer, example, row, width) {
                [one] => out.fill(*one),
                row => out.copy_from_slice(row),
            }
        }
        join(binary.join, out, binary.b.row(b, outer, example, row, width));
    }
}

impl Spread {
    /// The operand's numbers under a row: as many as the row has, or one.
    fn row<'a>(&self, x: &'a [f32], outer: &[usize], example: usize, mut row: usize, width: usize) -> &'a [f32] {
        let mut at = example * self.each;
        for (length, stride) in outer.iter().zip(&self.strides).rev() {
            at += row % length * stride;
            row /= length;
        }
        &x[at..][..if self.last { width } else { 1 }]
    }
}

#[inline(always)]
fn join(join: Join, out: &mut [f32], row: &[f32]) {
    match join {
        Join::Add => all(out, row, |a, b| a + b),
        Join::Subtract => all(out, row, |a, b| a - b),
        Join::Multiply => all(out, row, |a, b| a * b),
        Join::Divide => all(out, row, |a, b| a / b),
        Join::Maximum => all(out, row, |a, b| if (a > b) | a.is_nan() { a } else { b }),
        Join::Minimum => all(out, row, |a, b| if (a < b) | a.is_nan() { a } else { b }),
        Join::AddThenScale(share) => all(out, row, |a, b| (a + b) * share),
        Join::Prelu => all(out, row, |a, b| if a > 0.0 { a } else { a * b }),
    }
}

#[inline(always)]
fn all(out: &mut [f32], row: &[f32], f: impl Fn(f32, f32) -> f32) {
    match row {
        [b] => out.iter_mut().for_each(|a| *a = f(*a, *b)),
        row => out.iter_mut().zip(row).for_each(|(a, &b)| *a = f(*a, b)),
    }
}
