#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# pictures.sh ROOT TOPOMP: the pictures of the pages are those that scripts/pictures draws now.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/scripts/pictures" "$2" "$work"
for picture in "$work"/*; do # others draw there too
    diff "$1/docs/pictures/$(basename "$picture")" "$picture" || { echo "run scripts/pictures and commit"; exit 1; }
done
