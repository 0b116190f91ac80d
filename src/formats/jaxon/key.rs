//! The keys of attributes: a name, and behind a colon what the value is and who made it.

use super::number::strip;

/// Name and hint of an attribute's key. The colon is the last one behind the last quote; white space at the ends goes.
pub fn split(key: &str) -> (&str, &str) {
    match key.rfind(['\'', ':']) {
        Some(at) if key.as_bytes().get(at) == Some(&b':') => {
            let (name, hint) = key.split_at(at);
            (strip(name), strip(&hint[1..]))
        }
        _ => (strip(key), ""),
    }
}

/// A hint and the argument in its brackets; none if the brackets are out of place.
pub fn argument(hint: &str) -> Option<(&str, Option<&str>)> {
    match hint.strip_suffix(']') {
        None if hint.contains(['[', ']']) => None,
        None => Some((strip(hint), None)),
        Some(inner) => {
            let (word, argument) = inner.split_once('[')?;
            (!argument.contains(['[', ']']) && !word.contains(']')).then(|| (strip(word), Some(strip(argument))))
        }
    }
}

/// An attribute of a dictionary that holds a key or a value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `key(i)`.
    Key(usize),
    /// `value(i)`.
    Value(usize),
}

/// What the name of a dictionary's attribute says: part of an entry, or nothing of the kind. None if it begins like one and
/// is none.
pub fn entry(name: &str) -> Option<Option<Entry>> {
    let number = |rest: &str| {
        let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
        strip(inner).parse::<usize>().ok()
    };
    match (name.strip_prefix("key"), name.strip_prefix("value")) {
        (Some(rest), _) => number(rest).map(|index| Some(Entry::Key(index))),
        (_, Some(rest)) => number(rest).map(|index| Some(Entry::Value(index))),
        _ => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_keys_part() {
        for (key, parts) in [
            ("'a:b'", ("'a:b'", "")),
            ("'a:b':list", ("'a:b'", "list")),
            (" JAXON_ROOT : dict ", ("JAXON_ROOT", "dict")),
            ("0:#jaxon[m.T]", ("0", "#jaxon[m.T]")),
            ("5", ("5", "")),
            ("", ("", "")),
        ] {
            assert_eq!(split(key), parts, "{key}");
        }
        assert_eq!(argument("dict"), Some(("dict", None)));
        assert_eq!(argument("jax.Array[ float32 ]"), Some(("jax.Array", Some("float32"))));
        for wrong in ["a[", "a]", "a[b]]", "a[b[c]]", "a[b]c", "]"] {
            assert_eq!(argument(wrong), None, "{wrong}");
        }
        assert_eq!(entry("key( 3 )"), Some(Some(Entry::Key(3))));
        assert_eq!(entry("value(0)"), Some(Some(Entry::Value(0))));
        assert_eq!((entry("key(x)"), entry("keys"), entry("'key(0)'")), (None, None, Some(None)));
    }
}
