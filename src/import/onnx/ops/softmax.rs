//! Softmax and its logarithm, in both meanings: since version 13 along an axis, before that over that axis and all behind it.

use super::super::call::Call;
use super::super::flow::Flow;
use crate::describe::Op;
use crate::describe::lowering::plain;
use crate::faults::Code;

pub(super) fn softmax(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    along(call, false)
}

pub(super) fn log_softmax(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    along(call, true)
}

fn along(call: &mut Call<'_, '_, '_>, log: bool) -> Option<Flow> {
    let found = call.is_lifted() && call.attributes.flag("one", false);
    let one = found || call.opset() >= 13;
    let axis = call.attributes.int("axis", if one { -1 } else { 1 });
    call.done()?;
    let flow = if one { call.anywhere(0)? } else { call.real(0)? };
    let axis = call.axis(axis, &flow)?;
    if one || axis + 1 == flow.each() {
        let axis = call.lying(axis, &flow);
        return call.keep(&Op::Softmax { axis, log }, &flow);
    }
    let flow = call.packed(&flow);
    let lengths: Option<Vec<i64>> =
        flow.lengths().iter().map(|length| length.and_then(|length| i64::try_from(length).ok())).collect();
    let Some(lengths) = lengths else {
        return call
            .refuse(Code::Input, "it wants lengths that are not known: state the shape of one example of the input");
    };
    let (first, rest) = lengths.split_at_checked(axis)?;
    let joined: Vec<i64> = first.iter().copied().chain([rest.iter().product()]).collect();
    let order = plain(joined.len());
    let row = call.put(Some("row"), &Op::Reshape { each: joined }, &[&flow.value], order.clone(), Vec::new());
    let made = call.put(Some("softmax"), &Op::Softmax { axis: -1, log }, &[&row], order, Vec::new());
    let made = call.put(None, &Op::Reshape { each: lengths.clone() }, &[&made], plain(lengths.len()), Vec::new());
    Some(flow.with(made))
}
