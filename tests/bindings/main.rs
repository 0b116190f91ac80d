//! The bindings: their raw layers are what the header says, every function of it is used or left out for a stated reason, and
//! each language's own tests pass.
//!
//! `PONTIL_WRITE_GOLDENS=1` writes the raw layers anew instead of refusing a difference.
#![allow(clippy::print_stdout)]
#![cfg(target_os = "linux")]

#[path = "../c/mod.rs"]
mod c;
mod cpp;
mod csharp;
mod julia;
mod left_out;
mod model;
mod raw;

use c::header::{Header, text};
use std::{env, fs, process::Command};

/// Each binding, where it is written by hand, and how those files end.
const BINDINGS: &[(&str, &str, &[&str])] = &[
    ("cpp", "bindings/cpp/include", &[".hpp"]),
    ("csharp", "bindings/csharp/Pontil", &[".cs"]),
    ("julia", "bindings/julia/src", &[".jl"]),
];

/// Runs a program of tests, which closes with `N passed, N failed`.
fn said_all_passed(program: &mut Command) {
    let output = c::must(program);
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with(" passed, 0 failed") && !last.starts_with("0 "), "{said}");
}

fn written(path: &str, now: &str) {
    let place = c::root().join(path);
    if env::var_os("PONTIL_WRITE_GOLDENS").is_some() {
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, now).unwrap();
    }
    let before = fs::read_to_string(&place).unwrap_or_default();
    let mend = "write it anew with PONTIL_WRITE_GOLDENS=1 cargo test --test bindings";
    assert!(before == now, "{path} is not what include/pontil.h says; {mend}");
}

#[test]
fn raw_layers_are_what_the_header_says() {
    let header = Header::parse(&text());
    written("bindings/csharp/Pontil/Native.g.cs", &raw::csharp::native(&header));
    written("bindings/csharp/Pontil/Codes.g.cs", &raw::csharp::codes(&header));
    written("bindings/julia/src/api.jl", &raw::julia::api(&header));
}

#[test]
fn every_function_is_used_or_left_out_for_a_reason() {
    let functions: Vec<String> = Header::parse(&text()).functions.into_iter().map(|one| one.name).collect();
    let mut wrong = Vec::new();
    for (language, sources, endings) in BINDINGS {
        let list = format!("bindings/{language}/left_out.txt");
        wrong.extend(left_out::wrong(sources, endings, &list, &functions));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
