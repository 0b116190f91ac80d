//! Objects held to the classes that the host knows: fields too many, fields too few.

use super::{
    item::{Added, Item, ItemId},
    reader::Reader,
    table::At,
};
use crate::{
    faults::{Argument, Code, Fault, Refused, Text, quoted, quoted_path, quoted_str},
    formats::jaxon::argument,
    params::{Kind, NodeId, Params, Value},
};

impl Reader<'_, '_> {
    /// Holds the dictionary of a dataclass to the schema, and tells the fields that it lacks and may lack. Fields that may be
    /// passed over are taken out of the dictionary.
    pub(super) fn fields(&mut self, hint: &str, base: ItemId, at: At) -> Result<Vec<Added>, Refused> {
        let class = match argument(hint) {
            Some(("dclass", Some(class))) => class,
            Some((_, None)) if self.older => hint,
            _ => return Ok(Vec::new()),
        };
        let Some(schema) = self.options.schema else { return Ok(Vec::new()) };
        let (Some(known), Some(Item::Dict(entries))) = (known(schema, class), self.items.get(base)) else {
            return Ok(Vec::new());
        };
        let name = |key: ItemId| match self.items.get(key) {
            Some(Item::Leaf { value: Value::Text(text), .. }) => Some(text.clone()),
            _ => None,
        };
        let (mut kept, mut found, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        for &(key, value) in entries {
            match name(key) {
                Some(field) if schema.child(known, &field).is_some() => {
                    kept.push((key, value));
                    found.push(field);
                }
                field => beyond.push(field.unwrap_or_default()),
            }
        }
        let mark = self.faults.mark();
        for field in beyond {
            let says = format!(
                "the class '{}' has no field '{}', which the file has; the option `allow_missing_fields` passes it over",
                quoted_str(class),
                quoted(&field)
            );
            self.field(Code::Unexpected, at, says, field, self.options.allow_missing_fields);
        }
        if let Some(item) = self.items.get_mut(base) {
            *item = Item::Dict(kept);
        }
        let mut added = Vec::new();
        for &default in schema.children(known) {
            let Some(key) = schema.key(default).filter(|key| !found.contains(key)).cloned() else { continue };
            let says = format!(
                "the file has no field '{}' of the class '{}'; the option `allow_unknown_fields` gives it its default",
                quoted(&key),
                quoted_str(class)
            );
            self.field(Code::Missing, at, says, key.clone(), self.options.allow_unknown_fields);
            added.push(Added { key, default });
        }
        self.faults.refused_since(mark)?;
        Ok(added)
    }

    fn field(&mut self, code: Code, at: At, says: String, field: Text, allowed: bool) {
        let path = Text::from_wtf8(&self.path);
        let fault = Fault::new(code, format!("'{}': {says}.", quoted_path(&path))).path(path).place(self.place(at));
        let fault = fault.argument("field", Argument::Text(field));
        self.faults.push(if allowed { fault.warning() } else { fault });
    }
}

/// The object of a schema that stands for a class.
fn known(schema: &Params, class: &str) -> Option<NodeId> {
    let mut open = vec![Params::ROOT];
    while let Some(node) = open.pop() {
        let named = schema.type_name(node).is_some_and(|name| *name == *class);
        if named && schema.kind(node) == Some(Kind::Object) {
            return Some(node);
        }
        open.extend(schema.children(node));
    }
    None
}
