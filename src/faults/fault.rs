//! One fault: what is wrong, where, and a sentence that says so.

use super::{Code, Text};

/// How grave a fault is. An error refuses the call; a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Severity {
    /// The call was refused.
    Error = 1,
    /// The call went on; the caller may want to know.
    Warning = 2,
}

impl Severity {
    /// `error` or `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A value that belongs to a fault, kept raw for programs.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Lengths of axes.
    Shape(Vec<usize>),
    /// Text, raw.
    Text(Text),
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What kind of fault.
    pub code: Code,
    /// How grave.
    pub severity: Severity,
    /// Dotted path of the slot, layer or node, raw; empty if none.
    pub path: Text,
    /// Where the file holds it, in the file's own words, raw; empty if none.
    pub place: Text,
    /// Byte in the source, if known.
    pub offset: Option<u64>,
    /// One line for people: at most 1,000 characters, no control characters; text of files in it is quoted.
    pub message: String,
    /// What the message is made of, by name.
    pub arguments: Vec<(&'static str, Argument)>,
}

impl Fault {
    /// An error with its sentence. Text of a file in `message` must have gone through [`super::quoted`].
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault {
            code,
            severity: Severity::Error,
            path: Text::default(),
            place: Text::default(),
            offset: None,
            message: one_line(message.into()),
            arguments: Vec::new(),
        }
    }

    /// The same as a warning.
    pub fn warning(mut self) -> Fault {
        self.severity = Severity::Warning;
        self
    }

    /// Names the slot, layer or node.
    pub fn path(mut self, path: impl Into<Text>) -> Fault {
        self.path = path.into();
        self
    }

    /// Names the place in the file, in the file's words.
    pub fn place(mut self, place: impl Into<Text>) -> Fault {
        self.place = place.into();
        self
    }

    /// Names the byte in the source.
    pub fn offset(mut self, offset: impl Into<Option<u64>>) -> Fault {
        self.offset = offset.into();
        self
    }

    /// Adds a raw value.
    pub fn argument(mut self, name: &'static str, value: Argument) -> Fault {
        self.arguments.push((name, value));
        self
    }
}

/// The last line of defence of the promise about messages, whatever a caller put in.
fn one_line(message: String) -> String {
    const LONGEST: usize = 1000;
    if message.chars().count() <= LONGEST && !message.chars().any(char::is_control) {
        return message;
    }
    let clean = message.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    let mut short: String = clean.take(LONGEST - 1).collect();
    if message.chars().count() > LONGEST {
        short.push('\u{2026}');
    }
    short
}
