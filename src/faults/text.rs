//! Text as a file holds it: UTF-8, or WTF-8 where the file held a lone surrogate.

use std::fmt;

/// Raw text of a file or of the caller. Bytes are WTF-8: UTF-8 in which a lone surrogate may stand as its three bytes.
/// Shown to people through [`super::quoted`] alone.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(Box<[u8]>);

impl Text {
    /// Takes bytes that are WTF-8; other bytes are shown as U+FFFD when quoted.
    pub fn from_wtf8(bytes: &[u8]) -> Text {
        Text(bytes.into())
    }

    /// The bytes, without a NUL at the end.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into_bytes().into())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text::from(text.as_str())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", super::quoted(self))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::quoted(self))
    }
}
