//! `LowerTriangular`: the rows of the triangle strictly below the diagonal; all else is 0.

use super::{
    form::{Block, Entry, Form, Sizes},
    skew::{below, strict},
};

pub(super) const LOWER: Form = Form {
    name: "LowerTriangular",
    metadata: &["n"],
    blocks: &[("S", Block::Vector(strict))],
    in_tuple: false,
    columns: |sizes| sizes.n,
    entry,
    project: Some(entry),
};

fn entry(_: Sizes, i: usize, j: usize) -> Entry {
    if i > j { Entry::Of(below(i, j)) } else { Entry::Nought }
}
