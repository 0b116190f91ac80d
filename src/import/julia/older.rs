//! Structured leaves of GeometricMachineLearning.jl: a group with the attribute `gml_type` whose members are the fields.

use super::tree::Reader;
use crate::{
    faults::{Code, Fault, Text, quoted},
    formats::hdf5::{Group, Object},
    params::{Kind, METADATA, NodeId, STORAGE},
    tensor::DType,
};

/// The types that are written so, each with the field that holds its numbers and whether `n` stands beside it.
const TYPES: [(&str, &str, bool); 5] = [
    ("StiefelManifold", "A", false),
    ("SymmetricMatrix", "S", true),
    ("SkewSymMatrix", "S", true),
    ("LowerTriangular", "S", true),
    ("UpperTriangular", "S", true),
];

impl Reader<'_, '_> {
    /// Adds the leaf of such a group, as one with storage and metadata: the fields of the five types as they mean it, of any
    /// other type whole numbers as metadata and all else as storage.
    pub(super) fn older(&mut self, group: &Group, name: Text, parent: NodeId, key: Text) {
        let Some(leaf) = self.branch(group, parent, key, Kind::Structured, name.clone()) else { return };
        let known = TYPES.iter().find(|(type_name, ..)| name == **type_name);
        let (mut storage, mut metadata) = (Vec::new(), Vec::new());
        match known {
            Some((_, field, sized)) => {
                for (field, into) in [(*field, &mut storage), ("n", &mut metadata)] {
                    if field == "n" && !sized {
                        continue;
                    }
                    match self.member(group, &field.into()) {
                        Ok(Some(object)) => into.push((Text::from(field), object)),
                        Ok(None) => self.missing(group, &field.into()),
                        Err(_) => {}
                    }
                }
            }
            None => {
                for (field, object) in self.members(group) {
                    let into = if is_whole(&object) { &mut metadata } else { &mut storage };
                    into.push((field, object));
                }
            }
        }
        match storage.len() {
            0 if known.is_none() => {
                let path = group.path();
                let message = format!("The structured leaf '{}' has no field that holds numbers.", quoted(path));
                self.faults.push(Fault::new(Code::Missing, message).path(path.clone()).place(path.clone()));
            }
            0 => {}
            1 => storage.into_iter().for_each(|(_, object)| self.node(object, leaf, STORAGE.into())),
            _ => self.fields(group, leaf, STORAGE, storage),
        }
        if !metadata.is_empty() {
            self.fields(group, leaf, METADATA, metadata);
        }
    }

    fn fields(&mut self, group: &Group, leaf: NodeId, key: &str, fields: Vec<(Text, Object)>) {
        let Some(branch) = self.branch(group, leaf, key.into(), Kind::Named, Text::default()) else { return };
        for (field, object) in fields {
            self.node(object, branch, field);
        }
    }
}

/// Whether it is one whole number.
fn is_whole(object: &Object) -> bool {
    let Some(dataset) = object.dataset() else { return false };
    let whole = |dtype: DType| !dtype.is_real() && !matches!(dtype, DType::Bool | DType::C64 | DType::C128);
    dataset.shape() == Some(&[]) && dataset.datatype().dtype().is_some_and(whole)
}
