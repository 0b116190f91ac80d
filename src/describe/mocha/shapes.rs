//! Shapes of the blobs and parameters of a network, the batch among the axes: slowest first, the reverse of Mocha's.

use super::kind::{Kind, Loss, Window, axis};
use super::net::{Net, NetLayer};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use crate::tensor::{count, shape_text};
use std::collections::HashMap;

/// Shapes of blobs by name.
pub type Shapes = HashMap<String, Vec<usize>>;

/// The most numbers of a blob or parameter.
const MOST: usize = 1 << 32;

/// A parameter that a layer has.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Place of the layer in [`Net::layers`].
    pub layer: usize,
    /// `weight`, `filter` or `bias`.
    pub name: &'static str,
    /// Its shape.
    pub shape: Vec<usize>,
}

impl Parameter {
    /// What files and networks call it: `weight`, that of a convolution too, or `bias`.
    pub fn slot(&self) -> &'static str {
        if self.name == "bias" { "bias" } else { "weight" }
    }
}

/// What is known of a network's shapes.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// Of all blobs.
    pub blobs: Shapes,
    /// Of all parameters, in running order, those of layers with one key each time.
    pub parameters: Vec<Parameter>,
}

impl Net {
    /// The shapes of all blobs and parameters for runs of `batch` examples. Inputs and the tops of data layers have the shapes
    /// of one example that the description says under `inputs`, unless `given` has them with their batch.
    pub fn shapes(&self, batch: usize, given: &Shapes, faults: &mut Faults) -> Result<Shaped, Refused> {
        let mark = faults.mark();
        let mut blobs: Shapes = given.clone();
        for input in &self.inputs {
            let example: Option<Vec<usize>> = input.shape.as_ref().and_then(|shape| shape.iter().copied().collect());
            if let Some(example) = example.filter(|_| !given.contains_key(&input.name)) {
                blobs.insert(input.name.clone(), [batch].into_iter().chain(example).collect());
            }
        }
        let mut walk = Walk { blobs, weights: HashMap::new(), parameters: Vec::new() };
        for (place, layer) in self.layers.iter().enumerate() {
            let bottoms: Option<Vec<Vec<usize>>> =
                layer.bottoms.iter().map(|bottom| walk.blobs.get(bottom).cloned()).collect();
            let Some(bottoms) = bottoms else {
                self.unknown(layer, &walk.blobs, faults);
                continue;
            };
            match walk.layer(place, layer, &bottoms) {
                Ok(tops) => {
                    for (top, shape) in layer.tops.iter().zip(tops) {
                        walk.blobs.insert(top.clone(), shape);
                    }
                }
                Err(what) => faults.push(layer.fault(Code::LayerShape, &what)),
            }
        }
        faults.refused_since(mark)?;
        Ok(Shaped { blobs: walk.blobs, parameters: walk.parameters })
    }

    /// The fault of a blob from outside whose shape nobody said; of others the fault was said where they are made.
    fn unknown(&self, layer: &NetLayer, blobs: &Shapes, faults: &mut Faults) {
        let makers = self.makers();
        for bottom in layer.bottoms.iter().filter(|bottom| !blobs.contains_key(*bottom)) {
            let from_data = makers.get(bottom.as_str()).is_none_or(|maker| matches!(maker.kind, Kind::Data(_)));
            if from_data {
                let what =
                    format!("the shape of its bottom {} is not known: say it under \"inputs\"", quoted_str(bottom));
                let fault: Fault = layer.fault(Code::Input, &what);
                faults.push(fault);
            }
        }
    }
}

/// Shapes of a layer's tops, or what it takes.
type Tops = Result<Vec<Vec<usize>>, String>;
/// The shape of one of them, of the bottom it is made of.
type Top<'a> = &'a dyn Fn(&[usize]) -> Result<Vec<usize>, String>;

struct Walk {
    blobs: Shapes,
    /// Shapes of weights and filters by parameter key.
    weights: HashMap<String, Vec<usize>>,
    parameters: Vec<Parameter>,
}

