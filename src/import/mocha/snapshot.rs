//! Mocha's snapshots and statistics: files of JLD, which is HDF5 with a line of text before it.
//!
//! JLD keeps a dictionary as a compound of two references, one to its keys and one to its values, which are arrays of
//! references in turn. Field names end in `_`, or in `_` and a number. Parameters of a layer have no names, only an order:
//! filter or weight, then bias; a single one is the bias of a tied layer. The state of a solver becomes notes.

use super::{Wanted, fitted::fitted, path, root};
use crate::{
    describe::Graph,
    faults::{Code, Fault, Faults, Refused, Text},
    formats::hdf5::{Dataset, Datatype, File, Group, SIGNATURE, Value},
    import::{
        ImportOptions,
        format::{Format, Opened, Order, Read},
        listed::listed,
    },
    limits::Limits,
    network::{Entry, Listed, Turn},
    source::Source,
    tensor::{DType, Storage, Tensor},
};

/// The row of the table.
pub(in crate::import) struct Snapshot;

/// How every file of JLD begins.
const BEGINS: &[u8] = b"Julia data file (HDF5)";

impl Format for Snapshot {
    fn name(&self) -> &'static str {
        "mocha-snapshot"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        let signed = |at: usize| head.get(at..).is_some_and(|rest| rest.starts_with(SIGNATURE));
        head.starts_with(BEGINS) && [512, 1024, 2048].into_iter().any(signed)
    }

    fn confirms(&self, source: &Source, _: &[u8], limits: &Limits) -> bool {
        let Some(root) = root(source, limits) else { return false };
        let has = |name| root.member(name, &mut Faults::default()).is_ok_and(|member| member.is_some());
        has("params_all") || has("statistics")
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let file = File::open(source, &options.limits, faults)?;
        let root = file.root(faults)?;
        let mut jld = Jld { file: &file, entries: Vec::new(), held: Vec::new() };
        let mut notes = Vec::new();
        let (parameters, statistics) = (dataset(&root, "params_all", faults)?, dataset(&root, "statistics", faults)?);
        if let Some(parameters) = &parameters {
            jld.parameters(parameters, faults)?;
        }
        if let Some(statistics) = &statistics {
            jld.statistics(statistics, faults)?;
        }
        if parameters.is_none() && statistics.is_none() {
            let message = "The file is of Julia (JLD), and neither a snapshot ('params_all') nor statistics of Mocha.";
            return Err(faults.refuse(Fault::new(Code::Absent, message).place("/")));
        }
        if let Some(state) = dataset(&root, "solver_state", faults)? {
            notes = solver(&state.value(faults)?);
        }
        let Jld { entries, held, .. } = jld;
        Ok(Box::new(Open { file, entries, held, notes, wanted: Wanted::of(options) }))
    }
}

/// A dataset at the root.
fn dataset(root: &Group, name: &str, faults: &mut Faults) -> Result<Option<Dataset>, Refused> {
    Ok(root.member(name, faults)?.and_then(|object| object.dataset().cloned()))
}

/// Where the numbers of an entry lie.
enum Held {
    /// In one dataset.
    Whole(Dataset),
    /// In a dataset each, by their addresses.
    Each(Vec<u64>),
}

struct Jld<'a> {
    file: &'a File,
    entries: Vec<Listed>,
    held: Vec<Held>,
}

