//! The inputs and outputs of a graph, in the axis order the host wants.

use super::build::{Build, Given};
use super::flow::{Flow, Kind};
use crate::describe::lowering::{self, Axes, at_port, plain};
use crate::describe::{Input, Layout, Output, Ports, Position};
use crate::faults::{Code, Fault, Faults, quoted_str};
use crate::formats::onnx::{Dim, Graph, Port};
use crate::import::loss::lifted;
use crate::tensor::DType;
use std::collections::HashSet;

/// The inputs that are no initialisers.
pub(super) fn named(graph: &Graph) -> Vec<&Port> {
    let initialisers: HashSet<&str> = graph.initialisers.iter().map(|stored| stored.name.as_str()).collect();
    graph.inputs.iter().filter(|port| !initialisers.contains(port.name.as_str())).collect()
}

/// The length of the batch, if the inputs state one; inputs that state several are refused.
pub(super) fn batch(inputs: &[&Port], faults: &mut Faults) -> Option<usize> {
    let mut found: Option<(&str, usize)> = None;
    let mut all = true;
    for port in inputs {
        match port.axes.as_ref().and_then(|axes| axes.first()).and_then(length) {
            None => all = false,
            Some(length) => match found {
                Some((first, other)) if other != length => {
                    let (name, first) = (quoted_str(&port.name), quoted_str(first));
                    let message = format!(
                        "input '{name}' begins with an axis of {length} and input '{first}' with one of {other}: the first \
                         axis is the batch, and all inputs share it."
                    );
                    faults.push(Fault::new(Code::Input, message).path(&port.name).offset(port.offset));
                }
                found_before => found = found_before.or(Some((&port.name, length))),
            },
        }
    }
    found.map(|(_, length)| length).filter(|_| all)
}

/// An input as the description has it, and its value.
pub(super) fn input(
    port: &Port,
    number: usize,
    channel: Option<usize>,
    ports: &Ports,
    faults: &mut Faults,
) -> Option<(Input, Flow)> {
    let name = quoted_str(&port.name);
    let mut refuse = |code, what: String| {
        faults.push(Fault::new(code, format!("input '{name}' {what}.")).path(&port.name).offset(port.offset));
        None
    };
    let dtype = match &port.dtype {
        // What is true or false is 1 or 0 here.
        Some(Ok(dtype)) if dtype.is_real() || *dtype == DType::Bool => DType::F32,
        Some(Ok(dtype @ (DType::I64 | DType::I32))) => *dtype,
        Some(Ok(other)) => {
            return refuse(
                Code::Unsupported,
                format!("is of {}; real numbers, truths, I64 and I32 are taken", other.name()),
            );
        }
        Some(Err(what)) => return refuse(Code::Unsupported, format!("is {what}, which is not taken")),
        None => return refuse(Code::Absent, "has no type".into()),
    };
    let example = ports.examples.get(number);
    let stated: Option<Vec<Option<usize>>> = match &port.axes {
        None => example.map(|example| vec![None; example.len()]),
        Some(axes) if axes.is_empty() => {
            return refuse(
                Code::Unsupported,
                "is one number: without an axis for the batch there are no examples".into(),
            );
        }
        Some(axes) if axes.len() > 1 && axes.iter().skip(1).any(|dim| *dim == Dim::Length(0)) => {
            return refuse(Code::Input, "has an axis of no places".into());
        }
        Some(axes) => Some(axes.iter().skip(1).map(length).collect()),
    };
    let Some(lengths) = stated else {
        return refuse(Code::Input, "has no shape: state that of one example".into());
    };
    let order = at_port(lengths.len(), channel, ports.layout);
    let stated = Axes { order, lengths };
    let origin = Some((number, plain(stated.rank())));
    let example = example.map(Vec::as_slice);
    let (input, value) = lowering::port(&port.name, dtype, stated, example, faults)?;
    let kind = if dtype == DType::F32 { Kind::Real } else { Kind::Ids };
    Some((input, Flow { origin, kind, ..Flow::new(value) }))
}

fn length(dim: &Dim) -> Option<usize> {
    match dim {
        Dim::Length(length) => usize::try_from(*length).ok().filter(|length| *length > 0),
        Dim::Named(_) => None,
    }
}

/// An output as the description has it; `loss` takes the activation that makes it over.
pub(super) fn output(
    port: &Port,
    given: Option<Given>,
    layout: Layout,
    loss: Option<&str>,
    build: &mut Build<'_, '_>,
) -> Option<Output> {
    let name = quoted_str(&port.name);
    let mut refuse = |what: &str| {
        let message = format!("output '{name}' {what}.");
        build.low.faults.push(Fault::new(Code::Unsupported, message).path(&port.name).offset(port.offset));
        None
    };
    let flow = match given {
        Some(Given::Flow(flow)) => flow,
        Some(Given::Constant(_)) => return refuse("is a constant, the same whatever goes into the network"),
        Some(Given::Refused) | None => return None,
    };
    if flow.kind != Kind::Real {
        return refuse("is an input of whole numbers given on");
    }
    if flow.at > 0 {
        return refuse("has the batch behind another axis: a network answers example by example");
    }
    if flow.merged > 0 {
        return refuse("has the batch joined with another axis: a network answers example by example");
    }
    let order = at_port(flow.each(), flow.channel, layout);
    let made = match loss {
        Some(loss) => lifted(&mut build.low, loss, flow.value, &order),
        None => flow.value,
    };
    let value = build.low.turn((&port.name, Position::default()), &made, &order);
    Some(Output { name: port.name.clone(), from: value.name, position: Position::default() })
}
