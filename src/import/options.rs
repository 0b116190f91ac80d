//! What a host says about a file that the file does not say itself.

use super::PytreeOptions;
use crate::{
    describe::{Description, Layout},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    limits::Limits,
    params::{Params, leaf::Registry},
    progress::Progress,
};

/// The words for a loss.
pub const LOSSES: &[&str] = &["meanSquaredError", "crossEntropy", "binaryCrossEntropy", "earthMoversDistance"];

/// How a file is to be read.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions<'a> {
    /// The format, if the first bytes shall not tell it.
    pub format: Option<&'a str>,
    /// The layers, for formats that hold numbers alone.
    pub network: Option<&'a Description>,
    /// Taken away from each name that begins with it, e.g. `module.`.
    pub strip_prefix: Option<&'a str>,
    /// The entry of a checkpoint that holds the numbers: a key at its root, or a path like `/ema/state_dict`. Of an HDF5 file
    /// the group that holds the set, of Jaxon the path of a value in its tree.
    pub key: Option<&'a str>,
    /// Whether weights that PyTorch keeps in parts (`weight_norm`, `spectral_norm`, pruning) are put together for a network.
    pub fold_weight_norm: bool,
    /// Shapes of one example of the first inputs in the host's layout, the batch left out.
    pub examples: Vec<Vec<usize>>,
    /// What flattens are handed, by path: of the flatten, or of the dense or normalisation layer of a network written as
    /// code. The lengths are those of the description, not of the file: window axes first and channels last.
    pub flattened: Vec<(String, Vec<usize>)>,
    /// The axis order the host wants at the ports.
    pub layout: Layout,
    /// The loss the network was trained with, one of [`LOSSES`]; where the file says one too, this one counts.
    pub loss: Option<&'a str>,
    /// Whether the loss takes the last activation of the network over, a sigmoid or softmax, which is then left out: for hosts
    /// that train on. It must be the one the loss applies. Of files that say their layers, with the loss they or `loss` say;
    /// refused of others.
    pub lift_loss: bool,
    /// Whether the network is put in a row of layers, `0`, `1`, …, for hosts that hold a stack and no graph: with every bias, and
    /// channels last throughout. What is no row is refused. Of files that say their layers; refused of others.
    pub stack: bool,
    /// A set that the one in the file must fit: kinds, order of keys and types of structured leaves are taken from it. Only
    /// files of parameter sets are held to it.
    pub prototype: Option<&'a Params>,
    /// The types of structured leaves that are known.
    pub leaf_types: Registry,
    /// Whether a structured leaf of a type that nobody registered is kept as it is, and not refused.
    pub keep_unknown_types: bool,
    /// How a file of nested Python values is to be read.
    pub pytree: PytreeOptions<'a>,
    /// What the call may cost.
    pub limits: Limits,
    /// How far it is, and whether it goes on.
    pub progress: Progress,
}

impl ImportOptions<'_> {
    /// The loss that is stated, as [`LOSSES`] has it.
    pub(super) fn stated_loss(&self) -> Option<&'static str> {
        LOSSES.iter().find(|known| self.loss == Some(**known)).copied()
    }

    /// What can be held against the options before a file is looked at.
    pub(super) fn check(&self, faults: &mut Faults) -> Result<(), Refused> {
        match self.loss {
            Some(loss) if !LOSSES.contains(&loss) => {
                let message = format!("'{}' is no loss; these are: {}.", quoted_str(loss), LOSSES.join(", "));
                Err(faults.refuse(Fault::new(Code::Value, message)))
            }
            _ => Ok(()),
        }
    }

    /// What can be held against the options of a file that holds numbers alone.
    pub(super) fn check_of_numbers(&self, format: &str, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        for (name, _) in [("lift_loss", self.lift_loss), ("stack", self.stack)].into_iter().filter(|(_, asked)| *asked)
        {
            let message = format!(
                "The option `{name}` is of files that say their layers, and this one of the format '{format}' holds numbers alone: \
                 leave it out, and say by the option `network` the layers that are wanted."
            );
            faults.push(Fault::new(Code::Value, message));
        }
        faults.refused_since(mark)
    }
}
