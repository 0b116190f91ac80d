//! A node's message: its operator, what it takes and makes, its attributes.

use super::tensor::Stored;
use crate::faults::Fault;
use crate::formats::protobuf::{Budget, Fields, Runs, joined, varints};
use std::ops::Range;

/// A node of the graph.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its name; may be empty.
    pub name: String,
    /// The operator.
    pub op: String,
    /// The domain the operator is of; empty is ONNX's own.
    pub domain: String,
    /// Values it takes; an empty name is one left out.
    pub inputs: Vec<String>,
    /// Values it makes; an empty name is one nobody wants.
    pub outputs: Vec<String>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Byte of the file at which its message begins.
    pub offset: u64,
}

/// An attribute of a node.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value.
    pub setting: Setting,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A whole number.
    Int(i64),
    /// A single.
    Float(f32),
    /// Text, as its bytes are read; what is not UTF-8 is replaced.
    Text(String),
    /// Whole numbers.
    Ints(Vec<i64>),
    /// Singles.
    Floats(Vec<f32>),
    /// A tensor.
    Tensor(Box<Stored>),
    /// Something no supported operator takes, in words: a graph, a list of texts.
    Other(&'static str),
}

impl Node {
    pub(super) fn read(bytes: &[u8], range: Range<usize>, at: u64, budget: &mut Budget) -> Result<Node, Fault> {
        budget.item::<Node>(at)?;
        let mut node = Node { offset: at, ..Node::default() };
        let mut fields = Fields::of(bytes, range, "a node");
        while let Some(field) = fields.next()? {
            match field.number {
                1 | 2 => {
                    budget.item::<String>(field.at)?;
                    let name = field.text(bytes, budget)?;
                    if field.number == 1 { node.inputs.push(name) } else { node.outputs.push(name) }
                }
                3 => node.name = field.text(bytes, budget)?,
                4 => node.op = field.text(bytes, budget)?,
                5 => {
                    budget.item::<Attribute>(field.at)?;
                    node.attributes.push(attribute(bytes, field.range()?, field.at, budget)?);
                }
                7 => node.domain = field.text(bytes, budget)?,
                _ => {}
            }
        }
        Ok(node)
    }

    /// Whether its operator is of ONNX's own domain.
    pub fn is_own(&self) -> bool {
        matches!(self.domain.as_str(), "" | "ai.onnx")
    }
}

/// Everything an attribute's message may hold; its type says which counts.
#[derive(Default)]
struct Parts {
    float: Option<f32>,
    int: Option<i64>,
    text: Option<Range<usize>>,
    tensor: Option<(Range<usize>, u64)>,
    graph: bool,
    floats: Runs,
    ints: Runs,
    texts: bool,
    other: bool,
}

fn attribute(bytes: &[u8], range: Range<usize>, at: u64, budget: &mut Budget) -> Result<Attribute, Fault> {
    let (mut name, mut kind, mut parts) = (String::new(), 0, Parts::default());
    let mut fields = Fields::of(bytes, range, "an attribute");
    while let Some(field) = fields.next()? {
        match field.number {
            1 => name = field.text(bytes, budget)?,
            2 => parts.float = Some(field.single(bytes)?),
            3 => parts.int = Some(field.whole()?),
            4 => parts.text = Some(field.range()?),
            5 => parts.tensor = Some((field.range()?, field.at)),
            6 | 11 => parts.graph = true,
            7 => field.singles(&mut parts.floats, budget)?,
            8 => field.wholes(&mut parts.ints, budget)?,
            9 => parts.texts = true,
            10 | 14 | 15 | 21 | 22 | 23 => parts.other = true,
            20 => kind = field.whole()?,
            _ => {}
        }
    }
    let setting = parts.setting(kind, bytes, budget, at)?;
    Ok(Attribute { name, setting })
}

impl Parts {
    /// The value that the type says, a default one if it was not written; without a type the one that is there.
    fn setting(self, kind: i64, bytes: &[u8], budget: &mut Budget, at: u64) -> Result<Setting, Fault> {
        let kind = if kind == 0 { self.kind() } else { kind };
        Ok(match kind {
            1 => Setting::Float(self.float.unwrap_or_default()),
            2 => Setting::Int(self.int.unwrap_or_default()),
            3 => {
                let range = self.text.unwrap_or_default();
                budget.take(range.len(), at)?;
                Setting::Text(String::from_utf8_lossy(bytes.get(range).unwrap_or_default()).into_owned())
            }
            4 => match self.tensor {
                Some((range, at)) => Setting::Tensor(Box::new(Stored::read(bytes, range, at, budget)?)),
                None => Setting::Other("a tensor that is not there"),
            },
            5 | 10 => Setting::Other("a graph"),
            6 => {
                let mut floats = Vec::new();
                let mut four = [0; 4];
                for (place, byte) in joined(bytes, &self.floats).enumerate() {
                    four[place % 4] = byte;
                    if place % 4 == 3 {
                        budget.item::<f32>(at)?;
                        floats.push(f32::from_le_bytes(four));
                    }
                }
                Setting::Floats(floats)
            }
            7 => {
                let mut ints = Vec::new();
                for whole in varints(bytes, &self.ints) {
                    budget.item::<i64>(at)?;
                    ints.push(whole);
                }
                Setting::Ints(ints)
            }
            8 => Setting::Other("a list of texts"),
            _ => Setting::Other("a value of a kind that no operator of this library takes"),
        })
    }

    /// The type of what is there, for files that say none.
    fn kind(&self) -> i64 {
        let there = [
            (self.float.is_some(), 1),
            (self.int.is_some(), 2),
            (self.text.is_some(), 3),
            (self.tensor.is_some(), 4),
            (self.graph, 5),
            (!self.floats.is_empty(), 6),
            (!self.ints.is_empty(), 7),
            (self.texts, 8),
            (self.other, 14),
        ];
        there.iter().find(|(there, _)| *there).map_or(14, |(_, kind)| *kind)
    }
}
