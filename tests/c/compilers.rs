//! How programs of C++ and C# are compiled, with one set of flags for every test that does.

use super::{have, library, must, root, tools};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// Compiles a file of `bindings/cpp/tests`.
pub fn cpp(name: &str, more: &[&str], folder: &Path) -> PathBuf {
    let program = folder.join(name.replace('.', "-"));
    let named = folder.join("libpontil.so.1");
    let _ = fs::remove_file(&named);
    std::os::unix::fs::symlink(library(), &named).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O1", "-pthread"]).args(WARNINGS).args(more);
    compiler.arg("-I").arg(root().join("include")).arg("-I").arg(root().join("bindings/cpp/include"));
    compiler.arg(root().join("bindings/cpp/tests").join(name)).arg(library());
    compiler.arg(format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display()));
    must(compiler.arg("-o").arg(&program));
    program
}

/// Compiles sources under `bindings/csharp`, a folder or files, against what is in `to` already; gives what came of it.
pub fn csharp(sources: &[&str], references: &[&str], name: &str, to: &Path) -> PathBuf {
    let made = to.join(name);
    let mut mcs = Command::new("mcs");
    mcs.args(["-langversion:7.2", "-unsafe", "-warnaserror", "-warn:4", "-r:System.Core.dll"]);
    mcs.arg(if name.ends_with(".dll") { "-target:library" } else { "-target:exe" });
    mcs.args(references.iter().map(|one| format!("-r:{}", to.join(one).display())));
    mcs.arg(format!("-out:{}", made.display()));
    for source in sources {
        let path = root().join("bindings/csharp").join(source);
        mcs.arg(if path.is_dir() { path.join("*.cs") } else { path });
    }
    must(&mut mcs);
    if let Some(program) = name.strip_suffix(".exe") {
        let settings = root().join("bindings/csharp/tests/runtimeconfig.json");
        fs::copy(settings, to.join(format!("{program}.runtimeconfig.json"))).unwrap();
    }
    made
}

/// The binding for C# itself.
pub fn csharp_binding(to: &Path) {
    csharp(&["Pontil"], &[], "Pontil.dll", to);
    fs::copy(root().join("bindings/csharp/Pontil/Pontil.dll.config"), to.join("Pontil.dll.config")).unwrap();
}

/// What runs programs of C#, as far as it is there, each with its name.
pub fn runtimes() -> Vec<(&'static str, PathBuf)> {
    let mut all = Vec::new();
    if have("mono") {
        all.push(("C#, Mono", PathBuf::from("mono")));
    }
    let dotnet = tools().join("dotnet/dotnet");
    if dotnet.is_file() {
        all.push(("C#, .NET 8", dotnet));
    } else {
        println!("skipped: .NET 8 is not there (tests/setup/dotnet.sh)");
    }
    all
}
