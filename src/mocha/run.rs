//! One run of a network: each layer once, in order.

use super::compute::{self, argmax, concat, convolution, crop, elementwise, inner_product, lrn, mask, neuron, onehot};
use super::statistics::{Mean, hits, sides};
use super::{Blob, Draws, Element, Evaluation, loss};
use crate::dataset::Stream;
use crate::describe::mocha::{Kind, Loss, NetLayer, Neuron, Shaped, axis};
use crate::faults::{Code, Fault, quoted_str};
use crate::tensor::shape_text;
use std::collections::HashMap;

/// What a run has made so far.
pub(super) struct Run<'a> {
    pub(super) of: &'a Evaluation,
    pub(super) shaped: &'a Shaped,
    pub(super) draws: &'a Draws,
    pub(super) blobs: HashMap<String, Blob>,
    pub(super) winners: HashMap<String, Blob>,
    pub(super) losses: Vec<(String, f64)>,
    pub(super) means: Vec<Mean>,
    pub(super) stream: Stream,
}

impl<'a> Run<'a> {
    fn blob(&self, name: &str) -> Result<&Blob, Fault> {
        self.blobs.get(name).ok_or_else(|| {
            Fault::new(Code::NotBound, format!("its bottom {} has no numbers: nobody gave any", quoted_str(name)))
        })
    }

    fn parameter(&self, key: &str, slot: &'static str) -> Result<&Blob, Fault> {
        self.of.parameters.get(&(key.to_owned(), slot)).ok_or_else(|| {
            Fault::new(Code::SlotMissing, format!("there is no {slot} under the key {}", quoted_str(key)))
        })
    }

    fn put(&mut self, top: &str, mut blob: Blob) {
        if self.of.element == Element::Single {
            blob.round();
        }
        self.blobs.insert(top.to_owned(), blob);
    }

    /// Runs one layer.
    pub(super) fn layer(&mut self, place: usize, layer: &NetLayer) -> Result<(), Fault> {
        match &layer.kind {
            Kind::Data(_) => self.handed(layer),
            Kind::RandomNormal { .. } => self.normal(layer),
            Kind::ElementWise(binary) => {
                let [a, b] = self.two(layer)?;
                let mut made = a.clone();
                elementwise(&mut made, b, *binary);
                self.tops(layer, vec![made])
            }
            Kind::Concat { .. } => {
                let blobs: Vec<&Blob> =
                    layer.bottoms.iter().map(|bottom| self.blob(bottom)).collect::<Result<_, _>>()?;
                let made = concat(&blobs, self.axis(layer)?, self.shape(layer.tops.first()))?;
                self.tops(layer, vec![made])
            }
            Kind::Split => {
                let blob = self.blob(layer.bottoms.first().map_or("", String::as_str))?.clone();
                self.tops(layer, vec![blob; layer.tops.len()])
            }
            Kind::Dropout { ratio, auto_scale } => self.dropout(layer, *ratio, *auto_scale),
            Kind::MemoryOutput | Kind::Hdf5Output { .. } => {
                layer.bottoms.iter().try_for_each(|bottom| self.blob(bottom).map(|_| ()))
            }
            Kind::Loss { loss, weight } => self.loss(place, layer, loss, *weight),
            Kind::Accuracy { .. } => {
                let [prediction, label] = self.two(layer)?;
                let (total, count) = hits(prediction, label, self.axis(layer)?)?;
                self.means[place].add(total, count);
                Ok(())
            }
            Kind::BinaryAccuracy { threshold, .. } => {
                let [prediction, label] = self.two(layer)?;
                let (total, count) = sides(prediction, label, *threshold);
                self.means[place].add(total, count);
                Ok(())
            }
            _ => {
                let (turn, mut made) = (self.turn(layer)?, Vec::new());
                for (bottom, top) in layer.bottoms.iter().zip(&layer.tops) {
                    let blob = self.one(layer, bottom, top, turn)?;
                    made.push(blob);
                }
                self.tops(layer, made)
            }
        }
    }

