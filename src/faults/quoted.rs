//! How hostile text is shown in a message: escaped, on one line, cut at 200 UTF-16 units.
//!
//! CR, LF and tab by name; other control characters as `\x` and two digits; format characters, line and paragraph
//! separators and lone surrogates as `\u` and four digits (two escaped surrogate halves beyond the BMP); backslash doubled.
//! The 200 units count escapes; an escape or a surrogate pair is never split. A cut text ends in `… (N characters)`,
//! N being its whole length in UTF-16 units. Unlike DeepSharp's rule, format characters beyond the BMP (U+E0001) are
//! escaped as well: they are as invisible as the others.

use super::Text;
use std::fmt::Write;
use unicode_general_category::{GeneralCategory, get_general_category};

const SHOWN: usize = 200;

/// Shows raw text of a file.
pub fn quoted(text: &Text) -> String {
    show(units(text.as_bytes()))
}

/// Shows the path of a node in a set: that of the root, which is empty, as `/`.
pub fn quoted_path(path: &Text) -> String {
    if path.is_empty() { "/".into() } else { quoted(path) }
}

/// Shows text that is known to be UTF-8.
pub fn quoted_str(text: &str) -> String {
    show(text.chars().map(Unit::Char))
}

enum Unit {
    Char(char),
    Surrogate(u16),
}

fn show(units: impl Iterator<Item = Unit>) -> String {
    let (mut out, mut shown, mut total, mut cut) = (String::new(), 0, 0, false);
    for unit in units {
        total += match unit {
            Unit::Char(c) => c.len_utf16(),
            Unit::Surrogate(_) => 1,
        };
        if cut {
            continue;
        }
        let piece = piece(&unit);
        let length = piece.encode_utf16().count();
        cut = shown + length > SHOWN;
        if !cut {
            shown += length;
            out.push_str(&piece);
        }
    }
    if cut {
        let _ = write!(out, "\u{2026} ({total} characters)");
    }
    out
}

fn piece(unit: &Unit) -> String {
    match *unit {
        Unit::Surrogate(half) => format!("\\u{half:04x}"),
        Unit::Char('\r') => "\\r".into(),
        Unit::Char('\n') => "\\n".into(),
        Unit::Char('\t') => "\\t".into(),
        Unit::Char('\\') => "\\\\".into(),
        Unit::Char(c) => match get_general_category(c) {
            GeneralCategory::Control => format!("\\x{:02x}", c as u32),
            GeneralCategory::Format | GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => {
                c.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |mut s, half| {
                    let _ = write!(s, "\\u{half:04x}");
                    s
                })
            }
            _ => c.into(),
        },
    }
}

/// Walks WTF-8: a surrogate stands as `ED A0..BF 80..BF`, which UTF-8 forbids; any other bad byte reads as U+FFFD.
fn units(mut bytes: &[u8]) -> impl Iterator<Item = Unit> {
    std::iter::from_fn(move || {
        let good = match std::str::from_utf8(&bytes[..bytes.len().min(4)]) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        if let Some(c) = good.chars().next() {
            bytes = &bytes[c.len_utf8()..];
            return Some(Unit::Char(c));
        }
        match *bytes {
            [] => None,
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
                bytes = &bytes[3..];
                Some(Unit::Surrogate(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)))
            }
            _ => {
                bytes = &bytes[1..];
                Some(Unit::Char('\u{FFFD}'))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors() {
        for (text, shown) in [
            ("\n".repeat(150), format!("{}… (150 characters)", "\\n".repeat(100))),
            (format!("m{}", "\u{202e}".repeat(40)), format!("m{}… (41 characters)", "\\u202e".repeat(33))),
            (format!("{}\u{1F600}", "m".repeat(199)), format!("{}… (201 characters)", "m".repeat(199))),
            ("m".repeat(200), "m".repeat(200)),
            ("m".repeat(201), format!("{}… (201 characters)", "m".repeat(200))),
            ("\u{ad}".into(), "\\u00ad".into()),
            ("\u{a0}".into(), "\u{a0}".into()),
            ("\0\u{1}\u{1b}\u{7f}\u{85}\u{9f}".into(), "\\x00\\x01\\x1b\\x7f\\x85\\x9f".into()),
            ("a\\b\r\n\t".into(), "a\\\\b\\r\\n\\t".into()),
            ("\u{2028}\u{2029}".into(), "\\u2028\\u2029".into()),
            ("\u{E0001}".into(), "\\udb40\\udc01".into()),
        ] {
            assert_eq!(quoted_str(&text), shown);
            assert_eq!(quoted(&Text::from(text)), shown);
        }
        for (bytes, shown) in [
            (&b"extra\xED\xB2\x80"[..], "extra\\udc80"),
            (b"end\xED\xA0\xBD", "end\\ud83d"),
            (b"\xED\xB2\x80\xED\xA0\x80", "\\udc80\\ud800"),
            (b"\xFFa", "\u{FFFD}a"),
        ] {
            assert_eq!(quoted(&Text::from_wtf8(bytes)), shown);
        }
    }
}
