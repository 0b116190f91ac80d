//! safetensors as PyTorch writes it: a state dict, numbers alone.

use super::{
    ImportOptions,
    format::{Format, Opened, Order},
};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted},
    formats::safetensors as container,
    network::Listed,
    source::Source,
    tensor::Tensor,
};

/// The row of the table.
pub(super) struct Safetensors;

impl Format for Safetensors {
    fn name(&self) -> &'static str {
        "safetensors"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        // The format has no signature: a length below 4 GiB, then JSON.
        let length = |bytes: &[u8]| bytes[4..8] == [0; 4];
        head.len() >= 8 && length(head) && head.get(8).is_none_or(|first| b"{[ \t\r\n".contains(first))
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let file = container::Safetensors::read(source, &options.limits, faults)?;
        if options.key.is_some() {
            let message =
                "The option `key` names an entry of a checkpoint; a safetensors file has none, and it is passed over.";
            faults.push(Fault::new(Code::Value, message).warning());
        }
        let listed = |stored: &container::Stored| Listed {
            path: stored.name.clone(),
            place: stored.name.clone(),
            dtype: stored.dtype,
            shape: stored.shape.clone(),
            bytes: stored.bytes.end - stored.bytes.start,
            offset: Some(stored.bytes.start),
        };
        let entries = file.tensors.iter().map(listed).collect();
        Ok(Box::new(Open { file, entries, source: source.clone() }))
    }
}

struct Open {
    file: container::Safetensors,
    entries: Vec<Listed>,
    source: Source,
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.file.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.file.tensor(index, &self.source, faults)
    }

    /// Told by the note `format`, and PyTorch's without it. That of another framework may be another.
    fn order(&self, faults: &mut Faults) -> Result<Order, Refused> {
        let note = self.file.notes.iter().find(|(key, _)| *key == *"format").map(|(_, value)| value);
        match note {
            None => Ok(Order::Pytorch),
            Some(value) if *value == *"pt" => Ok(Order::Pytorch),
            Some(value) if *value == *container::OWN_FORMAT => Ok(Order::Canonical),
            Some(value) => {
                let message = format!(
                    "The note \"format\" says '{}'; numbers go into a network from files of 'pt' (or no note) and '{}' \
                     alone, whose axis order is known.",
                    quoted(value),
                    container::OWN_FORMAT
                );
                let fault = Fault::new(Code::Metadata, message).place("__metadata__").offset(8);
                Err(faults.refuse(fault.argument("format", Argument::Text(value.clone()))))
            }
        }
    }
}