    /// What a layer makes of one of its bottoms.
    fn one(&mut self, layer: &NetLayer, bottom: &str, top: &str, turn: Option<[f64; 3]>) -> Result<Blob, Fault> {
        let x = self.blob(bottom)?;
        let shape = self.shaped.blobs.get(top).map_or(x.shape.as_slice(), Vec::as_slice);
        let weights = || Ok((self.parameter(&layer.key, "weight")?, self.parameter(&layer.key, "bias")?));
        Ok(match &layer.kind {
            Kind::InnerProduct { neuron: after, .. } => {
                let (weight, bias) = weights()?;
                followed(inner_product(x, weight, bias)?, *after)
            }
            Kind::TiedInnerProduct { tied, neuron: after } => {
                let (weight, bias) = (self.parameter(tied, "weight")?, self.parameter(&layer.key, "bias")?);
                followed(compute::tied_inner_product(x, weight, bias)?, *after)
            }
            Kind::Convolution { window, neuron: after, .. } => {
                let (filter, bias) = weights()?;
                followed(convolution(x, filter, bias, window, shape)?, *after)
            }
            Kind::Pooling { window, pool, neuron: after } => {
                let (made, winners) = compute::pool(x, window, *pool, shape)?;
                self.winners.extend(winners.map(|winners| (top.to_owned(), winners)));
                followed(made, *after)
            }
            Kind::ChannelPooling { kernel, stride, pad, pool, .. } => {
                compute::pool_along(x, self.axis_of(layer, x)?, [*kernel, *stride], *pad, *pool, shape)?
            }
            Kind::Lrn { across, kernel, scale, shift, power, .. } => {
                let axis = if *across { Some(self.axis_of(layer, x)?) } else { None };
                lrn(x, axis, *kernel, [*scale, *shift, *power])?
            }
            Kind::Softmax { .. } => compute::softmax(x, self.axis_of(layer, x)?)?,
            Kind::Argmax { .. } => argmax(x, self.axis_of(layer, x)?)?,
            Kind::Index2Onehot { classes, .. } => onehot(x, self.axis_of(layer, x)?, *classes)?,
            Kind::Power { power, scale, shift, quotient } => {
                let mut made = x.clone();
                compute::power(&mut made, [*power, *scale, *shift], *quotient);
                made
            }
            Kind::Crop { size, random, mirror: may } => {
                let [_, _, height, width] = x.image();
                let room = [height.saturating_sub(size[0]), width.saturating_sub(size[1])];
                let drawn = |draw: f64, room: usize| ((draw * (room + 1) as f64) as usize).min(room);
                let (at, mirror) = match turn {
                    Some([across, down, mirror]) => ([drawn(down, room[0]), drawn(across, room[1])], mirror < 0.5),
                    None => ([room[0] / 2, room[1] / 2], false),
                };
                let at = if *random { at } else { [room[0] / 2, room[1] / 2] };
                crop(x, at, mirror && *may, shape)?
            }
            _ => Blob::new(shape.to_vec(), x.numbers.clone()).ok_or_else(|| {
                let message = format!("it makes {} of {}", shape_text(shape), shape_text(&x.shape));
                Fault::new(Code::LayerShape, message)
            })?,
        })
    }

