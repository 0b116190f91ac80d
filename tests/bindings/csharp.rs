//! C#: its assemblies are compiled once by Mono's compiler and run on Mono and on .NET 8.

use crate::{c, model, said_all_passed};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

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

/// Compiles sources under `bindings/csharp`, a folder or files, against what is in `to` already.
pub fn compile(sources: &[&str], references: &[&str], name: &str, to: &Path) {
    let mut mcs = Command::new("mcs");
    mcs.args(["-langversion:7.2", "-unsafe", "-warnaserror", "-warn:4", "-r:System.Core.dll"]);
    mcs.arg(if name.ends_with(".dll") { "-target:library" } else { "-target:exe" });
    mcs.args(references.iter().map(|one| format!("-r:{}", to.join(one).display())));
    mcs.arg(format!("-out:{}", to.join(name).display()));
    for source in sources {
        let path = c::root().join("bindings/csharp").join(source);
        mcs.arg(if path.is_dir() { path.join("*.cs") } else { path });
    }
    c::must(&mut mcs);
    let Some(program) = name.strip_suffix(".exe") else { return };
    let settings = c::root().join("bindings/csharp/tests/runtimeconfig.json");
    fs::copy(settings, to.join(format!("{program}.runtimeconfig.json"))).unwrap();
}

/// The binding itself.
pub fn compile_binding(to: &Path) {
    compile(&["Pontil"], &[], "Pontil.dll", to);
    fs::copy(c::root().join("bindings/csharp/Pontil/Pontil.dll.config"), to.join("Pontil.dll.config")).unwrap();
}

#[test]
fn tests_of_the_binding() {
    if !c::have("mcs") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    compile_binding(at);
    compile(&["DeepSharp.Import.Pontil"], &["Pontil.dll"], "DeepSharp.Import.Pontil.dll", at);
    let references = ["Pontil.dll", "DeepSharp.Import.Pontil.dll"];
    compile(&["tests/Tests.cs", "tests/DeepSharpTests.cs"], &references, "Tests.exe", at);
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
    compile_binding(folder.path());
    compile(&["tests/Readme.cs"], &["Pontil.dll"], "Readme.exe", folder.path());
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
