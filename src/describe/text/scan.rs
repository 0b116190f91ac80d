//! A look at the text before it is parsed: the parser recurses, makes a node of every value, and lets pass some white space
//! and raw control characters that JSON does not.

use crate::faults::Code;
use crate::limits::Limits;

/// The first thing that bars the text from being parsed: its byte, code and sentence.
pub(super) fn first_fault(text: &str, limits: &Limits) -> Option<(usize, Code, String)> {
    let (mut depth, mut entries) = (0usize, 1usize);
    let (mut quoted, mut escaped) = (false, false);
    for (byte, c) in text.bytes().enumerate() {
        if quoted {
            match c {
                _ if c < b' ' => return Some((byte, Code::Syntax, "a raw control character within a text".into())),
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match c {
            b'"' => quoted = true,
            b'[' | b'{' => {
                depth += 1;
                entries += 1;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => entries += 1,
            b'\t' | b'\n' | b'\r' | b' '..=b'~' => {}
            _ => return Some((byte, Code::Syntax, "a character that JSON has within texts alone".into())),
        }
        if depth > limits.depth {
            return Some((byte, Code::Limit, format!("nested deeper than the limit of {}", limits.depth)));
        }
        if entries > limits.entries {
            return Some((byte, Code::Limit, format!("more values than the limit of {}", limits.entries)));
        }
    }
    None
}
