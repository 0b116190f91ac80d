//! `SkewSymMatrix`: the rows of the triangle strictly below the diagonal, which is 0.

use super::form::{Block, Entry, Form, Sizes};

pub(super) const SKEW: Form = Form {
    name: "SkewSymMatrix",
    metadata: &["n"],
    blocks: &[("S", Block::Vector(strict))],
    in_tuple: false,
    columns: |sizes| sizes.n,
    entry,
    project: Some(entry),
};

/// How many numbers a triangle without its diagonal has.
pub(super) fn strict(sizes: Sizes) -> Option<usize> {
    Some(sizes.n.checked_mul(sizes.n.saturating_sub(1))? / 2)
}

/// Place of the number in row `i` of a triangle strictly below the diagonal.
pub(super) fn below(i: usize, j: usize) -> usize {
    i * (i - 1) / 2 + j
}

pub(super) fn entry(_: Sizes, i: usize, j: usize) -> Entry {
    match i.cmp(&j) {
        std::cmp::Ordering::Greater => Entry::Of(below(i, j)),
        std::cmp::Ordering::Less => Entry::Minus(below(j, i)),
        std::cmp::Ordering::Equal => Entry::Nought,
    }
}
