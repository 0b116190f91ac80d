//! The C header: made of `src/capi`, complete, and clean in every C and C++ standard it promises.
//!
//! `PONTIL_WRITE_GOLDENS=1` writes `include/pontil.h` anew instead of refusing a difference.
#![allow(clippy::print_stdout)]

mod c;

use c::header::{Header, text};
use std::{fs, path::Path, process::Command};

/// The files of `src/capi` that declare something, in the order of the header.
const FILES: &[&str] = &[
    "library",
    "allocator",
    "status",
    "text",
    "dtype",
    "parallel",
    "context",
    "faults",
    "cancel",
    "view",
    "tensor",
    "dlpack",
    "value",
    "params",
    "node",
    "change",
    "leaf_type",
    "layout",
    "walk",
    "cotangent",
    "description",
    "setting",
    "port",
    "network",
    "plan",
    "source",
    "dataset_options",
    "dataset",
    "pytree",
    "import_options",
    "import",
    "evaluation",
    "session",
    "bind",
    "save",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(root().join("include/cbindgen.toml")).expect("settings of cbindgen");
    let sources = FILES.iter().map(|file| root().join(format!("src/capi/{file}.rs")));
    let builder = sources.fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    let mut bytes = Vec::new();
    builder.generate().expect("a header").write(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn is_what_the_sources_say() {
    let path = root().join("include/pontil.h");
    let now = generated();
    if std::env::var_os("PONTIL_WRITE_GOLDENS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == now, "include/pontil.h differs from src/capi; write it with PONTIL_WRITE_GOLDENS=1");
}

#[test]
fn every_file_with_an_entry_is_listed() {
    for file in fs::read_dir(root().join("src/capi")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let declares = fs::read_to_string(&path).unwrap().contains("no_mangle");
        assert!(!declares || name == "debug" || FILES.contains(&name.as_str()), "{name}.rs is not in the header");
    }
}

#[test]
fn every_item_is_documented() {
    let header = Header::parse(&text());
    assert!(header.functions.len() > 20);
    let mut wrong = Vec::new();
    for function in &header.functions {
        let lines = ["Owns: ", "Nullable: ", "Threads: ", "Errors: ", "Since: "];
        for line in lines {
            if function.doc.matches(&format!("\n{line}")).count() != 1 {
                wrong.push(format!("{}: `{line}` stands not exactly once", function.name));
            }
        }
        if function.doc.trim_start().starts_with("Owns") {
            wrong.push(format!("{}: no sentence", function.name));
        }
        for nullable in function.nullable() {
            if !function.parameters.iter().any(|parameter| parameter.name == nullable) {
                wrong.push(format!("{}: Nullable names `{nullable}`, which is no parameter", function.name));
            }
        }
    }
    wrong.extend(header.undocumented.iter().map(|item| format!("{item}: no sentence")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_status_and_type_is_there() {
    let header = Header::parse(&text());
    for code in pontil::faults::Code::ALL {
        let found = header.constants.iter().any(|(name, value)| {
            let status = name == "PON_OK" || name == "PON_STOPPED" || name.starts_with("PON_E_");
            status && value == &code.number().to_string()
        });
        assert!(found, "{} has no constant", code.name());
    }
    for dtype in pontil::tensor::DType::ALL {
        let name = format!("PON_DTYPE_{}", dtype.name());
        assert!(header.constants.contains(&(name, (*dtype as i32).to_string())), "{} has no constant", dtype.name());
    }
    let statuses = header.constants.iter().filter(|(name, _)| name.starts_with("PON_E_")).count();
    assert_eq!(statuses + 2, pontil::faults::Code::ALL.len());
    for (name, _) in &header.constants {
        assert!(name.starts_with("PON_"), "{name} has no prefix");
    }
}

#[test]
fn compiles_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        "#include \"pontil.h\"\n#include \"pontil.h\"\n#include \"pontil_debug.h\"\nint main(void) { return 0; }\n";
    for (compiler, extension, standards) in
        [("gcc", "c", ["c99", "c11", "c17"]), ("g++", "cpp", ["c++11", "c++17", "c++20"])]
    {
        if !c::have(compiler) {
            continue;
        }
        let file = folder.path().join(format!("twice.{extension}"));
        fs::write(&file, source).unwrap();
        for standard in standards {
            let mut call = Command::new(compiler);
            call.arg(format!("-std={standard}")).args(c::WARNINGS).arg("-fsyntax-only").arg("-I");
            call.arg(root().join("include")).arg(&file);
            if extension == "c" {
                call.arg("-Wstrict-prototypes");
            }
            c::must(&mut call);
        }
    }
}
