//! Layers of numbers over the last axes: linear, embedding, bare parameters.

use super::call::Call;
use crate::describe::Op;
use crate::describe::lowering::{Value, plain};
use crate::faults::Code;

pub(super) fn linear(call: &mut Call) -> Option<Value> {
    let inputs = call.args.length("in_features", None);
    let outputs = call.args.length("out_features", None);
    let bias = call.args.flag("bias", true);
    call.done()?;
    let value = call.input()?;
    let value = call.plain_tail(&value, 1);
    call.keep(&Op::Dense { inputs, outputs, bias }, &value)
}

/// `padding_idx` and what follows it matter in training alone; `max_norm` would change the table while it runs.
pub(super) fn embedding(call: &mut Call) -> Option<Value> {
    let count = call.args.length("num_embeddings", None);
    let features = call.args.length("embedding_dim", None);
    call.args.ignore(&["padding_idx", "norm_type", "scale_grad_by_freq", "sparse"]);
    if call.args.get("max_norm").is_some() {
        call.args.wrong("max_norm", "is not run: it changes the table while the network runs");
    }
    call.done()?;
    let value = call.input()?;
    let order = value.axes.as_ref().map(|axes| axes.order.iter().copied().chain([axes.rank()]).collect());
    call.make(&Op::Embedding { count, features }, &[&value], order)
}

/// A bare parameter `gamma` of a `shape`, multiplied in.
pub(super) fn scale_param(call: &mut Call) -> Option<Value> {
    parameter(call, |shape| Op::Scale { shape })
}

/// A bare parameter `table` of a `shape`, added.
pub(super) fn position_table(call: &mut Call) -> Option<Value> {
    parameter(call, |shape| Op::PositionTable { shape })
}

/// The parameter of PyTorch may say the batch as an axis of length 1, which its slot then has as well: the example gets such
/// an axis for as long.
fn parameter(call: &mut Call, make: impl Fn(Vec<usize>) -> Op) -> Option<Value> {
    let shape = call.args.shape("shape");
    call.done()?;
    let value = call.input()?;
    let value = call.plain_tail(&value, shape.len());
    let rank = value.axes.as_ref().map_or(shape.len(), |axes| axes.rank());
    match shape.len().checked_sub(rank) {
        None | Some(0) => call.keep(&make(shape), &value),
        Some(1) if shape.first() == Some(&1) => {
            let order = Some(plain(rank + 1));
            let wide = call.step("unsqueeze", &Op::Unsqueeze { axes: vec![1] }, &[&value], order.clone());
            let wide = call.step_with_slots("wide", &make(shape), &wide, order);
            call.make(&Op::Squeeze { axes: vec![1] }, &[&wide], Some(plain(rank)))
        }
        Some(_) => call.refuse(Code::LayerShape, "its parameter has an axis for the batch; examples are never mixed"),
    }
}
