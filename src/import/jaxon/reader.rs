//! Reads attributes into items, each once: what a hint says is there, what a reference leads to, what is circular.

use super::{
    data,
    item::{Item, ItemId, Wanted},
    keep::Keep,
    older,
    table::{At, Below, State, TableId, Tables},
};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted_path, quoted_str},
    formats::{
        hdf5::{Datatype, Space, Value as Stored},
        jaxon::{self, Atom, argument},
    },
    import::PytreeOptions,
    limits::Limits,
    params::{Kind, Range, Value},
    tensor::DType,
};

/// As deep as a tree may be, and a little less, whatever the limits say.
const DEEPEST: usize = 500;

/// Reads a file.
pub(super) struct Reader<'a, 'f> {
    pub tables: Tables,
    pub items: Vec<Item>,
    /// Whether the file is one of Jaxon 1.
    pub older: bool,
    pub options: &'a PytreeOptions<'a>,
    pub keep_unknown: bool,
    pub keep: Keep<'a>,
    pub limits: Limits,
    /// Path of the node that is being read.
    pub path: Vec<u8>,
    /// How many keys that are trees it stands in: nothing is left out there.
    pub within_key: usize,
    pub depth: usize,
    /// How many values were asked for.
    pub visited: usize,
    /// Whether there are more than may be, which has been said.
    pub full: bool,
    pub faults: &'f mut Faults,
}

/// What is wrong has been said.
pub(super) type Made = Result<ItemId, Refused>;

impl Reader<'_, '_> {
    /// The item of an attribute.
    pub fn node(&mut self, at: At) -> Made {
        let made = self.asked(at)?;
        if self.within_key == 0 {
            self.keep.found(&self.path, made);
        }
        Ok(made)
    }

    /// The same: asked for, then known, then read.
    fn asked(&mut self, at: At) -> Made {
        if self.full {
            return Err(Refused(Code::Limit));
        }
        if self.visited == self.limits.entries {
            self.full = true;
            let says = format!("the file has more than {} values, the limit `max_entries`", self.limits.entries);
            return Err(self.fault(Code::Limit, at, says));
        }
        self.visited += 1;
        if self.within_key == 0 && !self.keep.wants(&self.path) {
            return self.item(Item::Skipped);
        }
        match self.tables.entry(at).map(|entry| entry.state) {
            Some(State::Done(item)) => return Ok(item),
            Some(State::Fresh) => {}
            Some(State::Busy) => return Err(self.circle(at)),
            Some(State::Failed) | None => return Err(Refused(Code::Malformed)),
        }
        self.tables.set(at, State::Busy);
        let mut passed = vec![at];
        let made = self.followed(&mut passed);
        let state = made.as_ref().map_or(State::Failed, |item| State::Done(*item));
        passed.into_iter().for_each(|at| self.tables.set(at, state));
        made
    }

    /// The item of the last of `passed`, which becomes longer by every reference that is followed.
    fn followed(&mut self, passed: &mut Vec<At>) -> Made {
        loop {
            let at = passed.last().copied().ok_or(Refused(Code::Internal))?;
            let Some(target) = self.refers_to(at)? else { return self.fresh(at) };
            if self.within_key == 0 && !self.keep.wants(&self.path) {
                return self.item(Item::Skipped);
            }
            match self.tables.entry(target).map(|entry| entry.state) {
                Some(State::Done(item)) => return Ok(item),
                Some(State::Busy) => return Err(self.circle(at)),
                Some(State::Failed) | None => return Err(Refused(Code::Malformed)),
                Some(State::Fresh) => {}
            }
            self.tables.set(target, State::Busy);
            passed.push(target);
        }
    }

