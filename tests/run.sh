#!/bin/bash
# Every test there is, on a bare Debian 12 with Rust, git and gcc. Installs what the tests need, and closes with one line
# `N passed, N failed`. Each check of style counts as one test; a tool that cannot be had is said as `skipped: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0

need() { # program, Debian packages
    command -v "$1" >/dev/null && return
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        [ -n "${updated:-}" ] || { apt-get -qq update && updated=yes; }
        DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y $2 >/dev/null
    fi
    command -v "$1" >/dev/null || echo "skipped: what needs $1 (Debian: $2 could not be installed)"
}

setup() { # script of tests/setup
    "tests/setup/$1.sh" || echo "skipped: what needs $1 (tests/setup/$1.sh did not come to its end)"
}

check() { # name, command …
    local name=$1
    shift
    echo "== $name"
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $name"; fi
}

need gcc gcc
need g++ g++
need objdump binutils
need valgrind valgrind
need strace strace
need make make
need cmake cmake
need pkg-config pkg-config
need mcs "mono-mcs libmono-system-core4.0-cil"
need mono mono-runtime
need pip3 python3-pip
setup dotnet
setup julia

if cargo fmt --version >/dev/null 2>&1; then check "rustfmt" cargo fmt --check; else echo "skipped: rustfmt is not installed"; fi
if cargo clippy --version >/dev/null 2>&1; then
    check "clippy" cargo clippy --quiet --all-targets --features debug-entries -- -D warnings
else
    echo "skipped: clippy is not installed"
fi
check "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --lib

log=$(mktemp)
trap 'rm -f "$log"' EXIT
check "release build" cargo build --quiet --release --lib
cargo test --no-fail-fast -- --show-output 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
read -r p f < <(awk '/^test result:/ { p += $4; f += $6 } END { print p + 0, f + 0 }' "$log")
passed=$((passed + p)) failed=$((failed + f))
if [ "$status" != 0 ] && [ "$f" = 0 ]; then failed=$((failed + 1)) && echo "FAILED: cargo test did not come to its end"; fi
if [ "$p" = 0 ]; then failed=$((failed + 1)) && echo "FAILED: no test ran"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
