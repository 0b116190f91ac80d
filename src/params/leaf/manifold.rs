//! `StiefelManifold` and `GrassmannManifold`: a matrix of N rows and n columns, kept as it is. That its columns are
//! orthonormal is the host's to see to.

use super::form::{Block, Entry, Form, Sizes};

pub(super) const STIEFEL: Form = manifold("StiefelManifold");
pub(super) const GRASSMANN: Form = manifold("GrassmannManifold");

const fn manifold(name: &'static str) -> Form {
    Form {
        name,
        metadata: &[],
        blocks: &[("A", Block::Whole)],
        in_tuple: false,
        columns: |sizes| sizes.n,
        entry,
        project: None,
    }
}

fn entry(sizes: Sizes, i: usize, j: usize) -> Entry {
    Entry::Of(j * sizes.rows + i)
}
