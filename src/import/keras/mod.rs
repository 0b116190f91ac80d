//! Keras: a model that says its layers itself, as `.keras` or as a legacy `.h5`, or the numbers of one alone.
//!
//! `file` reads what there is: layers in JSON, settings of training, variables. `lower` has `model` walk the layers, a row or a
//! graph, models within models; each `layer` becomes layers in Pontil's words by the row of its class (`layers`), written with
//! `call` of what its `settings` say. Values have Keras's axes in any order (`flow`), channels last wherever a layer walks over
//! windows. `variables` finds the numbers by the names the file gives, `fitted` fills a network that the host says. Nothing a
//! file names is looked up or run.

mod build;
mod call;
mod file;
mod fitted;
mod flow;
mod graph;
mod groups;
mod layer;
mod layers;
mod loss;
mod lower;
mod model;
mod policy;
mod ports;
mod settings;
mod summary;
mod variables;

pub use summary::{Line, Summary};

use super::{
    ImportOptions,
    format::{Format, Layers, Opened, Order, Read},
};
use crate::{
    describe::{Graph, Layout, Ports},
    faults::{Code, Fault, Faults, Refused, Text, quoted_str},
    formats::{hdf5::SIGNATURE, zip::Zip},
    limits::Limits,
    network::{Entry, Listed, Turn},
    source::Source,
    tensor::Tensor,
};
use file::Saved;
use lower::Asked;
use model::Model;
use std::collections::HashSet;

/// The row of the table.
pub(super) struct Keras;

impl Format for Keras {
    fn name(&self) -> &'static str {
        "keras"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(b"PK\x03\x04") || head.starts_with(SIGNATURE)
    }

    /// Other frameworks write archives and HDF5 as well.
    fn confirms(&self, source: &Source, head: &[u8], limits: &Limits) -> bool {
        if Zip::begins(head) { file::is_archive(source, limits, head) } else { file::is_keras(source, limits) }
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let archive = Zip::begins(source.head(4, faults)?.bytes());
        let open = if archive { file::open_archive } else { file::open_h5 };
        let saved = open(source, &options.limits, faults)?;
        let stated = options.stated_loss();
        let mut opened =
            Open { saved, stated, lift: options.lift_loss, entries: Vec::new(), numbers: Vec::new(), summary: None };
        opened.list();
        Ok(Box::new(opened))
    }
}

struct Open {
    saved: Saved,
    /// The loss the host states.
    stated: Option<&'static str>,
    /// Whether the loss takes the last activation over.
    lift: bool,
    entries: Vec<Listed>,
    /// The variable of each entry.
    numbers: Vec<usize>,
    /// What is told of the model.
    summary: Option<Summary>,
}

/// The ports as the file has them.
const AS_FILE: Ports = Ports { examples: Vec::new(), layout: Layout::AsFile };

impl Open {
    fn asked<'a>(&self, ports: &'a Ports) -> Asked<'a> {
        Asked { ports, stated: self.stated, lift: self.lift }
    }

    /// The model of the file, if its layers are said.
    fn model(&self) -> Option<Model<'_>> {
        let config = self.saved.config.as_ref()?;
        Model::of(config).filter(|_| layer::is_known_model(config))
    }

    /// Tells the layers, and lists the variables, under the names their layers have for them as far as those are known.
    fn list(&mut self) {
        let all = &self.saved.variables.all;
        let built = self
            .model()
            .map(|model| lower::whole(&self.saved, &model, &self.asked(&AS_FILE), &mut Faults::with_limit(1)));
        let (names, summary) = match built {
            Some(built) => (built.names, Some(built.summary)),
            None => (vec![None; all.len()], None),
        };
        let (mut taken, mut entries, mut numbers) = (HashSet::new(), Vec::new(), Vec::new());
        for (number, (variable, name)) in all.iter().zip(names).enumerate() {
            let Some(mut listed) = variable.listed() else { continue };
            if let Some(name) = name {
                listed.path = Text::from(name);
            }
            if !taken.insert(listed.path.clone()) {
                listed.path = variable.place.clone();
            }
            entries.push(listed);
            numbers.push(number);
        }
        (self.entries, self.numbers, self.summary) = (entries, numbers, summary);
    }

    fn built(&self, ports: &Ports, faults: &mut Faults) -> Result<Layers, Refused> {
        let Some(model) = self.model() else { return Err(faults.refuse(self.unknown_model())) };
        let lower::Built { description, numbers, names, .. } =
            lower::lower(&self.saved, &model, &self.asked(ports), faults)?;
        let numbers = build::entries(numbers, &names, &self.saved.variables, faults)?;
        Ok(Layers { description, numbers })
    }

    /// Why the layers of a model are not known.
    fn unknown_model(&self) -> Fault {
        let config = self.saved.config.as_ref();
        let class = config.map(layer::class).unwrap_or_default();
        let name = config.map(layer::name).unwrap_or_default();
        let message = format!(
            "{}: the model '{}' is of the class '{}', whose layers the file does not say: build it as a Sequential or Functional \
             model, or export it as ONNX.",
            self.saved.place,
            quoted_str(name),
            quoted_str(class)
        );
        Fault::new(Code::Unsupported, message).path(class).place(self.saved.place)
    }
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.saved.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.saved.variables.all[self.numbers[index]].tensor(faults)
    }

    fn says_layers(&self) -> bool {
        self.saved.config.is_some()
    }

    fn layers(&self, ports: &Ports, faults: &mut Faults) -> Option<Result<Layers, Refused>> {
        self.says_layers().then(|| self.built(ports, faults))
    }

    fn fitted(&self, graph: &Graph, _: Read<'_>, faults: &mut Faults) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
        Some(fitted::numbers(&self.saved.variables, graph, faults))
    }

    fn summary(&self) -> Option<Summary> {
        self.summary.clone()
    }

    fn loss(&self) -> Option<&'static str> {
        let model = self.model().filter(|_| self.lift)?;
        let said = loss::Said {
            compiled: self.saved.compiled.as_ref(),
            stated: self.stated,
            lift: true,
            place: self.saved.place,
        };
        loss::held(&model, &said, &mut Faults::with_limit(1)).map(|lift| lift.word)
    }

    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Canonical)
    }
}
