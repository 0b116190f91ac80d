//! C#: its assemblies are compiled once by Mono's compiler and run on Mono and on .NET 8.

use crate::{
    c::{
        self,
        compilers::{csharp, csharp_binding},
    },
    model, said_all_passed,
};
use std::{fs, path::PathBuf, process::Command};

/// The runtimes that are there: what runs a program, and its name.
pub fn runtimes() -> Vec<(PathBuf, &'static str)> {
    let mut all = Vec::new();
    if c::have("mono") {
        all.push((PathBuf::from("mono"), "Mono"));
    }
    let dotnet = c::tools().join("dotnet/dotnet");
    if dotnet.is_file() {
        all.push((dotnet, ".NET 8"));
    } else {
        println!("skipped: .NET 8 is not there (tests/setup/dotnet.sh)");
    }
    all
}

#[test]
fn tests_of_the_binding() {
    if !c::have("mcs") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    csharp_binding(at);
    csharp(&["DeepSharp.Import.Pontil"], &["Pontil.dll"], "DeepSharp.Import.Pontil.dll", at);
    let references = ["Pontil.dll", "DeepSharp.Import.Pontil.dll"];
    csharp(&["tests/Tests.cs", "tests/MisuseTests.cs", "tests/DeepSharpTests.cs"], &references, "Tests.exe", at);
    let layout = fs::read_to_string(c::root().join("tests/abi/layout.txt")).unwrap();
    for (runtime, name) in runtimes() {
        let layouts = at.join("layout.txt");
        said_all_passed(Command::new(&runtime).arg(at.join("Tests.exe")).arg(c::library()).arg(&layouts));
        assert_eq!(fs::read_to_string(&layouts).unwrap(), layout, "layouts on {name}");
        // Cargo tells the loader of its own folders, where the library is.
        said_all_passed(Command::new(&runtime).arg(at.join("Tests.exe")).env_remove("LD_LIBRARY_PATH"));
    }
}

/// Where a package puts the library it is found by itself.
#[test]
fn program_of_the_readme() {
    if !c::have("mcs") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    csharp_binding(folder.path());
    csharp(&["tests/Readme.cs"], &["Pontil.dll"], "Readme.exe", folder.path());
    let native =
        folder.path().join("runtimes").join(if cfg!(target_arch = "x86_64") { "linux-x64" } else { "linux-arm64" });
    fs::create_dir_all(native.join("native")).unwrap();
    fs::copy(c::library(), native.join("native/libpontil.so")).unwrap();
    for (runtime, _) in runtimes() {
        model::program_of_the_readme(folder.path(), || {
            let mut program = Command::new(&runtime);
            program.arg(folder.path().join("Readme.exe"));
            program
        });
    }
    model::readme_shows("csharp", &c::root().join("bindings/csharp/tests/Readme.cs"));
}

#[test]
fn files_of_the_package_say_one_version() {
    let version = concat!(">", env!("CARGO_PKG_VERSION"), "<");
    for file in [
        "Pontil/Pontil.csproj",
        "DeepSharp.Import.Pontil/DeepSharp.Import.Pontil.csproj",
        "Pontil.Native/Pontil.Native.nuspec",
    ] {
        let text = fs::read_to_string(c::root().join("bindings/csharp").join(file)).unwrap();
        assert!(text.contains(version), "{file} is of another version than Cargo.toml");
    }
    let unity = fs::read_to_string(c::root().join("bindings/csharp/unity/package.json")).unwrap();
    assert!(unity.contains(concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"")));
    let map = fs::read_to_string(c::root().join("bindings/csharp/Pontil/Pontil.dll.config")).unwrap();
    assert!(map.contains(&format!("target=\"libpontil.so.{}\"", pontil::capi::library::PON_ABI)));
    let folder = tempfile::tempdir().unwrap();
    c::must(Command::new(c::root().join("bindings/csharp/unity/layout.sh")).arg(folder.path()));
    assert!(folder.path().join("Runtime/Native.g.cs").is_file() && folder.path().join("package.json").is_file());
}
