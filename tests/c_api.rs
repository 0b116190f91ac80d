//! The C boundary from C: each program of `tests/c` is compiled against the built library, run, and must end well and silent.
#![allow(clippy::print_stdout)]
#![cfg(all(target_os = "linux", feature = "allocator"))]

mod c;

use std::{fs, path::Path, process::Command};

#[test]
fn whole_way() {
    let folder = tempfile::tempdir().unwrap();
    c::runs_silently("job.c", &[folder.path()]);
}

#[test]
fn hostile_host() {
    c::runs_silently("hostile.c", &[]);
}

#[test]
fn odd_calls() {
    c::runs_silently("odd.c", &[]);
}

#[test]
fn no_call_of_the_system_while_running() {
    if !c::have("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = c::compile(&c::root().join("tests/c/realtime.c"), &c::library(), folder.path());
    let output = Command::new(program).output().unwrap();
    match output.status.code() {
        Some(77) => println!("skipped: the kernel has no seccomp"),
        code => assert_eq!(code, Some(0), "{}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn host_allocator() {
    c::runs_silently("allocator.c", &[]);
}

#[test]
fn threads() {
    c::runs_silently("threads.c", &[]);
}

#[test]
fn dlpack() {
    c::runs_silently("dlpack.c", &[]);
}

#[test]
fn host_reader() {
    c::runs_silently("reader.c", &[]);
}

#[test]
fn sets() {
    c::runs_silently("sets.c", &[]);
}

#[test]
fn pytrees() {
    c::runs_silently("pytrees.c", &[]);
}

#[test]
fn cotangents() {
    c::runs_silently("cotangents.c", &[]);
}

#[test]
fn every_order_of_frees() {
    c::runs_silently("free_orders.c", &[]);
}

#[test]
fn reading_ahead_calls_nothing_of_the_host() {
    c::runs_silently("ahead.c", &[]);
}

#[test]
fn mocha() {
    c::runs_silently("mocha.c", &["full".as_ref(), &c::root().join("fixtures/mocha")]);
}

/// Under valgrind, with every byte accounted for.
#[test]
fn every_order_of_frees_leaks_nothing() {
    if !c::have("gcc") || !c::have("valgrind") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "free_orders.c",
        "dlpack.c",
        "reader.c",
        "ahead.c",
        "hostile.c",
        "sets.c",
        "pytrees.c",
        "cotangents.c",
        "mocha.c",
    ] {
        let program = c::compile(&c::root().join("tests/c").join(name), &c::library(), folder.path());
        // The argument leaves out what takes minutes there.
        c::must(c::valgrind(&program).arg("short").arg(c::root().join("fixtures/mocha")));
    }
}

#[test]
fn unloading_leaves_nothing() {
    c::runs_silently("unload.c", &[&c::library()]);
}

#[test]
fn panics_stay_inside() {
    if !c::have("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let library = c::debug_library();
    let program = c::compile(&c::root().join("tests/c/guard.c"), &library, folder.path());
    for backtrace in ["0", "1"] {
        let output = c::must(Command::new(&program).arg(&library).env("RUST_BACKTRACE", backtrace));
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    }
}

/// A model file of one dense layer, its weight as PyTorch has it, and its description.
fn model(folder: &Path) -> [std::path::PathBuf; 2] {
    let (numbers, words) = (folder.join("model.safetensors"), folder.join("network.json"));
    let header = concat!(
        r#"{"0.bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"#,
        r#""0.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]}}"#
    );
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0.5f32, 1.0, 2.0].iter().flat_map(|number| number.to_le_bytes()));
    fs::write(&numbers, bytes).unwrap();
    fs::write(&words, r#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]}"#).unwrap();
    [numbers, words]
}

#[test]
fn program_of_the_readme() {
    if !c::have("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = c::root().join("tests/c/readme.c");
    let [numbers, words] = model(folder.path());
    let program = c::compile(&source, &c::library(), folder.path());
    let output = c::must(Command::new(&program).args([&numbers, &words]));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3.5\n");
    fs::write(&words, r#"{"kind":"stack","layers":[{"kind":"dense","inputs":3,"outputs":1}]}"#).unwrap();
    let output = Command::new(&program).args([&numbers, &words]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("0.weight"));
}

#[test]
fn readme_shows_the_program() {
    let readme = fs::read_to_string(c::root().join("README.md")).unwrap();
    let block = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(block, fs::read_to_string(c::root().join("tests/c/readme.c")).unwrap());
    assert!(block.lines().count() <= 20);
}
