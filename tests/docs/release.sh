#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# release.sh ROOT WORK: scripts/release, on a copy of the files that it changes, makes a release, its checksum, and the next release.
set -euo pipefail
root=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
(cd "$root" && tar -c scripts/release packaging README.md CITATION.cff CHANGELOG.md docs/*.md include/topomp/version.hpp) | tar -xC "$work"
cd "$work"
tries=0

fail() { echo "FAILED: $1"; exit 1; }
says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1"; tries=$((tries + 1)); }
silent() { ! grep -rnF -- "$1" "${@:2}" || fail "'$1' is still there"; tries=$((tries + 1)); }
unchanged() { # COMMAND...: run again, it changes nothing
    local before
    before=$(tar -c --mtime=@0 . | sha256sum)
    "$@"
    [ "$(tar -c --mtime=@0 . | sha256sum)" = "$before" ] || fail "run again, $* changes something"
    tries=$((tries + 1))
}
refused() { # PATTERN ARGUMENTS...
    ! scripts/release "${@:2}" 2>err || fail "not refused: ${*:2}"
    says err "$1"
    rm err
}
address=https://forge.test/group/topomp

refused 'three numbers' prepare 0.1 $address
refused 'an address is' prepare 0.1.0 forge.test
refused 'a date is' prepare 0.1.0 $address tomorrow
refused 'a later version is prepared' prepare 0.0.9 $address 2030-01-02
refused 'No such file' checksum missing.tar.gz
refused 'scripts/release prepare' prepare

# This version.
version=$(sed -n 's/^version: //p' CITATION.cff)
notes=$(sed -n '/^## \[Unreleased\]/,$p' CHANGELOG.md | grep -c '^- ')
scripts/release prepare "$version" $address 2030-01-02
"$root/tests/docs/version.sh" . "$version"
says CHANGELOG.md "## [$version] - 2030-01-02"
[ "$(sed -n "/^## \[Unreleased\]/,/^## \[$version\]/p" CHANGELOG.md | grep -vc '^$')" -eq 2 ] || fail 'something is left unreleased'
[ "$(sed -n "/^## \[$version\]/,\$p" CHANGELOG.md | grep -c '^- ')" -eq "$notes" ] || fail 'the changelog has lost something'
says CITATION.cff 'date-released: 2030-01-02'
says README.md "GIT_REPOSITORY $address.git GIT_TAG v$version)"
says docs/install.md "GIT_REPOSITORY $address.git GIT_TAG v$version)"
silent example.org packaging
silent 'GIT_REPOSITORY ...' README.md docs
silent 'is not released yet' README.md
unchanged scripts/release prepare "$version" $address 2030-01-02

# The checksum of its archive.
echo archive >"$work/v$version.tar.gz"
sum=$(sha256sum "$work/v$version.tar.gz" | cut -d ' ' -f 1)
(cd packaging && ../scripts/release checksum "../v$version.tar.gz")
says packaging/spack/package.py "version(\"$version\", sha256=\"$sum\")"
says "packaging/easybuild/topomp-$version-gompi-2023a.eb" "checksums = ['$sum']"
unchanged scripts/release checksum "v$version.tar.gz"

# The next release, from elsewhere.
scripts/release prepare 9.8.7 $address-next.git 2031-02-03
"$root/tests/docs/version.sh" . 9.8.7
says include/topomp/version.hpp 'TOPOMP_VERSION_MINOR 8'
says docs/install.md 'find_package(topomp 9.8 REQUIRED)'
says packaging/spack/package.py "version(\"$version\", sha256=\"$sum\")"
says packaging/spack/package.py "homepage = \"$address-next\""
silent "$sum" packaging/easybuild
[ "$(ls packaging/easybuild)" = topomp-9.8.7-gompi-2023a.eb ] || fail 'EasyBuild has two recipes'
[ "$(grep -n '^## \[' CHANGELOG.md | cut -d ' ' -f 2 | tr -d '\n')" = "[Unreleased][9.8.7][$version]" ] || fail 'another order of versions'
python3 -m py_compile packaging/spack/package.py packaging/conan/conanfile.py
echo "$tries things checked"
