//! A row for each operator that is computed.

use super::arithmetic::{binary, reduce, unary, where_};
use super::{Folding, quantised, shape};

const fn of(fold: super::Fold) -> Folding {
    Folding { fold, of_shape: false }
}

const ROWS: &[(&str, Folding)] = &[
    ("Abs", of(unary)),
    ("Add", of(binary)),
    ("And", of(binary)),
    ("Cast", of(shape::cast)),
    ("CastLike", Folding { fold: shape::cast_like, of_shape: true }),
    ("Ceil", of(unary)),
    ("Concat", of(shape::concat)),
    ("Constant", of(shape::constant)),
    ("ConstantOfShape", of(shape::constant_of_shape)),
    ("Cos", of(unary)),
    ("DequantizeLinear", of(quantised::dequantise)),
    ("Div", of(binary)),
    ("Equal", of(binary)),
    ("Erf", of(unary)),
    ("Exp", of(unary)),
    ("Expand", of(shape::expand)),
    ("Flatten", of(shape::flatten)),
    ("Floor", of(unary)),
    ("Gather", of(shape::gather)),
    ("Greater", of(binary)),
    ("GreaterOrEqual", of(binary)),
    ("Identity", of(shape::identity)),
    ("Less", of(binary)),
    ("LessOrEqual", of(binary)),
    ("Log", of(unary)),
    ("Max", of(binary)),
    ("Min", of(binary)),
    ("Mod", of(binary)),
    ("Mul", of(binary)),
    ("Neg", of(unary)),
    ("Not", of(unary)),
    ("Or", of(binary)),
    ("Pow", of(binary)),
    ("Range", of(shape::range)),
    ("Reciprocal", of(unary)),
    ("ReduceL2", of(reduce)),
    ("ReduceMax", of(reduce)),
    ("ReduceMean", of(reduce)),
    ("ReduceMin", of(reduce)),
    ("ReduceProd", of(reduce)),
    ("ReduceSum", of(reduce)),
    ("ReduceSumSquare", of(reduce)),
    ("Relu", of(unary)),
    ("Reshape", of(shape::reshape)),
    ("Round", of(unary)),
    ("Shape", Folding { fold: shape::shape, of_shape: true }),
    ("Sigmoid", of(unary)),
    ("Sign", of(unary)),
    ("Sin", of(unary)),
    ("Size", Folding { fold: shape::size, of_shape: true }),
    ("Slice", of(shape::slice)),
    ("Split", of(shape::split)),
    ("Sqrt", of(unary)),
    ("Squeeze", of(shape::squeeze)),
    ("Sub", of(binary)),
    ("Tanh", of(unary)),
    ("Tile", of(shape::tile)),
    ("Transpose", of(shape::transpose)),
    ("Unsqueeze", of(shape::unsqueeze)),
    ("Where", of(where_)),
];

/// How an operator is computed, if it can be.
pub(crate) fn find(op: &str) -> Option<Folding> {
    ROWS.iter().find(|(name, _)| *name == op).map(|(_, folding)| *folding)
}
