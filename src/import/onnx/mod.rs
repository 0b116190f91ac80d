//! ONNX: a graph that says its layers itself.
//!
//! `wiring` looks at the graph as a whole; `build` walks it: what can be computed from constants and shapes is computed
//! (`fold`), every other node becomes layers by the row of its operator (`ops`), written with `call` of what it `takes`. A graph has axes in any
//! order, with the batch on axis 0: `flow` says how the axes of a value lie, and a Transpose moves nothing, it gives axes other
//! names. `lift` finds
//! layers again that were written out in several nodes. `held` keeps the numbers of layers where they lie, each with the turn its layer wants. `ports` are the inputs and
//! outputs. A graph is read twice where the host wants channels last or first: which axis of an input holds the channels is
//! known once its layers are.

mod attributes;
mod build;
mod call;
mod constant;
mod flow;
mod fold;
mod held;
mod lift;
mod loss;
mod ops;
mod ports;
mod run;
mod takes;
mod wiring;

use super::{
    ImportOptions,
    format::{Format, Layers, Opened, Order},
};
use crate::{
    describe::{Layout, Ports},
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted_str},
    formats::onnx::{Beside, Data, Model, Sound, recognises},
    limits::Limits,
    network::Listed,
    source::Source,
    tensor::Tensor,
};

/// The row of the table.
pub(super) struct Onnx;

/// The newest version of the operators whose meaning is known.
const NEWEST: i64 = 28;

/// The oldest version of the operators that is read.
const OLDEST: i64 = 7;

/// The newest version of the representation.
const NEWEST_IR: i64 = 14;

impl Format for Onnx {
    fn name(&self) -> &'static str {
        "onnx"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        recognises(head)
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let mark = faults.mark();
        let model = Model::read(source, faults)?;
        versions(&model, faults);
        let notes = notes(&model);
        let mut open = Open {
            model,
            source: source.clone(),
            beside: Beside::default(),
            limits: options.limits,
            loss: loss::Stated { loss: options.stated_loss(), lift: options.lift_loss },
            entries: Vec::new(),
            notes,
        };
        let mut entries = Vec::new();
        for stored in &open.model.graph.initialisers {
            match open.data().check(stored) {
                Ok(Sound { dtype, shape, bytes }) => {
                    let path = Text::from(&stored.name);
                    entries.push(Listed {
                        place: path.clone(),
                        path,
                        dtype,
                        shape,
                        bytes,
                        offset: Some(stored.offset),
                    });
                }
                Err(fault) => faults.push(fault),
            }
        }
        wiring::wire(&open.model.graph, faults).ok();
        faults.refused_since(mark)?;
        open.entries = entries;
        Ok(Box::new(open))
    }
}

/// What the versions of a file speak against reading it.
fn versions(model: &Model, faults: &mut Faults) {
    if model.ir > NEWEST_IR {
        let message = format!("The file is of IR version {}; the newest known is {NEWEST_IR}.", model.ir);
        faults.push(Fault::new(Code::Unsupported, message).argument("version", Argument::Int(model.ir)));
    }
    match model.opset() {
        Some(opset) if (OLDEST..=NEWEST).contains(&opset) => {}
        Some(opset) => {
            let message = format!(
                "The file's operators are those of opset {opset}; {OLDEST} to {NEWEST} are read. Export it anew for one of these."
            );
            faults.push(Fault::new(Code::Unsupported, message).argument("version", Argument::Int(opset)));
        }
        None => faults.push(Fault::new(Code::Absent, "The file does not say the version of its operators.")),
    }
    if let Some((count, at)) = model.graph.sparse {
        let message = format!("The graph has {count} sparse initialisers, which are not read.");
        faults.push(Fault::new(Code::Unsupported, message).offset(at));
    }
}

/// The notes of a file, and its versions.
fn notes(model: &Model) -> Vec<(Text, Text)> {
    let versions = model.opsets.iter().map(|(domain, version)| {
        let domain = if domain.is_empty() { "ai.onnx" } else { domain };
        (format!("opset {domain}"), version.to_string())
    });
    let own = [("ir_version".to_owned(), model.ir.to_string())].into_iter().chain(versions);
    let notes = model.notes.iter().filter(|(_, value)| !value.is_empty()).cloned();
    own.chain(notes).map(|(key, value)| (Text::from(key), Text::from(value))).collect()
}

struct Open {
    model: Model,
    source: Source,
    beside: Beside,
    limits: Limits,
    loss: loss::Stated,
    entries: Vec<Listed>,
    notes: Vec<(Text, Text)>,
}

impl Open {
    fn data(&self) -> Data<'_> {
        Data { model: &self.model, source: &self.source, beside: &self.beside, limits: &self.limits }
    }
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.data().tensor(&self.model.graph.initialisers[index], faults)
    }

    fn says_layers(&self) -> bool {
        true
    }

    fn layers(&self, ports: &Ports, faults: &mut Faults) -> Option<Result<Layers, Refused>> {
        Some(self.built(ports, faults))
    }

    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Canonical)
    }
}

impl Open {
    fn built(&self, ports: &Ports, faults: &mut Faults) -> Result<Layers, Refused> {
        let graph = &self.model.graph;
        let wiring = wiring::wire(graph, faults)?;
        if self.model.functions > 0 {
            let own = format!("{} functions of its own", self.model.functions);
            let unknown = graph.nodes.iter().find(|node| !node.is_own());
            if let Some(node) = unknown {
                let domain = quoted_str(&node.domain);
                let message = format!(
                    "The file defines {own} (domain '{domain}'), which are not read: export it with them inlined."
                );
                faults.push(Fault::new(Code::Unsupported, message).path(&node.domain));
            }
        }
        let data = self.data();
        let lifts = lift::find(graph, &data);
        let mark = faults.mark();
        let loss = loss::taken(self.loss, graph, faults);
        let whole = build::Whole { graph, wiring: &wiring, lifts: &lifts, data: &data, loss };
        let mut hints = Vec::new();
        if ports.layout != Layout::AsFile {
            let as_file = Ports { examples: Vec::new(), layout: Layout::AsFile };
            // What is wrong is told by the second reading.
            build::build(&whole, &as_file, &mut hints, &mut Faults::default()).ok();
        }
        let built = build::build(&whole, ports, &mut hints, faults)?;
        faults.refused_since(mark)?;
        let numbers = built.held.entries(faults)?;
        Ok(Layers { description: built.description, numbers })
    }
}
