//! Numbers alone, into a network that the host says: by the names of the layers.
//!
//! The variables of a layer fill the slots under its name, in the order in which both count them: what is trained first, then
//! what is not. Keras counts so, and so does the network that this library makes of the model the numbers belong to.

use super::{
    layers::RENORM,
    variables::{Variable, Variables},
};
use crate::{
    describe::{Graph, Node, Op, Role, SlotId, Unary},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    network::{Entry, Turn},
};
use std::collections::{BTreeMap, HashSet};

/// The variables as the network takes them, each with its turn. Those of layers that the network does not have fit no slot.
pub(super) fn numbers(
    variables: &Variables,
    graph: &Graph,
    faults: &mut Faults,
) -> Result<Vec<(Entry, Turn)>, Refused> {
    let mark = faults.mark();
    let mut layers: BTreeMap<&str, Vec<&Variable>> = BTreeMap::new();
    for variable in &variables.all {
        layers.entry(&variable.layer).or_default().push(variable);
    }
    let slots = under(&layers, graph);
    if !variables.names_layers() {
        in_order(&slots, faults);
    }
    let mut entries = Vec::new();
    for (layer, mut own) in layers {
        own.sort_by_key(|variable| variable.key.parse::<usize>().ok());
        let free = slots.get(layer).map_or(&[][..], |free| free);
        // What a layer around another one keeps beside that one's numbers serves training alone.
        if free.is_empty() {
            let within = format!("{layer}.");
            if slots.range(&*within..).next().is_some_and(|(held, _)| held.starts_with(&within)) {
                continue;
            }
        }
        let mut filled = HashSet::new();
        for (place, variable) in own.into_iter().enumerate() {
            let slot = match variable.key.parse::<usize>() {
                Ok(_) => free.get(place).copied(),
                Err(_) => {
                    let its = |slot: &&SlotId| is_named(graph, **slot, &variable.key) && !filled.contains(*slot);
                    free.iter().find(its).copied()
                }
            };
            filled.extend(slot);
            let (path, turn) = match slot.and_then(|slot| Some((slot, graph.slots.get(slot)?))) {
                Some((slot, held)) => (held.path.clone(), turn(graph, slot, variable)),
                None if is_idle(variable) => continue,
                None => (format!("{layer}.{}", variable.key), Turn::none(variable.shape())),
            };
            if let Ok(entry) = variable.entry(path.into(), faults) {
                entries.push((entry, turn));
            }
        }
    }
    faults.refused_since(mark)?;
    Ok(entries)
}

/// Whether a variable is one that no answer depends on: a count of what a normalisation has learnt from, statistics of training.
fn is_idle(variable: &Variable) -> bool {
    let counts = variable.dataset.datatype().dtype().is_some_and(|dtype| !dtype.is_real());
    counts && variable.shape().is_empty() || RENORM.contains(&&*variable.key)
}

/// Holds the layers of a network against groups that are called by class and number alone, in the order of the model: where the
/// network has them in another order, which is which can not be told.
fn in_order(slots: &BTreeMap<&str, Vec<SlotId>>, faults: &mut Faults) {
    // For each class the layers by their numbers, models around others among them, and the first slot of each.
    let mut classes: BTreeMap<&str, BTreeMap<usize, (&str, SlotId)>> = BTreeMap::new();
    for (layer, slots) in slots {
        let Some(&first) = slots.iter().min() else { continue };
        let ends = layer.match_indices('.').map(|(at, _)| at).chain([layer.len()]);
        for name in ends.filter_map(|end| layer.get(..end)) {
            let counted = name.rsplit_once('_').and_then(|(class, number)| Some((class, number.parse().ok()?)));
            let (class, number) = counted.unwrap_or((name, 0));
            let held = classes.entry(class).or_default().entry(number).or_insert((name, first));
            held.1 = held.1.min(first);
        }
    }
    for layers in classes.values() {
        for ((before, first), (layer, second)) in layers.values().zip(layers.values().skip(1)) {
            if first > second {
                let message = format!(
                    "'{}' stands before '{}' in the network. The file calls its layers by class and number alone, in the order of the \
                     model, so that which is which can not be told: import the whole model, or save its weights with Keras 3.9 or later.",
                    quoted_str(layer),
                    quoted_str(before)
                );
                faults.push(Fault::new(Code::SlotLayout, message).path(*layer));
            }
        }
    }
}

