//! Caffe's `.caffemodel`.

use super::{Wanted, fitted::fitted, path};
use crate::{
    describe::Graph,
    faults::{Code, Fault, Faults, Refused, Text, quoted_str},
    formats::caffe::{Model, recognises},
    import::{
        ImportOptions,
        format::{Format, Opened, Order, Read},
    },
    network::{Entry, Listed, Turn},
    source::Source,
    tensor::Tensor,
};
use std::collections::HashSet;

/// The row of the table.
pub(in crate::import) struct Caffe;

impl Format for Caffe {
    fn name(&self) -> &'static str {
        "caffe"
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
        let (mut entries, mut blobs, mut names) = (Vec::new(), Vec::new(), HashSet::new());
        for (number, layer) in model.layers.iter().enumerate() {
            if !names.insert(layer.name.as_str()) {
                let name = quoted_str(&layer.name);
                let message = format!("Two layers with parameters have the name '{name}'.");
                faults.push(Fault::new(Code::Duplicate, message).path(&layer.name).offset(layer.offset));
            }
            for (place, blob) in layer.blobs.iter().enumerate() {
                let parameter = match place {
                    0 => "weight".to_owned(),
                    1 => "bias".to_owned(),
                    more => more.to_string(),
                };
                entries.push(Listed {
                    path: path(layer.name.as_bytes(), parameter.as_bytes()),
                    place: format!("{}, blob {place}", layer.name).into(),
                    dtype: blob.dtype,
                    shape: blob.shape.clone(),
                    bytes: blob.bytes(),
                    offset: Some(blob.offset),
                });
                blobs.push((number, place));
            }
        }
        faults.refused_since(mark)?;
        let notes = vec![(Text::from("name"), Text::from(model.name.as_str()))];
        Ok(Box::new(Open { model, entries, blobs, notes, wanted: Wanted::of(options) }))
    }
}

struct Open {
    model: Model,
    entries: Vec<Listed>,
    /// Layer and blob of each entry.
    blobs: Vec<(usize, usize)>,
    notes: Vec<(Text, Text)>,
    wanted: Wanted,
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        let (layer, blob) = self.blobs[index];
        self.model.layers[layer].blobs[blob].tensor(&self.model).ok_or_else(|| {
            let listed = &self.entries[index];
            let message = format!("'{}' has no room: there is no memory for it.", crate::faults::quoted(&listed.path));
            faults.refuse(Fault::new(Code::Memory, message).path(listed.path.clone()))
        })
    }

    fn fitted(
        &self,
        graph: &Graph,
        read: Read<'_>,
        faults: &mut Faults,
    ) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
        fitted(&self.wanted, graph, read, faults)
    }

    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Pytorch)
    }
}
