//! `GrassmannLieAlgHorMatrix`: N rows and columns, `[0 -Bᵀ; B 0]`.

use super::{
    form::{Block, Entry, Form},
    stiefel_lift::rest,
};

pub(super) const GRASSMANN_LIFT: Form = Form {
    name: "GrassmannLieAlgHorMatrix",
    metadata: &["N", "n"],
    blocks: &[("B", Block::Rest)],
    in_tuple: true,
    columns: |sizes| sizes.rows,
    entry: |sizes, i, j| rest(sizes, i, j, 0),
    project: Some(|sizes, i, j| if j < sizes.n { rest(sizes, i, j, 0) } else { Entry::Nought }),
};
