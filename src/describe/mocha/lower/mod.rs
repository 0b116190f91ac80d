//! Mocha's words in PyTorch's, for a session: what leads to an output, at inference.
//!
//! The axes are PyTorch's already. Layers in place do nothing at inference, losses and statistics are left out. Layers that
//! draw, choose or mix examples are refused by name: the module `mocha` of the crate evaluates those.

mod pool;

use super::kind::{Divisor, Kind, Neuron, Pool, axis};
use super::net::{Net, NetLayer};
use super::shapes::Shapes;
use crate::describe::{
    Attribute, Binary, Description, Form, Input, Layer, Layout, Output, Ports, Position, Value, unused,
};
use crate::faults::{Code, Faults, Refused};
use pool::Side;
use std::collections::{HashMap, HashSet};

/// The description in PyTorch's words. Outputs are those that are stated, else the blobs that no layer but a loss, a statistic
/// or an output layer takes.
pub(in crate::describe) fn lower(
    description: &Description,
    ports: &Ports,
    faults: &mut Faults,
) -> Result<Description, Refused> {
    let mark = faults.mark();
    let net = Net::of(&with_examples(description, ports), faults)?;
    let shapes = net.shapes(net.batch().unwrap_or(1), &Shapes::new(), faults)?;
    let outputs = outputs(&net);
    let needed = needed(&net, &outputs);
    let inputs: Vec<Input> = net.inputs.iter().filter(|input| needed.contains(input.name.as_str())).cloned().collect();
    let taken = inputs.iter().map(|input| input.name.clone()).collect();
    let made = inputs.iter().map(|input| (input.name.clone(), input.name.clone())).collect();
    let mut low = Low { shapes: &shapes.blobs, made, taken, layers: Vec::new() };
    let runs = |layer: &&NetLayer| layer.tops.iter().any(|top| needed.contains(top.as_str()));
    for layer in net.layers.iter().filter(runs) {
        if let Err(what) = low.layer(layer) {
            faults.push(layer.fault(Code::Unsupported, &what));
        }
    }
    let outputs = outputs.into_iter().map(|output| Output { from: low.blob(&output.from), ..output }).collect();
    let layers = low.layers;
    faults.refused_since(mark)?;
    Ok(Description { form: Form::Torch, inputs, layers, outputs })
}

/// The description with the shapes of one example that the host gives for inputs without one.
pub fn with_examples(description: &Description, ports: &Ports) -> Description {
    let mut shaped = description.clone();
    for (input, example) in shaped.inputs.iter_mut().zip(&ports.examples) {
        let mut lengths: Vec<Option<usize>> = example.iter().copied().map(Some).collect();
        if ports.layout == Layout::ChannelsLast && lengths.len() == 3 {
            lengths.rotate_right(1);
        }
        input.shape.get_or_insert(lengths);
    }
    shaped
}

/// The outputs of a session.
fn outputs(net: &Net) -> Vec<Output> {
    if !net.outputs.is_empty() {
        return net.outputs.clone();
    }
    let passed = net.layers.iter().filter(|layer| !layer.kind.is_sink() && !layer.kind.is_in_place());
    let taken: HashSet<&String> = passed.flat_map(|layer| &layer.bottoms).collect();
    let kept = net.layers.iter().filter(|layer| matches!(layer.kind, Kind::MemoryOutput | Kind::Hdf5Output { .. }));
    let kept: HashSet<&String> = kept.flat_map(|layer| &layer.bottoms).collect();
    let computing = net.layers.iter().filter(|layer| !layer.kind.is_source());
    let tops = computing.flat_map(|layer| layer.tops.iter().map(move |top| (top, layer.position)));
    tops.filter(|(top, _)| !taken.contains(top) || kept.contains(top))
        .map(|(top, position)| Output { name: top.clone(), from: top.clone(), position })
        .collect()
}

