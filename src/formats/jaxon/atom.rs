//! Atoms: Python values that stand as text in an attribute's value, or as a key in its name.

use super::number::{complex, real, strip, whole};

/// A value that a text is.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// `None`.
    None,
    /// `...`.
    Ellipsis,
    /// A truth value.
    Bool(bool),
    /// A text, escapes resolved.
    Text(String),
    /// A whole number of any length: its decimal digits.
    Int(String),
    /// A number.
    Real(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// First number, end and step, as decimal digits.
    Range([String; 3]),
    /// `slice(first, end, step)` of Jaxon 1, each an atom.
    Slice(Box<[Atom; 3]>),
    /// Another place of the same file, as it is written.
    Reference(String),
}

/// Why a text is no atom, as half a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAtom(pub &'static str);

impl Atom {
    /// The atom that a text of Jaxon 2 is.
    pub fn parse(text: &str) -> Result<Atom, NotAnAtom> {
        let text = strip(text);
        match text {
            "" => return Err(NotAnAtom("is empty")),
            "None" => return Ok(Atom::None),
            "Ellipsis" => return Ok(Atom::Ellipsis),
            "True" => return Ok(Atom::Bool(true)),
            "False" => return Ok(Atom::Bool(false)),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix('\'') {
            return rest
                .strip_suffix('\'')
                .and_then(unescaped)
                .map(Atom::Text)
                .ok_or(NotAnAtom("is a text without end"));
        }
        let number = || {
            let int = whole(text).map(Atom::Int);
            int.or_else(|| real(text).map(Atom::Real)).or_else(|| complex(text).map(|(re, im)| Atom::Complex(re, im)))
        };
        if let Some(number) = number() {
            return Ok(number);
        }
        if text.starts_with("range") {
            return range(text).ok_or(NotAnAtom("is no range of two or three whole numbers with a step that is not 0"));
        }
        if text.starts_with('/') {
            return Ok(Atom::Reference(text.to_owned()));
        }
        Err(NotAnAtom("is neither a Python value nor a reference"))
    }

    /// Whether Jaxon would write each occurrence anew, and never a reference to it.
    pub fn is_simple(&self) -> bool {
        match self {
            Atom::Range(_) | Atom::Slice(_) => false,
            Atom::Text(text) => text.chars().count() < super::LONG_TEXT,
            _ => true,
        }
    }
}

/// The atom that a text of Jaxon 1 is: numbers name their type, texts have no escapes.
pub fn older_atom(text: &str) -> Result<Atom, NotAnAtom> {
    let within = |word: &str| text.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')');
    if let Some(rest) = text.strip_prefix('\'') {
        let inner = rest.strip_suffix('\'').ok_or(NotAnAtom("is a text without end"))?;
        return Ok(Atom::Text(inner.to_owned()));
    }
    let number = || {
        if let Some(inner) = within("int") {
            return whole(inner).map(Atom::Int);
        }
        if let Some(inner) = within("float") {
            return real(inner).map(Atom::Real);
        }
        if let Some(inner) = within("bool") {
            return Atom::parse(inner).ok().filter(|atom| matches!(atom, Atom::Bool(_)));
        }
        if let Some(inner) = within("complex") {
            return complex(inner).map(|(re, im)| Atom::Complex(re, im));
        }
        if let Some(inner) = within("slice") {
            let part = |part: &str| Atom::parse(part).or_else(|_| older_atom(strip(part))).ok();
            let parts: Option<Vec<Atom>> = inner.split(',').map(part).collect();
            return <[Atom; 3]>::try_from(parts?).ok().map(|parts| Atom::Slice(Box::new(parts)));
        }
        range(text)
    };
    match text {
        "None" => Ok(Atom::None),
        "Ellipsis" => Ok(Atom::Ellipsis),
        _ => number().ok_or(NotAnAtom("is no value of Jaxon 1")),
    }
}

/// A text as it stands between quotes.
pub fn escaped(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The text between two quotes; none if the last one belongs to an escape.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', None) => return None,
            ('\\', Some(&next @ ('\'' | '\\'))) => {
                chars.next();
                out.push(next);
            }
            (c, _) => out.push(c),
        }
    }
    Some(out)
}

fn range(text: &str) -> Option<Atom> {
    let inner = text.strip_prefix("range")?.strip_prefix('(')?.strip_suffix(')')?;
    let parts: Option<Vec<String>> = inner.split(',').map(whole).collect();
    match parts?.as_slice() {
        [first, end] => Some(Atom::Range([first.clone(), end.clone(), "1".to_owned()])),
        [_, _, step] if step == "0" => None,
        [first, end, step] => Some(Atom::Range([first.clone(), end.clone(), step.clone()])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_what_is_none() {
        for text in ["it's", "a\\b", "\\'", "x\\", "line\n\u{0}", "", "'"] {
            assert_eq!(Atom::parse(&escaped(text)), Ok(Atom::Text(text.into())), "{text:?}");
        }
        assert_eq!(Atom::parse(r"'a\n'"), Ok(Atom::Text(r"a\n".into())));
        for text in
            ["'abc", "'", r"'a\'", "", "  ", "true", "...", "0x10", "range(5)", "range(1,2,0)", "range(1,2,3,4)"]
        {
            assert!(Atom::parse(text).is_err(), "{text}");
        }
        assert_eq!(Atom::parse(" range( 1 , 5 )"), Ok(Atom::Range(["1", "5", "1"].map(String::from))));
        assert_eq!(Atom::parse("/a"), Ok(Atom::Reference("/a".into())));
    }

    #[test]
    fn older() {
        assert_eq!(older_atom("'it's'"), Ok(Atom::Text("it's".into())));
        assert_eq!(older_atom("int(-5)"), Ok(Atom::Int("-5".into())));
        assert_eq!(older_atom("bool(True)"), Ok(Atom::Bool(true)));
        assert!(older_atom("complex()").is_err() && older_atom("5").is_err() && older_atom("int(1.5)").is_err());
        let slice = [Atom::Int("1".into()), Atom::None, Atom::Int("2".into())];
        assert_eq!(older_atom("slice(1,None,2)"), Ok(Atom::Slice(Box::new(slice))));
    }
}
