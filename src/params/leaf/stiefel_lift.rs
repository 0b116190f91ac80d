//! `StiefelLieAlgHorMatrix`: N rows and columns, `[A -Bᵀ; B 0]`, A skew-symmetric of size n.

use super::{
    form::{Block, Entry, Form, Sizes},
    skew::{self, SKEW, strict},
};

pub(super) const STIEFEL_LIFT: Form = Form {
    name: "StiefelLieAlgHorMatrix",
    metadata: &["N", "n"],
    blocks: &[("A", Block::Leaf(&SKEW)), ("B", Block::Rest)],
    in_tuple: true,
    columns: |sizes| sizes.rows,
    entry,
    project: Some(|sizes, i, j| if j < sizes.n { entry(sizes, i, j) } else { Entry::Nought }),
};

fn entry(sizes: Sizes, i: usize, j: usize) -> Entry {
    if i < sizes.n && j < sizes.n {
        return skew::entry(sizes, i, j);
    }
    rest(sizes, i, j, strict(sizes).unwrap_or(0))
}

/// The entries that come from B, whose numbers begin at place `first`, column by column.
pub(super) fn rest(sizes: Sizes, i: usize, j: usize, first: usize) -> Entry {
    let n = sizes.n;
    let place = |k: usize, l: usize| first + l * (sizes.rows - n) + k;
    match (i >= n, j >= n) {
        (true, false) => Entry::Of(place(i - n, j)),
        (false, true) => Entry::Minus(place(j - n, i)),
        _ => Entry::Nought,
    }
}
