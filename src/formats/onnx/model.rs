//! The model's message: versions, operator sets, who wrote it, and the graph.

use super::graph::Graph;
use super::tensor::note;
use crate::faults::{Code, Fault, Faults, Refused};
use crate::formats::protobuf::{Budget, Fields};
use crate::source::Source;
use crate::tensor::Storage;
use std::ops::Range;

/// A decoded file. Numbers of tensors lie in `bytes` still.
#[derive(Debug)]
pub struct Model {
    /// Version of the representation.
    pub ir: i64,
    /// Operator sets: domain and version.
    pub opsets: Vec<(String, i64)>,
    /// Notes: producer, versions, and what the file says of itself.
    pub notes: Vec<(String, String)>,
    /// How many functions of its own the model defines.
    pub functions: usize,
    /// The graph.
    pub graph: Graph,
    /// All bytes of the file.
    pub(super) bytes: Storage,
}

/// Whether a file may begin with these bytes: a field of a model, as its wire type has it, then others such.
pub fn recognises(head: &[u8]) -> bool {
    let mut fields = Fields::of(head, 0..head.len(), "the head");
    let mut known = 0;
    loop {
        match fields.next() {
            Ok(Some(field)) => {
                let fits = match field.number {
                    1 | 5 => field.whole().is_ok(),
                    2..=4 | 6..=8 | 14 | 20 | 25 | 26 => field.range().is_ok(),
                    _ => false,
                };
                if !fits {
                    return false;
                }
                known += 1;
            }
            Ok(None) => return known > 1,
            // The head ends within a field: the graph, most of the time.
            Err(fault) => {
                return fault.code == Code::Truncated && (known > 1 || known == 1 && head.starts_with(b"\x08"));
            }
        }
    }
}

impl Model {
    /// Decodes a file: everything but the numbers of tensors.
    pub fn read(source: &Source, faults: &mut Faults) -> Result<Model, Refused> {
        let bytes = source.bytes(0..source.len(), faults)?;
        let mut budget = Budget::of(source.len());
        let read = Parts::read(bytes.bytes(), &mut budget).and_then(|parts| {
            let range = parts.graph.clone().ok_or_else(|| Fault::new(Code::Absent, "The file holds no graph."))?;
            let graph = Graph::read(bytes.bytes(), range, &mut budget)?;
            Ok((parts, graph))
        });
        let (parts, graph) = read.map_err(|fault| faults.refuse(fault))?;
        let Parts { ir, opsets, notes, functions, .. } = parts;
        Ok(Model { ir, opsets, notes, functions, graph, bytes })
    }

    /// The version of ONNX's own operators; none if the file does not say it.
    pub fn opset(&self) -> Option<i64> {
        let own = self.opsets.iter().filter(|(domain, _)| matches!(domain.as_str(), "" | "ai.onnx"));
        own.map(|(_, version)| *version).max()
    }
}

#[derive(Default)]
struct Parts {
    ir: i64,
    opsets: Vec<(String, i64)>,
    notes: Vec<(String, String)>,
    functions: usize,
    graph: Option<Range<usize>>,
}

impl Parts {
    fn read(bytes: &[u8], budget: &mut Budget) -> Result<Parts, Fault> {
        let mut parts = Parts::default();
        let mut fields = Fields::of(bytes, 0..bytes.len(), "the model");
        while let Some(field) = fields.next()? {
            let mut say = |name: &str, value: String| -> Result<(), Fault> {
                budget.item::<(String, String)>(field.at)?;
                parts.notes.push((name.to_owned(), value));
                Ok(())
            };
            match field.number {
                1 => parts.ir = field.whole()?,
                5 => say("model_version", field.whole()?.to_string())?,
                number @ (2..=4 | 6) => {
                    let name = ["producer_name", "producer_version", "domain", "", "doc_string"];
                    let name = name.get(number as usize - 2).copied().unwrap_or_default();
                    let text = field.text(bytes, budget)?;
                    budget.item::<(String, String)>(field.at)?;
                    parts.notes.push((name.to_owned(), text));
                }
                7 if parts.graph.is_some() => {
                    let message = format!("A second graph begins at byte {}.", field.at);
                    return Err(Fault::new(Code::Duplicate, message).offset(field.at));
                }
                7 => parts.graph = Some(field.range()?),
                8 => {
                    budget.item::<(String, i64)>(field.at)?;
                    parts.opsets.push(opset(bytes, field.range()?, budget)?);
                }
                14 => parts.notes.push(note(bytes, field.range()?, budget)?),
                25 => parts.functions += 1,
                _ => {}
            }
        }
        Ok(parts)
    }
}

fn opset(bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<(String, i64), Fault> {
    let mut opset = (String::new(), 0);
    let mut fields = Fields::of(bytes, range, "an operator set");
    while let Some(field) = fields.next()? {
        match field.number {
            1 => opset.0 = field.text(bytes, budget)?,
            2 => opset.1 = field.whole()?,
            _ => {}
        }
    }
    Ok(opset)
}
