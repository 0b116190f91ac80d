//! Parameter sets of Julia in HDF5: NeuralNetworkParameters.jl, and the older files of AbstractNeuralNetworks.jl and
//! GeometricMachineLearning.jl.
//!
//! ```text
//! root ─▶ tree  what a group is (kind, wrapped)   keys  its members in order   older  files without kinds
//!           └─▶ an outline, and the dataset behind each leaf ─▶ numbers ─▶ types, element type, prototype
//! ```
//!
//! HDF5 keeps the axes of an array of Julia in the opposite order with the same bytes; a tree has them as the file does, so
//! that nothing is moved: a `W` of 20 rows and 2 columns in Julia has the shape `[2, 20]` here.

mod keys;
mod older;
mod tree;

use super::{
    ImportOptions,
    format::{Format, Opened, Order},
    listed::listed,
};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    formats::hdf5::{Dataset, File, Group, SIGNATURE},
    network::Listed,
    params::{NodeId, Params, Value, conform, leaf::Registry},
    progress::Progress,
    source::Source,
    tensor::{DType, Tensor},
};
use std::collections::HashMap;

/// The row of the table.
pub(super) struct Julia;

impl Format for Julia {
    fn name(&self) -> &'static str {
        "julia"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        // A user block of 512 bytes or a power of two times that may stand before it.
        [0, 512, 1024, 2048].iter().any(|&at| head.get(at..).is_some_and(|rest| rest.starts_with(SIGNATURE)))
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let file = File::open(source, &options.limits, faults)?;
        let root = file.root(faults)?;
        not_of_others(&root, faults)?;
        let group = match options.key {
            None => root,
            Some(key) => within(&root, key, faults)?,
        };
        let tree::Outline { params, datasets } = tree::read(&group, source.len(), options, faults)?;
        let mut paths: HashMap<NodeId, Text> = params.leaves().into_iter().collect();
        let listed = |(number, (node, dataset)): (usize, &(NodeId, Dataset))| {
            let path = paths.remove(node).filter(|_| !is_metadata(&params, *node))?;
            Some((number, listed(path, dataset)?))
        };
        let (numbers, entries) = datasets.iter().enumerate().filter_map(listed).unzip();
        Ok(Box::new(Open {
            params,
            datasets,
            entries,
            numbers,
            leaf_types: options.leaf_types.clone(),
            keep: options.keep_unknown_types,
            prototype: options.prototype.cloned(),
        }))
    }
}

/// Refuses a file that says it is of another framework.
fn not_of_others(root: &Group, faults: &mut Faults) -> Result<(), Refused> {
    const OTHERS: [(&str, &str); 2] = [("JAXON_VERSION", "Jaxon"), ("MATLAB_class", "MATLAB")];
    for attribute in root.attributes(faults)? {
        let name = attribute.name();
        if let Some((_, other)) = OTHERS.iter().find(|(word, _)| *name == **word) {
            let message = format!(
                "The file is HDF5 of {other} (it has the attribute '{}') and no set of Julia's. {}",
                quoted(name),
                if *other == "Jaxon" { "Leave the option `format` out." } else { "Save its numbers as safetensors." }
            );
            return Err(faults.refuse(Fault::new(Code::Unsupported, message).place("/")));
        }
    }
    Ok(())
}

/// The group that the option `key` names.
fn within(root: &Group, key: &str, faults: &mut Faults) -> Result<Group, Refused> {
    let found = root.find(key, faults)?;
    let group = found.as_ref().and_then(|object| object.group());
    group.cloned().ok_or_else(|| {
        let message = format!("There is no group '{}' in the file, which the option `key` names.", quoted_str(key));
        faults.refuse(Fault::new(Code::NoPath, message).path(key))
    })
}

/// Whether a leaf stands in the metadata of a structured one.
fn is_metadata(params: &Params, leaf: NodeId) -> bool {
    let above = params.parent(leaf);
    above.and_then(|above| params.metadata(params.parent(above)?)).is_some_and(|metadata| Some(metadata) == above)
}

/// A number of metadata, which is a plain one where it is a whole number of 64 bits.
fn plain(number: Tensor) -> Value {
    let whole: Option<[u8; 8]> =
        number.packed_bytes().filter(|_| number.dtype() == DType::I64).and_then(|bytes| bytes.try_into().ok());
    whole.map(i64::from_le_bytes).map_or(Value::Scalar(number), Value::Int)
}

struct Open {
    /// Every leaf of numbers is one that was not loaded.
    params: Params,
    /// What stands behind those leaves.
    datasets: Vec<(NodeId, Dataset)>,
    entries: Vec<Listed>,
    /// The dataset of each entry.
    numbers: Vec<usize>,
    leaf_types: Registry,
    keep: bool,
    prototype: Option<Params>,
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.datasets[self.numbers[index]].1.tensor(faults)
    }

    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        let mut params = self.params.clone();
        let Some(progress) = progress else { return Ok(Some(params)) };
        let mark = faults.mark();
        let total = self.datasets.iter().map(|(_, dataset)| dataset.bytes() as u64).sum();
        let mut done = 0;
        for (node, dataset) in &self.datasets {
            progress.at(done, total, faults)?;
            done += dataset.bytes() as u64;
            let Ok(numbers) = dataset.tensor(faults) else { continue };
            let value = match numbers.shape().is_empty() {
                true if is_metadata(&params, *node) => plain(numbers),
                true => Value::Scalar(numbers),
                false => Value::Tensor(numbers),
            };
            if let Err(fault) = params.set(*node, value) {
                faults.push(fault.place(dataset.path().clone()));
            }
        }
        progress.at(done, total, faults)?;
        faults.refused_since(mark)?;
        match &self.prototype {
            Some(prototype) => params = conform(&params, prototype, faults)?,
            None => {
                let _ = self.leaf_types.check(&params, self.keep, faults);
            }
        }
        let _ = params.eltype(Params::ROOT, faults);
        faults.refused_since(mark)?;
        Ok(Some(params))
    }

    /// A weight of Julia with as many rows as outputs lies in the file as the library's own, inputs first.
    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Canonical)
    }
}
