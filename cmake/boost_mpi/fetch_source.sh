#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# fetch_source.sh PACKAGE FOLDER
#
# Puts mpi/src and serialization/src of the distribution's source package (boost1.74 and the like) into FOLDER.
set -euo pipefail
package=$1
folder=$2
here=$(dirname "${BASH_SOURCE[0]}")

work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/download" "$work/unpacked"
bash "$here/../download_source.sh" "$package" "$work/download"

shopt -s nullglob
archives=("$work"/download/*.orig.tar.*)
for archive in "${archives[@]}"; do
    case $archive in *.asc) continue ;; esac
    tar -xf "$archive" -C "$work/unpacked" --wildcards '*/libs/mpi/src/*' '*/libs/serialization/src/*'
done
sources=("$work"/unpacked/*/libs/mpi/src)
[ "${#sources[@]}" -eq 1 ] || { echo "$package: no libs/mpi/src in its archive"; exit 1; }
rm -rf "$folder"
mv "${sources[0]%/mpi/src}" "$folder"
