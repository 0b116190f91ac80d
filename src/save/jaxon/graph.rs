//! What references make of a tree: whether they lead round in a circle, and which nodes they lead to.

use crate::{
    faults::{Code, Fault, Faults, quoted},
    params::{NodeId, Params, Value},
};
use std::collections::HashSet;

/// The nodes that references lead to.
pub(super) fn targets(params: &Params) -> HashSet<NodeId> {
    let (mut targets, mut open) = (HashSet::new(), vec![Params::ROOT]);
    while let Some(node) = open.pop() {
        if let Some(Value::Reference(target)) = params.value(node) {
            targets.insert(*target);
        }
        open.extend(params.children(node));
        open.extend(params.key_tree(node));
    }
    targets
}

/// Says every reference that closes a circle: whose target holds it, or leads back to it.
pub(super) fn circles(params: &Params, faults: &mut Faults) {
    #[derive(PartialEq)]
    enum Step {
        Enter,
        Leave,
    }
    let (mut within, mut done) = (HashSet::new(), HashSet::new());
    let mut open = vec![(Params::ROOT, Step::Enter)];
    while let Some((node, step)) = open.pop() {
        if step == Step::Leave {
            within.remove(&node);
            done.insert(node);
            continue;
        }
        if done.contains(&node) || !within.insert(node) {
            continue;
        }
        open.push((node, Step::Leave));
        let refers = match params.value(node) {
            Some(Value::Reference(target)) => Some(*target),
            _ => None,
        };
        if refers.is_some_and(|target| within.contains(&target)) {
            let path = params.path(node).unwrap_or_default();
            let message = format!("'{}' refers to what holds it, or leads back to it; a file can not.", quoted(&path));
            faults.push(Fault::new(Code::Circle, message).path(path));
            continue;
        }
        let below = params.children(node).iter().copied().chain(params.key_tree(node)).chain(refers);
        open.extend(below.map(|node| (node, Step::Enter)));
    }
}
