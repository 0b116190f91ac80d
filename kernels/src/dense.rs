//! Dense layers and matrix products: rows times a matrix, one matrix for all rows or one for each example.

use super::{Part, gemm::Product, isa::Vector, sums::Sums};

/// A dense layer over the last axis. Inputs: `x`, weight `[inputs, outputs]`, bias `[outputs]` if there is one.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Length of the last axis in.
    pub inputs: usize,
    /// Length of the last axis out.
    pub outputs: usize,
}

/// Runs a dense layer; the part may begin and end within a row.
#[inline(always)]
pub fn dense<V: Vector, S: Sums<V>>(dense: &Dense, part: Part<'_>) {
    let (x, weight) = (part.inputs[0], part.inputs[1]);
    let bias = part.inputs.get(2).copied();
    let (mut at, mut rest) = (part.at, part.out);
    while !rest.is_empty() {
        // What is left of a row, then whole rows, then the beginning of one.
        let (row, column) = (at / dense.outputs, at % dense.outputs);
        let (rows, columns) = match rest.len() / dense.outputs {
            whole if column == 0 && whole > 0 => (whole, dense.outputs),
            _ => (1, rest.len().min(dense.outputs - column)),
        };
        let (now, later) = rest.split_at_mut(rows * columns);
        let product = Product {
            x: &x[row * dense.inputs..],
            x_step: dense.inputs,
            terms: dense.inputs,
            weight: weight.get(column..).unwrap_or_default(),
            weight_step: dense.outputs,
            bias: bias.map(|bias| &bias[column..]),
            rows,
            columns,
            out_step: dense.outputs,
        };
        product.run::<V, S>(now);
        (at, rest) = (at + rows * columns, later);
    }
}

/// `a [rows, terms] · b [terms, columns]` for each of a list of matrices. Inputs: `a`, `b`.
#[derive(Clone, Debug)]
pub struct MatMul {
    /// Rows of `a`.
    pub rows: usize,
    /// Columns of `a`, lines of `b`.
    pub terms: usize,
    /// Columns of `b`.
    pub columns: usize,
    /// For each matrix of one example's output: number of the matrix of `a` and of `b`.
    pub pairs: Vec<[usize; 2]>,
    /// Numbers of one example of `a` and of `b`; nought if all examples share it.
    pub each: [usize; 2],
}

/// Runs a matrix product; the part consists of whole rows.
#[inline(always)]
pub fn matmul<V: Vector, S: Sums<V>>(matmul: &MatMul, part: Part<'_>) {
    let (a, b) = (part.inputs[0], part.inputs[1]);
    let mut at = part.at;
    let matrix = matmul.rows * matmul.columns;
    let mut out = part.out;
    while !out.is_empty() {
        let (number, row) = (at / matrix, at % matrix / matmul.columns);
        let (example, [pair_a, pair_b]) = (number / matmul.pairs.len(), matmul.pairs[number % matmul.pairs.len()]);
        let rows = (matmul.rows - row).min(out.len() / matmul.columns);
        let (now, later) = out.split_at_mut(rows * matmul.columns);
        let product = Product {
            x: &a[example * matmul.each[0] + (pair_a * matmul.rows + row) * matmul.terms..],
            x_step: matmul.terms,
            terms: matmul.terms,
            weight: &b[example * matmul.each[1] + pair_b * matmul.terms * matmul.columns..],
            weight_step: matmul.columns,
            bias: None,
            rows,
            columns: matmul.columns,
            out_step: matmul.columns,
        };
        product.run::<V, S>(now);
        at += now.len();
        out = later;
    }
}
