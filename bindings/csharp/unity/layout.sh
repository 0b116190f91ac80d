#!/bin/bash
# Lays the Unity package out: the sources of bindings/csharp/Pontil and the libraries of release archives that were unpacked side by
# side, each folder named after its target as release.sh names it.
# usage: bindings/csharp/unity/layout.sh FOLDER [FOLDER OF THE ARCHIVES]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
to=${1:?usage: bindings/csharp/unity/layout.sh FOLDER [FOLDER OF THE ARCHIVES]}
archives=${2:-}

mkdir -p "$to/Runtime"
cp "$here/package.json" "$to/"
cp "$here/Runtime/Pontil.asmdef" "$here"/../Pontil/*.cs "$to/Runtime/"
cp "$here"/../../../LICENSE-* "$to/"
cp "$here/../README.md" "$to/README.md"
[ -n "$archives" ] || exit 0
for target in x86_64-unknown-linux-gnu:Linux/x86_64 aarch64-unknown-linux-gnu:Linux/arm64 x86_64-pc-windows-msvc:Windows/x86_64 \
    aarch64-pc-windows-msvc:Windows/arm64 x86_64-apple-darwin:macOS/x86_64 aarch64-apple-darwin:macOS/arm64; do
    for library in "$archives"/*"${target%%:*}"/lib/{libpontil.so,libpontil.dylib,pontil.dll}; do
        if [ -e "$library" ]; then
            mkdir -p "$to/Plugins/${target##*:}"
            cp -L "$library" "$to/Plugins/${target##*:}/"
        fi
    done
done