/// The slots under the name of each layer of the file, those that are not trained last.
fn under<'a>(layers: &BTreeMap<&'a str, Vec<&Variable>>, graph: &Graph) -> BTreeMap<&'a str, Vec<SlotId>> {
    let mut found: BTreeMap<&str, Vec<SlotId>> = BTreeMap::new();
    for (number, slot) in graph.slots.iter().enumerate() {
        // The longest name that stands before a dot of the path.
        let dots = slot.path.rmatch_indices('.').map(|(at, _)| slot.path.split_at(at).0);
        if let Some((layer, _)) = dots.into_iter().find_map(|prefix| layers.get_key_value(prefix)) {
            found.entry(layer).or_default().push(number);
        }
    }
    for slots in found.values_mut() {
        slots.sort_by_key(|&slot| graph.slots.get(slot).is_some_and(|slot| slot.role == Role::Statistic));
    }
    found
}

/// Whether a slot is the one that Keras has this name for. Of two values that are no weights, a mean and a variance, the root is
/// taken of the variance.
fn is_named(graph: &Graph, slot: SlotId, name: &str) -> bool {
    let path = graph.slots.get(slot).map_or("", |slot| &slot.path);
    let last = path.rsplit('.').next().unwrap_or_default();
    let names: &[&str] = match last {
        "value" if is_rooted(graph, slot) => &["variance"],
        "value" => &["mean", "gamma", "alpha", "scale"],
        "weight" | "gamma" => {
            &["kernel", "gamma", "embeddings", "alpha", "scale", "depthwise_kernel", "pointwise_kernel"]
        }
        "bias" | "table" => &["bias", "beta"],
        "running_mean" => &["moving_mean"],
        "running_var" => &["moving_variance"],
        _ => &[],
    };
    names.contains(&name)
}

/// Whether a layer takes the root of what a slot is.
fn is_rooted(graph: &Graph, slot: SlotId) -> bool {
    let made = graph.nodes.iter().find(|node| node.slots.contains(&slot)).map(|node| node.output);
    let takes = |node: &Node| node.inputs.first().copied() == made && node.op == Op::Unary(Unary::Sqrt);
    made.is_some() && graph.nodes.iter().any(takes)
}

/// How a variable lies against the slot it fills.
fn turn(graph: &Graph, slot: SlotId, variable: &Variable) -> Turn {
    let Some(held) = graph.slots.get(slot) else { return Turn::none(variable.shape()) };
    let holder = graph.nodes.iter().find(|node| node.slots.first() == Some(&slot)).map(|node| &node.op);
    let (written, shape) = (variable.shape(), &held.shape[..]);
    let same = crate::tensor::count(written) == crate::tensor::count(shape);
    match (holder, shape) {
        (Some(Op::ConvTranspose { .. }), [places @ .., inputs, outputs]) => {
            let cut = [places, &[*outputs, *inputs]].concat();
            let axes = places.len();
            Turn::new(
                if alike(written, &cut) { written } else { &cut },
                &cut,
                (0..axes).chain([axes + 1, axes]).collect(),
                shape,
            )
        }
        // A depthwise kernel has its two last axes joined here, other variables lack or have axes of length 1.
        (Some(Op::Conv(conv)), [.., 1, outputs]) if same && conv.groups == conv.inputs => {
            let each = outputs / conv.inputs.max(1);
            match written {
                [.., channels, multiplier] if *channels == conv.inputs && *multiplier == each => {
                    Turn::new(written, shape, (0..shape.len()).collect(), shape)
                }
                _ => Turn::none(shape),
            }
        }
        (Some(Op::Prelu { .. } | Op::Parameter { .. }), _) if same => {
            Turn::new(written, shape, (0..shape.len()).collect(), shape)
        }
        (Some(Op::Conv(_)), _) if alike(written, shape) => Turn::new(written, shape, (0..shape.len()).collect(), shape),
        _ => Turn::none(shape),
    }
}

/// Whether two shapes are one but for axes of length 1, which those of a TimeDistributed are here.
fn alike(written: &[usize], shape: &[usize]) -> bool {
    let long = |lengths: &[usize]| lengths.iter().copied().filter(|&length| length != 1).collect::<Vec<_>>();
    long(written) == long(shape)
}
