//! The shape of the house: which module may name which, where `unsafe` may stand, how long a file may be, that every file
//! says what it is for and every dependency why it is there. Reads the sources as text.

use std::{collections::BTreeSet, fs, path::Path};

/// Everything below the data: faults, the bounds and the flag that run beside every call.
const BESIDE: &[&str] = &["faults", "limits", "cancel", "progress"];

/// Each module and the modules it may name besides itself and [`BESIDE`]. No row names a module that names it back.
/// `kernels` is a crate of its own, which names none of them.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("faults", &[]),
    ("limits", &[]),
    ("cancel", &[]),
    ("progress", &[]),
    ("tensor", &[]),
    ("kernels", &[]),
    ("params", &["tensor"]),
    ("source", &["tensor"]),
    ("formats", &["source", "tensor"]),
    ("describe", &["kernels", "params", "tensor"]),
    ("network", &["describe", "params", "tensor"]),
    ("device", &["kernels", "tensor"]),
    ("plan", &["device", "kernels", "network", "describe", "params", "tensor"]),
    ("session", &["plan", "device", "kernels", "network", "describe", "params", "tensor"]),
    ("save", &["network", "describe", "params", "formats", "source", "tensor"]),
    ("dataset", &["formats", "source", "tensor"]),
    ("mocha", &["dataset", "save", "network", "describe", "tensor"]),
    ("import", &["mocha", "network", "describe", "params", "formats", "source", "tensor"]),
    (
        "capi",
        &[
            "save", "import", "mocha", "dataset", "session", "plan", "device", "kernels", "network", "describe",
            "params", "formats", "source", "tensor",
        ],
    ),
];

/// Where `unsafe` may stand.
const UNSAFE: &[&str] = &["src/capi/", "src/source/map.rs", "kernels/src/", "src/device/", "src/session/step.rs"];

/// The folders of the product.
const SOURCES: &[&str] = &["src", "kernels/src"];

/// Most lines of a file.
const LINES: usize = 400;

struct File {
    /// Path from the root of the package, with slashes.
    path: String,
    text: String,
}

impl File {
    /// The first folder or file under `src`: the module it belongs to.
    fn module(&self) -> &str {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inner.split('/').next().unwrap().trim_end_matches(".rs")
    }

    /// How many modules lie between it and the crate.
    fn depth(&self) -> usize {
        let parts = self.path.split('/').count() - 1;
        if self.path.ends_with("/mod.rs") { parts - 1 } else { parts }
    }

    /// The code: no comments, no tests.
    fn code(&self) -> String {
        let lines = self.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        lines.map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn gather(folder: &Path, into: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            into.push(File { path: name, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

fn files(folders: &[&str]) -> Vec<File> {
    let mut all = Vec::new();
    for folder in folders {
        gather(&root().join(folder), &mut all);
    }
    assert!(all.len() > 20, "only {} files found", all.len());
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

fn none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The names that follow `prefix` in `code`: one, or each first name of a list in braces.
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        if !rest.starts_with('{') {
            names.extend(words(rest).next().map(str::to_owned));
            continue;
        }
        let mut depth = 0;
        let mut first = true;
        for (index, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => first = true,
                _ if depth == 1 && first && (c.is_alphabetic() || c == '_') => {
                    names.extend(words(&rest[index..]).next().map(str::to_owned));
                    first = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

#[test]
fn no_arrow_runs_back() {
    let modules: BTreeSet<&str> = MAY_NAME.iter().map(|(module, _)| *module).collect();
    let mut wrong = Vec::new();
    for file in files(SOURCES) {
        if file.path.starts_with("src/bin/") || ["src/lib.rs", "src/build.rs"].contains(&file.path.as_str()) {
            continue;
        }
        let Some((_, may)) = MAY_NAME.iter().find(|(module, _)| *module == file.module()) else {
            wrong.push(format!("{}: the table of this test does not know this module", file.path));
            continue;
        };
        let code = file.code();
        if words(&code).any(|word| word == "pontil_kernels") {
            wrong.push(format!("{}: the kernels are named `crate::kernels`", file.path));
        }
        let mut names = named(&code, "crate::");
        names.extend(named(&code, &"super::".repeat(file.depth())));
        for name in names {
            let fine = name == file.module() || BESIDE.contains(&name.as_str()) || may.contains(&name.as_str());
            if modules.contains(name.as_str()) && !fine {
                wrong.push(format!("{}: {} may not name {name}", file.path, file.module()));
            }
        }
    }
    none(wrong);
}

#[test]
fn the_table_has_no_circle() {
    let row = |module: &str| MAY_NAME.iter().position(|(name, _)| *name == module);
    for (at, (module, may)) in MAY_NAME.iter().enumerate() {
        for name in *may {
            assert!(row(name).is_some_and(|other| other < at), "{module} names {name}, which does not stand above it");
        }
    }
}

#[test]
fn names_are_found() {
    let code =
        "use crate::{faults::{Code, Fault}, tensor::View};\nlet a = crate::plan::Plan; use pontil_crate::save::X;";
    assert_eq!(named(code, "crate::").into_iter().collect::<Vec<_>>(), ["faults", "plan", "tensor"]);
}

#[test]
fn unsafe_stands_where_it_may() {
    let mut wrong = Vec::new();
    for file in files(SOURCES) {
        if !UNSAFE.iter().any(|place| file.path.starts_with(place)) && words(&file.code()).any(|word| word == "unsafe")
        {
            wrong.push(format!("{}: unsafe", file.path));
        }
    }
    none(wrong);
}

#[test]
fn files_are_short_and_begin_with_what_they_are_for() {
    let all = files(&[SOURCES, &["tests"]].concat());
    let mut wrong = Vec::new();
    for file in &all {
        if !file.text.starts_with("//! ") {
            wrong.push(format!("{}: no module comment at its beginning", file.path));
        }
        let lines = file.text.lines().count();
        if lines > LINES {
            wrong.push(format!("{}: {lines} lines", file.path));
        }
    }
    none(wrong);
}

#[test]
fn nothing_is_left_to_do() {
    let mut wrong = Vec::new();
    for file in files(&[SOURCES, &["tests"]].concat()).iter().filter(|file| file.path != "tests/architecture.rs") {
        for left in ["todo!(", "unimplemented!(", "TODO", "FIXME", "XXX"] {
            if file.text.contains(left) {
                wrong.push(format!("{}: {left}", file.path));
            }
        }
    }
    none(wrong);
}

#[test]
fn every_dependency_says_why() {
    let mut wrong = Vec::new();
    for file in ["Cargo.toml", "kernels/Cargo.toml"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let (mut within, mut before) = (false, "");
        for line in text.lines() {
            if line.starts_with('[') {
                within = line.trim_end_matches(']').ends_with("dependencies");
            } else if within && line.contains('=') && !before.starts_with('#') {
                wrong.push(format!("{file}: no comment before `{line}`"));
            }
            before = line;
        }
    }
    none(wrong);
}
