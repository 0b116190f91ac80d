//! Parameter sets of Julia: HDF5 as NeuralNetworkParameters.jl writes it through HDF5.jl.
//!
//! `tree` says what a node becomes; `carry` brings along what an existing file holds, so that a set can be put into one of its
//! groups.

mod carry;
mod tree;

use super::{Target, hdf5::hdf5};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::hdf5::{Branch, Node},
    limits::Limits,
    params::Params,
    progress::Progress,
    source::Source,
};

/// Writes a set as NeuralNetworkParameters.jl does: every branch a group with `kind` and `keys`, every structured leaf one with
/// `parameter_type`, every array a dataset with its element type and the bytes it has. Axes go as they are, so that an array of
/// shape `[2, 20]` is one of 20 rows and 2 columns in Julia. Equal sets make equal bytes.
///
/// A set begins with a named branch or a parameter set and holds numbers of one element type that HDF5.jl reads; all else is a
/// fault. After a fault a path holds what it held before, and memory too.
pub fn julia(set: &Params, target: Target<'_>, progress: &Progress, faults: &mut Faults) -> Result<(), Refused> {
    julia_groups(&[("/", set)], target, progress, faults)
}

/// The same for several sets in one file, each in the group of its path (`/` is the file itself). Where a group or a name is
/// there already, that is a fault.
pub fn julia_groups(
    sets: &[(&str, &Params)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    write(Branch::new(false), sets, target, progress, faults)
}

/// The same beside what an HDF5 file holds already, which is carried along: groups, numbers, texts and attributes. What can not
/// be is a fault (references, links that are not plain, types of other classes). The target may be the path of that file.
pub fn julia_into(
    existing: &Source,
    sets: &[(&str, &Params)],
    target: Target<'_>,
    limits: &Limits,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let root = carry::read(existing, limits, faults)?;
    write(root, sets, target, progress, faults)
}

fn write(
    mut root: Branch,
    sets: &[(&str, &Params)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    for (path, set) in sets {
        if let Some(branch) = tree::root(set, faults) {
            if let Some(group) = at(&mut root, path, faults) {
                put(group, branch, path, faults);
            }
        }
    }
    faults.refused_since(mark)?;
    hdf5(&root, target, progress, faults)
}

/// The group at a path, made where it is not there.
fn at<'a>(root: &'a mut Branch, path: &str, faults: &mut Faults) -> Option<&'a mut Branch> {
    let mut group = root;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        let place = group.members.iter().position(|(member, _)| member == name).unwrap_or_else(|| {
            group.group(name, Branch::new(false));
            group.members.len() - 1
        });
        match group.members.get_mut(place) {
            Some((_, Node::Group(inner))) => group = inner,
            _ => {
                exists(path, name, faults);
                return None;
            }
        }
    }
    Some(group)
}

/// Puts a set into a group that has none of its names.
fn put(group: &mut Branch, set: Branch, path: &str, faults: &mut Faults) {
    for (name, datum) in set.attributes {
        match group.attributes.iter().any(|(other, _)| *other == name) {
            true => exists(path, &name, faults),
            false => group.attribute(name, datum),
        }
    }
    for (name, node) in set.members {
        match group.members.iter().any(|(other, _)| *other == name) {
            true => exists(path, &name, faults),
            false => group.members.push((name, node)),
        }
    }
}

fn exists(path: &str, name: &str, faults: &mut Faults) {
    let message = format!(
        "'{}' in the group '{}' is there already, and a set is not written over another. Choose another group.",
        quoted_str(name),
        quoted_str(path)
    );
    faults.push(Fault::new(Code::KeyTwice, message).path(name).place(path));
}
