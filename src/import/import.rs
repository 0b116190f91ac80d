//! An opened file: its listing, its numbers, the network they make.

use super::{
    FORMATS, ImportOptions, Summary,
    format::{Format, Layers, Opened, Order},
    prefix, pytorch, stack,
};
use crate::{
    describe::{Description, Graph, Layout, Ports, Slot, lower},
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted_str},
    limits::Limits,
    network::{Entry, Listed, Network, Turn},
    params::Params,
    progress::Progress,
    source::Source,
    tensor::Tensor,
};
use std::collections::HashMap;

/// How many bytes tell a format.
const HEAD: u64 = 4096;

/// Whether a file is of a format.
fn its(format: &dyn Format, source: &Source, head: &[u8], limits: &Limits) -> bool {
    format.recognises(head) && format.confirms(source, head, limits)
}

/// An opened file. Its listing has been read and checked; numbers are read when they are asked for.
pub struct Import {
    format: &'static str,
    opened: Box<dyn Opened>,
    /// The listing, prefixes stripped.
    entries: Vec<Listed>,
    network: Option<Description>,
    fold_weight_norm: bool,
    examples: Vec<Vec<usize>>,
    flattened: Vec<(String, Vec<usize>)>,
    strip_prefix: Option<String>,
    layout: Layout,
    stack: bool,
    loss: Option<String>,
    limits: Limits,
    progress: Progress,
}

impl Import {
    /// Tells the format, unless the options do, and reads the listing.
    pub fn open(source: &Source, options: ImportOptions<'_>, faults: &mut Faults) -> Result<Import, Refused> {
        options.check(faults)?;
        let head = source.head(HEAD, faults)?;
        let format = match options.format {
            Some(name) => FORMATS.iter().find(|format| format.name() == name).ok_or_else(|| {
                let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
                let message = format!("'{}' is no format; these are: {}.", quoted_str(name), names.join(", "));
                faults.refuse(Fault::new(Code::Value, message))
            })?,
            None if head.is_empty() => {
                return Err(faults.refuse(Fault::new(Code::Truncated, "The file is empty.").offset(0)));
            }
            None => {
                FORMATS.iter().find(|format| its(**format, source, head.bytes(), &options.limits)).ok_or_else(|| {
                    let message = "The file begins like no format this library knows.";
                    faults.refuse(Fault::new(Code::Unrecognised, message).offset(0))
                })?
            }
        };
        let opened = format.open(source, &options, faults)?;
        if !opened.says_layers() {
            options.check_of_numbers(format.name(), faults)?;
        }
        let mut entries = opened.entries().to_vec();
        if let Some(prefix) = options.strip_prefix {
            prefix::strip(prefix, &mut entries, faults);
        }
        Ok(Import {
            format: format.name(),
            opened,
            entries,
            network: options.network.cloned(),
            fold_weight_norm: options.fold_weight_norm,
            examples: options.examples,
            flattened: options.flattened,
            strip_prefix: options.strip_prefix.map(str::to_owned),
            layout: options.layout,
            stack: options.stack,
            loss: options.loss.map(str::to_owned),
            limits: options.limits,
            progress: options.progress,
        })
    }

    /// The same file with other shapes of one example for its first inputs than the options gave, as
    /// [`ImportOptions::examples`].
    pub fn with_examples(self, examples: Vec<Vec<usize>>) -> Import {
        Import { examples, ..self }
    }

