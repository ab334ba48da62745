#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# download_source.sh PACKAGE FOLDER
#
# Puts the archives of a source package of the distribution's (boost1.74, mpich and the like) into FOLDER, which exists.
# Needs no root and leaves the system's package lists alone: it works in lists of its own, made from the present
# sources with 'deb' turned into 'deb-src'.
set -euo pipefail
package=$1
folder=$2

command -v apt-get >/dev/null || { echo "apt-get: not found; source packages need Debian or a relative of it"; exit 1; }
work=$(mktemp -d "$folder/lists.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/sources"

shopt -s nullglob
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] || continue
    sed -nE 's/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$list" >"$work/sources/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
    sed -E 's/^Types:.*/Types: deb-src/I' "$list" >"$work/sources/$(basename "$list")"
done

options=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$work/sources"
         -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/archives" -o "Acquire::Languages=none"
         -o "Acquire::Retries=3" -o "APT::Get::List-Cleanup=false" -qq)
# apt fetches as a user of its own when root runs it; that user must not need to get in here.
[ "$(id -u)" -ne 0 ] || options+=(-o "APT::Sandbox::User=root")

# A third party's repository without sources makes the update fail; what counts is whether the download works.
if ! apt-get "${options[@]}" update; then echo "apt-get update: some lists could not be read"; fi
(cd "$folder" && apt-get "${options[@]}" source --download-only "$package")
