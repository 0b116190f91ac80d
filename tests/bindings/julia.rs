//! Julia: the package's tests, the program of the README, and a panic of the library under Julia's own way to open one.

use crate::{c, model, said_all_passed};
use std::fs;

#[test]
fn tests_of_the_binding() {
    let depot = tempfile::tempdir().unwrap();
    let Some(mut julia) = c::julia(depot.path()) else { return };
    let layouts = depot.path().join("layout.txt");
    said_all_passed(julia.arg(c::root().join("bindings/julia/test/runtests.jl")).arg(&layouts));
    let golden = fs::read_to_string(c::root().join("tests/abi/layout.txt")).unwrap();
    assert_eq!(fs::read_to_string(layouts).unwrap(), golden);
}

#[test]
fn eight_threads_share_one_network() {
    let depot = tempfile::tempdir().unwrap();
    let Some(mut julia) = c::julia(depot.path()).filter(|_| c::have("gcc")) else { return };
    julia.env("LD_PRELOAD", c::preloaded("eight.c", depot.path())).env("JULIA_NUM_THREADS", "8");
    said_all_passed(julia.arg(c::root().join("bindings/julia/test/threads.jl")));
}

#[test]
fn program_of_the_readme() {
    let depot = tempfile::tempdir().unwrap();
    if c::julia(depot.path()).is_none() {
        return;
    }
    let source = c::root().join("bindings/julia/test/readme.jl");
    model::program_of_the_readme(depot.path(), || {
        let mut julia = c::julia(depot.path()).unwrap();
        julia.arg(&source);
        julia
    });
    model::readme_shows("julia", &source);
}

/// Opened as Julia opens libraries by itself, with the names of the library bound deeply, a panic stays inside.
#[test]
fn a_panic_does_not_end_the_process() {
    let depot = tempfile::tempdir().unwrap();
    let Some(mut julia) = c::julia(depot.path()) else { return };
    let library = c::debug_library();
    let call = format!(
        "for i in 1:3; print(ccall((:pon_debug_panic, {:?}), Int32, (Ptr{{Cvoid}},), C_NULL), \" \"); end",
        library.display().to_string()
    );
    let output = c::must(julia.arg("-e").arg(call));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "900 900 900 ");
}
