//! What a loss applies to the end of a network, and the activation there that it so takes over, for formats whose files say
//! their layers.

use crate::{
    describe::{
        Layer, Value as Said,
        lowering::{Lowering, Value},
    },
    faults::{Code, Fault, quoted_str},
};

/// The word of the activation that a loss applies; none: nothing.
pub(super) fn activation(loss: &str) -> Option<&'static str> {
    match loss {
        "binaryCrossEntropy" => Some("sigmoid"),
        "crossEntropy" | "earthMoversDistance" => Some("softmax"),
        _ => None,
    }
}

/// A value without the activation that made it, the last layer, which its loss applies itself. One that the loss does not apply
/// is refused, and so is a softmax along another axis than the last of the port, whose axes lie in `order`: the loss goes along
/// that one. A value that no activation made stays.
pub(super) fn lifted(low: &mut Lowering<'_>, loss: &str, value: Value, order: &[usize]) -> Value {
    let last = low.layers.last().filter(|last| last.name == value.name);
    let Some(last) = last.filter(|last| matches!(&*last.kind, "sigmoid" | "softmax")) else { return value };
    let Some(wanted) = activation(loss) else { return value };
    if last.kind != wanted || !is_over_last(last, &value, order) {
        let (name, kind) = (quoted_str(&last.name), &last.kind);
        let what = if last.kind == wanted { "over its last axis" } else { "there" };
        let message = format!("'{name}' ({kind}) ends the network, and its loss, {loss}, wants {wanted} {what}.");
        let fault = Fault::new(Code::Loss, message).path(&last.name);
        low.faults.push(fault);
        return value;
    }
    match low.layers.pop().and_then(|last| last.from.into_iter().next()) {
        Some(name) => Value { name, ..value },
        None => value,
    }
}

/// Whether a layer goes over the axis that a port has last, or over none.
fn is_over_last(layer: &Layer, value: &Value, order: &[usize]) -> bool {
    let said = layer.attributes.iter().find(|attribute| attribute.key == "axis").map(|attribute| &attribute.value);
    let axis = match said {
        Some(Said::Int(axis)) => *axis,
        _ if layer.kind == "softmax" => -1,
        _ => return true,
    };
    let Some(axes) = &value.axes else { return axis == -1 };
    // Axes are written as they lie, the batch before them.
    let place =
        if axis < 0 { axes.order.len().checked_add_signed(axis as isize) } else { usize::try_from(axis - 1).ok() };
    place.and_then(|place| axes.order.get(place)) == order.last()
}
