//! Links the unwinder into the library and names it.
//!
//! A cdylib takes `_Unwind_*` from `libgcc_s.so.1`; opened with `RTLD_DEEPBIND` (Julia's default) those symbols may resolve
//! to another unwinder of the host, and `catch_unwind` then ends the process. A linker script that stands for `libgcc_s.so`
//! makes the static unwinder be taken instead. Linux with glibc only: musl links its unwinder statically by itself, and the
//! unwinders of Windows and macOS belong to the system.
//!
//! Cargo calls the library `libpontil.so`, a program that was linked to it asks for the name with the ABI's number: a link of
//! that name is laid beside it, so that a program built against the target folder starts.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The number in the SONAME; equals `PON_ABI` in `src/capi/library.rs`.
const ABI: u32 = 1;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let target = |key: &str| env::var(key).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpontil.so.{ABI}");
        lay_link(Path::new(&target("OUT_DIR")));
        if target("CARGO_CFG_TARGET_ENV") == "gnu" {
            let folder = PathBuf::from(target("OUT_DIR"));
            fs::write(folder.join("libgcc_s.so"), "INPUT(-lgcc_eh -lgcc)\n").expect("OUT_DIR can be written");
            println!("cargo::rustc-cdylib-link-arg=-L{}", folder.display());
            println!("cargo::rustc-link-search=native={}", folder.display());
        }
    }
    if target("CARGO_CFG_TARGET_OS") == "macos" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpontil.dylib");
    }
    println!("cargo::rustc-env=PONTIL_TARGET={}", target("TARGET"));
}

/// `OUT_DIR` is `<where the library goes>/build/<package>/out`. A folder that cannot be written is no reason to fail: the
/// library itself is whole without the link.
#[cfg(unix)]
fn lay_link(out: &Path) {
    if let Some(folder) = out.ancestors().nth(3) {
        let link = folder.join(format!("libpontil.so.{ABI}"));
        if link.symlink_metadata().is_err() {
            let _ = std::os::unix::fs::symlink("libpontil.so", link);
        }
    }
}

#[cfg(not(unix))]
fn lay_link(_: &Path) {}
