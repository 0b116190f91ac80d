//! Instructions that put values together: memo, lists, dictionaries, and what names make.

use super::{
    machine::Machine,
    node::{Kept, Node, NodeId, Span},
    world::Rule,
    wrong::{Step, Wrong, too_much, wrong},
};
use crate::faults::{Code, quoted_str};

/// Most bytes an entry of the memo takes, one of the map of places.
const MEMO: usize = 20;
const PLACE: usize = 28;

/// The refusal of a dictionary made of something else.
fn no_pairs() -> Wrong {
    Wrong(Code::Malformed, "makes a dictionary of other things than pairs.".into())
}

impl Machine<'_> {
    pub(super) fn get(&mut self, number: u32) -> Step<()> {
        match self.memo.get(&number) {
            Some(&id) => self.push(id),
            None => wrong(Code::Malformed, format!("asks for value {number} of the memo, which was never put there.")),
        }
    }

    pub(super) fn put(&mut self, number: u32) -> Step<()> {
        let id = self.top()?;
        self.take(MEMO)?;
        self.memo.insert(number, id);
        Ok(())
    }

    pub(super) fn append(&mut self, values: &[NodeId]) -> Step<()> {
        let target = self.top()?;
        let Node::List(list) = self.made.node(target) else {
            return wrong(Code::Malformed, format!("appends to {}; a list is wanted.", self.made.kind(target)));
        };
        let list = &mut self.made.lists[list as usize];
        self.setting.budget.room(list, values.len()).ok_or_else(too_much)?;
        list.extend_from_slice(values);
        Ok(())
    }

    pub(super) fn new_dict(&mut self) -> Step<u32> {
        self.setting.budget.room(&mut self.made.dicts, 1).ok_or_else(too_much)?;
        self.made.dicts.push(Vec::new());
        Ok(self.made.dicts.len() as u32 - 1)
    }

    /// Puts key, value, key, value, … into the dictionary on top.
    pub(super) fn set_items(&mut self, items: &[NodeId]) -> Step<()> {
        let target = self.top()?;
        let dict = match self.made.node(target) {
            Node::Dict(dict) => Some(dict),
            Node::Call(call) => self.made.calls[call as usize].items,
            _ => None,
        };
        let Some(dict) = dict else {
            let kind = self.made.kind(target);
            return wrong(Code::Malformed, format!("puts items into {kind}; a dictionary is wanted."));
        };
        let pairs = items.chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return wrong(Code::Malformed, "finds a key without a value.");
        }
        pairs.into_iter().try_for_each(|pair| self.set_item(dict, pair[0], pair[1]))
    }

    fn set_item(&mut self, dict: u32, key: NodeId, value: NodeId) -> Step<()> {
        let Some((known, taken)) = self.keys.known(&self.made, key) else {
            let kind = self.made.kind(key);
            return wrong(
                Code::Malformed,
                format!("has {kind} for a key; texts, numbers and tuples of those are keys."),
            );
        };
        let items = &mut self.made.dicts[dict as usize];
        let place = self.keys.place(dict, known, items.len());
        match items.get_mut(place) {
            Some(item) => {
                item.1 = value;
                self.take(taken)
            }
            None => {
                self.setting.budget.room(items, 1).ok_or_else(too_much)?;
                items.push((key, value));
                self.take(taken + PLACE)
            }
        }
    }

    pub(super) fn global(&mut self) -> Step<()> {
        let Some(lines) = self.reader.names() else {
            return wrong(Code::Truncated, "is not followed by two lines, a module and a name.");
        };
        let Ok(lines) = std::str::from_utf8(lines) else { return wrong(Code::Encoding, "names what is not UTF-8.") };
        if let Some(&same) = self.named.get(lines) {
            return self.push(same);
        }
        let name = lines.replacen('\n', ".", 1);
        let rule = match self.setting.world.rule(&name) {
            Ok(rule) => rule,
            Err(advice) => {
                let code = if advice.is_some() { Code::Unsupported } else { Code::Hostile };
                let (name, space) = (quoted_str(&name), if advice.is_some() { " " } else { "" });
                let advice = advice.unwrap_or_default();
                return wrong(
                    code,
                    format!("names {name}, which is not among the names that are read as values.{space}{advice}"),
                );
            }
        };
        self.take(name.len() + 64)?;
        self.made.globals.push(name);
        self.rules.push(rule);
        let id = self.new_node(Node::Global(self.made.globals.len() as u32 - 1))?;
        self.named.insert(lines, id);
        self.push(id)
    }

    pub(super) fn reduce(&mut self) -> Step<()> {
        let (global, rule, arguments) = self.called(|rule| rule.reduce, "calls")?;
        let items = match rule.items {
            true => Some(self.mapping(arguments)?),
            false => None,
        };
        self.made_of(Kept { global, arguments, state: None, items })
    }

    pub(super) fn new_object(&mut self) -> Step<()> {
        let (global, _, arguments) = self.called(|rule| rule.newobj, "makes a new object of")?;
        if arguments.length > 0 {
            return wrong(Code::Malformed, "makes a new object of something; of nothing is wanted.");
        }
        let items = Some(self.new_dict()?);
        self.made_of(Kept { global, arguments, state: None, items })
    }

    fn made_of(&mut self, kept: Kept) -> Step<()> {
        self.setting.budget.room(&mut self.made.calls, 1).ok_or_else(too_much)?;
        self.made.calls.push(kept);
        self.push_new(Node::Call(self.made.calls.len() as u32 - 1))
    }

    /// The name below the top, which must allow this, and the tuple on top.
    fn called(&mut self, allowed: impl Fn(&Rule) -> bool, does: &str) -> Step<(u32, Rule, Span)> {
        let arguments = self.pop()?;
        let callee = self.pop()?;
        let Node::Tuple(span) = self.made.node(arguments) else {
            return wrong(
                Code::Malformed,
                format!("has {} for arguments; a tuple is wanted.", self.made.kind(arguments)),
            );
        };
        let Node::Global(global) = self.made.node(callee) else {
            return wrong(Code::Malformed, format!("{does} {}; a name is wanted.", self.made.kind(callee)));
        };
        let rule = self.rules[global as usize];
        if !allowed(&rule) {
            let name = quoted_str(&self.made.globals[global as usize]);
            return wrong(Code::Malformed, format!("{does} {name}, which allows no such thing."));
        }
        Ok((global, rule, span))
    }

    /// A dictionary of the arguments of a mapping: at most one is a dictionary or a list of pairs, others are names.
    fn mapping(&mut self, arguments: Span) -> Step<u32> {
        let dict = self.new_dict()?;
        let (mut from, mut filled) = (arguments.start, false);
        let end = arguments.start + arguments.length;
        while from < end {
            let argument = self.made.elements[from as usize];
            from += 1;
            if matches!(self.made.node(argument), Node::Global(_) | Node::None) {
                continue;
            }
            let count = self.made.items(argument).map(<[_]>::len);
            let count = count.or_else(|| self.made.elements(argument).map(<[_]>::len));
            for at in 0..count.filter(|_| !std::mem::replace(&mut filled, true)).ok_or_else(no_pairs)? {
                let (key, value) = self.pair(argument, at).ok_or_else(no_pairs)?;
                self.set_item(dict, key, value)?;
            }
        }
        Ok(dict)
    }

    /// A pair of a dictionary, or of a list or tuple of such.
    fn pair(&self, of: NodeId, at: usize) -> Option<(NodeId, NodeId)> {
        if let Some(items) = self.made.items(of) {
            return items.get(at).copied();
        }
        let pair = self.made.elements(*self.made.elements(of)?.get(at)?)?;
        <[NodeId; 2]>::try_from(pair).ok().map(|[key, value]| (key, value))
    }

    pub(super) fn build(&mut self) -> Step<()> {
        let state = self.pop()?;
        let target = self.top()?;
        let call = match self.made.node(target) {
            Node::Call(call) if self.rules[self.made.calls[call as usize].global as usize].build => call,
            _ => {
                let kind = self.made.kind(target);
                return wrong(Code::Malformed, format!("hands a state to {kind}, which takes none."));
            }
        };
        let kept = &mut self.made.calls[call as usize];
        if kept.items.is_some() && !matches!(self.made.nodes[state as usize], Node::Dict(_)) {
            return wrong(Code::Malformed, "hands a dictionary a state that is none itself.");
        }
        kept.state = Some(state);
        Ok(())
    }

    pub(super) fn persistent(&mut self) -> Step<()> {
        let id = self.pop()?;
        match self.made.node(id) {
            Node::Tuple(_) => self.push_new(Node::Persistent(id)),
            _ => wrong(Code::Malformed, format!("has {} for a persistent id; a tuple is wanted.", self.made.kind(id))),
        }
    }
}
