#!/bin/bash
# Lays a built Pontil out as C and C++ programs find it: headers, libraries, CMake package, pkg-config file, licences. The folder
# that comes of it can be moved. Run by release.sh and by tests/package.rs; by hand after `cargo build --release --lib`.
# usage: cmake/install.sh PREFIX [FOLDER OF THE LIBRARIES]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
prefix=${1:?usage: cmake/install.sh PREFIX [FOLDER OF THE LIBRARIES]}
libraries=${2:-$root/target/release}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
abi=$(sed -n 's/^#define PON_ABI //p' "$root/include/pontil.h")

mkdir -p "$prefix"/{include/pontil,lib/cmake/Pontil,lib/pkgconfig,share/licenses/pontil}
install -m 644 "$root/include/pontil.h" "$root/bindings/cpp/include/pontil.hpp" "$prefix/include/"
install -m 644 "$root"/bindings/cpp/include/pontil/*.hpp "$prefix/include/pontil/"
install -m 644 "$root"/LICENSE-* "$prefix/share/licenses/pontil/"

found=
if [ -f "$libraries/libpontil.so" ]; then
    install -m 755 "$libraries/libpontil.so" "$prefix/lib/libpontil.so.$version"
    ln -sf "libpontil.so.$version" "$prefix/lib/libpontil.so.$abi"
    ln -sf "libpontil.so.$abi" "$prefix/lib/libpontil.so"
    found=yes
fi
for name in libpontil.dylib pontil.dll pontil.dll.lib libpontil.a pontil.lib; do
    if [ -f "$libraries/$name" ]; then
        install -m 755 "$libraries/$name" "$prefix/lib/"
        found=yes
    fi
done
[ -n "$found" ] || { echo "no library in $libraries; build it: cargo build --release --lib" >&2; exit 1; }

for file in PontilConfig.cmake PontilConfigVersion.cmake; do
    sed -e "s/@VERSION@/$version/" -e "s/@ABI@/$abi/" "$here/$file.in" >"$prefix/lib/cmake/Pontil/$file"
done
sed -e "s/@VERSION@/$version/" "$here/pontil.pc.in" >"$prefix/lib/pkgconfig/pontil.pc"
