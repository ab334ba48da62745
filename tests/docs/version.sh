#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# version.sh ROOT VERSION: what else names the version names this one.
set -euo pipefail
cd "$1"
version=$2
wrong=0
says() { # FILE PATTERN
    grep -qE -- "$2" "$1" || { echo "$1: not version $version: no line is as $2"; wrong=1; }
}
says CITATION.cff "^version: $version\$"
says CHANGELOG.md "^## \[$version\]|^This will be version $version\."
says docs/install.md "GIT_TAG v$version\)"
says README.md "GIT_TAG v$version\)"
says packaging/spack/package.py "version\(\"$version\", (tag=\"v$version\"|sha256=\"[0-9a-f]{64}\")\)"
says packaging/conan/conanfile.py "^    version = \"$version\""
says packaging/module/topomp "/$version\$"
for file in packaging/easybuild/*.eb; do says "$file" "^version = '$version'"; done
exit "$wrong"
