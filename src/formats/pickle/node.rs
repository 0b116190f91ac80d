//! What a pickle says, as nodes that name one another by number.

use crate::tensor::Storage;

/// Number of a node.
pub type NodeId = u32;

/// Some of the bytes of a pickle, or of the elements of its tuples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// A value. What it holds besides itself is asked of the [`Pickle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// Nothing.
    None,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number of more than 64 bits.
    Long(Span),
    /// A number.
    Real(f64),
    /// Text; the same text is one node.
    Text(Span),
    /// An unchangeable list.
    Tuple(Span),
    /// A list.
    List(u32),
    /// A dictionary.
    Dict(u32),
    /// A set without elements; there is no instruction to put any in.
    Set,
    /// A name of the world outside of the pickle.
    Global(u32),
    /// What such a name makes of some arguments.
    Call(u32),
    /// Something kept outside of the pickle, by its id.
    Persistent(NodeId),
}

/// What a name made of its arguments. Nothing was called: this says what would have been.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a [NodeId],
    /// What was handed to it afterwards.
    pub state: Option<NodeId>,
}

/// A call as it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub global: u32,
    pub arguments: Span,
    pub state: Option<NodeId>,
    /// Number of the dictionary with its items, if it is a mapping.
    pub items: Option<u32>,
}

/// A pickle that has been read: one value, and what it is made of.
pub struct Pickle {
    pub(super) bytes: Storage,
    pub(super) root: NodeId,
    pub(super) end: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) elements: Vec<NodeId>,
    pub(super) lists: Vec<Vec<NodeId>>,
    pub(super) dicts: Vec<Vec<(NodeId, NodeId)>>,
    pub(super) globals: Vec<String>,
    pub(super) calls: Vec<Kept>,
}

impl Pickle {
    /// The value all of it makes.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// How many bytes it took.
    pub fn end(&self) -> usize {
        self.end
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// A node. Numbers come from this pickle alone.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    /// The bytes of a text, in WTF-8.
    pub fn text(&self, id: NodeId) -> Option<&[u8]> {
        match self.node(id) {
            Node::Text(span) => Some(self.span(span)),
            _ => None,
        }
    }

    /// A whole number of 64 bits.
    pub fn int(&self, id: NodeId) -> Option<i64> {
        match self.node(id) {
            Node::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The two's complement of a longer whole number, least byte first.
    pub fn long(&self, id: NodeId) -> Option<&[u8]> {
        match self.node(id) {
            Node::Long(span) => Some(self.span(span)),
            _ => None,
        }
    }

    /// The elements of a tuple or a list.
    pub fn elements(&self, id: NodeId) -> Option<&[NodeId]> {
        match self.node(id) {
            Node::List(list) => Some(&self.lists[list as usize]),
            _ => self.tuple(id),
        }
    }

    /// The elements of a tuple.
    pub fn tuple(&self, id: NodeId) -> Option<&[NodeId]> {
        match self.node(id) {
            Node::Tuple(span) => Some(self.part(span)),
            _ => None,
        }
    }

    /// The items of a dictionary, or of a call that made a mapping, in the order of their keys' first writing.
    pub fn items(&self, id: NodeId) -> Option<&[(NodeId, NodeId)]> {
        let dict = match self.node(id) {
            Node::Dict(dict) => Some(dict),
            Node::Call(call) => self.calls[call as usize].items,
            _ => None,
        };
        dict.map(|dict| &self.dicts[dict as usize][..])
    }

    /// The name of a global.
    pub fn global(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Global(global) => Some(&self.globals[global as usize]),
            _ => None,
        }
    }

    /// What a name made.
    pub fn call(&self, id: NodeId) -> Option<Call<'_>> {
        let Node::Call(call) = self.node(id) else { return None };
        let kept = &self.calls[call as usize];
        let name = &self.globals[kept.global as usize];
        Some(Call { name, arguments: self.part(kept.arguments), state: kept.state })
    }

    /// What kind of value a node is, for a message.
    pub fn kind(&self, id: NodeId) -> &'static str {
        match self.node(id) {
            Node::None => "nothing",
            Node::Bool(_) => "a truth value",
            Node::Int(_) | Node::Long(_) => "a whole number",
            Node::Real(_) => "a number",
            Node::Text(_) => "a text",
            Node::Tuple(_) => "a tuple",
            Node::List(_) => "a list",
            Node::Dict(_) => "a dictionary",
            Node::Set => "a set",
            Node::Global(_) => "a name",
            Node::Call(_) => "an object",
            Node::Persistent(_) => "a storage",
        }
    }

    fn span(&self, span: Span) -> &[u8] {
        &self.bytes.bytes()[span.start as usize..][..span.length as usize]
    }

    fn part(&self, span: Span) -> &[NodeId] {
        &self.elements[span.start as usize..][..span.length as usize]
    }
}
