//! A network being evaluated: its parameters, the blobs of the last run, losses and statistics.

use super::output::{self, Kept};
use super::run::Run;
use super::statistics::{Mean, Statistic};
use super::{Blob, Draws, fit};
use crate::dataset::Stream;
use crate::describe::mocha::{Kind, Loss, Net, Shaped, Shapes};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::limits::Limits;
use crate::network::Entry;
use crate::tensor::{DType, count, shape_text};
use std::collections::HashMap;

/// What the numbers of a network are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Element {
    /// Single precision: blobs and parameters are rounded to it, totals are not.
    #[default]
    Single,
    /// Double precision.
    Double,
}

impl Element {
    fn dtype(self) -> DType {
        match self {
            Element::Single => DType::F32,
            Element::Double => DType::F64,
        }
    }
}

/// A network with its numbers, and what the last run left.
#[derive(Clone, Debug)]
pub struct Evaluation {
    net: Net,
    pub(super) element: Element,
    /// `weight` and `bias` of each parameter key.
    pub(super) parameters: HashMap<(String, &'static str), Blob>,
    blobs: HashMap<String, Blob>,
    /// Places of the maxima of pools by the top, each counted within its image.
    winners: HashMap<String, Blob>,
    losses: Vec<(String, f64)>,
    /// By the place of the layer.
    means: Vec<Mean>,
    pub(super) kept: Vec<Kept>,
    stream: Stream,
    /// The most bytes that the blobs of a run take.
    most: u64,
}

impl Evaluation {
    /// A network with the numbers of a file, by the rules of [`fit`]. Shapes of inputs must be known; files that output layers
    /// are to write must not be there, unless they say that they replace them.
    pub fn new(
        net: Net,
        entries: &[Entry],
        element: Element,
        limits: &Limits,
        faults: &mut Faults,
    ) -> Result<Evaluation, Refused> {
        let mark = faults.mark();
        let shaped = net.shapes(net.batch().unwrap_or(1), &Shapes::new(), faults)?;
        within(&shaped, limits.session_bytes, faults)?;
        let kinds: Vec<(&str, &Kind)> = net.layers().iter().map(|layer| (layer.name.as_str(), &layer.kind)).collect();
        output::check(&kinds, faults);
        let fitted = fit(&net, &shaped, entries, element.dtype(), faults);
        faults.refused_since(mark)?;
        let mut parameters = HashMap::new();
        for parameter in fitted? {
            let Some(layer) = net.layers().get(parameter.layer) else { continue };
            match Blob::of(&parameter.tensor) {
                Some(mut blob) => {
                    if element == Element::Single {
                        blob.round();
                    }
                    parameters.insert((layer.key.clone(), parameter.slot), blob);
                }
                None => faults.push(layer.fault(Code::Memory, "there is no memory for its parameters")),
            }
        }
        faults.refused_since(mark)?;
        Ok(Evaluation::with(net, parameters, element, limits.session_bytes))
    }

