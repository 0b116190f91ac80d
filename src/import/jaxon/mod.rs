//! Nested Python values in HDF5 as Jaxon keeps them, of its second format and of the one before.
//!
//! ```text
//! attributes ─table─▶ names and hints ─reader, dict, hash, data, older─▶ items, each read once ─grow─▶ tree
//!   keep  which are wanted      schema  the classes a host knows      unmarshal  what a host makes of objects
//! ```
//!
//! What Python has and a tree has not stands so: a dictionary is a named branch if all its keys are texts that nothing refers
//! to, else a map; what a marshaler made is an object whose type is its hint, with the fields of its dictionary, or with one
//! child without a key for anything but a dictionary. [`Params::type_name`] of a leaf tells `jax.Array`, `numpy.str_`,
//! `bytearray` from the plain kind. Nothing is ever run.

mod data;
mod dict;
mod grow;
mod hash;
mod item;
mod keep;
mod older;
mod reader;
mod schema;
mod table;
mod unmarshal;

use super::{
    ImportOptions,
    format::{Format, Opened, Order},
    pytree::Unmarshal,
};
use crate::{
    describe::Form,
    faults::{Code, Fault, Faults, Refused, Text, quoted_str},
    formats::{
        hdf5::{File, SIGNATURE},
        jaxon::{ROOT, VERSION, strip},
    },
    limits::Limits,
    network::Listed,
    params::{NodeId, Params},
    progress::Progress,
    source::Source,
    tensor::Tensor,
};
use item::Data;
use reader::Reader;
use std::{collections::HashMap, sync::Arc};
use table::Tables;

/// The row of the table.
pub(super) struct Jaxon;

impl Format for Jaxon {
    fn name(&self) -> &'static str {
        "jaxon"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(SIGNATURE)
    }

    /// Whether an HDF5 file has one of Jaxon's attributes at its root.
    fn confirms(&self, source: &Source, _: &[u8], limits: &Limits) -> bool {
        let mut unsaid = Faults::default();
        let ours = |name: &Text| name.as_str().is_some_and(|name| name == VERSION || strip(name).starts_with(ROOT));
        File::open(source, limits, &mut unsaid)
            .and_then(|file| file.root(&mut unsaid)?.attributes(&mut unsaid))
            .is_ok_and(|attributes| attributes.iter().any(|attribute| ours(attribute.name())))
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let root = File::open(source, &options.limits, faults)?.root(faults)?;
        let older = root.attribute(VERSION, faults)?.is_none();
        let tables = Tables::new(root, older, faults)?;
        let named =
            |entry: &table::Entry| entry.attribute.name().as_str().is_some_and(|key| strip(key).starts_with(ROOT));
        let entries = tables.table(0).map(|table| table.entries.as_slice()).unwrap_or_default();
        let at = entries.iter().position(named).filter(|&at| entries.get(at).is_some_and(|entry| entry.name == ROOT));
        let Some(at) = at else {
            let message = match older {
                true => format!(
                    "The file has neither of the attributes '{VERSION}' and '{ROOT}', one of which every file of Jaxon has."
                ),
                false => format!("The file has no attribute '{ROOT}', which says what it holds."),
            };
            return Err(faults.refuse(Fault::new(Code::Absent, message).place("/")));
        };
        let mark = faults.mark();
        let mut reader = Reader {
            tables,
            items: Vec::new(),
            older,
            options: &options.pytree,
            keep_unknown: options.keep_unknown_types,
            keep: keep::Keep::new(options),
            limits: options.limits,
            path: Vec::new(),
            within_key: 0,
            depth: 0,
            visited: 0,
            full: false,
            faults,
        };
        let read = reader.node((0, at));
        let Reader { items, keep, .. } = reader;
        read?;
        keep.unmet(faults);
        let root = keep.root(faults);
        faults.refused_since(mark)?;
        let grown = grow::grow(&items, root?, options.pytree.schema).map_err(|fault| faults.refuse(fault))?;
        Open::new(grown, older, options, faults).map(|open| Box::new(open) as Box<dyn Opened>)
    }
}

