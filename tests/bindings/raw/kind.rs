//! A type of the C header as the writers of raw layers need it: what stands at its root and how many pointers lead there.

use crate::c::header::Header;

/// What stands at the root of a type.
#[derive(Clone, Copy, PartialEq)]
pub enum Root {
    Void,
    Text,
    Number(Number),
    /// An object that is not laid open.
    Handle,
    /// A struct that is.
    Struct,
    /// A function of the host.
    Callback,
}

/// A number of C.
#[derive(Clone, Copy, PartialEq)]
pub enum Number {
    I32,
    U32,
    I64,
    U64,
    F64,
    Size,
}

/// A type.
pub struct Kind {
    pub root: Root,
    /// The name at the root, without `struct` and `const`.
    pub name: String,
    /// How many pointers lead to it.
    pub stars: usize,
}

impl Kind {
    /// Reads a type as the header writes it.
    pub fn of(text: &str, header: &Header) -> Kind {
        if text.contains("(*") {
            return Kind { root: Root::Callback, name: text.to_owned(), stars: 0 };
        }
        let words = text.replace('*', " ");
        let name = words.split_whitespace().filter(|word| !["const", "struct"].contains(word)).collect::<String>();
        let stars = text.matches('*').count();
        let plain = header.aliases.iter().find(|(alias, _)| *alias == name).map_or(name.as_str(), |(_, plain)| plain);
        let root = match plain {
            "void" => Root::Void,
            "char" => Root::Text,
            "int32_t" => Root::Number(Number::I32),
            "uint32_t" => Root::Number(Number::U32),
            "int64_t" => Root::Number(Number::I64),
            "uint64_t" => Root::Number(Number::U64),
            "double" => Root::Number(Number::F64),
            "size_t" => Root::Number(Number::Size),
            _ if header.structs.iter().any(|(one, _)| *one == name) => Root::Struct,
            _ if header.callbacks.iter().any(|one| one.name == name) => Root::Callback,
            _ if text.contains("struct ") && stars > 0 => Root::Handle,
            _ => panic!("the header has a type that no binding knows: {text}; teach it to tests/bindings/raw/kind.rs"),
        };
        Kind { root, name, stars }
    }
}

/// The first sentence of a comment, in one line.
pub fn sentence(doc: &str) -> String {
    let plain = doc.split("\nOwns: ").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    match plain.find(". ") {
        Some(end) => plain[..=end].to_owned(),
        None => plain,
    }
}
