//! A network in Mocha's words, checked: layers with typed settings, in the order in which they run.

use super::kind::{Initial, Kind};
use super::table::{self, Row, Tops};
use super::topology::{self, Wire};
use crate::describe::args::{Args, fault};
use crate::describe::{Description, Form, Input, Layer, Output, Position, Value, nearest};
use crate::faults::{Code, Fault, Faults, Refused, quoted_str};
use std::collections::HashMap;

/// A checked network. Its layers connect; whether shapes fit is told by [`Net::shapes`].
#[derive(Clone, Debug)]
pub struct Net {
    pub(super) inputs: Vec<Input>,
    /// In running order.
    pub(super) layers: Vec<NetLayer>,
    pub(super) outputs: Vec<Output>,
}

/// A layer of a network.
#[derive(Clone, Debug)]
pub struct NetLayer {
    /// Its name. Layers without parameters may have one name.
    pub name: String,
    /// Mocha's word for it.
    pub word: &'static str,
    /// What it computes.
    pub kind: Kind,
    /// Names of the blobs it takes.
    pub bottoms: Vec<String>,
    /// Names of the blobs it makes.
    pub tops: Vec<String>,
    /// What its parameters are shared by: layers of one key have the same.
    pub key: String,
    /// What its weight or filter begins with.
    pub weight: Initial,
    /// What its bias begins with.
    pub bias: Initial,
    /// Where it was written.
    pub position: Position,
}

impl NetLayer {
    /// A fault of this layer.
    pub fn fault(&self, code: Code, what: &str) -> Fault {
        let (name, word) = (quoted_str(&self.name), self.word);
        crate::describe::at(self.position, code, format!("layer {name} ({word}): {what}")).path(&self.name)
    }
}

impl Net {
    /// Reads the layers of a description in Mocha's words: every setting, every connection, every fault by the names of its
    /// layer and blob.
    pub fn of(description: &Description, faults: &mut Faults) -> Result<Net, Refused> {
        if description.form != Form::Mocha {
            let message =
                "The network is not in Mocha's words, which are evaluated; a session runs networks in others.";
            return Err(faults.refuse(Fault::new(Code::Value, message)));
        }
        let mark = faults.mark();
        let read: Vec<NetLayer> = description.layers.iter().filter_map(|layer| one(layer, faults)).collect();
        faults.refused_since(mark)?;
        names(&read, faults);
        let inputs: Vec<&str> = description.inputs.iter().map(|input| input.name.as_str()).collect();
        let wires: Vec<Wire> = read.iter().map(NetLayer::wire).collect();
        let order = topology::sorted(&wires, &inputs, faults);
        faults.refused_since(mark)?;
        let mut places: Vec<Option<NetLayer>> = read.into_iter().map(Some).collect();
        let layers: Vec<NetLayer> =
            order.into_iter().filter_map(|at| places.get_mut(at).and_then(Option::take)).collect();
        let net = Net { inputs: description.inputs.clone(), layers, outputs: description.outputs.clone() };
        net.ports(faults);
        faults.refused_since(mark)?;
        Ok(net)
    }

    /// The layers, in running order.
    pub fn layers(&self) -> &[NetLayer] {
        &self.layers
    }

    /// The blobs that come from outside, each with the shape of one example where the description says it.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What the description names as outputs: blobs, each by the name of its output.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The examples of a run: those of the first layer that brings data.
    pub fn batch(&self) -> Option<usize> {
        self.layers.iter().find_map(|layer| match &layer.kind {
            Kind::Data(feed) => Some(feed.batch),
            _ => None,
        })
    }

    /// Whether the network could be trained: each blob that a gradient has to reach goes to one layer, and on to a loss.
    pub fn check_training(&self, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        let wires: Vec<Wire> = self.layers.iter().map(NetLayer::wire).collect();
        topology::trainable(&wires, faults);
        faults.refused_since(mark)
    }

    /// Faults of inputs and outputs.
    fn ports(&self, faults: &mut Faults) {
        let made = self.makers();
        for output in &self.outputs {
            if !made.contains_key(output.from.as_str()) && !self.inputs.iter().any(|input| input.name == output.from) {
                let (name, from) = (quoted_str(&output.name), quoted_str(&output.from));
                let what = format!("output {name} comes from {from}, which is no blob of this network");
                faults.push(crate::describe::at(output.position, Code::Connection, what).path(&output.name));
            }
        }
    }

