//! C#: its assemblies are compiled once by Mono's compiler and run on Mono and on .NET 8.

use crate::{
    c::{
        self,
        compilers::{csharp, csharp_binding, runtimes},
    },
    model, said_all_passed,
};
use std::{fs, process::Command};

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
    let tests = ["Tests", "DatasetTests", "DeepSharpTests", "Expect", "MisuseTests", "StreamTests"]
        .map(|name| format!("tests/{name}.cs"));
    csharp(&tests.each_ref().map(String::as_str), &references, "Tests.exe", at);
    let layout = fs::read_to_string(c::root().join("tests/abi/layout.txt")).unwrap();
    for (name, runtime) in runtimes() {
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
    for (_, runtime) in runtimes() {
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
}

/// Every library of an archive is in the package of Unity, or said to be left out.
#[test]
fn package_of_unity() {
    let (folder, archives) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
        let lib = archives.path().join(format!("pontil-0.1.0-{target}/lib"));
        fs::create_dir_all(&lib).unwrap();
        fs::write(lib.join("libpontil.so"), target).unwrap();
    }
    let layout = c::root().join("bindings/csharp/unity/layout.sh");
    let output = c::must(Command::new(layout).arg(folder.path()).arg(archives.path()));
    assert!(folder.path().join("Runtime/Native.g.cs").is_file() && folder.path().join("package.json").is_file());
    let library = folder.path().join("Plugins/Linux/x86_64/libpontil.so");
    assert_eq!(fs::read_to_string(&library).unwrap(), "x86_64-unknown-linux-gnu");
    assert!(library.with_extension("so.meta").is_file());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.lines().count() == 1 && said.contains("aarch64-unknown-linux-gnu"), "{said}");
}
