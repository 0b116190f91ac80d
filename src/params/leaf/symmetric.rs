//! `SymmetricMatrix`: the rows of the lower triangle with the diagonal.

use super::form::{Block, Entry, Form, Sizes};

pub(super) const SYMMETRIC: Form = Form {
    name: "SymmetricMatrix",
    metadata: &["n"],
    blocks: &[("S", Block::Vector(|sizes| Some(sizes.n.checked_mul(sizes.n.checked_add(1)?)? / 2)))],
    in_tuple: false,
    columns: |sizes| sizes.n,
    entry,
    project: Some(entry),
};

fn entry(_: Sizes, i: usize, j: usize) -> Entry {
    let (i, j) = (i.max(j), i.min(j));
    Entry::Of(i * (i + 1) / 2 + j)
}