    /// The name of the format.
    pub fn format(&self) -> &'static str {
        self.format
    }

    /// What the file holds, in its order.
    pub fn entries(&self) -> &[Listed] {
        &self.entries
    }

    /// Its notes, in its order.
    pub fn notes(&self) -> &[(Text, Text)] {
        self.opened.notes()
    }

    /// The numbers of an entry as the file has them, in place where it is mapped.
    pub fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        if index >= self.entries.len() {
            let message = format!("There is no entry {index}; the file has {}.", self.entries.len());
            return Err(faults.refuse(Fault::new(Code::Value, message)));
        }
        self.opened.tensor(index, faults)
    }

    /// All it holds as a tree, as the file has it; a flat one of its entries where there is nothing else.
    pub fn params(&self, faults: &mut Faults) -> Result<Params, Refused> {
        if let Some(tree) = self.opened.tree(Some(&self.progress), faults)? {
            return Ok(tree);
        }
        let entries = self.numbers(faults)?;
        Entry::to_params(entries, faults)
    }

    /// The tree of a file that holds more than its entries, its tensors left out; none of another.
    pub fn outline(&self, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        self.opened.tree(None, faults)
    }

    /// The layers of the options, as they are written.
    pub fn stated(&self) -> Option<&Description> {
        self.network.as_ref()
    }

    /// The layers: those the file says, else those of the options, in Pontil's words.
    pub fn description(&self, faults: &mut Faults) -> Result<Description, Refused> {
        if let Some(layers) = self.layers(false, faults) {
            return layers.map(|layers| layers.description);
        }
        let Some(description) = self.network.as_ref() else {
            let message = format!(
                "A file of the format '{}' holds numbers alone: say which layers they belong to by the option `network`.",
                self.format
            );
            return Err(faults.refuse(Fault::new(Code::State, message)));
        };
        let ports = Ports { examples: self.examples.clone(), layout: self.layout };
        lower(description, &ports, &self.limits, faults)
    }

    /// The network: its layers with the numbers of the file, all or none.
    pub fn network(&self, faults: &mut Faults) -> Result<Network, Refused> {
        let total = self.total();
        self.progress.at(0, total, faults)?;
        if let Some(layers) = self.layers(true, faults) {
            let layers = layers?;
            self.progress.at(total, total, faults)?;
            return self.said(layers, faults);
        }
        let order = self.opened.order(faults);
        let lowered = self.description(faults)?;
        let graph = Graph::of(&lowered, &self.limits, faults)?;
        let read = |wanted: &dyn Fn(&Listed) -> bool, faults: &mut Faults| self.read(wanted, faults);
        if let Some(numbers) = self.opened.fitted(&graph, &read, faults) {
            return self.turned(lowered, graph, numbers?, faults);
        }
        let written = self.network.as_ref().unwrap_or(&lowered);
        let stated = pytorch::Stated {
            flattened: &self.flattened,
            example: self.examples.first().map(Vec::as_slice),
            channels_first: self.layout == Layout::ChannelsFirst,
        };
        if order == Ok(Order::Canonical) {
            let entries = self.numbers(faults)?;
            return Network::build(&lowered, &entries, &self.limits, faults)
                .inspect_err(|_| self.propose_prefix(&graph.slots, &entries, faults));
        }
        let turns = pytorch::turns(&graph, written, &lowered, &stated, faults)?;
        let counters = pytorch::counters(&graph);
        let wanted =
            |entry: &Listed| !counters.contains(entry.path.as_bytes()) && !pytorch::is_beside(entry.path.as_bytes());
        let entries = self.read(wanted, faults)?;
        order?;
        let entries = if self.fold_weight_norm { pytorch::fold(entries, &graph, faults)? } else { entries };
        let slots = graph.slots.clone();
        Network::turned(lowered, graph, turns, &entries, faults).inspect_err(|_| {
            self.propose_prefix(&slots, &entries, faults);
            pytorch::advice(&entries).into_iter().for_each(|fault| faults.push(fault));
        })
    }

    /// The layers of a file that says them itself; `whole`: with their numbers, all of them.
    fn layers(&self, whole: bool, faults: &mut Faults) -> Option<Result<Layers, Refused>> {
        let ports = Ports { examples: self.examples.clone(), layout: self.layout };
        let said = self.opened.layers(&ports, faults)?;
        Some(match self.stack {
            true => said.and_then(|layers| stack::stacked(layers, whole, &self.limits, faults)),
            false => said,
        })
    }

    /// The network that a file says itself.
    fn said(&self, layers: Layers, faults: &mut Faults) -> Result<Network, Refused> {
        let Layers { description, numbers } = layers;
        let graph = Graph::of(&description, &self.limits, faults)?;
        self.turned(description, graph, numbers, faults)
    }

    /// The network of numbers that say each how it is turned.
    fn turned(
        &self,
        description: Description,
        graph: Graph,
        numbers: Vec<(Entry, Turn)>,
        faults: &mut Faults,
    ) -> Result<Network, Refused> {
        let (entries, turns): (Vec<Entry>, Vec<Turn>) = numbers.into_iter().unzip();
        let by_path: HashMap<&[u8], Turn> = entries.iter().map(|entry| entry.path.as_bytes()).zip(turns).collect();
        let turn = |slot: &Slot| by_path.get(slot.path.as_bytes()).cloned().unwrap_or_else(|| Turn::none(&slot.shape));
        let turns = graph.slots.iter().map(turn).collect();
        Network::turned(description, graph, turns, &entries, faults)
    }

    /// The loss the network was trained with, if the options say it, or if the file does and it was asked to take the last
    /// activation over.
    pub fn loss(&self) -> Option<&str> {
        self.loss.as_deref().or_else(|| self.opened.loss())
    }

    /// What the framework's own summary of a model tells; none of a file that holds numbers alone, or of another framework.
    pub fn summary(&self) -> Option<Summary> {
        self.opened.summary()
    }

    /// All entries with their numbers.
    pub fn numbers(&self, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
        self.read(|_| true, faults)
    }

    /// Bytes of all entries.
    fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }

    /// The entries that are wanted, with their numbers.
    fn read(&self, wanted: impl Fn(&Listed) -> bool, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
        let mark = faults.mark();
        let total = self.total();
        let (mut entries, mut done) = (Vec::new(), 0);
        for (index, listed) in self.entries.iter().enumerate() {
            self.progress.at(done, total, faults)?;
            done += listed.bytes;
            if wanted(listed) {
                if let Ok(tensor) = self.opened.tensor(index, faults) {
                    let (path, place) = (listed.path.clone(), listed.place.clone());
                    entries.push(Entry { path, tensor, place, offset: listed.offset });
                }
            }
        }
        self.progress.at(done, total, faults)?;
        faults.refused_since(mark)?;
        Ok(entries)
    }

    /// Adds what helps if it is a prefix, behind one that was taken away, that keeps the names from fitting.
    fn propose_prefix(&self, slots: &[Slot], entries: &[Entry], faults: &mut Faults) {
        let Some(found) = prefix::proposed(slots, entries.iter().map(|entry| &entry.path)) else { return };
        let whole = format!("{}{found}", self.strip_prefix.as_deref().unwrap_or_default());
        let in_file = self.opened.entries().iter().any(|entry| entry.path.as_bytes().starts_with(whole.as_bytes()));
        let prefix = if in_file { whole } else { found };
        let shown = quoted_str(&prefix);
        let message =
            format!("The names fit without '{shown}': if that is meant, set the option `strip_prefix` to '{shown}'.");
        let fault = Fault::new(Code::SlotPrefix, message).path(&prefix);
        faults.push(fault.argument("prefix", Argument::Text(prefix.into())));
    }
}
