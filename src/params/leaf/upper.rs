//! `UpperTriangular`: the columns of the triangle strictly above the diagonal; all else is 0.

use super::{
    form::{Block, Entry, Form, Sizes},
    skew::{below, strict},
};

pub(super) const UPPER: Form = Form {
    name: "UpperTriangular",
    metadata: &["n"],
    blocks: &[("S", Block::Vector(strict))],
    in_tuple: false,
    columns: |sizes| sizes.n,
    entry,
    project: Some(entry),
};

fn entry(_: Sizes, i: usize, j: usize) -> Entry {
    if j > i { Entry::Of(below(j, i)) } else { Entry::Nought }
}
