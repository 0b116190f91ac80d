//! The interpreter: a stack of values, marks in it, and a memo. No instruction calls anything, and none recurs.

use super::{
    keys::Keys,
    node::{Node, NodeId, Pickle, Span},
    opcode,
    reader::Reader,
    text::is_text,
    world::{Rule, World},
    wrong::{Step, Wrong, too_much, wrong},
};
use crate::{
    faults::{Argument, Code, Fault, Text, quoted},
    formats::Budget,
    limits::Limits,
    tensor::Storage,
};
use std::collections::BTreeMap;

/// Most values on the stack. What writes pickles lays down a thousand at a time.
const STACK: usize = 1 << 19;
/// How many values an entry may be made of: a tensor is made of about ten.
const VALUES: usize = 16;
/// Most marks in the stack: one for each branch that is still open.
const MARKS: usize = 1 << 16;

/// Most bytes an entry of the map of texts takes.
const TEXT: usize = 40;

/// What a pickle is read with.
pub struct Setting<'a> {
    /// Where it stands, in the file's words.
    pub place: &'a Text,
    /// Byte of the source at which it begins, if known.
    pub offset: Option<u64>,
    /// What memory for the values is taken from.
    pub budget: &'a Budget,
    /// The names it may use.
    pub world: &'a dyn World,
    /// Bounds of the context.
    pub limits: &'a Limits,
}

/// Reads the pickle at the beginning of `bytes`.
pub(super) fn run(bytes: &Storage, setting: &Setting<'_>) -> Result<Pickle, Fault> {
    let mut machine = Machine::new(bytes, setting);
    let before = setting.budget.left();
    let root = machine.all();
    // What only the machine itself needed is free again; after a refusal, all of it.
    let given = if root.is_ok() { machine.own() } else { before.saturating_sub(setting.budget.left()) };
    setting.budget.give(given);
    root.map(|root| Pickle { root, end: machine.reader.at, ..machine.made })
}

pub(super) struct Machine<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) setting: &'a Setting<'a>,
    pub(super) made: Pickle,
    stack: Vec<NodeId>,
    /// Height of the stack at each mark.
    marks: Vec<usize>,
    /// Where the values above a mark are laid down when they are taken from the stack.
    pub(super) above: Vec<NodeId>,
    pub(super) memo: BTreeMap<u32, NodeId>,
    texts: BTreeMap<&'a [u8], NodeId>,
    /// The node of each name, by the two lines it was written in.
    pub(super) named: BTreeMap<&'a str, NodeId>,
    /// What may be done with each name.
    pub(super) rules: Vec<Rule>,
    pub(super) keys: Keys,
    /// What the maps of the machine took of the budget.
    mapped: u64,
}

/// Nodes that stand at the beginning of every pickle: nothing, the truth values, a tuple and a set of nothing, and the
/// whole numbers of one byte.
const NONE: NodeId = 0;
const FALSE: NodeId = 1;
const TRUE: NodeId = 2;
const EMPTY_TUPLE: NodeId = 3;
const EMPTY_SET: NodeId = 4;
const SMALL: NodeId = 5;

