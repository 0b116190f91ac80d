//! Which nodes of a file are wanted: what the host's key, its prefixes and its filter say of a path.

use super::item::ItemId;
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    import::{Filter, ImportOptions},
    params::escaped,
};

/// What is wanted.
pub(super) struct Keep<'a> {
    /// Each with whether it met a node.
    prefixes: Vec<(&'a str, bool)>,
    filter: Option<Filter<'a>>,
    /// The path of the node that is all there is to be.
    root: Vec<u8>,
    /// The item there, once it is read.
    found: Option<ItemId>,
}

/// Whether a path stands at or below another.
fn begins(long: &[u8], short: &[u8]) -> bool {
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Whether one of two paths stands at or below the other.
fn meet(a: &[u8], b: &[u8]) -> bool {
    begins(a, b) || begins(b, a)
}

impl<'a> Keep<'a> {
    /// What the options say.
    pub fn new(options: &'a ImportOptions<'a>) -> Keep<'a> {
        let prefixes = options.pytree.prefixes.iter().map(|prefix| (prefix.trim_end_matches('/'), false));
        let root = match options.key.unwrap_or_default() {
            path if path.is_empty() || path.starts_with('/') => path.trim_end_matches('/').as_bytes().to_vec(),
            key => [b"/".to_vec(), escaped(key.as_bytes())].concat(),
        };
        Keep { prefixes: prefixes.collect(), filter: options.pytree.filter, root, found: None }
    }

    /// Whether the node at a path is wanted: one that stands above, at or below a prefix, and that the filter takes.
    pub fn wants(&mut self, path: &[u8]) -> bool {
        if !meet(path, &self.root) {
            return false;
        }
        let mut wanted = self.prefixes.is_empty();
        for (prefix, met) in &mut self.prefixes {
            let prefix = prefix.as_bytes();
            *met |= prefix == path;
            wanted |= meet(path, prefix);
        }
        wanted && self.filter.is_none_or(|filter| filter.0(&Text::from_wtf8(path)))
    }

    /// Notes the item at a path.
    pub fn found(&mut self, path: &[u8], item: ItemId) {
        if self.root == path {
            self.found = Some(item);
        }
    }

    /// The item that is all there is to be.
    pub fn root(&self, faults: &mut Faults) -> Result<ItemId, Refused> {
        self.found.ok_or_else(|| {
            let path = Text::from_wtf8(&self.root);
            let message = format!("There is nothing at '{}', the path that the option `key` says.", quoted(&path));
            faults.refuse(Fault::new(Code::NoPath, message).path(path))
        })
    }

    /// Says which prefixes met nothing, unless the filter may have hidden it.
    pub fn unmet(&self, faults: &mut Faults) {
        for (prefix, _) in self.prefixes.iter().filter(|(_, met)| !met && self.filter.is_none()) {
            let message = format!("There is nothing at '{}', which is to be loaded.", quoted_str(prefix));
            faults.push(Fault::new(Code::NoPath, message).path(*prefix));
        }
    }
}
