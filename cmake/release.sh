#!/bin/bash
# Makes the archive of one target in dist/: headers, libraries, CMake and pkg-config files, licences, build-info.json, symbols.txt and
# checksums. On Linux with glibc it is built against glibc 2.17 where cargo-zigbuild and zig are installed; else the archive says
# which glibc it needs.
# usage: cmake/release.sh [TARGET [FOLDER OF LIBRARIES THAT ARE BUILT]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cd "$root"
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
libraries=${2:-}
dist=${PONTIL_DIST:-$root/dist}
features=(--no-default-features --features allocator)

if [ -z "$libraries" ]; then
    libraries=$root/target/$target/release
    if [[ $target == *-linux-gnu ]] && cargo zigbuild --help >/dev/null 2>&1; then
        cargo zigbuild --release --lib "${features[@]}" --target "$target.2.17"
    else
        cargo build --release --lib "${features[@]}" --target "$target"
    fi
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=pontil-$version-$target
folder=$dist/$name
rm -rf "$folder"
"$here/install.sh" "$folder" "$libraries"

floor= needs=
shared=$folder/lib/libpontil.so
if [ -e "$shared" ]; then
    strip --strip-unneeded "$(readlink -f "$shared")" 2>/dev/null || echo "not stripped: no strip for $target" >&2
    floor=$(objdump -T "$shared" | sed -n 's/.*GLIBC_\([0-9][0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    needs=$(objdump -p "$shared" | sed -n 's/^ *NEEDED *//p' | sed 's/.*/"&"/' | paste -sd,)
    nm -D --defined-only --format=posix "$shared" | cut -d' ' -f1 | LC_ALL=C sort >"$folder/symbols.txt"
fi

cat >"$folder/build-info.json" <<END
{
  "version": "$version",
  "abi": $(sed -n 's/^#define PON_ABI //p' include/pontil.h),
  "target": "$target",
  "compiler": "$(rustc --version)",
  "commit": "$(git rev-parse HEAD 2>/dev/null || echo unknown)",
  "glibc": "${floor:-none}",
  "needs": [$needs]
}
END
{
    echo "Crates that are in the library, with their licences:"
    cargo tree --edges normal "${features[@]}" --target "$target" --prefix none --no-dedupe --format '{p}  {l}' | sed 's/ (.*)  /  /' | sort -u
} >"$folder/share/licenses/pontil/THIRD-PARTY"

(cd "$folder" && find . -type f ! -name SHA256SUMS | sort | xargs sha256sum >SHA256SUMS)
tar -C "$dist" -czf "$dist/$name.tar.gz" "$name"
(cd "$dist" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$dist/$name.tar.gz${floor:+, glibc $floor or later}"
