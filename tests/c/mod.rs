//! What the tests of the C boundary share: the built library, the compiler, and the header read as text.
#![allow(dead_code)]

pub mod compilers;
pub mod header;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Under which everything C must compile.
pub const WARNINGS: &[&str] = &["-pedantic-errors", "-Wall", "-Wextra", "-Wpadded", "-Werror"];

/// Root of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a program is there; says so if not.
pub fn have(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("skipped: {program} is not installed");
    }
    there
}

/// The library that cargo built beside this test.
pub fn library() -> PathBuf {
    let library = env::current_exe().unwrap().with_file_name("libpontil.so");
    assert!(library.is_file(), "{} is not built", library.display());
    library
}

/// The library with `debug-entries`, built in a folder of its own; for speed without the tool and without optimisation.
pub fn debug_library() -> PathBuf {
    let target = root().join("target/debug-entries");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["rustc", "--lib", "--crate-type", "cdylib"]);
    cargo.args(["--no-default-features", "--features", "debug-entries"]);
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none");
    cargo.arg("--target-dir").arg(&target).args(["--quiet"]);
    must(&mut cargo);
    target.join("debug/libpontil.so")
}

/// Runs a program that must end well; gives what it said.
pub fn must(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n");
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}

/// A program under valgrind, which fails on any wrong access and on what nothing points to at the end.
pub fn valgrind(program: &Path) -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    valgrind.arg(program);
    valgrind
}

/// The compiler of C with the warnings and folders of every test.
fn gcc() -> Command {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-pthread", "-Wno-padded"]).args(&WARNINGS[..3]).arg("-Werror");
    gcc.arg("-I").arg(root().join("include")).arg("-I").arg(root().join("tests/c"));
    gcc
}

/// Compiles a C file of `tests/c` to a library that is loaded before a program's own.
pub fn preloaded(name: &str, folder: &Path) -> PathBuf {
    let source = root().join("tests/c").join(name);
    let made = folder.join(name).with_extension("so");
    must(gcc().args(["-shared", "-fPIC"]).arg(source).arg("-ldl").arg("-o").arg(&made));
    made
}

/// Compiles a C file of `tests/c` against a library; gives the program.
pub fn compile(source: &Path, library: &Path, folder: &Path) -> PathBuf {
    let program = folder.join(source.file_stem().unwrap());
    let mut gcc = gcc();
    gcc.arg(source);
    // A program that opens the library by itself must not have it already.
    gcc.arg("-Wl,--as-needed").arg(library);
    // The program asks for the SONAME; a link of that name beside it answers, before any folder that Cargo names to the loader.
    let named = folder.join("libpontil.so.1");
    let _ = std::fs::remove_file(&named);
    std::os::unix::fs::symlink(library, &named).unwrap();
    must(
        gcc.arg("-ldl")
            .arg("-lm")
            .arg(format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display()))
            .arg("-o")
            .arg(&program),
    );
    program
}

/// Where `tests/setup` puts what the system does not have.
pub fn tools() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cache/pontil-tools");
    env::var_os("PONTIL_TOOLS").map_or_else(home, PathBuf::from)
}

/// Julia with the package, what it compiles kept in a folder; nothing, and said so, if there is none.
pub fn julia(depot: &Path) -> Option<Command> {
    let own = tools().join("julia/bin/julia");
    let julia = if own.is_file() { own } else { PathBuf::from("julia") };
    if Command::new(&julia).arg("--version").output().is_err() {
        println!("skipped: Julia is not there (tests/setup/julia.sh)");
        return None;
    }
    let mut program = Command::new(julia);
    program.args(["--startup-file=no", "--depwarn=error", "-O0"]);
    program.arg(format!("--project={}", root().join("bindings/julia").display()));
    program.env("JULIA_DEPOT_PATH", depot).env("PONTIL_LIBRARY", library());
    program.env_remove("LD_LIBRARY_PATH");
    Some(program)
}

/// Compiles and runs a program that must end well and say nothing.
pub fn runs_silently(name: &str, arguments: &[&Path]) {
    if !have("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compile(&root().join("tests/c").join(name), &library(), folder.path());
    let output = must(Command::new(program).args(arguments));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{name} wrote to stdout or stderr");
}
