#!/bin/bash
# Julia 1.5.3 of Debian 11 in a folder of its own, for the tests of bindings/julia. Nothing of the system is touched: apt works
# with its own lists and an empty status, and the packages are unpacked, not installed. Run by tests/run.sh; does nothing the
# second time. The mirror is the machine's own.
# usage: tests/setup/julia.sh [FOLDER]
set -euo pipefail
folder=${1:-${PONTIL_TOOLS:-$HOME/.cache/pontil-tools}/julia}
if [ -e "$folder/.complete" ] && "$folder/bin/julia" --version >/dev/null 2>&1; then exit 0; fi
command -v apt-get >/dev/null || { echo "no apt-get" >&2; exit 1; }

mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
if [ -z "$mirror" ]; then
    mirror=$(sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1)
fi
: "${mirror:?the sources of apt name no mirror}"

apt=$folder/apt
rm -rf "$folder"
mkdir -p "$apt"/lists/partial "$apt"/cache/archives/partial "$folder/root" "$folder/bin"
: >"$apt/status"
printf 'Types: deb\nURIs: %s\nSuites: bullseye\nComponents: main\nSigned-By: %s\n' \
    "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/bullseye.sources"
private=(
    -o "Dir::Etc::sourcelist=$apt/bullseye.sources" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=3
    -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root -o Debug::NoLocking=1
)
apt-get "${private[@]}" -qq update

# Left out: the runtimes of C and C++, where the system's newer ones must be taken, and what every Debian 12 has since apt and
# dpkg need it. libpcre2-8 and libgmp must stay: Julia's own folder links to them.
there='libc6|libgcc-s1|libstdc\+\+6|gcc-.*-base|libcrypt1|debconf.*|cdebconf|dpkg|tar|perl-base|install-info|libselinux1'
there="$there|zlib1g|libtinfo6|libacl1|libbz2-1.0|liblzma5|libgcrypt20|libgpg-error0|libgnutls30|libp11-kit0|libidn2-0"
there="$there|libunistring2|libtasn1-6|libnettle8|libhogweed6|libdb5.3|libdebian-installer4|libnewt0.52|libslang2|libtextwrap1"
mapfile -t packages < <(
    apt-cache "${private[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
        --no-enhances julia | grep -E '^[a-z]' | grep -vE "^($there)\$" | sort -u
)
(cd "$apt/cache/archives" && apt-get "${private[@]}" -qq download "${packages[@]}")
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
rm -rf "$apt" "$folder"/root/usr/share/{doc,man,info,lintian,locale}

cat >"$folder/bin/julia" <<'END'
#!/bin/sh
# Its libraries are found by this process alone.
here=$(dirname "$(dirname "$(readlink -f "$0")")")
libraries=$here/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries/julia:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$here/root/usr/bin/julia" "$@"
END
chmod +x "$folder/bin/julia"
"$folder/bin/julia" --startup-file=no -e 'using LinearAlgebra; ones(9, 9) * ones(9)'
touch "$folder/.complete"
