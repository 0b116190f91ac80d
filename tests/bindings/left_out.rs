//! Which functions of the header a binding uses, and which it says it leaves out.

use crate::c;
use std::{collections::BTreeSet, fs, path::Path};

/// The names `pon_*` in the files of a folder, its generated ones left aside.
fn used(folder: &Path, endings: &[&str], into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            used(&path, endings, into);
        } else if endings.iter().any(|end| name.ends_with(end)) && !name.ends_with(".g.cs") && name != "api.jl" {
            let text = fs::read_to_string(path).unwrap();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            into.extend(words.filter(|word| word.starts_with("pon_")).map(str::to_owned));
        }
    }
}

/// What is not as it must be: a function that is neither used nor left out, or both, or left out and not there.
pub fn wrong(sources: &str, endings: &[&str], list: &str, functions: &[String]) -> Vec<String> {
    let mut here = BTreeSet::new();
    used(&c::root().join(sources), endings, &mut here);
    let text = fs::read_to_string(c::root().join(list)).unwrap_or_default();
    let left: Vec<(&str, &str)> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .collect();
    let mut wrong = Vec::new();
    for name in functions {
        let out = left.iter().any(|(one, _)| one == name);
        match (here.contains(name), out) {
            (false, false) => wrong.push(format!(
                "{name} is not used under {sources}: use it there, or add the line `{name} WHY` to {list}"
            )),
            (true, true) => wrong.push(format!("{name} is used and stands in {list}")),
            _ => {}
        }
    }
    for (name, why) in left {
        if !functions.iter().any(|one| one == name) {
            wrong.push(format!("{name} in {list} is no function of the header"));
        }
        if why.trim().is_empty() {
            wrong.push(format!("{name} in {list} has no reason"));
        }
    }
    wrong
}