impl Walk {
    /// Shapes of a layer's tops, or what it takes.
    fn layer(&mut self, place: usize, layer: &NetLayer, bottoms: &[Vec<usize>]) -> Tops {
        let first: &[usize] = bottoms.first().map_or(&[], Vec::as_slice);
        let each = |make: Top<'_>| -> Tops { bottoms.iter().map(|bottom| make(bottom).and_then(within)).collect() };
        match &layer.kind {
            // Their shapes came from outside; a top that no layer reads needs none.
            Kind::Data(_) => Ok(Vec::new()),
            Kind::RandomNormal { shape, batches } => {
                if batches.len() != layer.tops.len() {
                    return Err(format!("it has {} tops and {} batch sizes", layer.tops.len(), batches.len()));
                }
                batches
                    .iter()
                    .map(|batch| within([*batch].into_iter().chain(shape.iter().copied()).collect()))
                    .collect()
            }
            Kind::InnerProduct { outputs, .. } => {
                let features = features(first);
                self.parameter(place, layer, "weight", vec![*outputs, features])?;
                self.parameter(place, layer, "bias", vec![*outputs])?;
                each(&|bottom| match self::features(bottom) {
                    other if other != features => {
                        Err(format!("its bottoms have {features} and {other} features, and one weight"))
                    }
                    _ => Ok(vec![examples(bottom), *outputs]),
                })
            }
            Kind::TiedInnerProduct { tied, .. } => {
                let missing = || {
                    format!("no layer before it has parameters under the key {}, to which it is tied", quoted_str(tied))
                };
                let weight = self.weights.get(tied).filter(|weight| weight.len() == 2).cloned().ok_or_else(missing)?;
                let (hidden, outputs) = (weight[0], weight[1]);
                self.parameter(place, layer, "bias", vec![outputs])?;
                each(&|bottom| match features(bottom) {
                    other if other != hidden => Err(format!("it takes {hidden} features and gets {other}")),
                    _ => Ok(vec![examples(bottom), outputs]),
                })
            }
            Kind::Convolution { filters, groups, window, .. } => {
                let [_, channels, ..] = *image(first)?;
                if channels % groups != 0 {
                    return Err(format!("its {channels} channels can not be cut into {groups} groups"));
                }
                let [height, width] = window.kernel;
                self.parameter(place, layer, "filter", vec![*filters, channels / groups, height, width])?;
                self.parameter(place, layer, "bias", vec![*filters])?;
                each(&|bottom| {
                    let [batch, other, height, width] = *image(bottom)?;
                    if other != channels {
                        return Err(format!("its bottoms have {channels} and {other} channels, and one filter"));
                    }
                    Ok(vec![batch, *filters, convolved(height, window, 0)?, convolved(width, window, 1)?])
                })
            }
            Kind::Pooling { window, .. } => each(&|bottom| {
                let [batch, channels, height, width] = *image(bottom)?;
                let padded = window.pad.iter().any(|pad| *pad > 0);
                let along = |length, side: usize| {
                    let pad = window.pad[side];
                    pooled(length, window.kernel[side], window.stride[side], [pad; 2], padded)
                };
                Ok(vec![batch, channels, along(height, 0)?, along(width, 1)?])
            }),
            Kind::ChannelPooling { kernel, stride, pad, dim, .. } => each(&|bottom| {
                let axis = along(*dim, bottom, true)?;
                let mut shape = bottom.to_vec();
                shape[axis] = pooled(shape[axis], *kernel, *stride, *pad, true)?;
                Ok(shape)
            }),
            Kind::Lrn { dim, .. } => each(&|bottom| {
                image(bottom)?;
                along(*dim, bottom, true)?;
                Ok(bottom.to_vec())
            }),
            Kind::Softmax { dim } => each(&|bottom| along(*dim, bottom, true).map(|_| bottom.to_vec())),
            Kind::Argmax { dim } => each(&|bottom| {
                let axis = along(*dim, bottom, false)?;
                let mut shape = bottom.to_vec();
                shape[axis] = 1;
                Ok(shape)
            }),
            Kind::Index2Onehot { dim, classes } => each(&|bottom| {
                let axis = along(*dim, bottom, false)?;
                let mut shape = bottom.to_vec();
                if shape[axis] != 1 {
                    return Err(format!("it takes one number along axis {dim} and gets {}", shape[axis]));
                }
                shape[axis] = *classes;
                Ok(shape)
            }),
            Kind::ElementWise(_) => match bottoms {
                [a, b] if a == b => Ok(vec![a.clone()]),
                _ => Err(format!("it takes two equal shapes and gets {}", texts(bottoms))),
            },
            Kind::Crop { size, .. } => each(&|bottom| {
                let [batch, channels, height, width] = *image(bottom)?;
                if size[0] > height || size[1] > width {
                    return Err(format!("it cuts {} out of {}", shape_text(size), shape_text(&[height, width])));
                }
                Ok(vec![batch, channels, size[0], size[1]])
            }),
            Kind::Reshape { shape } => each(&|bottom| {
                if Some(features(bottom)) != count(shape) {
                    return Err(format!("it makes {} of {}", shape_text(shape), shape_text(&bottom[1..])));
                }
                Ok([examples(bottom)].into_iter().chain(shape.iter().copied()).collect())
            }),
            Kind::Split => Ok(vec![first.to_vec(); layer.tops.len()]),
            Kind::Concat { dim } => {
                let axis = along(*dim, first, false)?;
                let mut shape = first.to_vec();
                shape[axis] = 0;
                for bottom in bottoms {
                    let alike = |(place, length): (usize, &usize)| place == axis || bottom.get(place) == Some(length);
                    if bottom.len() != first.len() || !first.iter().enumerate().all(alike) {
                        return Err(format!("it joins along axis {dim} what differs elsewhere: {}", texts(bottoms)));
                    }
                    shape[axis] += bottom[axis];
                }
                within(shape).map(|shape| vec![shape])
            }
            Kind::Power { .. } | Kind::Identity => Ok(bottoms.to_vec()),
            Kind::Dropout { .. } | Kind::MemoryOutput => Ok(Vec::new()),
            Kind::Hdf5Output { datasets, .. } => match datasets.len() {
                0 => Ok(Vec::new()),
                named if named == bottoms.len() => Ok(Vec::new()),
                named => Err(format!("it names {named} datasets for {} bottoms", bottoms.len())),
            },
            Kind::Loss { loss, .. } => loss_takes(loss, bottoms).map(|()| Vec::new()),
            Kind::Accuracy { dim, .. } => labelled(*dim, bottoms).map(|()| Vec::new()),
            Kind::BinaryAccuracy { .. } => alike(bottoms).map(|()| Vec::new()),
        }
    }

