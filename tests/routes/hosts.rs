//! The routes of the other languages: each is a program that takes the list and writes what it found to a file.

use crate::{c, spoken};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Runs a route: the list, and where it speaks; gives what it said.
pub type Route = Box<dyn Fn(&Path, &Path) -> Vec<u8>>;

fn running(make: impl Fn() -> Command + 'static) -> Route {
    Box::new(move |list, out| {
        c::must(make().env_remove("LD_LIBRARY_PATH").arg(list).arg(out));
        spoken(out)
    })
}

fn cpp(folder: &Path) -> PathBuf {
    let program = folder.join("cpp-route");
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg("-I").arg(c::root().join("include")).arg("-I").arg(c::root().join("bindings/cpp/include"));
    compiler.arg(c::root().join("bindings/cpp/tests/route.cpp")).arg(c::library());
    c::must(compiler.arg(format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display())).arg("-o").arg(&program));
    program
}

fn csharp(folder: &Path) -> PathBuf {
    let sources = c::root().join("bindings/csharp");
    let mcs = |output: &str, more: &[String]| {
        let mut mcs = Command::new("mcs");
        mcs.args(["-langversion:7.2", "-unsafe", "-r:System.Core.dll"]).args(more);
        c::must(mcs.arg(format!("-out:{}", folder.join(output).display())));
    };
    mcs("Pontil.dll", &["-target:library".into(), sources.join("Pontil/*.cs").display().to_string()]);
    let reference = format!("-r:{}", folder.join("Pontil.dll").display());
    mcs("Route.exe", &[reference, sources.join("tests/Route.cs").display().to_string()]);
    fs::copy(sources.join("Pontil/Pontil.dll.config"), folder.join("Pontil.dll.config")).unwrap();
    fs::copy(sources.join("tests/runtimeconfig.json"), folder.join("Route.runtimeconfig.json")).unwrap();
    fs::copy(c::library(), folder.join("libpontil.so")).unwrap();
    folder.join("Route.exe")
}

/// The routes that can be had here; says which can not.
pub fn all(folder: &Path) -> Vec<(&'static str, Route)> {
    let mut routes: Vec<(&'static str, Route)> = Vec::new();
    if c::have("gcc") {
        let program = c::compile(&c::root().join("tests/c/route.c"), &c::library(), folder);
        routes.push(("C", running(move || Command::new(&program))));
    }
    if c::have("g++") {
        let program = cpp(folder);
        routes.push(("C++", running(move || Command::new(&program))));
    }
    let dotnet = c::tools().join("dotnet/dotnet");
    if c::have("mcs") {
        let program = csharp(folder);
        for (name, runtime) in [("C#, Mono", PathBuf::from("mono")), ("C#, .NET 8", dotnet)] {
            if Command::new(&runtime).arg("--version").output().is_err() {
                println!("skipped: {name} is not there");
                continue;
            }
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
