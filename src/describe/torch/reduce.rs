//! Reductions over axes.

use super::call::Call;
use super::shape::reduced;
use crate::describe::lowering::Value;
use crate::describe::{Op, ReduceKind};

pub(super) fn mean(call: &mut Call) -> Option<Value> {
    reduce(call, ReduceKind::Mean)
}

pub(super) fn amax(call: &mut Call) -> Option<Value> {
    reduce(call, ReduceKind::Max)
}

pub(super) fn sum(call: &mut Call) -> Option<Value> {
    reduce(call, ReduceKind::Sum)
}

/// `(dim, keepdim)`; without `dim` PyTorch would take the batch as well.
fn reduce(call: &mut Call, kind: ReduceKind) -> Option<Value> {
    let dims = call.args.wholes("dim", "an axis or a list of axes");
    if dims.is_none() {
        call.args.wrong("dim", "must be given: without it examples would be mixed");
    }
    let keep = call.args.flag("keepdim", false);
    call.done()?;
    let value = call.input()?;
    let dims = dims?;
    let Some(axes) = &value.axes else {
        let written: Option<Vec<i64>> = dims.iter().map(|dim| call.lying(*dim, &value)).collect();
        return call.make(&Op::Reduce { kind, axes: written?, keep }, &[&value], None);
    };
    let gone: Option<Vec<usize>> = dims.iter().map(|dim| call.axis(*dim, axes.rank())).collect();
    let gone = gone?;
    let written = gone.iter().map(|axis| axes.place(*axis) as i64 + 1).collect();
    let gone = if keep { Vec::new() } else { gone };
    reduced(call, &Op::Reduce { kind, axes: written, keep }, &value, &axes.order, &gone)
}
