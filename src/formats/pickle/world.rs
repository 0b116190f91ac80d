//! What a pickle may name, and what it may do with it: said by whoever reads it.

/// What a pickle may do with a name that is allowed. Nothing is ever built or called: what a pickle asks for is noted down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(super) reduce: bool,
    pub(super) newobj: bool,
    pub(super) build: bool,
    pub(super) items: bool,
}

impl Rule {
    /// A thing that stands for itself.
    pub const CONSTANT: Rule = Rule { reduce: false, newobj: false, build: false, items: false };
    /// Called with arguments.
    pub const FUNCTION: Rule = Rule { reduce: true, ..Rule::CONSTANT };
    /// Called with arguments, and then handed a state.
    pub const OBJECT: Rule = Rule { build: true, ..Rule::FUNCTION };
    /// A dictionary with a name: made of nothing, of pairs or of a dictionary, by call or as a new object.
    pub const MAPPING: Rule = Rule { reduce: true, newobj: true, build: true, items: true };
}

/// The names a pickle may use.
pub trait World {
    /// What may be done with `module.name`. If nothing: a sentence on what would help, or none for a name that is in no
    /// file of numbers.
    fn rule(&self, name: &str) -> Result<Rule, Option<String>>;
}
