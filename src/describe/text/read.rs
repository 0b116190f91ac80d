//! A JSON tree into a description. Keys, their kinds and their values are checked here; words and connections are not.

use super::places::Places;
use crate::describe::words::nearest;
use crate::describe::{Attribute, Description, Form, Input, Layer, Output, Position, Value, at};
use crate::faults::{Code, Faults, Refused, quoted_str};
use crate::tensor::DType;
use jsonc_parser::ast::{Object, ObjectProp, Value as Tree};
use jsonc_parser::common::Ranged;
use std::collections::HashSet;

/// The longest name, kind or path.
const LONGEST_TEXT: usize = 1000;

/// Keys of a layer that are no settings.
const LAYER_KEYS: [&str; 4] = ["kind", "name", "slots", "from"];

/// The same in Mocha's words.
const MOCHA_KEYS: [&str; 4] = ["kind", "name", "param_key", "bottoms"];

/// Reads the description that a tree is.
pub(super) fn description(tree: &Tree, places: &Places, faults: &mut Faults) -> Result<Description, Refused> {
    let mark = faults.mark();
    let description = Reader { places, faults }.description(tree);
    faults.refused_since(mark)?;
    Ok(description)
}

struct Reader<'a> {
    places: &'a Places<'a>,
    faults: &'a mut Faults,
}