/// The blobs that lead to the outputs.
fn needed<'a>(net: &'a Net, outputs: &'a [Output]) -> HashSet<&'a str> {
    let mut needed: HashSet<&str> = outputs.iter().map(|output| output.from.as_str()).collect();
    for layer in net.layers.iter().rev().filter(|layer| !layer.kind.is_in_place()) {
        if layer.tops.iter().any(|top| needed.contains(top.as_str())) {
            needed.extend(layer.bottoms.iter().map(String::as_str));
        }
    }
    needed
}

/// What has been lowered so far.
struct Low<'a> {
    shapes: &'a Shapes,
    /// The layer or input of PyTorch's words that stands for each blob.
    made: HashMap<String, String>,
    taken: HashSet<String>,
    layers: Vec<Layer>,
}

type Arguments = Vec<(&'static str, Value)>;

impl Low<'_> {
    fn blob(&self, name: &str) -> String {
        self.made.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn shape(&self, name: &str) -> &[usize] {
        self.shapes.get(name).map_or(&[], Vec::as_slice)
    }

    /// Puts a layer down and gives its name; the first of a layer of Mocha's carries that one's name.
    fn put(&mut self, of: &NetLayer, kind: &str, arguments: Arguments, from: Vec<String>) -> String {
        let name = match self.taken.insert(of.name.clone()) {
            true => of.name.clone(),
            false => unused(&of.name, kind, &mut self.taken),
        };
        self.lay(of, name, of.kind.has_parameters().then(|| of.key.clone()), kind, arguments, from)
    }

    /// Puts a layer down that serves the one which carries the name, and gives its own.
    fn put_beside(&mut self, of: &NetLayer, kind: &str, arguments: Arguments, from: Vec<String>) -> String {
        let name = unused(&of.name, kind, &mut self.taken);
        self.lay(of, name, None, kind, arguments, from)
    }

    fn lay(
        &mut self,
        of: &NetLayer,
        name: String,
        slots: Option<String>,
        kind: &str,
        arguments: Arguments,
        from: Vec<String>,
    ) -> String {
        let position = of.position;
        let attributes = arguments.into_iter().map(|(key, value)| attribute(key, value, position)).collect();
        self.layers.push(Layer { name: name.clone(), kind: kind.to_owned(), slots, attributes, from, position });
        name
    }

    /// A layer over each of its bottoms, or why a session does not run it.
    fn layer(&mut self, of: &NetLayer) -> Result<(), String> {
        match &of.kind {
            // Their tops are inputs, or do not lead to an output.
            Kind::Data(_) => return Ok(()),
            Kind::RandomNormal { .. } => {
                let stated = of.tops.iter().all(|top| self.made.contains_key(top));
                let what = "it draws numbers, which a session does not; list its top under \"inputs\" and bind it";
                return if stated { Ok(()) } else { Err(what.to_owned()) };
            }
            Kind::ElementWise(binary) => {
                let kind = match binary {
                    Binary::Subtract => "sub",
                    Binary::Multiply => "mul",
                    Binary::Divide => "div",
                    _ => "add",
                };
                return self.joined(of, kind, Vec::new());
            }
            Kind::Concat { dim } => {
                let rank = of.bottoms.first().map_or(0, |bottom| self.shape(bottom).len());
                let axis = inner(*dim, rank)?;
                return self.joined(of, "cat", vec![("dim", Value::Int(axis))]);
            }
            _ => {}
        }
        let names = if matches!(of.kind, Kind::Split) {
            let first = of.bottoms.first().cloned().unwrap_or_default();
            vec![first; of.tops.len()]
        } else {
            of.bottoms.clone()
        };
        for (bottom, top) in names.iter().zip(&of.tops) {
            let (from, shape) = (self.blob(bottom), self.shape(bottom).to_vec());
            let made = self.one(of, from, &shape)?;
            self.made.insert(top.clone(), made);
        }
        Ok(())
    }

    fn joined(&mut self, of: &NetLayer, kind: &str, arguments: Arguments) -> Result<(), String> {
        let from = of.bottoms.iter().map(|bottom| self.blob(bottom)).collect();
        let made = self.put(of, kind, arguments, from);
        self.made.extend(of.tops.first().map(|top| (top.clone(), made)));
        Ok(())
    }

    /// What a layer makes of one blob.
    fn one(&mut self, of: &NetLayer, from: String, shape: &[usize]) -> Result<String, String> {
        let rank = shape.len();
        Ok(match &of.kind {
            Kind::Identity | Kind::Split => from,
            Kind::InnerProduct { outputs, neuron } => self.dense(of, from, shape, *outputs, *neuron),
            Kind::TiedInnerProduct { neuron, .. } => {
                let outputs = of.tops.first().map_or(1, |top| self.shape(top).iter().skip(1).product());
                self.dense(of, from, shape, outputs, *neuron)
            }
            Kind::Convolution { filters, groups, window, neuron } => {
                let channels = shape.get(1).copied().unwrap_or(1);
                let arguments = vec![
                    ("in_channels", whole(channels)),
                    ("out_channels", whole(*filters)),
                    ("kernel_size", wholes(&window.kernel)),
                    ("stride", wholes(&window.stride)),
                    ("padding", wholes(&window.pad)),
                    ("groups", whole(*groups)),
                ];
                let made = self.put(of, "Conv2d", arguments, vec![from]);
                self.neuron(of, *neuron, made)
            }
            Kind::Pooling { window, pool, neuron } => {
                let lengths = [shape.get(2), shape.get(3)].map(|length| length.copied().unwrap_or(1));
                let out = of.tops.first().map(|top| self.shape(top).to_vec()).unwrap_or_default();
                let sides = [0, 1].map(|side| Side {
                    length: lengths[side],
                    windows: out.get(2 + side).copied().unwrap_or(1),
                    kernel: window.kernel[side],
                    stride: window.stride[side],
                    pad: [window.pad[side]; 2],
                });
                let made = self.pool(of, from, sides, *pool)?;
                self.neuron(of, *neuron, made)
            }
            Kind::ChannelPooling { kernel, stride, pad, dim, pool } => {
                let axis = inner(*dim, rank)? as usize;
                let windows = of.tops.first().map_or(1, |top| self.shape(top).get(axis).copied().unwrap_or(1));
                let length = shape.get(axis).copied().unwrap_or(1);
                let along = Side { length, windows, kernel: *kernel, stride: *stride, pad: *pad };
                self.pool_along(of, from, shape, axis, along, *pool)?
            }
            Kind::Lrn { across: false, kernel, scale, shift, power, .. } => {
                self.put(of, "lrn_within_channel", lrn(*kernel, *scale, *power, *shift), vec![from])
            }
            Kind::Lrn { kernel, scale, shift, power, dim, .. } => match (inner(*dim, rank)?, kernel % 2) {
                (1, 1) => self.put(of, "LocalResponseNorm", lrn(*kernel, *scale, *power, *shift), vec![from]),
                // PyTorch leans an even window to the other side, and knows no other axis: written out.
                (axis, _) => {
                    let length = shape.get(axis as usize).copied().unwrap_or(1);
                    let before = (kernel - 1) / 2;
                    let pad = [before, kernel - 1 - before];
                    let along = Side { length, windows: length, kernel: *kernel, stride: 1, pad };
                    let squares = self.put(of, "mul", Vec::new(), vec![from.clone(), from.clone()]);
                    let mean = Pool::Mean(Divisor::Window);
                    let means = self.pool_along(of, squares, shape, axis as usize, along, mean)?;
                    let divisor = self.power(of, means, -power, *scale, *shift);
                    self.put(of, "mul", Vec::new(), vec![from, divisor])
                }
            },
            Kind::Softmax { dim } => {
                let axis = inner(*dim, rank)?;
                self.put(of, "Softmax", vec![("dim", Value::Int(axis))], vec![from])
            }
            Kind::Power { quotient: true, .. } => return Err("a session computes powers directly".to_owned()),
            Kind::Power { power, scale, shift, .. } => self.power(of, from, *power, *scale, *shift),
            Kind::Crop { random: false, mirror: false, size } => {
                let mut made = from;
                for (side, length) in size.iter().enumerate() {
                    let whole_length = shape.get(2 + side).copied().unwrap_or(*length);
                    let arguments = vec![
                        ("dim", Value::Int(2 + side as i64)),
                        ("start", whole((whole_length - length) / 2)),
                        ("length", whole(*length)),
                    ];
                    made = self.put(of, "narrow", arguments, vec![made]);
                }
                made
            }
            Kind::Reshape { shape } => self.put(of, "reshape", vec![("each", wholes(shape))], vec![from]),
            Kind::Crop { .. } => return Err("it draws where it cuts, which a session does not".to_owned()),
            _ => return Err("it has no step in a session: `pontil evaluate` runs it".to_owned()),
        })
    }

    fn dense(&mut self, of: &NetLayer, from: String, shape: &[usize], outputs: usize, neuron: Neuron) -> String {
        let inputs: usize = shape.iter().skip(1).product();
        let row = match shape.len() {
            2 => from,
            _ => self.put_beside(of, "reshape", vec![("each", wholes(&[inputs]))], vec![from]),
        };
        let arguments = vec![("in_features", whole(inputs)), ("out_features", whole(outputs))];
        let made = self.put(of, "Linear", arguments, vec![row]);
        self.neuron(of, neuron, made)
    }

    fn neuron(&mut self, of: &NetLayer, neuron: Neuron, from: String) -> String {
        let (kind, arguments) = match neuron {
            Neuron::Identity => return from,
            Neuron::Relu(0.0) => ("relu", Vec::new()),
            Neuron::Relu(epsilon) => ("clamp", vec![("min", Value::Real(epsilon))]),
            Neuron::LRelu => ("leaky_relu", vec![("negative_slope", Value::Real(0.01))]),
            Neuron::Sigmoid => ("sigmoid", Vec::new()),
            Neuron::Tanh => ("tanh", Vec::new()),
            Neuron::Exponential => ("exp", Vec::new()),
        };
        self.put_beside(of, kind, arguments, vec![from])
    }

    /// `(scale·x + shift)^power`.
    fn power(&mut self, of: &NetLayer, from: String, power: f64, scale: f64, shift: f64) -> String {
        let mut made = from;
        for (kind, key, number, nothing) in
            [("mul", "other", scale, 1.0), ("add", "other", shift, 0.0), ("pow", "exponent", power, 1.0)]
        {
            if number != nothing {
                made = self.put(of, kind, vec![(key, Value::Real(number))], vec![made]);
            }
        }
        made
    }
}

/// PyTorch's axis for Mocha's, the batch being 0 and refused.
fn inner(dim: i64, rank: usize) -> Result<i64, String> {
    match axis(dim, rank) {
        Some(0) | None => Err("it joins or divides examples, which a session never mixes".to_owned()),
        Some(axis) => Ok(axis as i64),
    }
}

/// The arguments of a local response normalisation.
fn lrn(kernel: usize, scale: f64, power: f64, shift: f64) -> Arguments {
    let reals = [("alpha", scale), ("beta", power), ("k", shift)].map(|(key, number)| (key, Value::Real(number)));
    [("size", whole(kernel))].into_iter().chain(reals).collect()
}

fn attribute(key: &str, value: Value, position: Position) -> Attribute {
    Attribute { key: key.to_owned(), value, position }
}

fn whole(number: usize) -> Value {
    Value::Int(number as i64)
}

fn wholes(numbers: &[usize]) -> Value {
    Value::List(numbers.iter().map(|number| whole(*number)).collect())
}
