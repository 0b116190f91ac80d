//! The numbers of a network, with the note that tells their order.

use super::{Target, safetensors};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::safetensors::OWN_FORMAT,
    network::Network,
    progress::Progress,
};

/// Writes the numbers of a network as safetensors: of one imported from PyTorch as PyTorch has them, of any other in the
/// library's own layout. The note `format` is set so that an import reads them back as they are: `pt` or `pontil`; a note of
/// that name among `notes` that says something else is a fault. Otherwise as [`safetensors`].
pub fn network(
    network: &Network,
    notes: &[(&str, &str)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let format = if network.is_turned() { "pt" } else { OWN_FORMAT };
    let mut notes = notes.to_vec();
    match notes.iter().find(|(key, _)| *key == "format") {
        None => notes.push(("format", format)),
        Some((_, said)) if *said == format => {}
        Some((_, said)) => {
            let said = quoted_str(said);
            let message =
                format!("The note `format` would say '{said}' of numbers whose order is '{format}'; leave it out.");
            return Err(faults.refuse(Fault::new(Code::Value, message)));
        }
    }
    let Some(entries) = network.written() else {
        return Err(faults.refuse(Fault::new(Code::Memory, "There is no memory for the numbers of the network.")));
    };
    safetensors(&entries, &notes, target, progress, faults)
}
