//! Which nodes of a file are wanted: what the host's prefixes and its filter say of a path.

use crate::{
    faults::{Code, Fault, Faults, Text, quoted_str},
    import::{Filter, PytreeOptions},
};

/// What is wanted.
pub(super) struct Keep<'a> {
    /// Each with whether it met a node.
    prefixes: Vec<(&'a str, bool)>,
    filter: Option<Filter<'a>>,
}

impl<'a> Keep<'a> {
    /// What the options say.
    pub fn new(options: &'a PytreeOptions<'a>) -> Keep<'a> {
        let prefixes = options.prefixes.iter().map(|prefix| (prefix.trim_end_matches('/'), false));
        Keep { prefixes: prefixes.collect(), filter: options.filter }
    }

    /// Whether the node at a path is wanted: one that stands above, at or below a prefix, and that the filter takes.
    pub fn wants(&mut self, path: &[u8]) -> bool {
        let begins = |long: &[u8], short: &[u8]| {
            long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        let mut wanted = self.prefixes.is_empty();
        for (prefix, met) in &mut self.prefixes {
            let prefix = prefix.as_bytes();
            *met |= prefix == path;
            wanted |= begins(path, prefix) || begins(prefix, path);
        }
        wanted && self.filter.is_none_or(|filter| filter.0(&Text::from_wtf8(path)))
    }

    /// Says which prefixes met nothing, unless the filter may have hidden it.
    pub fn unmet(&self, faults: &mut Faults) {
        for (prefix, _) in self.prefixes.iter().filter(|(_, met)| !met && self.filter.is_none()) {
            let message = format!("There is nothing at '{}', which is to be loaded.", quoted_str(prefix));
            faults.push(Fault::new(Code::NoPath, message).path(*prefix));
        }
    }
}