impl<'a> Machine<'a> {
    fn new(bytes: &'a Storage, setting: &'a Setting<'a>) -> Machine<'a> {
        let empty = Span { start: 0, length: 0 };
        let mut nodes = vec![Node::None, Node::Bool(false), Node::Bool(true), Node::Tuple(empty), Node::Set];
        nodes.extend((0..=255).map(Node::Int));
        let made = Pickle {
            bytes: bytes.clone(),
            root: NONE,
            end: 0,
            nodes,
            elements: Vec::new(),
            lists: Vec::new(),
            dicts: Vec::new(),
            globals: Vec::new(),
            calls: Vec::new(),
        };
        Machine {
            reader: Reader { bytes: bytes.bytes(), at: 0 },
            setting,
            made,
            stack: Vec::new(),
            marks: Vec::new(),
            above: Vec::new(),
            memo: BTreeMap::new(),
            texts: BTreeMap::new(),
            named: BTreeMap::new(),
            rules: Vec::new(),
            keys: Keys::default(),
            mapped: 0,
        }
    }

    fn all(&mut self) -> Result<NodeId, Fault> {
        loop {
            let at = self.reader.at;
            let Some(byte) = self.reader.byte() else {
                return Err(self.fault(at, "the pickle", Wrong(Code::Truncated, "ends without STOP.".into())));
            };
            match self.step(byte) {
                Ok(None) => {}
                Ok(Some(root)) => return Ok(root),
                Err(wrong) => {
                    let unknown = format!("0x{byte:02X}");
                    return Err(self.fault(at, opcode::name(byte).unwrap_or(&unknown), wrong));
                }
            }
        }
    }

    /// `data.pkl, byte 7: REDUCE …`, for programs with the name of the instruction and its place in the pickle.
    fn fault(&self, at: usize, opcode: &str, Wrong(code, what): Wrong) -> Fault {
        let offset = self.setting.offset.and_then(|start| start.checked_add(at as u64));
        Fault::new(code, format!("{}, byte {at}: {opcode} {what}", quoted(self.setting.place)))
            .place(self.setting.place.clone())
            .offset(offset)
            .argument("instruction", Argument::Text(opcode.into()))
            .argument("byte", Argument::Int(at as i64))
    }

    /// One instruction; the value of the pickle if it was the last.
    fn step(&mut self, byte: u8) -> Step<Option<NodeId>> {
        match byte {
            b'(' => self.mark()?,
            b'.' => return self.pop().map(Some),
            b'G' => {
                let number = f64::from_be_bytes(self.read()?);
                self.push_new(Node::Real(number))?;
            }
            b'J' => {
                let number = i32::from_le_bytes(self.read()?);
                self.int(number.into())?;
            }
            b'K' => {
                let [number] = self.read()?;
                self.int(number.into())?;
            }
            b'M' => {
                let number = u16::from_le_bytes(self.read()?);
                self.int(number.into())?;
            }
            b'N' => self.push(NONE)?,
            b'Q' => self.persistent()?,
            b'R' => self.reduce()?,
            b'U' => {
                let [length] = self.read()?;
                self.text(length.into(), |bytes| std::str::from_utf8(bytes).is_ok())?;
            }
            b'X' => {
                let length = u32::from_le_bytes(self.read()?);
                self.text(length as usize, is_text)?;
            }
            b']' => {
                self.setting.budget.room(&mut self.made.lists, 1).ok_or_else(too_much)?;
                self.made.lists.push(Vec::new());
                self.push_new(Node::List(self.made.lists.len() as u32 - 1))?;
            }
            b'a' => {
                let value = self.pop()?;
                self.append(&[value])?;
            }
            b'b' => self.build()?,
            b'c' => self.global()?,
            b'e' => {
                let values = self.pop_to_mark()?;
                self.append(&values)?;
                self.above = values;
            }
            b'h' => {
                let [number] = self.read()?;
                self.get(number.into())?;
            }
            b'j' => {
                let number = u32::from_le_bytes(self.read()?);
                self.get(number)?;
            }
            b'q' => {
                let [number] = self.read()?;
                self.put(number.into())?;
            }
            b'r' => {
                let number = u32::from_le_bytes(self.read()?);
                self.put(number)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set_items(&[key, value])?;
            }
            b'u' => {
                let items = self.pop_to_mark()?;
                self.set_items(&items)?;
                self.above = items;
            }
            b't' => {
                let elements = self.pop_to_mark()?;
                self.tuple(&elements)?;
                self.above = elements;
            }
            0x85..=0x87 => {
                let mut elements = [NONE; 3];
                let elements = &mut elements[..usize::from(byte - 0x84)];
                for element in elements.iter_mut().rev() {
                    *element = self.pop()?;
                }
                self.tuple(elements)?;
            }
            b'}' => {
                let dict = self.new_dict()?;
                self.push_new(Node::Dict(dict))?;
            }
            b')' => self.push(EMPTY_TUPLE)?,
            0x8F => self.push(EMPTY_SET)?,
            0x80 => {
                // The protocol; what it would allow is refused by its own name.
                let [_] = self.read()?;
            }
            0x81 => self.new_object()?,
            0x88 => self.push(TRUE)?,
            0x89 => self.push(FALSE)?,
            0x8A => self.long()?,
            other => return Err(self.refused(other)),
        }
        Ok(None)
    }

    /// An instruction that is not followed, with what it would have reached for.
    fn refused(&mut self, byte: u8) -> Wrong {
        let target = match byte {
            b'i' => self.reader.names().map(|lines| quoted(&Text::from_wtf8(lines)).replacen("\\n", ".", 1)),
            0x93 => {
                let text = |at: Option<&NodeId>| at.and_then(|&id| self.made.text(id)).map(Text::from_wtf8);
                let (name, module) = (text(self.stack.last()), text(self.stack.iter().rev().nth(1)));
                module.zip(name).map(|(module, name)| format!("{}.{}", quoted(&module), quoted(&name)))
            }
            _ => None,
        };
        let of = target.map_or(String::new(), |target| format!("of {target} "));
        let help = if opcode::is_of_another_protocol(byte) { " Save the file with pickle_protocol=2." } else { "" };
        Wrong(Code::Hostile, format!("{of}is no instruction that a file of numbers needs, and is not followed.{help}"))
    }

    fn read<const N: usize>(&mut self) -> Step<[u8; N]> {
        self.reader.fixed().map_or_else(|| wrong(Code::Truncated, "is cut short."), Ok)
    }

    /// Takes memory for a map of the machine's own.
    pub(super) fn take(&mut self, bytes: usize) -> Step<()> {
        self.mapped += bytes as u64;
        self.setting.budget.take(bytes as u64).ok_or_else(too_much)
    }

    /// What only the machine itself needs, and nothing that was made.
    fn own(&self) -> u64 {
        let vecs = (self.stack.capacity() + self.above.capacity()) * size_of::<NodeId>()
            + self.marks.capacity() * size_of::<usize>();
        vecs as u64 + self.mapped
    }

    pub(super) fn push(&mut self, id: NodeId) -> Step<()> {
        if self.stack.len() >= STACK {
            return wrong(Code::Limit, format!("lays more than {STACK} values on the stack."));
        }
        self.setting.budget.room(&mut self.stack, 1).ok_or_else(too_much)?;
        self.stack.push(id);
        Ok(())
    }

    pub(super) fn new_node(&mut self, node: Node) -> Step<NodeId> {
        let id = self.made.nodes.len();
        if id >= self.setting.limits.entries.saturating_mul(VALUES).min(u32::MAX as usize) {
            return wrong(
                Code::Limit,
                format!("makes more than {id} values, {VALUES} for each of the limit `entries`."),
            );
        }
        self.setting.budget.room(&mut self.made.nodes, 1).ok_or_else(too_much)?;
        self.made.nodes.push(node);
        Ok(id as NodeId)
    }

    pub(super) fn push_new(&mut self, node: Node) -> Step<()> {
        let id = self.new_node(node)?;
        self.push(id)
    }

    fn int(&mut self, number: i64) -> Step<()> {
        match u8::try_from(number) {
            Ok(small) => self.push(SMALL + NodeId::from(small)),
            Err(_) => self.push_new(Node::Int(number)),
        }
    }

    fn long(&mut self) -> Step<()> {
        let [length] = self.read()?;
        let (start, length) = (self.reader.at as u32, usize::from(length));
        let Some(bytes) = self.reader.take(length) else { return wrong(Code::Truncated, "is cut short.") };
        let fill = if bytes.last().is_some_and(|&byte| byte >= 0x80) { 0xFF } else { 0 };
        if bytes.iter().skip(8).any(|&byte| byte != fill) || (length > 8 && (bytes[7] >= 0x80) != (fill == 0xFF)) {
            return self.push_new(Node::Long(Span { start, length: length as u32 }));
        }
        let mut number = [fill; 8];
        number.iter_mut().zip(bytes).for_each(|(to, &from)| *to = from);
        self.int(i64::from_le_bytes(number))
    }

    fn text(&mut self, length: usize, good: impl Fn(&[u8]) -> bool) -> Step<()> {
        let start = self.reader.at as u32;
        let Some(bytes) = self.reader.take(length) else {
            return wrong(Code::Truncated, format!("has {length} bytes of text, and the pickle ends before."));
        };
        if let Some(&same) = self.texts.get(bytes) {
            return self.push(same);
        }
        if !good(bytes) {
            return wrong(Code::Encoding, "holds text that is not UTF-8.");
        }
        self.take(TEXT)?;
        let id = self.new_node(Node::Text(Span { start, length: length as u32 }))?;
        self.texts.insert(bytes, id);
        self.push(id)
    }

    fn mark(&mut self) -> Step<()> {
        if self.marks.len() >= MARKS {
            return wrong(Code::Limit, format!("opens more than {MARKS} branches within one another."));
        }
        self.setting.budget.room(&mut self.marks, 1).ok_or_else(too_much)?;
        self.marks.push(self.stack.len());
        Ok(())
    }

    /// The value on top, of those above the last mark.
    pub(super) fn pop(&mut self) -> Step<NodeId> {
        let floor = self.marks.last().copied().unwrap_or(0);
        match self.stack.get(floor..).and_then(|above| above.last()) {
            Some(&id) => {
                self.stack.pop();
                Ok(id)
            }
            None => wrong(Code::Malformed, "finds no value on the stack."),
        }
    }

    /// The same value, left where it is.
    pub(super) fn top(&mut self) -> Step<NodeId> {
        let id = self.pop()?;
        self.stack.push(id);
        Ok(id)
    }

    /// The values above the last mark, which is taken away; laid down in [`Machine::above`], whereto they go back.
    pub(super) fn pop_to_mark(&mut self) -> Step<Vec<NodeId>> {
        let Some(mark) = self.marks.pop() else { return wrong(Code::Malformed, "finds no MARK on the stack.") };
        let mut above = std::mem::take(&mut self.above);
        above.clear();
        self.setting.budget.room(&mut above, self.stack.len() - mark).ok_or_else(too_much)?;
        above.extend(self.stack.drain(mark..));
        Ok(above)
    }

    fn tuple(&mut self, elements: &[NodeId]) -> Step<()> {
        if elements.is_empty() {
            return self.push(EMPTY_TUPLE);
        }
        self.setting.budget.room(&mut self.made.elements, elements.len()).ok_or_else(too_much)?;
        let start = self.made.elements.len() as u32;
        self.made.elements.extend_from_slice(elements);
        self.push_new(Node::Tuple(Span { start, length: elements.len() as u32 }))
    }
}
