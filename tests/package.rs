//! The package for C and C++ programs: installed to a folder, moved, found by CMake and by pkg-config, shared and static.
#![allow(clippy::print_stdout)]
#![cfg(target_os = "linux")]

mod c;

use std::{fs, path::Path, process::Command};

fn says_who_it_is(program: &Path) {
    // Cargo tells the loader of its own folders, where another build of the library may lie.
    let output = c::must(Command::new(program).env_remove("LD_LIBRARY_PATH"));
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

/// The newest glibc that a library may need, as the README says; 2.17 where it is built with cargo-zigbuild.
const GLIBC: (u32, u32) = (2, 35);

#[test]
fn archive_of_a_release() {
    if !["strip", "objdump", "nm", "tar"].into_iter().all(c::have) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (built, dist) = (folder.path().join("built"), folder.path().join("dist"));
    fs::create_dir(&built).unwrap();
    fs::copy(c::library(), built.join("libpontil.so")).unwrap();
    let rustc = c::must(Command::new("rustc").arg("-vV"));
    let said = String::from_utf8(rustc.stdout).unwrap();
    let target = said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    c::must(Command::new(c::root().join("cmake/release.sh")).arg(target).arg(&built).env("PONTIL_DIST", &dist));

    let name = format!("pontil-{}-{target}", env!("CARGO_PKG_VERSION"));
    c::must(
        Command::new("sha256sum").args(["--check", "--quiet"]).arg(format!("{name}.tar.gz.sha256")).current_dir(&dist),
    );
    let again = folder.path().join("again");
    fs::create_dir(&again).unwrap();
    c::must(Command::new("tar").arg("-xzf").arg(dist.join(format!("{name}.tar.gz"))).arg("-C").arg(&again));
    let unpacked = again.join(&name);
    c::must(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&unpacked));
    for file in [
        "include/pontil.h",
        "include/pontil.hpp",
        "lib/libpontil.so",
        "lib/cmake/Pontil/PontilConfig.cmake",
        "lib/pkgconfig/pontil.pc",
        "share/licenses/pontil/LICENSE-MIT",
        "share/licenses/pontil/THIRD-PARTY",
        "symbols.txt",
    ] {
        assert!(unpacked.join(file).is_file(), "{file} is not in the archive");
    }
    assert_eq!(
        fs::read_to_string(unpacked.join("symbols.txt")).unwrap(),
        fs::read_to_string(c::root().join("tests/abi/symbols.txt")).unwrap()
    );
    let info = fs::read_to_string(unpacked.join("build-info.json")).unwrap();
    let glibc = info.split("\"glibc\": \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let mut numbers = glibc.split('.').map(|number| number.parse().unwrap());
    assert!((numbers.next().unwrap(), numbers.next().unwrap()) <= GLIBC, "the library needs glibc {glibc}");
}