struct Open {
    /// What stands in datasets is not loaded.
    params: Params,
    data: Vec<(NodeId, Data)>,
    entries: Vec<Listed>,
    /// What each entry is read from.
    numbers: Vec<usize>,
    older: bool,
    keep: bool,
    unmarshal: Option<Arc<Unmarshal>>,
    order: Order,
}

impl Open {
    fn new(grown: grow::Grown, older: bool, options: &ImportOptions<'_>, faults: &mut Faults) -> Result<Open, Refused> {
        let grow::Grown { params, data } = grown;
        let torch = options.network.is_some_and(|network| network.form == Form::Torch);
        let mut open = Open {
            params,
            data,
            entries: Vec::new(),
            numbers: Vec::new(),
            older,
            keep: options.keep_unknown_types,
            unmarshal: options.pytree.unmarshal.clone(),
            order: if torch { Order::Pytorch } else { Order::Canonical },
        };
        let places: HashMap<NodeId, usize> = open.data.iter().enumerate().map(|(at, (node, _))| (*node, at)).collect();
        let mark = faults.mark();
        let leaves = match options.pytree.slots.as_slice() {
            [] => open.params.leaves(),
            slots => open.slots(slots, faults),
        };
        for (leaf, path) in leaves {
            let target = open.params.referred(leaf);
            let listed = places.get(&target).and_then(|&at| Some((at, open.listed(at, path.clone())?)));
            match listed {
                Some((at, listed)) => {
                    open.numbers.push(at);
                    open.entries.push(listed);
                }
                None if options.pytree.slots.is_empty() => {}
                None => {
                    let from = open.params.path(leaf).unwrap_or_default();
                    let message = format!("'{from}' is no array of numbers, and the slot '{path}' wants one.");
                    faults.push(Fault::new(Code::Kind, message).path(path));
                }
            }
        }
        faults.refused_since(mark)?;
        Ok(open)
    }

    /// The leaves that the host names for slots, each with the path of its slot.
    fn slots(&self, slots: &[(String, String)], faults: &mut Faults) -> Vec<(NodeId, Text)> {
        let mut leaves = Vec::new();
        for (path, slot) in slots {
            match self.params.find_referred(Params::ROOT, path.as_bytes()) {
                Some(leaf) => leaves.push((leaf, slot.into())),
                None => {
                    let message = format!(
                        "There is nothing at '{}', which is to fill the slot '{}'.",
                        quoted_str(path),
                        quoted_str(slot)
                    );
                    faults.push(Fault::new(Code::NoPath, message).path(slot));
                }
            }
        }
        leaves
    }

    fn listed(&self, at: usize, path: Text) -> Option<Listed> {
        let (_, data) = self.data.get(at)?;
        let (dtype, shape, offset) = data.numbers()?;
        let bytes = shape.iter().try_fold(dtype.size()? as u64, |all, &length| all.checked_mul(length as u64))?;
        Some(Listed { path, place: data.place().clone(), dtype, shape, bytes, offset })
    }
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.data[self.numbers[index]].1.tensor(faults)
    }

    fn tree(&self, progress: Option<&Progress>, faults: &mut Faults) -> Result<Option<Params>, Refused> {
        let mut params = self.params.clone();
        let Some(progress) = progress else { return Ok(Some(params)) };
        let mark = faults.mark();
        let total = self.data.iter().map(|(_, data)| data.bytes()).sum();
        let mut done = 0;
        for (node, data) in &self.data {
            progress.at(done, total, faults)?;
            done += data.bytes();
            let before = faults.len();
            match data.read(faults) {
                Ok(value) => {
                    if let Err(fault) = params.set(*node, value) {
                        faults.push(fault.place(data.place().clone()));
                    }
                }
                Err(_) => {
                    let path = params.path(*node).unwrap_or_default();
                    faults.iter_mut().skip(before).for_each(|fault| fault.path = path.clone());
                }
            }
        }
        progress.at(done, total, faults)?;
        faults.refused_since(mark)?;
        if let Some(host) = &self.unmarshal {
            unmarshal::unmarshal(&mut params, &**host, self.older, self.keep, faults)?;
        }
        Ok(Some(params))
    }

    /// A network in PyTorch's words takes the numbers as PyTorch orders them, which Equinox does too; one in the library's own
    /// as those are, which Flax keeps.
    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(self.order)
    }
}
