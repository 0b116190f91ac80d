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

/// What a layer is called with.
#[derive(Debug, Default)]
pub(super) struct Taken<'a> {
    /// The values it takes.
    pub(super) values: Vec<Ref<'a>>,
    /// What the file itself states among them, each with its place in the row of all: numbers, the index of a part.
    pub(super) stated: Vec<(usize, &'a Json)>,
}

/// A call of a layer, or why it can not be made.
pub(super) type Node<'a> = Result<Taken<'a>, String>;

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
    let mut taken = Taken::default();
    for argument in node.get("args").map_or(&[][..], Json::items) {
        taken.gather(argument)?;
    }
    for (key, value) in node.get("kwargs").map_or(&[][..], Json::entries) {
        match &**key {
            // Python's own name of the first argument.
            "inputs" => taken.gather(value)?,
            _ => keyword(key, value)?,
        }
    }
    Ok(taken)
}

impl<'a> Taken<'a> {
    /// The values within an argument; one without any is stated by the file.
    fn gather(&mut self, argument: &'a Json) -> Result<(), String> {
        if argument.is_null() {
            return Ok(());
        }
        if !has_value(argument) {
            self.stated.push((self.values.len() + self.stated.len(), argument));
            return Ok(());
        }
        match argument {
            Json::Map(_) if is_value(argument) => {
                let history = argument.get("config").and_then(|config| config.get("keras_history"));
                let one = history.and_then(|history| Ref::of(history.items()));
                self.values.push(one.ok_or("one of its values says no layer it comes from")?);
                Ok(())
            }
            Json::Map(_) => {
                let mut by_name: Vec<_> = argument.entries().iter().collect();
                by_name.sort_by(|a, b| a.0.cmp(&b.0));
                by_name.into_iter().try_for_each(|(_, value)| self.gather(value))
            }
            _ => argument.items().iter().try_for_each(|item| self.gather(item)),
        }
    }
}

/// Whether an argument is a value that a layer makes.
fn is_value(argument: &Json) -> bool {
    argument.get("class_name").and_then(Json::text) == Some("__keras_tensor__")
}

/// Whether there is such a value anywhere within an argument.
fn has_value(argument: &Json) -> bool {
    is_value(argument)
        || argument.items().iter().any(has_value)
        || argument.entries().iter().any(|(_, value)| has_value(value))
}

/// A call as Keras 2 writes it.
fn older(node: &Json) -> Node<'_> {
    let items = node.items();
    let lists: Vec<&Json> = if Ref::of(items).is_some() { vec![node] } else { items.iter().collect() };
    let mut taken = Taken::default();
    for list in lists {
        let one = Ref::of(list.items());
        taken.values.push(one.ok_or("one of its values is no layer's")?);
        for (key, value) in list.items().get(3).map_or(&[][..], Json::entries) {
            keyword(key, value)?;
        }
    }
    Ok(taken)
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
