//! Datatypes as they matter to a reader of networks: what an element is, told from the message's own bytes.

use crate::{faults::Text, tensor::DType};

/// What one element of an attribute or dataset is.
#[derive(Clone, Debug, PartialEq)]
pub enum Datatype {
    /// A whole number or a float that is an element type of tensors.
    Number {
        /// The element type.
        dtype: DType,
        /// Whether the most significant byte comes first.
        big: bool,
    },
    /// x87's float of 80 bits in 16 bytes, NumPy's `longdouble` there. The last 6 bytes are whatever they are.
    Extended,
    /// Bits, of `bytes` bytes. One byte of them is Julia's Bool.
    Bits {
        /// Bytes of one element.
        bytes: usize,
        /// Whether the most significant byte comes first.
        big: bool,
    },
    /// Text of a fixed number of bytes.
    Text {
        /// Bytes of one element.
        bytes: usize,
        /// How shorter text is filled up.
        padding: Padding,
        /// Whether it says it is UTF-8; else ASCII.
        utf8: bool,
    },
    /// Text of any length.
    LongText {
        /// Whether it says it is UTF-8; else ASCII.
        utf8: bool,
    },
    /// Bytes with a word about them.
    Opaque {
        /// Bytes of one element.
        bytes: usize,
        /// The word.
        tag: Text,
    },
    /// Fields side by side.
    Compound {
        /// Bytes of one element, gaps among them.
        bytes: usize,
        /// The fields, in the file's order.
        fields: Vec<Field>,
    },
    /// Names for whole numbers.
    Enum {
        /// What the numbers are.
        base: Box<Datatype>,
        /// Each name with the bytes of its number, in the file's order.
        names: Vec<(Text, Vec<u8>)>,
    },
    /// An array of elements within one.
    Array {
        /// Lengths of the axes, slowest first.
        lengths: Vec<usize>,
        /// What stands in it.
        element: Box<Datatype>,
    },
    /// Elements in any number.
    Sequence(Box<Datatype>),
    /// The address of an object of the same file.
    Reference,
    /// Known, and not read; the value behind it can not be had.
    Other {
        /// Bytes of one element.
        bytes: usize,
        /// What it is, in words.
        says: &'static str,
    },
}

/// A field of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Text,
    /// Its first byte within the element.
    pub offset: usize,
    /// What it is.
    pub datatype: Datatype,
}

/// How text of a fixed length is filled up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Ends at the first NUL; without one, at the end (Julia writes no NUL).
    NulTerminated,
    /// NULs at the end are no part of it.
    NulPadded,
    /// Blanks at the end are no part of it.
    BlankPadded,
}

impl Datatype {
    /// Bytes of one element as the file keeps it.
    pub fn bytes(&self) -> usize {
        match self {
            Datatype::Number { dtype, .. } => dtype.size().unwrap_or(1),
            Datatype::Bits { bytes, .. }
            | Datatype::Text { bytes, .. }
            | Datatype::Opaque { bytes, .. }
            | Datatype::Compound { bytes, .. }
            | Datatype::Other { bytes, .. } => *bytes,
            Datatype::Enum { base, .. } => base.bytes(),
            // Checked to fit when it was read.
            Datatype::Array { lengths, element } => {
                lengths.iter().fold(element.bytes(), |all, &length| all.saturating_mul(length))
            }
            Datatype::LongText { .. } | Datatype::Sequence(_) | Datatype::Extended => 16,
            Datatype::Reference => 8,
        }
    }

    /// The element type of a tensor of these: numbers, one byte of bits and the enum of FALSE and TRUE (both Bool), the
    /// compounds `r`, `i` and `re`, `im` of two equal floats (complex), and any other enum as its whole number.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Datatype::Number { dtype, .. } => Some(*dtype),
            Datatype::Bits { bytes: 1, .. } => Some(DType::Bool),
            Datatype::Enum { .. } if self.is_bool() => Some(DType::Bool),
            Datatype::Enum { base, .. } => base.dtype(),
            Datatype::Compound { .. } => self.complex(),
            _ => None,
        }
    }

    /// Whether it is an enum of one byte with exactly FALSE = 0 and TRUE = 1, which h5py keeps bools as.
    fn is_bool(&self) -> bool {
        let Datatype::Enum { base, names } = self else { return false };
        let named = |name: &str, number: u8| names.iter().any(|(n, bytes)| *n == *name && bytes[..] == [number]);
        base.bytes() == 1 && names.len() == 2 && named("FALSE", 0) && named("TRUE", 1)
    }

    fn complex(&self) -> Option<DType> {
        let Datatype::Compound { bytes, fields } = self else { return None };
        let [real, imaginary] = fields.as_slice() else { return None };
        let named = |r: &str, i: &str| real.name == *r && imaginary.name == *i;
        let whole = match real.datatype {
            Datatype::Number { dtype: DType::F32, .. } => DType::C64,
            Datatype::Number { dtype: DType::F64, .. } => DType::C128,
            _ => return None,
        };
        let half = real.datatype.bytes();
        let fits = real.datatype == imaginary.datatype && real.offset == 0 && imaginary.offset == half;
        (fits && *bytes == 2 * half && (named("r", "i") || named("re", "im"))).then_some(whole)
    }

    /// The size of the pieces whose bytes must be turned round for a little-endian machine; none if there are none.
    pub(super) fn turned(&self) -> Option<usize> {
        match self {
            Datatype::Number { big: true, .. } | Datatype::Bits { big: true, .. } => {
                Some(self.bytes()).filter(|&bytes| bytes > 1)
            }
            Datatype::Enum { base, .. } => base.turned(),
            Datatype::Compound { fields, .. } if self.complex().is_some() => fields.first()?.datatype.turned(),
            _ => None,
        }
    }

    /// Whether its numbers have their most significant byte first.
    pub fn is_big(&self) -> bool {
        self.turned().is_some()
    }

    /// What it is, in words, for messages.
    pub fn says(&self) -> String {
        match self {
            Datatype::Number { dtype, .. } => dtype.name().to_owned(),
            Datatype::Extended => "a float of 80 bits".to_owned(),
            Datatype::Bits { bytes, .. } => format!("bits of {bytes} bytes"),
            Datatype::Text { bytes, .. } => format!("text of {bytes} bytes"),
            Datatype::LongText { .. } => "text".to_owned(),
            Datatype::Opaque { bytes, .. } => format!("opaque bytes, {bytes} each"),
            Datatype::Compound { fields, .. } => match self.complex() {
                Some(dtype) => dtype.name().to_owned(),
                None => format!("a compound of {} fields", fields.len()),
            },
            Datatype::Enum { base, .. } => format!("an enum over {}", base.says()),
            Datatype::Array { element, .. } => format!("arrays of {}", element.says()),
            Datatype::Sequence(element) => format!("sequences of {}", element.says()),
            Datatype::Reference => "references to objects".to_owned(),
            Datatype::Other { says, .. } => (*says).to_owned(),
        }
    }
}
