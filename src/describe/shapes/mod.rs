//! The shape each operation makes of the shapes that reach it, and what it leaves explicit in the operation.
//!
//! Lengths may be free and ranks unknown: what can be told is told. Called for each layer in running order by the check of a
//! description. An operation that does not take its inputs says what it would take.

mod axes;
mod broadcast;
mod places;
mod window;

use super::{GraphValue, Op};

/// Lengths of the axes of one example, a free one none.
pub(super) type Lengths = Vec<Option<usize>>;

/// A shape, unknown as a whole if none; or what the operation takes, to follow on "takes".
pub(super) type Shaped = Result<Option<Lengths>, String>;

/// The shape of the output; completes `op`. There are as many inputs as the word takes.
pub(super) fn infer(op: &mut Op, inputs: &[&GraphValue]) -> Shaped {
    let shapes: Vec<Option<&Lengths>> = inputs.iter().map(|value| value.shape.as_ref()).collect();
    match op {
        Op::Binary(_) | Op::Where => return broadcast::all(&shapes),
        Op::MatMul => return broadcast::matmul(inputs),
        Op::Concat { axis } => return axes::concat(axis, inputs),
        Op::Constant { shape, .. } | Op::Parameter { shape } => {
            return Ok(Some(shape.iter().copied().map(Some).collect()));
        }
        _ => {}
    }
    let input = shapes.first().copied().flatten();
    match op {
        Op::Conv(conv) => window::conv(conv, input),
        Op::ConvTranspose { conv, extra } => window::transpose(conv, extra, input),
        Op::Pool { window, .. } => window::pool(window, input),
        Op::AdaptivePool { places, .. } => window::adaptive(places, input),
        Op::GlobalPool { dims, keep, .. } => window::global(*dims, *keep, input),
        Op::Upsample { dims, size, .. } => places::upsample(*dims, size, input),
        Op::Pad { border, mode } => places::pad(border, *mode, input),
        Op::Dense { inputs, outputs, .. } => {
            last_is(input, *inputs)?;
            Ok(input.map(|lengths| with_last(lengths, Some(*outputs))))
        }
        Op::Embedding { features, .. } => Ok(input.map(|lengths| [&lengths[..], &[Some(*features)]].concat())),
        Op::BatchNorm { features, .. } | Op::GroupNorm { features, .. } => {
            last_is(input, *features)?;
            Ok(input.cloned())
        }
        Op::Prelu { features } if *features > 1 => {
            last_is(input, *features)?;
            Ok(input.cloned())
        }
        Op::LayerNorm { shape, .. } => {
            let fits = input.is_none_or(|lengths| {
                lengths.len() >= shape.len() && lengths.iter().rev().zip(shape.iter().rev()).all(|(a, b)| is(*a, *b))
            });
            if fits { Ok(input.cloned()) } else { Err(format!("last axes of {}", crate::tensor::shape_text(shape))) }
        }
        Op::Lrn { across, .. } => {
            let fits = input
                .is_none_or(|lengths| if *across { !lengths.is_empty() } else { (2..=4).contains(&lengths.len()) });
            let takes = if *across { "a last axis" } else { "one to three window axes and a last axis" };
            if fits { Ok(input.cloned()) } else { Err(takes.into()) }
        }
        Op::Scale { shape } | Op::PositionTable { shape } => {
            let slot: Lengths = shape.iter().copied().map(Some).collect();
            broadcast::all(&[input, Some(&slot)])
        }
        Op::Softmax { axis, .. } | Op::L2Normalize { axis, .. } => {
            axes::resolve(axis, input.map(Vec::len))?;
            Ok(input.cloned())
        }
        Op::Permute { axes } => axes::permute(axes, input),
        Op::Flatten { start, end } => axes::flatten(start, end, input),
        Op::Reshape { each } => axes::reshape(each, input),
        Op::Squeeze { axes } => axes::squeeze(axes, input),
        Op::Unsqueeze { axes } => axes::unsqueeze(axes, input),
        Op::Slice { axis, start, end, step } => axes::slice(axis, start, end, *step, input),
        Op::Reduce { axes, keep, .. } => axes::reduce(axes, *keep, input),
        Op::Identity | Op::Unary(_) | Op::Prelu { .. } => Ok(input.cloned()),
        Op::Binary(_) | Op::Where | Op::MatMul | Op::Concat { .. } | Op::Constant { .. } | Op::Parameter { .. } => {
            Ok(None)
        }
    }
}

/// Whether a length is this, or may be.
fn is(length: Option<usize>, wanted: usize) -> bool {
    length.is_none_or(|length| length == wanted)
}

fn last_is(input: Option<&Lengths>, wanted: usize) -> Result<(), String> {
    match input.map(|lengths| lengths.last()) {
        None => Ok(()),
        Some(Some(last)) if is(*last, wanted) => Ok(()),
        Some(_) => Err(format!("a last axis of {wanted}")),
    }
}

fn with_last(lengths: &Lengths, last: Option<usize>) -> Lengths {
    let mut lengths = lengths.clone();
    lengths.pop();
    lengths.push(last);
    lengths
}
