//! Caffe's trained networks, `.caffemodel`: a protobuf message of layers with the blobs of their parameters.
//!
//! Three generations of the message are in use: layers with a text as type (field 100), those before with a number as type
//! (field 2), and the oldest, whose layer lies in a message of its own within those. Only names and blobs are
//! decoded; numbers stay where they lie, and a budget by the length of the file holds what is made of it. Called by
//! `import::mocha`.

mod blob;
#[cfg(test)]
mod tests;

pub use blob::Blob;

use crate::faults::{Code, Fault, Faults, Refused};
use crate::formats::protobuf::{Budget, Fields};
use crate::source::Source;
use crate::tensor::Storage;
use std::ops::Range;

/// A decoded file. Numbers of blobs lie in its bytes still.
#[derive(Debug)]
pub struct Model {
    /// What the file calls the network.
    pub name: String,
    /// Layers that have parameters, in the order of the file.
    pub layers: Vec<Layer>,
    pub(super) bytes: Storage,
}

/// A layer with parameters.
#[derive(Debug)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// Its parameters: weight, bias.
    pub blobs: Vec<Blob>,
    /// Byte of the file at which it begins.
    pub offset: u64,
}

/// Where the fields of a layer's message stand, which changed over the years.
struct Numbers {
    name: u64,
    blobs: u64,
    /// A layer within this one.
    inner: Option<u64>,
}

const NEW: Numbers = Numbers { name: 1, blobs: 7, inner: None };
const OLD: Numbers = Numbers { name: 4, blobs: 6, inner: Some(1) };
const OLDEST: Numbers = Numbers { name: 1, blobs: 50, inner: None };

/// Fields of the whole message that may follow its name.
const KNOWN: [u64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 100];

/// Whether a file may begin with these bytes: fields of a network, of their wire types, a layer among them.
pub fn recognises(head: &[u8]) -> bool {
    let mut fields = Fields::of(head, 0..head.len(), "the head");
    let mut layers = false;
    loop {
        match fields.next() {
            Ok(Some(field)) => {
                let text = |range: Range<usize>| head.get(range).is_some_and(|text| std::str::from_utf8(text).is_ok());
                let fits = match field.number {
                    1 | 3 => field.range().is_ok_and(text),
                    2 | 6 | 8 | 100 => field.range().is_ok(),
                    4 | 5 | 7 => field.whole().is_ok() || field.range().is_ok(),
                    _ => false,
                };
                if !fits {
                    return false;
                }
                layers |= matches!(field.number, 2 | 100);
            }
            Ok(None) => return layers,
            // The head ends within a layer, or the file does.
            Err(fault) => return fault.code == Code::Truncated && (layers || names_a_network(head)),
        }
    }
}

/// Whether a name begins it, with a field behind it that is cut.
fn names_a_network(head: &[u8]) -> bool {
    let mut fields = Fields::of(head, 0..head.len(), "the head");
    let first = fields.next().ok().flatten();
    let name = first.filter(|field| field.number == 1).and_then(|field| field.range().ok());
    let Some(name) = name else { return matches!(head, [0xA2, 0x06, ..]) };
    let behind = head.get(name.end).copied();
    behind.is_some_and(|tag| {
        KNOWN.iter().any(|number| tag == (number << 3 | 2) as u8 & 0x7F | u8::from(*number > 15) << 7)
    })
}

impl Model {
    /// Decodes a file: everything but the numbers.
    pub fn read(source: &Source, faults: &mut Faults) -> Result<Model, Refused> {
        let bytes = source.bytes(0..source.len(), faults)?;
        let mut budget = Budget::of(source.len());
        let read = whole(bytes.bytes(), &mut budget).map_err(|fault| faults.refuse(fault));
        let (name, layers) = read?;
        if layers.is_empty() {
            let message = "The file has no layer with parameters: it describes a network and holds no numbers.";
            return Err(faults.refuse(Fault::new(Code::Absent, message)));
        }
        Ok(Model { name, layers, bytes })
    }
}

fn whole(bytes: &[u8], budget: &mut Budget) -> Result<(String, Vec<Layer>), Fault> {
    let (mut name, mut layers) = (String::new(), Vec::new());
    let mut fields = Fields::of(bytes, 0..bytes.len(), "the network");
    while let Some(field) = fields.next()? {
        let numbers = match field.number {
            1 => {
                name = field.text(bytes, budget)?;
                continue;
            }
            2 => &OLD,
            100 => &NEW,
            _ => continue,
        };
        budget.item::<Layer>(field.at)?;
        let layer = layer(bytes, field.range()?, field.at, numbers, budget)?;
        if !layer.blobs.is_empty() {
            layers.push(layer);
        }
    }
    Ok((name, layers))
}

fn layer(
    bytes: &[u8],
    range: Range<usize>,
    offset: u64,
    numbers: &Numbers,
    budget: &mut Budget,
) -> Result<Layer, Fault> {
    let mut layer = Layer { name: String::new(), blobs: Vec::new(), offset };
    let mut fields = Fields::of(bytes, range, "a layer");
    while let Some(field) = fields.next()? {
        match field.number {
            number if Some(number) == numbers.inner => {
                let inner = self::layer(bytes, field.range()?, field.at, &OLDEST, budget)?;
                layer.name = inner.name;
                layer.blobs.extend(inner.blobs);
            }
            number if number == numbers.name => layer.name = field.text(bytes, budget)?,
            number if number == numbers.blobs => {
                budget.item::<Blob>(field.at)?;
                layer.blobs.push(Blob::read(bytes, field.range()?, field.at, budget)?);
            }
            _ => {}
        }
    }
    Ok(layer)
}
