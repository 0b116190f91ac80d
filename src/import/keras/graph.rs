//! How the layers of a Functional model are connected, in the words of Keras 2 and 3.
//!
//! Each layer has nodes, a call each; a value is named by its layer, the number of the call and of the output. Keras 3 writes
//! values as objects among a call's arguments, Keras 2 as lists of four.

use crate::formats::json::Json;

/// A value by the name of its layer, the number of the call, the number of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Ref<'a> {
    pub(super) layer: &'a str,
    pub(super) node: usize,
    pub(super) output: usize,
}

/// A call of a layer: the values it takes, or why it can not be made.
pub(super) type Node<'a> = Result<Vec<Ref<'a>>, String>;

impl<'a> Ref<'a> {
    /// `["layer", 0, 0]`, behind which Keras 2 may write further arguments.
    fn of(items: &'a [Json]) -> Option<Ref<'a>> {
        let [layer, node, output, ..] = items else { return None };
        let number = |value: &Json| usize::try_from(value.int()?).ok();
        Some(Ref { layer: layer.text()?, node: number(node)?, output: number(output)? })
    }
}

/// The ports of a model: one value, a list of them, or values by name, which stand in the order of their names.
pub(super) fn ports(said: &Json) -> Option<Vec<Ref<'_>>> {
    let mut all = Vec::new();
    gather(said, &mut all).then_some(all)
}

fn gather<'a>(said: &'a Json, all: &mut Vec<Ref<'a>>) -> bool {
    match said {
        Json::List(items) => match Ref::of(items) {
            Some(one) => {
                all.push(one);
                true
            }
            None => items.iter().all(|item| gather(item, all)),
        },
        Json::Map(entries) => {
            let mut by_name: Vec<_> = entries.iter().collect();
            by_name.sort_by(|a, b| a.0.cmp(&b.0));
            by_name.into_iter().all(|(_, value)| gather(value, all))
        }
        _ => false,
    }
}

/// The calls of a layer.
pub(super) fn nodes(layer: &Json) -> Vec<Node<'_>> {
    let said = layer.get("inbound_nodes").map_or(&[][..], Json::items);
    // Keras 2 writes a single value of a single call without the list around it.
    if said.iter().any(|node| matches!(node, Json::List(items) if Ref::of(items).is_some())) {
        return said.iter().map(older).collect();
    }
    said.iter().map(|node| if node.get("args").is_some() { since_3(node) } else { older(node) }).collect()
}

/// A call as Keras 3 writes it.
fn since_3(node: &Json) -> Node<'_> {
    let mut all = Vec::new();
    for argument in node.get("args").map_or(&[][..], Json::items) {
        values(argument, &mut all)?;
    }
    for (key, value) in node.get("kwargs").map_or(&[][..], Json::entries) {
        match &**key {
            // Python's own name of the first argument.
            "inputs" => values(value, &mut all)?,
            _ => keyword(key, value)?,
        }
    }
    Ok(all)
}

/// The values within an argument.
fn values<'a>(argument: &'a Json, all: &mut Vec<Ref<'a>>) -> Result<(), String> {
    match argument {
        Json::List(items) => items.iter().try_for_each(|item| values(item, all)),
        Json::Map(_) => {
            let tensor = argument.get("class_name").and_then(Json::text) == Some("__keras_tensor__");
            if !tensor {
                let mut by_name: Vec<_> = argument.entries().iter().collect();
                by_name.sort_by(|a, b| a.0.cmp(&b.0));
                return by_name.into_iter().try_for_each(|(_, value)| values(value, all));
            }
            let history = argument.get("config").and_then(|config| config.get("keras_history"));
            let one = history.and_then(|history| Ref::of(history.items()));
            all.push(one.ok_or("one of its values says no layer it comes from")?);
            Ok(())
        }
        Json::Null => Ok(()),
        _ => Err("it is called with a number, a flag or a text among its values, which is not read".into()),
    }
}

/// A call as Keras 2 writes it.
fn older(node: &Json) -> Node<'_> {
    let items = node.items();
    let lists: Vec<&Json> = if Ref::of(items).is_some() { vec![node] } else { items.iter().collect() };
    let mut all = Vec::new();
    for list in lists {
        let one = Ref::of(list.items());
        all.push(one.ok_or("one of its values is no layer's")?);
        for (key, value) in list.items().get(3).map_or(&[][..], Json::entries) {
            keyword(key, value)?;
        }
    }
    Ok(all)
}

/// An argument by name: what changes no answer is passed over.
fn keyword(key: &str, value: &Json) -> Result<(), String> {
    match (key, value) {
        (_, Json::Null) | ("training", Json::Bool(false)) => Ok(()),
        ("training", _) => Err("it is called as in training, which is not read: save the model without".into()),
        ("mask", _) => Err("it is called with a mask, which is not read".into()),
        _ => Err(format!("it is called with the argument '{}', which is not read", crate::faults::quoted_str(key))),
    }
}
