//! One corpus, many routes: the same files, inputs, answers and faults through Rust, C, C++, C# on Mono and on .NET 8, and Julia; from
//! a path, from memory and from a stream. Every route must say the same, to the bit and to the letter; what each ran is printed as
//! a table.
#![allow(clippy::print_stdout)]
#![cfg(target_os = "linux")]

#[path = "../c/mod.rs"]
mod c;
mod corpus;
mod hosts;
#[path = "../support/mod.rs"]
mod support;
mod through_rust;

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

/// What a route said: the lines of each file and way, by its name and the way.
type Said = BTreeMap<Vec<u8>, Vec<Vec<u8>>>;

/// Reads lines `name<TAB>way<TAB>rest`.
fn said(text: &[u8]) -> Said {
    let mut said = Said::new();
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let second = line.iter().enumerate().filter(|(_, byte)| **byte == b'\t').nth(1).expect("a name and a way").0;
        said.entry(line[..second].to_vec()).or_default().push(line[second + 1..].to_vec());
    }
    said
}

fn count(said: &Said, word: &str) -> usize {
    said.values().filter(|lines| lines.iter().any(|line| line.starts_with(word.as_bytes()))).count()
}

fn row(name: &str, said: &Said, seconds: f64) {
    let faults: usize = said.values().flatten().filter(|line| line.starts_with(b"fault\t")).count();
    println!(
        "| {name:<12} | {:>6} | {:>8} | {:>7} | {:>5} | {:>5} | {:>8} | {faults:>6} | {seconds:>7.1} |",
        said.len(),
        count(said, "listing"),
        count(said, "answers"),
        count(said, "tree"),
        count(said, "set"),
        count(said, "refused"),
    );
}

/// The first difference to what Rust said.
fn difference(expected: &Said, other: &Said) -> Option<String> {
    let show = |lines: Option<&Vec<Vec<u8>>>| {
        lines.map_or("nothing".into(), |lines| String::from_utf8_lossy(&lines.join(&b'\n')).into_owned())
    };
    let keys = expected.keys().chain(other.keys().filter(|key| !expected.contains_key(*key)));
    keys.into_iter().find(|key| expected.get(*key) != other.get(*key)).map(|key| {
        let (one, its) = (show(expected.get(key)), show(other.get(key)));
        format!("{}:\nRust: {one}\nit:   {its}", String::from_utf8_lossy(key))
    })
}

#[test]
fn every_route_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let files = corpus::files(folder.path());
    let list = folder.path().join("corpus.tsv");
    fs::write(&list, files.iter().map(corpus::File::line).collect::<String>()).unwrap();
    println!("\n| route        |  reads | listings | answers | trees |  sets | refusals | faults | seconds |");
    println!("|--------------|--------|----------|---------|-------|-------|----------|--------|---------|");
    let start = Instant::now();
    let expected = said(&through_rust::all(&files));
    row("Rust", &expected, start.elapsed().as_secs_f64());
    let wrong: Vec<String> = (expected.iter())
        .filter(|(_, lines)| lines.iter().any(|line| line.ends_with(b"\twrong")))
        .map(|(key, _)| String::from_utf8_lossy(key).into_owned())
        .collect();
    assert!(wrong.is_empty(), "other answers than the framework's: {wrong:?}");
    for (word, least) in [("answers", 200), ("refused", 100), ("tree", 100), ("set", 50)] {
        assert!(count(&expected, word) > least, "{word}: {}", count(&expected, word));
    }

    let mut differ = Vec::new();
    for (name, route) in hosts::all(folder.path()) {
        let start = Instant::now();
        let got = said(&route(&list, &folder.path().join("said.tsv")));
        row(name, &got, start.elapsed().as_secs_f64());
        differ.extend(difference(&expected, &got).map(|first| format!("{name} differs first at {first}")));
    }
    assert!(differ.is_empty(), "\n{}", differ.join("\n"));
}

/// What a route said into a file.
fn spoken(path: &Path) -> Vec<u8> {
    let text = fs::read(path).unwrap();
    fs::remove_file(path).unwrap();
    text
}
