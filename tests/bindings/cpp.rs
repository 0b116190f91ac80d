//! C++: its tests, the same without exceptions, and the program of the README.

use crate::{
    c::{self, compilers::cpp},
    model, said_all_passed,
};
use std::process::Command;

#[test]
fn tests_of_the_binding() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    said_all_passed(Command::new(cpp("tests.cpp", &[], folder.path())).env("TMPDIR", folder.path()));
    if c::have("valgrind") {
        c::must(c::valgrind(&folder.path().join("tests-cpp")).env("TMPDIR", folder.path()));
    }
}

#[test]
fn without_exceptions() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [numbers, _] = model::write(folder.path(), 2);
    c::must(Command::new(cpp("quiet.cpp", &["-fno-exceptions", "-fno-rtti"], folder.path())).arg(numbers));
}

#[test]
fn program_of_the_readme() {
    if !c::have("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = cpp("readme.cpp", &[], folder.path());
    model::program_of_the_readme(folder.path(), || Command::new(&program));
    model::readme_shows("cpp", &c::root().join("bindings/cpp/tests/readme.cpp"));
}
