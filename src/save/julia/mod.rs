//! Parameter sets of Julia: HDF5 as NeuralNetworkParameters.jl writes it through HDF5.jl.
//!
//! `tree` says what a node becomes.

mod tree;

use super::{Target, hdf5::hdf5};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted_str},
    formats::hdf5::{Branch, File, Group, Node, Object, Plan},
    limits::Limits,
    params::Params,
    progress::Progress,
    source::Source,
};
use std::collections::HashSet;

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
    let (mark, mut root) = (faults.mark(), Branch::new(false));
    for (path, set) in sets {
        if let Some(branch) = tree::root(set, faults) {
            if let Some(group) = at(&mut root, path, faults) {
                put(group, branch, path, faults);
            }
        }
    }
    faults.refused_since(mark)?;
    hdf5(&Plan::of(&root, faults)?, target, progress, faults)
}

/// The same in an HDF5 file that is there already: all that it holds stays as it is, byte for byte, and the sets stand behind
/// it. Groups of a set's path that are there are taken, others made. The target may be the path of that file. Refused: files
/// that keep their space in pages or lists (h5repack helps), and groups whose header can take no more.
pub fn julia_into(
    existing: &Source,
    sets: &[(&str, &Params)],
    target: Target<'_>,
    limits: &Limits,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    let file = File::open(existing, limits, faults)?;
    let root = file.root(faults)?;
    let mut additions: Vec<(Group, Branch)> = Vec::new();
    for (path, set) in sets {
        let Some(branch) = tree::root(set, faults) else { continue };
        let Some((group, rest)) = within(&root, path, faults) else { continue };
        let known = additions.iter().position(|(other, _)| other.address() == group.address());
        let place = known.unwrap_or_else(|| {
            additions.push((group, Branch::new(false)));
            additions.len() - 1
        });
        let Some((_, added)) = additions.get_mut(place) else { continue };
        if let Some(group) = at(added, &rest, faults) {
            put(group, branch, path, faults);
        }
    }
    for (group, added) in &additions {
        let names: HashSet<Text> = group.members(faults)?.iter().map(|link| link.name.clone()).collect();
        let attributes: HashSet<Text> = match added.attributes.is_empty() {
            true => HashSet::new(),
            false => group.attributes(faults)?.iter().map(|attribute| attribute.name().clone()).collect(),
        };
        let taken = added.members.iter().map(|(name, _)| (name, &names));
        for (name, taken) in taken.chain(added.attributes.iter().map(|(name, _)| (name, &attributes))) {
            if taken.contains(&Text::from(name.as_str())) {
                exists(&group.path().to_string(), name, faults);
            }
        }
    }
    faults.refused_since(mark)?;
    hdf5(&Plan::onto(&file, &additions, faults)?, target, progress, faults)
}

/// The last group of a path that is there, and what is left of the path; none, and a fault, if it leads through a dataset.
fn within(root: &Group, path: &str, faults: &mut Faults) -> Option<(Group, String)> {
    let mut group = root.clone();
    let mut names = path.split('/').filter(|name| !name.is_empty());
    while let Some(name) = names.next() {
        group = match group.member(name, faults).ok()? {
            Some(Object::Group(inner)) => inner,
            Some(_) => {
                exists(path, name, faults);
                return None;
            }
            None => {
                let rest: Vec<&str> = [name].into_iter().chain(names).collect();
                return Some((group, rest.join("/")));
            }
        };
    }
    Some((group, String::new()))
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
