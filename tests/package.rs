//! The package for C and C++ programs: installed to a folder, moved, found by CMake and by pkg-config, shared and static.
#![allow(clippy::print_stdout)]
#![cfg(target_os = "linux")]

mod c;

use std::{fs, path::Path, process::Command};

fn says_who_it_is(program: &Path) {
    let output = c::must(&mut Command::new(program));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"abi\":1"), "{}", program.display());
}

fn with_cmake(prefix: &Path, folder: &Path) {
    let build = folder.join("by-cmake");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(c::root().join("cmake/consumer")).arg("-B").arg(&build);
    c::must(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    c::must(Command::new("cmake").arg("--build").arg(&build));
    for program in ["c_pontil", "c_static", "cpp_pontil", "cpp_static"] {
        says_who_it_is(&build.join(program));
    }
    let mut newer = Command::new("cmake");
    let text = "cmake_minimum_required(VERSION 3.16)\nproject(p NONE)\nfind_package(Pontil 0.9 CONFIG REQUIRED)\n";
    fs::create_dir(folder.join("newer")).unwrap();
    fs::write(folder.join("newer/CMakeLists.txt"), text).unwrap();
    newer.arg("-S").arg(folder.join("newer")).arg("-B").arg(folder.join("newer/build"));
    let output = newer.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).output().unwrap();
    assert!(!output.status.success(), "a package of 0.1 was taken for 0.9");
}

fn flags(prefix: &Path, more: &[&str]) -> Vec<String> {
    let mut asked = Command::new("pkg-config");
    asked.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(["--cflags", "--libs"]).args(more).arg("pontil");
    let said = String::from_utf8(c::must(&mut asked).stdout).unwrap();
    said.split_whitespace().map(str::to_owned).collect()
}

fn with_pkg_config(prefix: &Path, folder: &Path) {
    for (compiler, source) in [("gcc", "main.c"), ("g++", "main.cpp")] {
        let source = c::root().join("cmake/consumer").join(source);
        let program = folder.join(format!("{compiler}-shared"));
        let mut shared = Command::new(compiler);
        shared.arg(&source).args(flags(prefix, &[])).arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
        c::must(shared.arg("-o").arg(&program));
        says_who_it_is(&program);

        let program = folder.join(format!("{compiler}-static"));
        let mut whole = Command::new(compiler);
        whole.arg(&source).args(flags(prefix, &["--static"]).iter().map(|flag| match flag.as_str() {
            "-lpontil" => "-l:libpontil.a",
            flag => flag,
        }));
        c::must(whole.arg("-o").arg(&program));
        says_who_it_is(&program);
    }
}

#[test]
fn is_found_where_it_was_moved_to() {
    if !["gcc", "g++"].into_iter().all(c::have) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (first, prefix) = (folder.path().join("first"), folder.path().join("moved/to here"));
    c::must(Command::new(c::root().join("cmake/install.sh")).arg(&first).arg(c::library().parent().unwrap()));
    fs::create_dir_all(prefix.parent().unwrap()).unwrap();
    fs::rename(&first, &prefix).unwrap();
    if c::have("cmake") {
        with_cmake(&prefix, folder.path());
    }
    // pkg-config's flags are words; a folder with a blank in its name is CMake's alone.
    let plain = folder.path().join("plain");
    fs::rename(&prefix, &plain).unwrap();
    if c::have("pkg-config") {
        with_pkg_config(&plain, folder.path());
    }
}