    /// The layer that makes each blob.
    pub(super) fn makers(&self) -> HashMap<&str, &NetLayer> {
        self.layers.iter().flat_map(|layer| layer.tops.iter().map(move |top| (top.as_str(), layer))).collect()
    }
}

impl NetLayer {
    fn wire(&self) -> Wire<'_> {
        Wire {
            name: &self.name,
            bottoms: self.bottoms.iter().map(String::as_str).collect(),
            tops: self.tops.iter().map(String::as_str).collect(),
            in_place: self.kind.is_in_place(),
            sink: self.kind.is_sink(),
            back: self.kind.goes_back(),
            parameters: self.kind.has_parameters(),
            position: self.position,
        }
    }
}

/// Reads one layer; none after a fault.
fn one(layer: &Layer, faults: &mut Faults) -> Option<NetLayer> {
    let Some(row) = table::find(&layer.kind) else {
        let near = nearest(&layer.kind, table::kinds(), faults).map(|near| format!("; the nearest is {near}"));
        let what = format!("no layer of Mocha{}", near.unwrap_or_default());
        faults.push(fault(layer, layer.position, Code::Word, &what));
        return None;
    };
    let mut args = Args::new(layer, &["tops"]);
    let tops = names_of(layer, "tops");
    let name = match (layer.name.is_empty(), row.default_name) {
        (false, _) => layer.name.clone(),
        (true, Some(name)) => name.to_owned(),
        (true, None) => {
            args.wrong("name", "must be written: its parameters are kept under it");
            String::new()
        }
    };
    let (kind, mut reader) = row.settings(args);
    let right = reader.args.done(faults);
    let (bottoms, tops) = defaults(row, &kind, layer.from.clone(), tops.unwrap_or_default());
    let counted = counted(row, &bottoms, &tops);
    if let Some(what) = &counted {
        faults.push(fault(layer, layer.position, Code::Connection, what));
    }
    right.filter(|()| counted.is_none())?;
    let key = layer.slots.clone().unwrap_or_else(|| name.clone());
    let (weight, bias) = (reader.weight, reader.bias);
    Some(NetLayer { name, word: row.name, kind, bottoms, tops, key, weight, bias, position: layer.position })
}

/// The names in a list.
fn names_of(layer: &Layer, key: &str) -> Option<Vec<String>> {
    let attribute = layer.attributes.iter().find(|attribute| attribute.key == key)?;
    let Value::List(list) = &attribute.value else { return None };
    list.iter().map(|item| super::read::text(item).map(str::to_owned)).collect()
}

/// The blobs Mocha gives a layer whose description leaves them out.
fn defaults(row: &Row, kind: &Kind, bottoms: Vec<String>, tops: Vec<String>) -> (Vec<String>, Vec<String>) {
    let named = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    match kind {
        Kind::Data(_) if tops.is_empty() => (bottoms, named(["data", "label"])),
        _ if row.name == "GaussianKLLossLayer" && bottoms.is_empty() => (named(["mu", "sigma"]), tops),
        _ => (bottoms, tops),
    }
}

/// What is wrong with how many blobs a layer takes and makes.
fn counted(row: &Row, bottoms: &[String], tops: &[String]) -> Option<String> {
    let (fewest, most) = row.bottoms;
    if !(fewest..=most).contains(&bottoms.len()) {
        let wants = match most {
            usize::MAX => format!("{fewest} or more bottoms"),
            0 => "no bottoms".to_owned(),
            most => format!("{most} bottom{}", if most == 1 { "" } else { "s" }),
        };
        return Some(format!("it takes {wants} and is given {}", bottoms.len()));
    }
    let wants = match row.tops {
        Tops::Alike if tops.len() != bottoms.len() => {
            format!("as many tops as bottoms ({})", bottoms.len())
        }
        Tops::Exactly(0) if !tops.is_empty() => "no tops".to_owned(),
        Tops::Exactly(1) if tops.len() != 1 => "1 top".to_owned(),
        Tops::Some if tops.is_empty() => "1 or more tops".to_owned(),
        _ => return None,
    };
    Some(format!("it makes {wants} and is given {}", tops.len()))
}

/// Faults of two layers with parameters that have one name: their numbers could not be told apart in a file.
fn names(layers: &[NetLayer], faults: &mut Faults) {
    let mut seen: HashMap<&str, &NetLayer> = HashMap::new();
    for layer in layers.iter().filter(|layer| layer.kind.has_parameters()) {
        if seen.insert(&layer.name, layer).is_some() {
            let what = "another layer with parameters has its name; layers share parameters by one `param_key`";
            faults.push(layer.fault(Code::Connection, what));
        }
    }
}