    fn with(net: Net, parameters: HashMap<(String, &'static str), Blob>, element: Element, most: u64) -> Evaluation {
        let mut kept = Vec::new();
        for (layer, of) in net.layers().iter().enumerate() {
            if matches!(of.kind, Kind::MemoryOutput | Kind::Hdf5Output { .. }) {
                let bottoms = of.bottoms.iter().cloned();
                kept.extend(bottoms.map(|bottom| Kept { layer, bottom, blobs: Vec::new() }));
            }
        }
        let means = vec![Mean::default(); net.layers().len()];
        let (blobs, winners, losses) = (HashMap::new(), HashMap::new(), Vec::new());
        Evaluation { net, element, parameters, blobs, winners, losses, means, kept, stream: Stream::new(0), most }
    }

    /// The network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The element type of its numbers.
    pub fn dtype(&self) -> DType {
        self.element.dtype()
    }

    /// The blob of this name after the last run.
    pub fn blob(&self, name: &str) -> Option<&Blob> {
        self.blobs.get(name)
    }

    /// Of a blob that a pool of maxima made: the place of each within its image, counted row by row.
    pub fn winners(&self, top: &str) -> Option<&Blob> {
        self.winners.get(top)
    }

    /// The losses of the last run by the names of their layers, in running order.
    pub fn losses(&self) -> &[(String, f64)] {
        &self.losses
    }

    /// From which seed numbers are drawn where none are given; 0 at first.
    pub fn seed(&mut self, seed: u64) {
        self.stream = Stream::new(seed);
    }

    /// The running means of all runs since the last reset, in running order.
    pub fn statistics(&self) -> Vec<Statistic> {
        let mut statistics = Vec::new();
        for (layer, mean) in self.net.layers().iter().zip(&self.means) {
            let mut tell = |what: &str, number: f64| {
                let name = format!("{}-{what}", layer.name);
                statistics.push(Statistic { name, mean: number, count: mean.count });
            };
            match &layer.kind {
                Kind::Accuracy { report_error, .. } | Kind::BinaryAccuracy { report_error, .. } => {
                    tell("accuracy", mean.mean);
                    if *report_error {
                        tell("error", 1.0 - mean.mean);
                    }
                }
                Kind::Loss { loss: Loss::Square, .. } => tell("square-loss", mean.mean),
                Kind::Loss { loss: Loss::Hinge { .. }, .. } => tell("hinge-loss", mean.mean),
                Kind::Loss { loss: Loss::GaussianKl, .. } => tell("encoder-loss", mean.mean),
                _ => {}
            }
        }
        statistics
    }

    /// Begins all statistics anew.
    pub fn reset_statistics(&mut self) {
        self.means.fill(Mean::default());
    }

    /// Runs every layer once on the blobs that come from outside, and gives the total of the losses. A blob under the name of
    /// one that a layer makes must have its shape, and each parameter the one that this run's blobs want. After a fault
    /// statistics, outputs and blobs are those of before.
    pub fn forward(
        &mut self,
        given: HashMap<String, Blob>,
        draws: &Draws,
        faults: &mut Faults,
    ) -> Result<f64, Refused> {
        let shapes: Shapes = given.iter().map(|(name, blob)| (name.clone(), blob.shape.clone())).collect();
        let batch = shapes.values().filter_map(|shape| shape.first().copied()).next().unwrap_or(1);
        let shaped = self.net.shapes(batch, &shapes, faults)?;
        within(&shaped, self.most, faults)?;
        self.held_to(&shaped, &given, faults)?;
        let mut run = Run {
            blobs: given,
            winners: HashMap::new(),
            losses: Vec::new(),
            means: self.means.clone(),
            stream: self.stream.clone(),
            of: self,
            shaped: &shaped,
            draws,
        };
        if run.of.element == Element::Single {
            run.blobs.values_mut().for_each(Blob::round);
        }
        for (place, layer) in self.net.layers().iter().enumerate() {
            if let Err(fault) = run.layer(place, layer) {
                let named = layer.fault(fault.code, &fault.message);
                return Err(faults.refuse(Fault { arguments: fault.arguments, ..named }));
            }
        }
        let Run { blobs, winners, losses, means, stream, .. } = run;
        for kept in &mut self.kept {
            kept.blobs.extend(blobs.get(&kept.bottom).cloned());
        }
        (self.blobs, self.winners, self.losses, self.means, self.stream) = (blobs, winners, losses, means, stream);
        Ok(self.losses.iter().map(|(_, loss)| loss).sum())
    }

    /// Refuses blobs from outside and parameters that are not of the shapes of a run.
    fn held_to(&self, shaped: &Shaped, given: &HashMap<String, Blob>, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        let mut given: Vec<(&String, &Blob)> = given.iter().collect();
        given.sort_unstable_by_key(|(name, _)| *name);
        for (name, blob) in given {
            let (shown, given) = (quoted_str(name), shape_text(&blob.shape));
            if count(&blob.shape) != Some(blob.numbers.len()) {
                let message = format!("The blob '{shown}' is given as {given} with {} numbers.", blob.numbers.len());
                faults.push(Fault::new(Code::Value, message).path(name));
            } else if let Some(made) = shaped.blobs.get(name).filter(|made| **made != blob.shape) {
                let message =
                    format!("The blob '{shown}' is given as {given}, and its layer makes {}.", shape_text(made));
                faults.push(Fault::new(Code::LayerShape, message).path(name));
            }
        }
        for parameter in &shaped.parameters {
            let Some(layer) = self.net.layers().get(parameter.layer) else { continue };
            let held = self.parameters.get(&(layer.key.clone(), parameter.slot()));
            let Some(held) = held.filter(|held| held.shape != parameter.shape) else { continue };
            let (held, wanted) = (shape_text(&held.shape), shape_text(&parameter.shape));
            let message = format!("its {} is {held}, and the blobs of this run want {wanted}", parameter.name);
            faults.push(layer.fault(Code::LayerShape, &message));
        }
        faults.refused_since(mark)
    }

    pub(super) fn layer_name(&self, place: usize) -> &str {
        self.net.layers().get(place).map_or("", |layer| &layer.name)
    }
}

/// Refuses a run whose blobs, which are kept as doubles, take more than so many bytes.
fn within(shaped: &Shaped, most: u64, faults: &mut Faults) -> Result<(), Refused> {
    let bytes = |shape: &Vec<usize>| count(shape).and_then(|count| (count as u64).checked_mul(8));
    let total = shaped.blobs.values().try_fold(0u64, |total, shape| total.checked_add(bytes(shape)?));
    if total.is_some_and(|total| total <= most) {
        return Ok(());
    }
    let largest = shaped.blobs.iter().max_by_key(|(name, shape)| (bytes(shape).unwrap_or(u64::MAX), *name));
    let name = largest.map_or("", |(name, _)| name);
    let shape = largest.map_or_else(String::new, |(_, shape)| shape_text(shape));
    let message =
        format!("The blobs of a run take more than {most} bytes; the largest is '{}', {shape}.", quoted_str(name));
    Err(faults.refuse(Fault::new(Code::Limit, message).path(name)))
}
