//! Writes `bindings/csharp/Pontil/Native.g.cs` and `Codes.g.cs`: all that the header declares, in the words of C# 7.2, without
//! anything that would have to be marshalled.

use super::kind::{Kind, Number, Root, sentence};
use crate::c::header::{Function, Header, Parameter};

const HEAD: &str =
    "// Generated from include/pontil.h by `PONTIL_WRITE_GOLDENS=1 cargo test --test bindings`; do not edit.\n";

const KEYWORDS: &[&str] = &["base", "checked", "in", "is", "object", "out", "params", "ref", "string", "to"];

/// Constants that hosts see, as enumerations: prefix, name, what it is.
const SHOWN: &[(&str, &str, &str)] = &[
    ("PON_E_", "Status", "What a call answered."),
    ("PON_DTYPE_", "ElementType", "What one number is."),
    ("PON_KIND_", "NodeKind", "What a node of a parameter set is."),
];

fn named(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("@{name}") } else { name.to_owned() }
}

fn kind(text: &str, header: &Header) -> String {
    let kind = Kind::of(text, header);
    let (base, stars) = match kind.root {
        Root::Void => ("void", kind.stars),
        Root::Text => ("byte", kind.stars),
        Root::Handle => ("IntPtr", kind.stars - 1),
        Root::Callback => ("IntPtr", kind.stars),
        Root::Struct => (kind.name.as_str(), kind.stars),
        Root::Number(Number::I32) => ("int", kind.stars),
        Root::Number(Number::U32) => ("uint", kind.stars),
        Root::Number(Number::I64) => ("long", kind.stars),
        Root::Number(Number::U64) => ("ulong", kind.stars),
        Root::Number(Number::F64) => ("double", kind.stars),
        Root::Number(Number::Size) => ("UIntPtr", kind.stars),
    };
    base.to_owned() + &"*".repeat(stars)
}

fn listed(parameters: &[Parameter], header: &Header) -> String {
    let one = |one: &Parameter| format!("{} {}", kind(&one.kind, header), named(&one.name));
    parameters.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn summary(doc: &str, indent: &str) -> String {
    let text = sentence(doc).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("{indent}/// <summary>{text}</summary>\n")
}

fn delegate(callback: &Function, name: &str, header: &Header) -> String {
    let answer = kind(&callback.answer, header);
    let head = "        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n";
    format!("{head}        internal delegate {answer} {name}({});\n\n", listed(&callback.parameters, header))
}

fn constant(value: &str) -> (&'static str, String) {
    let plain = value.trim_end_matches("ull");
    match plain.parse::<i128>().expect("a number") {
        number if i32::try_from(number).is_ok() => ("int", plain.to_owned()),
        number if u32::try_from(number).is_ok() => ("uint", plain.to_owned()),
        _ => ("ulong", plain.to_owned()),
    }
}

/// The raw layer.
pub fn native(header: &Header) -> String {
    let mut text = HEAD.to_owned();
    text += "using System;\nusing System.Runtime.InteropServices;\n\nnamespace Pontil\n{\n";
    text += "    /// <summary>The C interface as it is. Lengths of text are always given.</summary>\n";
    text += "    internal static unsafe partial class Native\n    {\n";
    for (name, value) in header.constants.iter().filter(|(_, value)| value != "SIZE_MAX") {
        let (of, value) = constant(value);
        text += &summary(&header.docs[name], "        ");
        text += &format!("        internal const {of} {name} = {value};\n\n");
    }
    for callback in &header.callbacks {
        text += &delegate(callback, &callback.name, header);
    }
    for (name, fields) in &header.structs {
        for callback in fields.iter().filter_map(|field| field.callback(String::new())) {
            text += &delegate(&callback, &format!("{name}_{}", callback.name), header);
        }
        text += &summary(&header.docs[name], "        ");
        text += &format!("        [StructLayout(LayoutKind.Sequential)]\n        internal struct {name}\n        {{\n");
        for field in fields {
            text += &format!("            internal {} {};\n", kind(&field.kind, header), named(&field.name));
        }
        text += "        }\n\n";
    }
    for function in &header.functions {
        text += &summary(&function.doc, "        ");
        text += "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n";
        let answer = kind(&function.answer, header);
        let parameters = listed(&function.parameters, header);
        text += &format!("        internal static extern {answer} {}({parameters});\n\n", function.name);
    }
    text.truncate(text.trim_end().len());
    text + "\n    }\n}\n"
}

fn pascal(name: &str) -> String {
    let word = |word: &str| word[..1].to_owned() + &word[1..].to_lowercase();
    name.split('_').map(word).collect()
}

/// The enumerations that hosts see.
pub fn codes(header: &Header) -> String {
    let mut text = HEAD.to_owned() + "\nnamespace Pontil\n{\n";
    for (prefix, name, what) in SHOWN {
        text += &format!("    /// <summary>{what} An open set: a newer library may have others.</summary>\n");
        text += &format!("    public enum {name}\n    {{\n");
        for (constant, value) in &header.constants {
            let bare = match constant.as_str() {
                "PON_OK" | "PON_STOPPED" if *name == "Status" => constant.strip_prefix("PON_"),
                _ => constant.strip_prefix(prefix),
            };
            if let Some(bare) = bare {
                text += &summary(&header.docs[constant], "        ");
                text += &format!("        {} = {value},\n\n", pascal(bare));
            }
        }
        text.truncate(text.trim_end().len());
        text += "\n    }\n\n";
    }
    text.truncate(text.trim_end().len());
    text + "\n}\n"
}
