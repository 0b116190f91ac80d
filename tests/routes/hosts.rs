//! The routes of the other languages: each is a program that takes the list and writes what it found to a file.

use crate::{
    c::{
        self,
        compilers::{cpp, csharp, csharp_binding, runtimes},
    },
    spoken,
};
use std::{fs, path::Path, process::Command};

/// Runs a route: the list, and where it speaks; gives what it said.
pub type Route = Box<dyn Fn(&Path, &Path) -> Vec<u8>>;

fn running(make: impl Fn() -> Command + 'static) -> Route {
    Box::new(move |list, out| {
        c::must(make().env_remove("LD_LIBRARY_PATH").arg(list).arg(out));
        spoken(out)
    })
}

/// The routes that can be had here; says which can not.
pub fn all(folder: &Path) -> Vec<(&'static str, Route)> {
    let mut routes: Vec<(&'static str, Route)> = Vec::new();
    if c::have("gcc") {
        let program = c::compile(&c::root().join("tests/c/route.c"), &c::library(), folder);
        routes.push(("C", running(move || Command::new(&program))));
    }
    if c::have("g++") {
        let program = cpp("route.cpp", &[], folder);
        routes.push(("C++", running(move || Command::new(&program))));
    }
    if c::have("mcs") {
        csharp_binding(folder);
        let program = csharp(&["tests/Route.cs"], &["Pontil.dll"], "Route.exe", folder);
        fs::copy(c::library(), folder.join("libpontil.so")).unwrap();
        for (name, runtime) in runtimes() {
            let program = program.clone();
            routes.push((
                name,
                running(move || {
                    let mut command = Command::new(&runtime);
                    command.arg(&program);
                    command
                }),
            ));
        }
    }
    let depot = folder.join("depot");
    if c::julia(&depot).is_some() {
        routes.push((
            "Julia",
            running(move || {
                let mut command = c::julia(&depot).unwrap();
                command.arg(c::root().join("bindings/julia/test/route.jl"));
                command
            }),
        ));
    }
    routes
}
