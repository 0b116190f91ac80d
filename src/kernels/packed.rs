//! Convolutions of the standard precision: where the rows of a product start, and which weights they meet.
//!
//! The window under a place of a convolution is some stretches of its input, which has its border already: no row is ever
//! written out.

use super::{
    Part,
    isa::{LANES, Vector},
    rows::{Rows, Stretch, scratch},
};

/// Rows times packed weights. Inputs: `x`, weights in panels, group after group, bias `[columns]` if there is one.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The stretches of a row.
    pub stretches: Vec<Stretch>,
    /// Terms of a sum.
    pub terms: usize,
    /// Columns of a group.
    pub columns: usize,
    /// Groups of columns; the rows of each start `group_step` after those of the one before.
    pub groups: usize,
    /// Numbers of the input from one group to the next.
    pub group_step: usize,
    /// Where rows start.
    pub places: Places,
}

impl Packed {
    /// Numbers of working memory a thread uses well.
    pub fn scratch(&self) -> usize {
        scratch(&self.stretches)
    }
}

/// Where the rows of places start in an input.
#[derive(Clone, Debug)]
pub struct Places {
    /// Places of one example, slowest axis first.
    pub counts: [usize; 3],
    /// Numbers of the input from one place to the next.
    pub steps: [usize; 3],
    /// Numbers of one example of the input.
    pub each: usize,
}

impl Places {
    /// Goes through the places from place `number` of all examples on.
    pub fn walk(&self, number: usize) -> Walk<'_> {
        let [a, b, c] = self.counts;
        if number == 0 {
            return Walk { places: self, example: 0, at: [0; 3] };
        }
        Walk { places: self, example: number / (a * b * c), at: [number / (b * c) % a, number / c % b, number % c] }
    }
}

/// A walk through [`Places`].
pub struct Walk<'a> {
    places: &'a Places,
    example: usize,
    at: [usize; 3],
}

impl Walk<'_> {
    /// Where the next place's row starts.
    #[inline(always)]
    pub fn next(&mut self) -> usize {
        let Places { counts, steps, each } = self.places;
        let start = self.example * each + self.at[0] * steps[0] + self.at[1] * steps[1] + self.at[2] * steps[2];
        for axis in [2, 1, 0] {
            self.at[axis] += 1;
            if self.at[axis] < counts[axis] {
                return start;
            }
            self.at[axis] = 0;
        }
        self.example += 1;
        start
    }
}

/// Runs it; the part may begin and end within a row, at multiples of sixteen numbers, if there is one group.
#[inline(always)]
pub fn packed<V: Vector>(packed: &Packed, part: Part<'_>) {
    let (inputs, working, mut at, mut rest) = (part.inputs, part.scratch, part.at, part.out);
    let width = packed.columns * packed.groups;
    let panels = packed.columns.div_ceil(LANES) * packed.terms * LANES;
    while !rest.is_empty() {
        // A division takes longer than a small layer.
        let (row, column) = if at == 0 { (0, 0) } else { (at / width, at % width) };
        let (rows, count) = match rest.len() {
            one if one == width && column == 0 => (1, packed.columns),
            more if more > width && column == 0 => (more / width, packed.columns),
            part => (1, part.min(width - column)),
        };
        let whole = count == packed.columns;
        let numbers = if whole { rows * width } else { count };
        let (now, later) = rest.split_at_mut(numbers);
        for group in 0..packed.groups {
            let (out, scratch) = (&mut *now, &mut *working);
            let mut part = Part { inputs, whole: part.whole, at, out, scratch, after: part.after };
            let product = Rows {
                stretches: &packed.stretches,
                terms: packed.terms,
                weight: &inputs[1][group * panels..],
                bias: inputs.get(2).copied(),
                out_step: width,
                out_column: group * packed.columns,
                skip: group * packed.columns,
                first: column,
                count,
            };
            let mut walk = packed.places.walk(row);
            product.run::<V>(rows, || walk.next() + group * packed.group_step, &mut part);
        }
        (at, rest) = (at + numbers, later);
    }
}
