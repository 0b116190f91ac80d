//! Writes `bindings/julia/src/api.jl`: all that the header declares, as constants, structs of bits and functions around `ccall`.

use super::kind::{Kind, Number, Root, sentence};
use crate::c::header::{Header, Parameter};

const HEAD: &str =
    "# Generated from include/pontil.h by `PONTIL_WRITE_GOLDENS=1 cargo test --test bindings`; do not edit.\n";

const KEYWORDS: &[&str] = &["begin", "end", "export", "function", "global", "import", "local", "module", "using"];

fn named(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("var\"{name}\"") } else { name.to_owned() }
}

fn kind(text: &str, header: &Header) -> String {
    let kind = Kind::of(text, header);
    let (base, stars) = match kind.root {
        Root::Void => ("Cvoid", kind.stars),
        Root::Text => ("UInt8", kind.stars),
        Root::Handle => ("Cvoid", kind.stars),
        Root::Callback => ("Ptr{Cvoid}", kind.stars),
        Root::Struct => (kind.name.as_str(), kind.stars),
        Root::Number(Number::I32) => ("Int32", kind.stars),
        Root::Number(Number::U32) => ("UInt32", kind.stars),
        Root::Number(Number::I64) => ("Int64", kind.stars),
        Root::Number(Number::U64) => ("UInt64", kind.stars),
        Root::Number(Number::F64) => ("Float64", kind.stars),
        Root::Number(Number::Size) => ("Csize_t", kind.stars),
    };
    "Ptr{".repeat(stars) + base + &"}".repeat(stars)
}

fn constant(value: &str) -> String {
    if value == "SIZE_MAX" {
        return "typemax(Csize_t)".to_owned();
    }
    let plain = value.trim_end_matches("ull");
    match plain.parse::<i128>().expect("a number") {
        number if i32::try_from(number).is_ok() => format!("Int32({plain})"),
        number if u32::try_from(number).is_ok() => format!("UInt32({plain})"),
        _ => format!("0x{:016x}", plain.parse::<u64>().expect("a number")),
    }
}

fn names(parameters: &[Parameter]) -> String {
    parameters.iter().map(|one| named(&one.name)).collect::<Vec<_>>().join(", ")
}

/// The raw layer.
pub fn api(header: &Header) -> String {
    let mut text = HEAD.to_owned() + "\n";
    for (name, value) in &header.constants {
        text += &format!("\"{}\"\nconst {name} = {}\n\n", quoted(&header.docs[name]), constant(value));
    }
    for (name, fields) in &header.structs {
        text += &format!("\"{}\"\nstruct {name}\n", quoted(&header.docs[name]));
        for field in fields {
            text += &format!("    {}::{}\n", named(&field.name), kind(&field.kind, header));
        }
        text += "end\n\n";
    }
    let structs: Vec<&str> = header.structs.iter().map(|(name, _)| name.as_str()).collect();
    text += &format!("const STRUCTS = ({},)\n\n", structs.join(", "));
    let entries: Vec<String> = header.functions.iter().map(|one| format!("    :{},\n", one.name)).collect();
    text += &format!("const ENTRIES = (\n{})\n\n", entries.concat());
    for (at, function) in header.functions.iter().enumerate() {
        let kinds: Vec<String> = function.parameters.iter().map(|one| kind(&one.kind, header)).collect();
        let kinds = if kinds.len() == 1 { format!("({},)", kinds[0]) } else { format!("({})", kinds.join(", ")) };
        let (name, given) = (&function.name, names(&function.parameters));
        let answer = kind(&function.answer, header);
        let comma = if given.is_empty() { "" } else { ", " };
        text += &format!("\"{}\"\n", quoted(&function.doc));
        text += &format!("{name}({given}) = ccall(address({}), {answer}, {kinds}{comma}{given})\n\n", at + 1);
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn quoted(doc: &str) -> String {
    sentence(doc).replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$")
}
