//! A graph's message: nodes, initialisers, inputs and outputs.

use super::node::Node;
use super::tensor::{self, Stored};
use crate::faults::Fault;
use crate::formats::protobuf::{Budget, Fields};
use crate::tensor::DType;
use std::ops::Range;

/// The graph of a model.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// Tensors with a name.
    pub initialisers: Vec<Stored>,
    /// Its inputs; before IR version 4 every initialiser is one too.
    pub inputs: Vec<Port>,
    /// Its outputs.
    pub outputs: Vec<Port>,
    /// How many sparse tensors there are, and the name of the first.
    pub sparse: Option<(usize, u64)>,
}

/// An input or output.
#[derive(Clone, Debug, Default)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its element type; else what it is instead of a tensor of numbers, in words.
    pub dtype: Option<Result<DType, String>>,
    /// Its axes; none if nothing is said of them.
    pub axes: Option<Vec<Dim>>,
    /// Byte of the file at which its message begins.
    pub offset: u64,
}

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// A length.
    Length(i64),
    /// A name for a length that may be any; empty if it has none.
    Named(String),
}

impl Graph {
    pub(super) fn read(bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<Graph, Fault> {
        let mut graph = Graph::default();
        let mut fields = Fields::of(bytes, range, "the graph");
        while let Some(field) = fields.next()? {
            match field.number {
                1 => graph.nodes.push(Node::read(bytes, field.range()?, field.at, budget)?),
                5 => graph.initialisers.push(Stored::read(bytes, field.range()?, field.at, budget)?),
                11 => graph.inputs.push(Port::read(bytes, field.range()?, field.at, budget)?),
                12 => graph.outputs.push(Port::read(bytes, field.range()?, field.at, budget)?),
                15 => {
                    let count = graph.sparse.map_or(0, |(count, _)| count);
                    graph.sparse = Some((count + 1, field.at));
                }
                _ => {}
            }
        }
        Ok(graph)
    }
}

impl Port {
    fn read(bytes: &[u8], range: Range<usize>, at: u64, budget: &mut Budget) -> Result<Port, Fault> {
        budget.item::<Port>(at)?;
        let mut port = Port { offset: at, ..Port::default() };
        let mut fields = Fields::of(bytes, range, "a value's description");
        while let Some(field) = fields.next()? {
            match field.number {
                1 => port.name = field.text(bytes, budget)?,
                2 => port.kind(bytes, field.range()?, budget)?,
                _ => {}
            }
        }
        Ok(port)
    }

    fn kind(&mut self, bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<(), Fault> {
        let mut fields = Fields::of(bytes, range, "a type");
        while let Some(field) = fields.next()? {
            let other = match field.number {
                1 => {
                    self.tensor(bytes, field.range()?, budget)?;
                    continue;
                }
                4 => "a sequence",
                5 => "a map",
                8 => "a sparse tensor",
                9 => "an optional value",
                _ => continue,
            };
            self.dtype = Some(Err(other.into()));
        }
        Ok(())
    }

    fn tensor(&mut self, bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<(), Fault> {
        let mut fields = Fields::of(bytes, range, "a tensor's type");
        while let Some(field) = fields.next()? {
            match field.number {
                1 => self.dtype = Some(tensor::dtype(field.whole()?)),
                2 => self.axes = Some(axes(bytes, field.range()?, budget)?),
                _ => {}
            }
        }
        Ok(())
    }
}

fn axes(bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<Vec<Dim>, Fault> {
    let mut axes = Vec::new();
    let mut fields = Fields::of(bytes, range, "a shape");
    while let Some(field) = fields.next()? {
        if field.number != 1 {
            continue;
        }
        budget.item::<Dim>(field.at)?;
        let mut dim = Dim::Named(String::new());
        let mut parts = Fields::of(bytes, field.range()?, "a length");
        while let Some(part) = parts.next()? {
            match part.number {
                1 => dim = Dim::Length(part.whole()?),
                2 => dim = Dim::Named(part.text(bytes, budget)?),
                _ => {}
            }
        }
        axes.push(dim);
    }
    Ok(axes)
}
