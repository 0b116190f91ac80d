//! A network in words: what a host writes, a file says, or an importer makes. Nothing in here is checked; `graph` checks.

/// A description: layers by name, each with its kind, its attributes and where its inputs come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// How it was written.
    pub form: Form,
    /// The inputs. A stack has one; it may leave it out, then its shape follows from the first layer where that says it.
    pub inputs: Vec<Input>,
    /// The layers as written.
    pub layers: Vec<Layer>,
    /// Names of outputs and of the layers (or inputs) they come from; empty: the last layer, as `output`.
    pub outputs: Vec<Output>,
}

/// The forms of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `{"kind":"stack","layers":[…]}`: layers named `0`, `1`, … unless they have a `name`; those of an inner stack `0.0`,
    /// `0.1`, ….
    Stack,
    /// `{"kind":"graph","inputs":[…],"layers":[…],"outputs":[…]}`.
    Graph,
    /// `{"kind":"code","layers":[…]}`: layers of a network whose order of running is unknown; it takes numbers and can not run.
    Code,
    /// `{"style":"torch","layers":[{"id","kind","module","args":{…},"inputs":[…]}]}`: PyTorch's words and PyTorch's axis
    /// order. `args` are the attributes; one more, `tied`, lists `[slot, path]` where the file has `"tied":{slot: path}`.
    Torch,
    /// `{"style":"mocha","inputs":[…],"layers":[{"kind","name","bottoms":[…],"tops":[…],"param_key",…}]}`: Mocha's words, axes
    /// and settings. `from` are the bottoms, `slots` is the `param_key`; the tops are an attribute that is a list of texts.
    Mocha,
}

/// An input of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Shape of one example, the batch left out; a free length is none. No shape: not known.
    pub shape: Option<Vec<Option<usize>>>,
    /// `F32`, `I64` or `I32`.
    pub dtype: crate::tensor::DType,
    /// Where it was written.
    pub position: Position,
}

/// An output of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The layer or input it comes from.
    pub from: String,
    /// Where it was written.
    pub position: Position,
}

/// A layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name, unique; dots allowed. In PyTorch's words the `id`.
    pub name: String,
    /// The word, e.g. `dense`; in PyTorch's words the class or function.
    pub kind: String,
    /// Path its slots stand under if not its name (two layers may share it); in PyTorch's words the `module`.
    pub slots: Option<String>,
    /// Settings, in order.
    pub attributes: Vec<Attribute>,
    /// Names of the layers or inputs it takes; empty: the layer before (the first: the first input).
    pub from: Vec<String>,
    /// Where it was written.
    pub position: Position,
}

/// A setting of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// Where it was written.
    pub position: Position,
}

/// A value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// JSON's null, Python's None.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
}

/// A place in the text of a description, counted from 1, columns in characters; noughts if it came from no text.
/// Two positions are always equal: descriptions compare by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl PartialEq for Position {
    fn eq(&self, _: &Position) -> bool {
        true
    }
}

/// The axis order a host wants at the ports of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Layout {
    /// `[batch, window axes, channels]`.
    #[default]
    ChannelsLast = 0,
    /// `[batch, channels, window axes]`.
    ChannelsFirst = 1,
    /// As the framework that the description comes from has it: PyTorch's words channels first, Pontil's channels last.
    AsFile = 2,
}