impl Jld<'_> {
    fn list(&mut self, path: Text, dataset: Dataset) {
        let Some(listed) = listed(path, &dataset) else { return };
        self.entries.push(listed);
        self.held.push(Held::Whole(dataset));
    }

    /// The dataset at an address.
    fn at(&self, address: Option<u64>, of: &Text, faults: &mut Faults) -> Result<Dataset, Refused> {
        let object = address.map(|address| self.file.object(address, faults)).transpose()?;
        object.as_ref().and_then(|object| object.dataset().cloned()).ok_or_else(|| {
            let message = "A reference of the dictionary leads to no dataset.";
            faults.refuse(Fault::new(Code::Malformed, message).place(of.clone()))
        })
    }

    /// The keys and the values of a dictionary, each the dataset of an array.
    fn dictionary(&self, value: &Value, faults: &mut Faults) -> Result<[Dataset; 2], Refused> {
        let keys = self.at(reference(value, b"keys_"), value.path(), faults)?;
        Ok([keys, self.at(reference(value, b"values_"), value.path(), faults)?])
    }

    /// Texts: themselves, or references to them.
    fn texts(&self, dataset: &Dataset, faults: &mut Faults) -> Result<Vec<Text>, Refused> {
        let value = dataset.value(faults)?;
        if !matches!(value.datatype(), Datatype::Reference) {
            return value.texts(faults);
        }
        let mut texts = Vec::new();
        for address in value.references(faults)? {
            texts.push(self.at(address, value.path(), faults)?.value(faults)?.text(faults)?);
        }
        Ok(texts)
    }

    /// What an array of references leads to.
    fn led(&self, dataset: &Dataset, faults: &mut Faults) -> Result<Vec<Dataset>, Refused> {
        let value = dataset.value(faults)?;
        let addresses = value.references(faults)?;
        addresses.into_iter().map(|address| self.at(address, value.path(), faults)).collect()
    }

    /// A dictionary of arrays of arrays: for each layer its parameters.
    fn parameters(&mut self, dataset: &Dataset, faults: &mut Faults) -> Result<(), Refused> {
        let [keys, values] = self.dictionary(&dataset.value(faults)?, faults)?;
        let (layers, parameters) = (self.texts(&keys, faults)?, self.led(&values, faults)?);
        self.counted(layers.len(), parameters.len(), dataset, faults)?;
        for (layer, parameters) in layers.iter().zip(parameters) {
            let blobs = self.led(&parameters, faults)?;
            let alone = blobs.len() == 1;
            for (place, blob) in blobs.into_iter().enumerate() {
                let parameter = match place {
                    0 if !alone => "weight".to_owned(),
                    0 | 1 => "bias".to_owned(),
                    more => more.to_string(),
                };
                self.list(path(layer.as_bytes(), parameter.as_bytes()), blob);
            }
        }
        Ok(())
    }

    /// A dictionary of dictionaries: for each statistic its numbers by iteration.
    fn statistics(&mut self, dataset: &Dataset, faults: &mut Faults) -> Result<(), Refused> {
        let [keys, values] = self.dictionary(&dataset.value(faults)?, faults)?;
        let (names, dictionaries) = (self.texts(&keys, faults)?, self.led(&values, faults)?);
        self.counted(names.len(), dictionaries.len(), dataset, faults)?;
        for (name, dictionary) in names.iter().zip(dictionaries) {
            let [iterations, numbers] = self.dictionary(&dictionary.value(faults)?, faults)?;
            self.list(path(name.as_bytes(), b"iterations"), iterations);
            let path = path(name.as_bytes(), b"values");
            if !matches!(numbers.datatype(), Datatype::Reference) {
                self.list(path, numbers);
                continue;
            }
            let value = numbers.value(faults)?;
            let addresses: Vec<u64> = value.references(faults)?.into_iter().flatten().collect();
            let (place, count) = (numbers.path().clone(), addresses.len());
            let bytes = 8 * count as u64;
            self.entries.push(Listed { path, place, dtype: DType::F64, shape: vec![count], bytes, offset: None });
            self.held.push(Held::Each(addresses));
        }
        Ok(())
    }

    fn counted(&self, keys: usize, values: usize, of: &Dataset, faults: &mut Faults) -> Result<(), Refused> {
        if keys == values {
            return Ok(());
        }
        let message = format!("A dictionary has {keys} keys and {values} values.");
        Err(faults.refuse(Fault::new(Code::Malformed, message).place(of.path().clone())))
    }
}

/// The bytes of each field of a scalar compound, with its name and type.
fn fields(value: &Value) -> impl Iterator<Item = (&Text, &Datatype, &[u8])> {
    let fields = match value.datatype() {
        Datatype::Compound { fields, .. } => fields.as_slice(),
        _ => &[],
    };
    fields.iter().filter_map(|field| {
        let bytes = value.bytes().get(field.offset..)?.get(..field.datatype.bytes())?;
        Some((&field.name, &field.datatype, bytes))
    })
}

/// The address that a field leads to whose name begins so.
fn reference(value: &Value, begins: &[u8]) -> Option<u64> {
    let (.., bytes) = fields(value)
        .find(|(name, datatype, _)| name.as_bytes().starts_with(begins) && matches!(datatype, Datatype::Reference))?;
    bytes.try_into().ok().map(u64::from_le_bytes)
}

/// The numbers of a solver's state: `solver.iteration`.
fn solver(state: &Value) -> Vec<(Text, Text)> {
    let number = |datatype: &Datatype, bytes: &[u8]| -> Option<String> {
        let bytes: [u8; 8] = bytes.try_into().ok()?;
        match datatype {
            Datatype::Number { dtype: DType::F64, big: false } => Some(f64::from_le_bytes(bytes).to_string()),
            Datatype::Number { dtype: DType::I64, big: false } => Some(i64::from_le_bytes(bytes).to_string()),
            _ => None,
        }
    };
    let named = fields(state).filter_map(|(name, datatype, bytes)| {
        let name = name.as_str()?.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        Some((Text::from(format!("solver.{name}")), Text::from(number(datatype, bytes)?)))
    });
    named.collect()
}

struct Open {
    file: File,
    entries: Vec<Listed>,
    held: Vec<Held>,
    notes: Vec<(Text, Text)>,
    wanted: Wanted,
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn notes(&self) -> &[(Text, Text)] {
        &self.notes
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        let addresses = match &self.held[index] {
            Held::Whole(dataset) => return dataset.tensor(faults),
            Held::Each(addresses) => addresses,
        };
        let mut bytes = Vec::new();
        for address in addresses {
            let object = self.file.object(*address, faults)?;
            let number = object.dataset().map(|dataset| dataset.tensor(faults)).transpose()?;
            let double = number.filter(|number| number.dtype() == DType::F64 && number.count() == 1);
            let packed = double.as_ref().and_then(Tensor::packed_bytes).ok_or_else(|| {
                let message = "A value of a statistic is no double.";
                faults.refuse(Fault::new(Code::DType, message).place(object.path().clone()))
            })?;
            bytes.extend_from_slice(packed);
        }
        let storage = Storage::copied(&bytes);
        let tensor = storage.and_then(|storage| Tensor::packed(DType::F64, vec![addresses.len()], storage));
        tensor.ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "There is no memory for the values.")))
    }

    fn fitted(
        &self,
        graph: &Graph,
        read: Read<'_>,
        faults: &mut Faults,
    ) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
        fitted(&self.wanted, graph, read, faults)
    }

    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Pytorch)
    }
}