    /// Notes a parameter; layers of one key must have the same shape.
    fn parameter(&mut self, layer: usize, of: &NetLayer, name: &'static str, shape: Vec<usize>) -> Result<(), String> {
        let shape = within(shape)?;
        if name != "bias" {
            match self.weights.get(&of.key) {
                Some(other) if *other != shape => {
                    return Err(format!(
                        "another layer has {} under its key {}, and it wants {}",
                        shape_text(other),
                        quoted_str(&of.key),
                        shape_text(&shape)
                    ));
                }
                Some(_) => {}
                None => {
                    self.weights.insert(of.key.clone(), shape.clone());
                }
            }
        }
        self.parameters.push(Parameter { layer, name, shape });
        Ok(())
    }
}

/// What a loss takes.
fn loss_takes(loss: &Loss, bottoms: &[Vec<usize>]) -> Result<(), String> {
    match loss {
        Loss::Softmax(classes) | Loss::Multinomial(classes) => {
            labelled(classes.dim, bottoms)?;
            let (Some(shape), Some(weights)) = (bottoms.first(), &classes.weights) else { return Ok(()) };
            let class = axis(classes.dim, shape.len()).and_then(|axis| shape.get(axis).copied());
            let fits = match weights.shape.as_slice() {
                [one] => class == Some(*one),
                // A network is looked at for one example before its batch is known.
                more => {
                    Some(more) == shape.get(1..)
                        || more.get(1..) == shape.get(1..) && (shape[0] == 1 || more == shape.as_slice())
                }
            };
            match fits {
                true => Ok(()),
                false => Err(format!("its class weights {} fit no {}", shape_text(&weights.shape), shape_text(shape))),
            }
        }
        Loss::Softlabel { dim } => {
            alike(bottoms)?;
            along(*dim, bottoms.first().map_or(&[], Vec::as_slice), true).map(|_| ())
        }
        Loss::Wasserstein { costs, .. } => match bottoms {
            [prediction, label] if costs.shape == [features(prediction), features(label)] => match examples(prediction)
            {
                batch if batch == examples(label) => Ok(()),
                _ => Err(format!("it takes two histograms of one batch and gets {}", texts(bottoms))),
            },
            _ => Err(format!("its costs are {} and its histograms {}", shape_text(&costs.shape), texts(bottoms))),
        },
        Loss::Square | Loss::Hinge { .. } | Loss::BinaryCrossEntropy | Loss::GaussianKl => alike(bottoms),
    }
}

