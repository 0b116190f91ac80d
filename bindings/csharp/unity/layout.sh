#!/bin/bash
# Lays the Unity package out: the sources of bindings/csharp/Pontil and the libraries of release archives that were unpacked side by
# side, each folder named after its target as release.sh names it; what is of no player, Linux on AArch64 for one, is left out and
# said. Every file gets its .meta, without which Unity leaves out what is in
# a package that it may not write to; its number is made of the file's place, so it is the same in every version.
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

meta() { # file or folder of the package; more lines come from the standard input
    printf 'fileFormatVersion: 2\nguid: %s\n' "$(printf 'org.pontil.unity/%s' "${1#"$to"/}" | md5sum | cut -d' ' -f1)" >"$1.meta"
    cat >>"$1.meta"
}

plugin() { # library, Unity's words for the system as an editor and as a player, processor
    meta "$1" <<END
PluginImporter:
  serializedVersion: 2
  isPreloaded: 0
  isOverridable: 0
  platformData:
  - first:
      Any: 
    second:
      enabled: 0
      settings: {}
  - first:
      Editor: Editor
    second:
      enabled: 1
      settings:
        CPU: $4
        OS: $2
  - first:
      Standalone: $3
    second:
      enabled: 1
      settings:
        CPU: $4
END
}

if [ -n "$archives" ]; then
    laid=" "
    while read -r target folder editor player processor; do
        for library in "$archives"/*"$target"/lib/{libpontil.so,libpontil.dylib,pontil.dll}; do
            if [ -e "$library" ]; then
                laid+="$library "
                mkdir -p "$to/Plugins/$folder"
                cp -L "$library" "$to/Plugins/$folder/"
                plugin "$to/Plugins/$folder/$(basename "$library")" "$editor" "$player" "$processor"
            fi
        done
    done <<'END'
x86_64-unknown-linux-gnu Linux/x86_64 Linux Linux64 x86_64
x86_64-pc-windows-msvc Windows/x86_64 Windows Win64 x86_64
aarch64-pc-windows-msvc Windows/arm64 Windows Win64 ARM64
x86_64-apple-darwin macOS/x86_64 OSX OSXUniversal x86_64
aarch64-apple-darwin macOS/arm64 OSX OSXUniversal ARM64
END
    for library in "$archives"/*/lib/{libpontil.so,libpontil.dylib,pontil.dll}; do
        if [ -e "$library" ] && [[ $laid != *" $library "* ]]; then
            echo "left out: $library: no player of Unity that is known here takes it" >&2
        fi
    done
fi
find "$to" -mindepth 1 ! -name '*.meta' | while read -r one; do
    [ -e "$one.meta" ] && continue
    if [ -d "$one" ]; then echo "folderAsset: yes" | meta "$one"; else meta "$one" </dev/null; fi
done