    /// The draws that are given for a layer: as many as it takes, or none.
    fn drawn(&self, layer: &NetLayer, takes: usize) -> Result<Option<&'a [f64]>, Fault> {
        match self.draws.of(&layer.name) {
            Some(given) if given.len() != takes => {
                let message = format!("{} draws are given for it, and it takes {takes}", given.len());
                Err(Fault::new(Code::Value, message))
            }
            given => Ok(given),
        }
    }

    /// The draws of a crop that draws: one decision for all examples.
    fn turn(&mut self, layer: &NetLayer) -> Result<Option<[f64; 3]>, Fault> {
        let Kind::Crop { random, mirror, .. } = &layer.kind else { return Ok(None) };
        if !random && !mirror {
            return Ok(None);
        }
        let given = self.drawn(layer, 3)?.and_then(|given| given.try_into().ok());
        Ok(Some(given.unwrap_or_else(|| [0; 3].map(|_: i32| self.stream.uniform()))))
    }

    fn tops(&mut self, layer: &NetLayer, made: Vec<Blob>) -> Result<(), Fault> {
        layer.tops.iter().zip(made).for_each(|(top, blob)| self.put(top, blob));
        Ok(())
    }

    /// Data that came from outside must be there for those who take it.
    fn handed(&self, layer: &NetLayer) -> Result<(), Fault> {
        let taken = |top: &&String| self.of.net().layers().iter().any(|layer| layer.bottoms.contains(top));
        layer.tops.iter().filter(taken).try_for_each(|top| self.blob(top).map(|_| ()))
    }

    fn normal(&mut self, layer: &NetLayer) -> Result<(), Fault> {
        let made: Vec<&String> = layer.tops.iter().filter(|top| !self.blobs.contains_key(*top)).collect();
        let mut blobs = Vec::new();
        for top in &made {
            blobs.push(Blob::noughts(self.shape(Some(top)))?);
        }
        let takes = blobs.iter().map(|blob| blob.numbers.len()).sum();
        let mut given = self.drawn(layer, takes)?.unwrap_or_default().iter();
        for (top, mut blob) in made.into_iter().zip(blobs) {
            for number in &mut blob.numbers {
                *number = given.next().copied().unwrap_or_else(|| self.stream.normal());
            }
            self.put(top, blob);
        }
        Ok(())
    }

    fn dropout(&mut self, layer: &NetLayer, ratio: f64, auto_scale: bool) -> Result<(), Fault> {
        let scale = if auto_scale { 1.0 / (1.0 - ratio) } else { 1.0 };
        let takes =
            layer.bottoms.iter().filter_map(|bottom| self.blobs.get(bottom)).map(|blob| blob.numbers.len()).sum();
        let Some(mut draws) = self.drawn(layer, takes)? else { return Ok(()) };
        for bottom in &layer.bottoms {
            let mut blob = self.blob(bottom)?.clone();
            let (now, rest) = draws.split_at(blob.numbers.len());
            mask(&mut blob, now, ratio, scale);
            draws = rest;
            self.put(bottom, blob);
        }
        Ok(())
    }

    fn loss(&mut self, place: usize, layer: &NetLayer, of: &Loss, weight: f64) -> Result<(), Fault> {
        let [prediction, label] = self.two(layer)?;
        let (loss, batch) = (loss::loss(of, weight, prediction, label)?, prediction.examples());
        let loss = if self.of.element == Element::Single { f64::from(loss as f32) } else { loss };
        self.means[place].add(loss * batch as f64, batch);
        self.losses.push((layer.name.clone(), loss));
        Ok(())
    }

    fn two(&self, layer: &NetLayer) -> Result<[&Blob; 2], Fault> {
        match layer.bottoms.as_slice() {
            [a, b] => Ok([self.blob(a)?, self.blob(b)?]),
            _ => Err(Fault::new(Code::Connection, "it takes two blobs")),
        }
    }

    fn shape(&self, top: Option<&String>) -> &[usize] {
        top.and_then(|top| self.shaped.blobs.get(top)).map_or(&[], Vec::as_slice)
    }

    fn axis(&self, layer: &NetLayer) -> Result<usize, Fault> {
        let first = layer.bottoms.first().map_or("", String::as_str);
        self.axis_of(layer, self.blob(first)?)
    }

    fn axis_of(&self, layer: &NetLayer, x: &Blob) -> Result<usize, Fault> {
        let dim = match &layer.kind {
            Kind::ChannelPooling { dim, .. }
            | Kind::Lrn { dim, .. }
            | Kind::Softmax { dim }
            | Kind::Concat { dim }
            | Kind::Argmax { dim }
            | Kind::Index2Onehot { dim, .. }
            | Kind::Accuracy { dim, .. } => *dim,
            _ => -2,
        };
        let none = || Fault::new(Code::LayerShape, format!("{} has no axis {dim}", shape_text(&x.shape)));
        axis(dim, x.shape.len()).ok_or_else(none)
    }
}

/// A blob with its layer's neuron applied.
fn followed(mut blob: Blob, after: Neuron) -> Blob {
    neuron(&mut blob, after);
    blob
}
