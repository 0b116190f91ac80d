//! C++: its tests, the same without exceptions, and the program of the README.

use crate::{c, model, said_all_passed};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// Compiles a file of `bindings/cpp/tests`.
pub fn compile(name: &str, more: &[&str], folder: &Path) -> PathBuf {
    let program = folder.join(name.replace('.', "-"));
    let named = folder.join("libpontil.so.1");
    let _ = fs::remove_file(&named);
    std::os::unix::fs::symlink(c::library(), &named).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O1", "-pthread"]).args(WARNINGS).args(more);
    compiler.arg("-I").arg(c::root().join("include")).arg("-I").arg(c::root().join("bindings/cpp/include"));
    compiler.arg(c::root().join("bindings/cpp/tests").join(name)).arg(c::library());
    compiler.arg(format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display()));
    c::must(compiler.arg("-o").arg(&program));
    program
}

#[test]
fn tests_of_the_binding() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    said_all_passed(Command::new(compile("tests.cpp", &[], folder.path())).env("TMPDIR", folder.path()));
    if c::have("valgrind") {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
        c::must(valgrind.arg(folder.path().join("tests-cpp")).env("TMPDIR", folder.path()));
    }
}

#[test]
fn without_exceptions() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [numbers, _] = model::write(folder.path(), 2);
    c::must(Command::new(compile("quiet.cpp", &["-fno-exceptions", "-fno-rtti"], folder.path())).arg(numbers));
}

#[test]
fn program_of_the_readme() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compile("readme.cpp", &[], folder.path());
    model::program_of_the_readme(folder.path(), || Command::new(&program));
    model::readme_shows("cpp", &c::root().join("bindings/cpp/tests/readme.cpp"));
}
