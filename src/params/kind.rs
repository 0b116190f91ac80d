//! What a node of a tree can be.

use super::NodeId;
use crate::{
    faults::Text,
    tensor::{DType, Storage, Tensor},
};

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal;)*) => {
        /// The kind of a node. The number is `pon_kind` in the C header. Kinds below 32 are branches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum Kind { $($(#[$doc])* $variant = $number,)* }

        impl Kind {
            /// The kind of a number of the C header.
            pub fn from_number(number: i32) -> Option<Kind> {
                match number { $($number => Some(Kind::$variant),)* _ => None }
            }

            /// What a message calls it.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    /// Children by name: a named tuple, a dictionary of texts, a state dict.
    Named = 1, "a named branch";
    /// The same, kept as the root of a parameter set.
    Parameters = 2, "a parameter set";
    /// Children by place.
    List = 3, "a list";
    /// Children by place, of a fixed number.
    Tuple = 4, "a tuple";
    /// Children in no order that counts.
    Set = 5, "a set";
    /// The same, unchangeable in its own world.
    FrozenSet = 6, "a frozen set";
    /// Children whose keys are trees themselves.
    Map = 7, "a map";
    /// Fields of a type with a name.
    Object = 8, "an object";
    /// A leaf of several parts: `storage` and maybe `metadata`.
    Structured = 9, "a structured leaf";

    /// An array of numbers.
    Tensor = 32, "a tensor";
    /// A whole number of 64 bits.
    Int = 33, "a whole number";
    /// A whole number of any length.
    BigInt = 34, "a long whole number";
    /// A number.
    Real = 35, "a number";
    /// Real and imaginary part.
    Complex = 36, "a complex number";
    /// True or false.
    Bool = 37, "a truth value";
    /// Text.
    Text = 38, "a text";
    /// Bytes.
    Bytes = 39, "bytes";
    /// Nothing.
    None = 40, "nothing";
    /// Python's `...`.
    Ellipsis = 41, "an ellipsis";
    /// A range of whole numbers.
    Range = 42, "a range";
    /// One number of an element type of its own.
    Scalar = 43, "a typed scalar";
    /// Elements of a type of its own: records, texts of fixed length, floats of 80 bits.
    Opaque = 45, "an array of opaque elements";
    /// A leaf that was left out on purpose.
    NotLoaded = 44, "a leaf that was not loaded";
    /// The same object as a node before.
    Reference = 64, "a reference";
}

impl Kind {
    /// Whether it holds children.
    pub fn is_branch(self) -> bool {
        (self as i32) < 32
    }

    /// Whether its children go by place and have no keys that are text.
    pub fn is_positional(self) -> bool {
        matches!(self, Kind::List | Kind::Tuple | Kind::Set | Kind::FrozenSet | Kind::Map)
    }

    /// Whether it is a branch of a type with a name.
    pub fn is_typed(self) -> bool {
        matches!(self, Kind::Object | Kind::Structured)
    }
}

/// What a leaf holds.
#[derive(Clone, Debug)]
pub enum Value {
    /// An array of numbers.
    Tensor(Tensor),
    /// A whole number.
    Int(i64),
    /// A whole number of more than 64 bits, in decimal digits.
    BigInt(String),
    /// A number.
    Real(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text.
    Text(Text),
    /// Bytes.
    Bytes(Box<[u8]>),
    /// True or false.
    Bool(bool),
    /// One number of an element type of its own: a tensor without axes.
    Scalar(Tensor),
    /// Elements of a type of its own.
    Opaque(Box<Opaque>),
    /// A range.
    Range(Box<Range>),
    /// Nothing.
    None,
    /// Python's `...`.
    Ellipsis,
    /// The same object as a node of the same tree.
    Reference(NodeId),
    /// Left out on purpose.
    NotLoaded,
}

/// Elements of a type that is no element type of tensors, packed, slowest axis first.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// What an element is, in NumPy's words: `|S4` (4 bytes of text), `|V4` (4 bytes), `<f16` and `<c32` (floats of 80 bits, one
    /// or two), or for a record a JSON list of its fields, each `[name, type]` or `[name, type, lengths]`; a field without a
    /// name is a gap.
    pub descr: Text,
    /// Lengths of the axes; none of a single element.
    pub shape: Vec<usize>,
    /// The elements.
    pub bytes: Storage,
}

/// A range of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first number.
    pub first: i64,
    /// The step; never 0.
    pub step: i64,
    /// The number it ends before.
    pub end: i64,
}

impl Value {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Tensor(_) => Kind::Tensor,
            Value::Int(_) => Kind::Int,
            Value::BigInt(_) => Kind::BigInt,
            Value::Real(_) => Kind::Real,
            Value::Complex(..) => Kind::Complex,
            Value::Text(_) => Kind::Text,
            Value::Bytes(_) => Kind::Bytes,
            Value::Bool(_) => Kind::Bool,
            Value::Scalar(_) => Kind::Scalar,
            Value::Opaque(_) => Kind::Opaque,
            Value::Range(_) => Kind::Range,
            Value::None => Kind::None,
            Value::Ellipsis => Kind::Ellipsis,
            Value::Reference(_) => Kind::Reference,
            Value::NotLoaded => Kind::NotLoaded,
        }
    }

    /// The element type of a leaf that holds numbers; that of a plain number is the 64-bit one.
    pub fn eltype(&self) -> Option<DType> {
        match self {
            Value::Tensor(tensor) | Value::Scalar(tensor) => Some(tensor.dtype()),
            Value::Int(_) => Some(DType::I64),
            Value::Real(_) => Some(DType::F64),
            Value::Complex(..) => Some(DType::C128),
            Value::Bool(_) => Some(DType::Bool),
            _ => None,
        }
    }

    /// The lengths of the axes of a leaf that holds numbers, slowest first; none of a single number.
    pub fn shape(&self) -> Option<&[usize]> {
        match self {
            Value::Tensor(tensor) | Value::Scalar(tensor) => Some(tensor.shape()),
            Value::Int(_) | Value::Real(_) | Value::Complex(..) | Value::Bool(_) => Some(&[]),
            _ => None,
        }
    }
}