/// A prediction with classes along an axis, and a label for each place.
fn labelled(dim: i64, bottoms: &[Vec<usize>]) -> Result<(), String> {
    let [prediction, label] = bottoms else { return Err("it takes a prediction and a label".to_owned()) };
    let axis = along(dim, prediction, true)?;
    let places = count(prediction).unwrap_or(0).checked_div(prediction[axis]).unwrap_or(0);
    match count(label) == Some(places) {
        true => Ok(()),
        false => Err(format!("it takes {places} labels for {} and gets {}", shape_text(prediction), shape_text(label))),
    }
}

fn alike(bottoms: &[Vec<usize>]) -> Result<(), String> {
    match bottoms {
        [a, b] if count(a) == count(b) => Ok(()),
        _ => Err(format!("it takes two blobs of as many numbers and gets {}", texts(bottoms))),
    }
}

/// The axis that Mocha counts as `dim`; not the batch where that would mix examples.
fn along(dim: i64, shape: &[usize], inner: bool) -> Result<usize, String> {
    match axis(dim, shape.len()) {
        Some(0) if inner => Err(format!("axis {dim} of {} is the batch", shape_text(shape))),
        Some(axis) => Ok(axis),
        None => Err(format!("{} has no axis {dim}", shape_text(shape))),
    }
}

/// The four lengths of images: batch, channels, height, width.
fn image(shape: &[usize]) -> Result<&[usize; 4], String> {
    shape
        .try_into()
        .map_err(|_| format!("it takes images, [batch, channels, height, width], and gets {}", shape_text(shape)))
}

fn convolved(length: usize, window: &Window, side: usize) -> Result<usize, String> {
    let (kernel, pad) = (window.kernel[side], window.pad[side]);
    match (length.saturating_add(2usize.saturating_mul(pad))).checked_sub(kernel) {
        Some(room) => Ok(room / window.stride[side] + 1),
        None => Err(format!("a window of {kernel} does not fit into {length} with a border of {pad}")),
    }
}

/// How many windows: rounded up, and where there may be a border less one that would begin behind the input.
fn pooled(length: usize, kernel: usize, stride: usize, pad: [usize; 2], may_drop: bool) -> Result<usize, String> {
    let room = length.saturating_add(pad[0]).saturating_add(pad[1]).checked_sub(kernel);
    let Some(room) = room.filter(|_| length > 0) else {
        return Err(format!("a window of {kernel} does not fit into {length} with borders of {pad:?}"));
    };
    let mut windows = room.div_ceil(stride) + 1;
    if may_drop && (windows - 1).saturating_mul(stride) >= length.saturating_add(pad[0]) {
        windows -= 1;
    }
    match (windows - 1).saturating_mul(stride) < length.saturating_add(pad[0]) {
        true => Ok(windows),
        false => Err(format!("its last window of {kernel} at every {stride} would lie outside of {length}")),
    }
}

/// Numbers of an example.
fn features(shape: &[usize]) -> usize {
    shape.get(1..).and_then(count).unwrap_or(1)
}

fn examples(shape: &[usize]) -> usize {
    shape.first().copied().unwrap_or(1)
}

fn within(shape: Vec<usize>) -> Result<Vec<usize>, String> {
    match count(&shape) {
        Some(numbers) if numbers <= MOST => Ok(shape),
        _ => Err(format!("{} are more numbers than a blob may have", shape_text(&shape))),
    }
}

fn texts(shapes: &[Vec<usize>]) -> String {
    shapes.iter().map(|shape| shape_text(shape)).collect::<Vec<_>>().join(" and ")
}