    /// The attribute that an attribute refers to, if it is a reference.
    fn refers_to(&mut self, at: At) -> Result<Option<At>, Refused> {
        let Some(entry) = self.tables.entry(at) else { return Ok(None) };
        let (hint, value) = (entry.hint.clone(), entry.attribute.value().clone());
        let path = match (self.older, hint.as_str()) {
            (true, "ref") => self.text(&value, at)?,
            (false, "") if matches!(value.datatype(), Datatype::Text { .. }) => {
                match Atom::parse(&self.text(&value, at)?) {
                    Ok(Atom::Reference(path)) => path,
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        self.target(&path, at).map(Some)
    }

    /// The attribute at a path of the file.
    fn target(&mut self, path: &str, at: At) -> Result<At, Refused> {
        let names = jaxon::segments(path, self.older).unwrap_or_default();
        let Some((last, above)) = names.split_last() else {
            return Err(self.fault(Code::Malformed, at, format!("the reference '{}' is no path", quoted_str(path))));
        };
        let mut table: TableId = 0;
        for name in above {
            match self.tables.below(table, name, self.faults).map_err(|refused| self.lead(refused))? {
                Below::Table(below) => table = below,
                _ => return Err(self.dangling(path, at)),
            }
        }
        match self.tables.table(table).and_then(|table| table.find(last)) {
            Some(index) => Ok((table, index)),
            None => Err(self.dangling(path, at)),
        }
    }

    fn dangling(&mut self, path: &str, at: At) -> Refused {
        self.fault(Code::NoPath, at, format!("the reference '{}' leads to nothing", quoted_str(path)))
    }

    fn circle(&mut self, at: At) -> Refused {
        self.fault(Code::Circle, at, "references lead round in a circle".into())
    }

    /// Reads an attribute that is no reference.
    fn fresh(&mut self, at: At) -> Made {
        let entry = self.tables.entry(at).cloned().ok_or(Refused(Code::Internal))?;
        let value = entry.attribute.value();
        let said = match self.older {
            true => older::said(self, &entry, at)?,
            false => entry.hint.clone(),
        };
        let mut chain = said.split('#').map(jaxon::strip);
        let builtin = chain.next().unwrap_or_default();
        let Some((word, argument)) = argument(builtin) else { return Err(self.brackets(builtin, at)) };
        if (word == "jax.Array" && !self.older) != argument.is_some() {
            let says = format!("the hint '{}' has an argument too many, or too few", quoted_str(builtin));
            return Err(self.fault(Code::Malformed, at, says));
        }
        let mut item = match word {
            "" if self.older => older::atom(self, value, at)?,
            "" => self.atom(value, at)?,
            "dict" | "list" | "tuple" | "set" | "frozenset" => self.container(word, &entry.name, at)?,
            "jax.Array" => {
                let dtype = match argument {
                    Some(name) => jaxon::jax_type(name).map(Some),
                    None => Some(None),
                };
                let Some(dtype) = dtype else {
                    let says = format!("'{}' is no element type of JAX", quoted_str(argument.unwrap_or_default()));
                    return Err(self.fault(Code::DType, at, says));
                };
                data::jax(self, &entry, dtype, at)?
            }
            "numpy.ndarray" => data::found(self, &entry, Wanted::Numpy, at)?,
            "numpy.str_" => data::found(self, &entry, Wanted::Text, at)?,
            "numpy.bytes_" => data::found(self, &entry, Wanted::Bytes("numpy.bytes_"), at)?,
            "numpy.void" => data::found(self, &entry, Wanted::Void, at)?,
            "bytes" => data::found(self, &entry, Wanted::Bytes(""), at)?,
            "bytearray" => data::found(self, &entry, Wanted::Bytes("bytearray"), at)?,
            "memoryview" if self.older => data::found(self, &entry, Wanted::Bytes("memoryview"), at)?,
            other => {
                let says = format!("'{}' is no type of Jaxon", quoted_str(other));
                return Err(self.fault(Code::Unsupported, at, says));
            }
        };
        for hint in chain {
            item = self.marshaled(hint, item, at)?;
        }
        Ok(item)
    }

    fn brackets(&mut self, hint: &str, at: At) -> Refused {
        let says = format!("the hint '{}' has brackets out of place", quoted_str(hint));
        self.fault(Code::Malformed, at, says)
    }

    /// What a hint of a marshaler makes of an item.
    fn marshaled(&mut self, hint: &str, base: ItemId, at: At) -> Made {
        let Some((word, argument)) = argument(hint) else { return Err(self.brackets(hint, at)) };
        let skipped = matches!(self.items.get(base), Some(Item::Skipped));
        if skipped {
            return Ok(base);
        }
        let dict = matches!(self.items.get(base), Some(Item::Dict(_)));
        let known = match word {
            "dclass" if argument.is_none() || !dict => {
                let says = format!("the hint '{}' needs a class in brackets and a dictionary", quoted_str(hint));
                return Err(self.fault(Code::Malformed, at, says));
            }
            "jaxon" if argument.is_none() => {
                let says = format!("the hint '{}' needs a class in brackets", quoted_str(hint));
                return Err(self.fault(Code::Malformed, at, says));
            }
            "dill" if !self.options.allow_dill => {
                let says = "it is data of dill, a Python pickle, which can run code and is not loaded; the option \
                            `allow_dill` gives its bytes";
                return Err(self.fault(Code::Hostile, at, says.into()));
            }
            "dclass" | "jaxon" | "dill" => true,
            _ => self.older || self.options.unmarshal.is_some() || self.keep_unknown,
        };
        if !known || word.is_empty() {
            let says = format!(
                "nobody knows what to make of the hint '{}': give an unmarshaler, or keep unknown types",
                quoted_str(hint)
            );
            return Err(self.fault(Code::Type, at, says));
        }
        let added = self.fields(hint, base, at)?;
        self.item(Item::Object { hint: hint.into(), base, added })
    }

    /// A container and all in it.
    fn container(&mut self, word: &str, name: &str, at: At) -> Made {
        if self.depth >= self.limits.depth.min(DEEPEST) {
            let says = format!("containers stand deeper than {}, the limit `max_depth`", self.depth);
            return Err(self.fault(Code::Limit, at, says));
        }
        let path = self.path.len();
        let table = match self.tables.below(at.0, name, self.faults).map_err(|refused| self.lead(refused))? {
            Below::Table(table) => table,
            Below::Nothing => {
                let says = format!("a group '{}' must stand behind it, and there is none", quoted_str(name));
                return Err(self.fault(Code::Absent, at, says));
            }
            Below::Other => {
                let says = format!("a group '{}' must stand behind it, and that is none", quoted_str(name));
                return Err(self.fault(Code::Kind, at, says));
            }
        };
        self.depth += 1;
        let item = match word {
            "dict" => self.dict(table),
            word => self.sequence(word, table),
        };
        self.depth -= 1;
        self.path.truncate(path);
        item
    }

    fn sequence(&mut self, word: &str, table: TableId) -> Made {
        let mark = self.faults.mark();
        let path = self.path.len();
        let mut children = Vec::new();
        for index in 0..self.tables.table(table).map_or(0, |table| table.entries.len()) {
            self.path.extend(format!("/{index}").into_bytes());
            if let Ok(item) = self.node((table, index)) {
                let kept = !matches!(word, "set" | "frozenset") || self.is_hashable(item);
                match kept {
                    true => children.push(item),
                    false => {
                        let says = "a set can not hold what can be changed, like a list";
                        self.fault(Code::Kind, (table, index), says.into());
                    }
                }
            }
            self.path.truncate(path);
        }
        self.faults.refused_since(mark)?;
        let kind = match word {
            "list" => Kind::List,
            "tuple" => Kind::Tuple,
            "set" => Kind::Set,
            _ => Kind::FrozenSet,
        };
        self.item(Item::Branch(kind, children))
    }

    /// A value without a hint: a text that says what it is, or a number as NumPy has it.
    fn atom(&mut self, value: &Stored, at: At) -> Made {
        if matches!(value.datatype(), Datatype::Text { .. } | Datatype::LongText { .. }) {
            let text = self.text(value, at)?;
            return match Atom::parse(&text) {
                Ok(atom) => self.said(atom, at),
                Err(wrong) => Err(self.fault(Code::Malformed, at, format!("its value {}", wrong.0))),
            };
        }
        self.native(value, at)
    }

    /// A number as NumPy has it.
    pub fn native(&mut self, value: &Stored, at: At) -> Made {
        if *value.space() != Space::Scalar {
            let says = "an attribute without a hint holds one value, and this is an array";
            return Err(self.fault(Code::Malformed, at, says.into()));
        }
        let value = data::scalar(value, self.faults).map_err(|refused| self.lead(refused))?;
        let type_name = if matches!(value, Value::Opaque(_)) { "numpy.generic" } else { "" };
        self.item(Item::Leaf { value, type_name, simple: false })
    }

    /// The text of an attribute's value: of fixed length and UTF-8, one of it.
    pub fn text(&mut self, value: &Stored, at: At) -> Result<String, Refused> {
        let fixed = matches!(value.datatype(), Datatype::Text { utf8: true, .. });
        if !fixed || *value.space() != Space::Scalar {
            let says =
                format!("its value is {}, and one text of fixed length in UTF-8 is wanted", value.datatype().says());
            return Err(self.fault(Code::Malformed, at, says));
        }
        let text = value.text(self.faults).map_err(|refused| self.lead(refused))?;
        match text.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.fault(Code::Encoding, at, "its value is not UTF-8".into())),
        }
    }

    /// The item of an atom.
    pub fn said(&mut self, atom: Atom, at: At) -> Made {
        let simple = atom.is_simple();
        let value = match atom {
            Atom::None => Value::None,
            Atom::Ellipsis => Value::Ellipsis,
            Atom::Bool(is) => Value::Bool(is),
            Atom::Text(text) => Value::Text(text.into()),
            Atom::Int(digits) => digits.parse().map_or(Value::BigInt(digits), Value::Int),
            Atom::Real(number) => Value::Real(number),
            Atom::Complex(re, im) => Value::Complex(re, im),
            Atom::Range(parts) => match parts.each_ref().map(|part| part.parse::<i64>()) {
                [Ok(first), Ok(end), Ok(step)] => Value::Range(Box::new(Range { first, step, end })),
                _ => return Err(self.fault(Code::Unsupported, at, "a range has bounds of more than 64 bits".into())),
            },
            Atom::Slice(parts) => return older::slice(self, *parts, at),
            Atom::Reference(_) => {
                return Err(self.fault(Code::Malformed, at, "a reference stands where none may".into()));
            }
        };
        self.item(Item::Leaf { value, type_name: "", simple })
    }

    /// Adds an item.
    pub fn item(&mut self, item: Item) -> Made {
        self.items.push(item);
        Ok(self.items.len() - 1)
    }

    /// Where an attribute stands, in the file's words.
    pub fn place(&self, at: At) -> Text {
        self.tables.entry(at).map(|entry| entry.attribute.value().path().clone()).unwrap_or_default()
    }

    /// Says what is wrong with an attribute: half a sentence.
    pub fn fault(&mut self, code: Code, at: At, says: String) -> Refused {
        let path = Text::from_wtf8(&self.path);
        let offset = self.tables.entry(at).map(|entry| entry.attribute.value().place());
        let fault = Fault::new(code, format!("'{}': {says}.", quoted_path(&path))).path(path);
        self.faults.refuse(fault.place(self.place(at)).offset(offset))
    }

    /// Gives the last fault, which the seam under us made, the path of the node.
    pub fn lead(&mut self, refused: Refused) -> Refused {
        let path = Text::from_wtf8(&self.path);
        if let Some(fault) = self.faults.iter_mut().last() {
            fault.path = path;
        }
        refused
    }

    /// The element type that an attribute or dataset of Jaxon 1 has of itself.
    pub fn own_type(&mut self, datatype: &Datatype, at: At) -> Result<DType, Refused> {
        let dtype = datatype.dtype().filter(|dtype| jaxon::jax_name(*dtype).is_some());
        dtype.ok_or_else(|| {
            let says = format!("the element type of an array of JAX is lost: the file has {}", datatype.says());
            self.fault(Code::DType, at, says)
        })
    }
}