impl Reader<'_> {
    fn position(&self, node: &impl Ranged) -> Position {
        self.places.position(node.start())
    }

    fn fault(&mut self, node: &impl Ranged, message: String) {
        let fault = at(self.position(node), Code::Key, message).offset(node.start() as u64);
        self.faults.push(fault);
    }

    /// The object a tree should be; a key written twice is a fault.
    fn object<'t, 's>(&mut self, tree: &'t Tree<'s>, what: &str) -> Option<&'t Object<'s>> {
        let Some(object) = tree.as_object() else {
            self.fault(tree, format!("{what} must be an object"));
            return None;
        };
        let mut seen = HashSet::new();
        for property in &object.properties {
            if !seen.insert(property.name.as_str()) {
                self.fault(property, format!("key \"{}\" is written twice", quoted_str(property.name.as_str())));
            }
        }
        Some(object)
    }

    /// Faults for keys other than these.
    fn only(&mut self, object: &Object, keys: &[&str], what: &str) {
        for property in &object.properties {
            let key = property.name.as_str();
            if !keys.contains(&key) {
                let near =
                    nearest(key, keys.iter().copied(), self.faults).map(|near| format!("; the nearest is \"{near}\""));
                let key = quoted_str(key);
                self.fault(property, format!("key \"{key}\" is unknown to {what}{}", near.unwrap_or_default()));
            }
        }
    }

    fn list<'t, 's>(&mut self, tree: &'t Tree<'s>, what: &str) -> &'t [Tree<'s>] {
        match tree.as_array() {
            Some(array) => &array.elements,
            None => {
                self.fault(tree, format!("{what} must be a list"));
                &[]
            }
        }
    }

    fn text(&mut self, tree: &Tree, what: &str) -> String {
        match tree.as_string_lit() {
            Some(text) if (1..=LONGEST_TEXT).contains(&text.value.len()) => text.value.to_string(),
            _ => {
                self.fault(tree, format!("{what} must be a text of 1 to {LONGEST_TEXT} bytes"));
                String::new()
            }
        }
    }

    fn texts(&mut self, tree: &Tree, what: &str) -> Vec<String> {
        self.list(tree, what).iter().map(|item| self.text(item, what)).collect()
    }

    /// A text that must be there.
    fn needed(&mut self, object: &Object, key: &str, what: &str) -> String {
        match find(object, key) {
            Some(tree) => self.text(tree, &format!("\"{key}\" of {what}")),
            None => {
                self.fault(object, format!("{what} has no \"{key}\""));
                String::new()
            }
        }
    }

    fn description(&mut self, tree: &Tree) -> Description {
        let mut made = Description { form: Form::Stack, inputs: vec![], layers: vec![], outputs: vec![] };
        let Some(root) = self.object(tree, "a description") else { return made };
        let style = find(root, "style");
        let forms: &[(&str, Form)] = match style {
            Some(_) => &[("torch", Form::Torch), ("mocha", Form::Mocha)],
            None => &[("stack", Form::Stack), ("graph", Form::Graph), ("code", Form::Code)],
        };
        let key = if style.is_some() { "style" } else { "kind" };
        if find(root, key).is_none() {
            let forms = "\"kind\": \"stack\", \"graph\" or \"code\" in Pontil's words, or \"style\": \"torch\" or \"mocha\" in others'";
            self.fault(tree, format!("a description has no \"kind\" and no \"style\"; it says {forms}"));
            return made;
        }
        let word = self.needed(root, key, "a description");
        match forms.iter().find(|(name, _)| *name == word) {
            Some((_, form)) => made.form = *form,
            None if word.is_empty() => return made,
            None => {
                let names: Vec<String> = forms.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                let node = find(root, key).unwrap_or(tree);
                self.fault(node, format!("a description's \"{key}\" is {}", names.join(" or ")));
                return made;
            }
        }
        let keys: &[&str] = match made.form {
            Form::Code => &["kind", "layers"],
            _ => &[key, "inputs", "layers", "outputs"],
        };
        self.only(root, keys, "a description of this kind");
        match find(root, "layers") {
            None => self.fault(tree, "a description has no \"layers\"".into()),
            Some(layers) if made.form == Form::Torch => {
                made.layers =
                    self.list(layers, "\"layers\"").iter().filter_map(|tree| self.torch_layer(tree)).collect();
            }
            Some(layers) if made.form == Form::Mocha => {
                made.layers =
                    self.list(layers, "\"layers\"").iter().filter_map(|tree| self.mocha_layer(tree)).collect();
            }
            Some(layers) => self.layers(layers, made.form, "", &mut made.layers),
        }
        if let Some(inputs) = find(root, "inputs") {
            made.inputs = self.list(inputs, "\"inputs\"").iter().filter_map(|tree| self.input(tree)).collect();
        }
        if let Some(outputs) = find(root, "outputs") {
            made.outputs = self.list(outputs, "\"outputs\"").iter().filter_map(|tree| self.output(tree)).collect();
        }
        made
    }

    fn input(&mut self, tree: &Tree) -> Option<Input> {
        let object = self.object(tree, "an input")?;
        self.only(object, &["name", "shape", "dtype"], "an input");
        let name = self.needed(object, "name", "an input");
        let shape = find(object, "shape").map(|tree| {
            let mut lengths = Vec::new();
            for length in self.list(tree, "\"shape\" of an input") {
                let whole = length.as_number_lit().and_then(|number| number.value.parse::<usize>().ok());
                if whole.is_none() && length.as_null_keyword().is_none() {
                    self.fault(length, "a length of an input must be a whole number, or null where it is free".into());
                }
                lengths.push(whole);
            }
            lengths
        });
        let dtype = find(object, "dtype").map(|tree| {
            let name = self.text(tree, "\"dtype\" of an input");
            let known = DType::from_name(&name);
            if known.is_none() && !name.is_empty() {
                self.fault(tree, "\"dtype\" of an input is \"F32\", \"I64\" or \"I32\"".into());
            }
            known.unwrap_or(DType::F32)
        });
        Some(Input { name, shape, dtype: dtype.unwrap_or(DType::F32), position: self.position(tree) })
    }

    /// `{"name", "from"}`, or the name of a layer, which is then the output's as well.
    fn output(&mut self, tree: &Tree) -> Option<Output> {
        let position = self.position(tree);
        if tree.as_string_lit().is_some() {
            let name = self.text(tree, "an output");
            return Some(Output { from: name.clone(), name, position });
        }
        let object = self.object(tree, "an output")?;
        self.only(object, &["name", "from"], "an output");
        let name = self.needed(object, "name", "an output");
        Some(Output { name, from: self.needed(object, "from", "an output"), position })
    }

    /// The layers of a stack, graph or code. Names in a stack are places, those of inner stacks behind the outer's and a dot.
    fn layers(&mut self, tree: &Tree, form: Form, before: &str, to: &mut Vec<Layer>) {
        for (place, tree) in self.list(tree, "\"layers\"").iter().enumerate() {
            let Some(object) = self.object(tree, "a layer") else { continue };
            let kind = self.needed(object, "kind", "a layer");
            let named = find(object, "name").is_some();
            let name = match form {
                Form::Stack if !named => format!("{before}{place}"),
                _ => self.needed(object, "name", "a layer"),
            };
            if form == Form::Stack && kind == "stack" && !named {
                self.only(object, &["kind", "layers"], "a stack");
                match find(object, "layers") {
                    Some(layers) => self.layers(layers, form, &format!("{name}."), to),
                    None => self.fault(tree, "a stack has no \"layers\"".into()),
                }
                continue;
            }
            let slots = find(object, "slots").map(|tree| self.text(tree, "\"slots\" of a layer"));
            let from = find(object, "from").map(|tree| self.texts(tree, "\"from\" of a layer")).unwrap_or_default();
            let settings = object.properties.iter().filter(|property| !LAYER_KEYS.contains(&property.name.as_str()));
            let attributes = settings.filter_map(|property| self.attribute(property)).collect();
            to.push(Layer { name, kind, slots, attributes, from, position: self.position(tree) });
        }
    }

    /// A layer in PyTorch's words. Of its other keys `tied` is kept, as an attribute that is a list of `[slot, path]`; what
    /// else a file says beside is not needed to run it.
    fn torch_layer(&mut self, tree: &Tree) -> Option<Layer> {
        let object = self.object(tree, "a layer")?;
        let name = self.needed(object, "id", "a layer");
        let kind = self.needed(object, "kind", "a layer");
        let slots = find(object, "module").map(|tree| self.text(tree, "\"module\" of a layer"));
        let from = find(object, "inputs").map(|tree| self.texts(tree, "\"inputs\" of a layer")).unwrap_or_default();
        let arguments = match find(object, "args") {
            Some(tree) => self.object(tree, "\"args\" of a layer"),
            None => None,
        };
        let arguments = arguments.iter().flat_map(|object| &object.properties);
        let mut attributes: Vec<Attribute> = arguments.filter_map(|property| self.attribute(property)).collect();
        if let Some(tied) = find(object, "tied") {
            let pairs = self.object(tied, "\"tied\" of a layer").map(|object| &object.properties).into_iter().flatten();
            let pair = |property: &ObjectProp| {
                let path = self.text(&property.value, "a path in \"tied\"");
                Value::List(vec![Value::Text(property.name.as_str().into()), Value::Text(path)])
            };
            let value = Value::List(pairs.map(pair).collect());
            attributes.push(Attribute { key: "tied".into(), value, position: self.position(tied) });
        }
        Some(Layer { name, kind, slots, attributes, from, position: self.position(tree) })
    }

    /// A layer in Mocha's words. Its name may be left out where Mocha has one for it.
    fn mocha_layer(&mut self, tree: &Tree) -> Option<Layer> {
        let object = self.object(tree, "a layer")?;
        let kind = self.needed(object, "kind", "a layer");
        let name = find(object, "name").map(|tree| self.text(tree, "\"name\" of a layer")).unwrap_or_default();
        let slots = find(object, "param_key").map(|tree| self.text(tree, "\"param_key\" of a layer"));
        let from = find(object, "bottoms").map(|tree| self.texts(tree, "\"bottoms\" of a layer")).unwrap_or_default();
        if let Some(tops) = find(object, "tops") {
            self.texts(tops, "\"tops\" of a layer");
        }
        let settings = object.properties.iter().filter(|property| !MOCHA_KEYS.contains(&property.name.as_str()));
        let attributes = settings.filter_map(|property| self.attribute(property)).collect();
        Some(Layer { name, kind, slots, attributes, from, position: self.position(tree) })
    }

    fn attribute(&mut self, property: &ObjectProp) -> Option<Attribute> {
        let value = self.value(&property.value)?;
        Some(Attribute { key: property.name.as_str().into(), value, position: self.position(property) })
    }

    fn value(&mut self, tree: &Tree) -> Option<Value> {
        Some(match tree {
            Tree::NullKeyword(_) => Value::Null,
            Tree::BooleanLit(flag) => Value::Bool(flag.value),
            Tree::StringLit(text) => Value::Text(text.value.to_string()),
            Tree::Array(array) => Value::List(array.elements.iter().filter_map(|item| self.value(item)).collect()),
            Tree::NumberLit(number) => match numeral(number.value) {
                Some(value) => value,
                None => {
                    self.fault(tree, format!("{} is larger than any number here", quoted_str(number.value)));
                    return None;
                }
            },
            Tree::Object(_) => {
                self.fault(tree, "a setting can not be an object".into());
                return None;
            }
        })
    }
}

/// A whole number if it is written as one (`-0` apart, which only a real number can be); none if too large.
fn numeral(text: &str) -> Option<Value> {
    if text.contains(['.', 'e', 'E']) || text == "-0" {
        return text.parse().ok().filter(|real: &f64| real.is_finite()).map(Value::Real);
    }
    text.parse().ok().map(Value::Int)
}

fn find<'t, 's>(object: &'t Object<'s>, key: &str) -> Option<&'t Tree<'s>> {
    object.properties.iter().find(|property| property.name.as_str() == key).map(|property| &property.value)
}
